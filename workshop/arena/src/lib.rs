//! Room card: matches between black-box GTP programs, and what their results prove.
//!
//! The arena starts programs, keeps clocks and rules, journals every game and computes Elo, intervals and
//! sequential tests. It knows nothing of engines: our own is one more command line. It may use the board and SGF
//! rooms; nothing of `mind` or `doors` enters.

pub mod seed;
pub mod statistics;
