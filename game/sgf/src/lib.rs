//! Room card: game records.
//!
//! For: reading and writing SGF (FF[3] and FF[4]) collections of Go games, and looking at one of them as a plain
//! record: who played, on what board, with which stones set up and which moves on the main line.
//! May use: `jigo-board`, and encoding_rs with chardetng for bytes that are not UTF-8.
//! Never enters: reading files, printing, search, any opinion about the moves.
//!
//! The parser is our own although the `sgf-parse` crate exists: that crate throws token positions away (no line and
//! column), unescapes values before it stores them (`\:` is lost), knows no charsets, and keeps its nodes as nested
//! vectors behind raw pointers, so that a deep file overflows the stack when it is written or merely dropped. Wrapping
//! it would have left nothing of it in use but the recognition of five punctuation marks.
//!
//! Bytes become text in [`charset`], text becomes an arena of nodes in [`parse`], and everything else is a view of
//! that arena. No step recurses, memory stays proportional to the input, and one game has a limit of parts.

pub mod charset;
mod coord;
mod edit;
mod export;
mod location;
mod parse;
mod record;
mod replay;
mod result;
mod tree;
mod value;
mod write;

pub use coord::{Area, BoardSize, Coord};
pub use location::Location;
pub use parse::{SyntaxError, SyntaxErrorKind};
pub use record::{GameRecord, PlayedMove, PlayerInfo, RecordError, RecordErrorKind, Setup, Step};
pub use replay::{Repetition, ReplayError};
pub use result::{GameResult, Margin};
pub use tree::{Collection, GameTree, Node, NodeId, Property};
pub use value::Value;
