//! Room card: game records and training rows from SGF and .tsv.xz files.
//!
//! For: reading whole collections of games as a stream, one game in memory at a time.
//! May use: the board, game trees, decompression.
//! Never enters: learning, playing, printing.

pub mod tsv;
