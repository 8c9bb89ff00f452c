//! Room card: game records and training rows from SGF and .tsv.xz files.
