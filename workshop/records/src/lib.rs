//! Room card: game records and training rows from SGF and .tsv.xz files.
//!
//! For: reading whole collections of games, as a stream (one game at a time) or as a library in memory (two bytes a
//! move); and the positions and labels training learns from.
//! May use: the board, game trees, decompression, the net's view of a position.
//! Never enters: learning, playing, printing.

mod dead;
mod library;
mod outcome;
mod record;
mod sgf_games;
pub mod tsv;

pub use dead::{DeadStones, read_dead};
pub use library::{Library, ReadError, Sample, Split, read_folder};
pub use outcome::{Outcome, Ownership};
pub use record::{Counting, Record, mover};
pub use sgf_games::records_of;
