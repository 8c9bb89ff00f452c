//! Room card: the Go Text Protocol, version 2.
//!
//! For: reading GTP commands, asking the engine, answering. A line is taken apart by [`parse`], its command finds its handler in the
//! one table of [`command`], and what the handler says becomes a [`Reply`].
//! May use: the engine, the board and game records. JSON only where a command's own format is JSON.
//! Never enters: the search tree, anything on standard output but replies, any way for a line to panic or to change
//! the game when the answer is an error.

mod analysis;
mod arguments;
mod asides;
mod command;
mod failure;
mod input;
mod introduction;
mod line_reader;
mod parse;
mod reply;
mod serve;
mod session;
mod stream;

pub use asides::{Asides, Chat};
pub use command::{Command, commands};
pub use failure::Failure;
pub use introduction::Introduction;
pub use line_reader::LONGEST_LINE;
pub use parse::{ParsedLine, parse};
pub use reply::Reply;
pub use serve::serve;
pub use session::Session;
