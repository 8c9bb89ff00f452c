//! Room card: matches between black-box GTP programs.
