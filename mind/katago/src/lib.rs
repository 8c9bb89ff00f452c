//! Room card: KataGo's nets.
//!
//! For: reading the net files of KataGo (versions 8 to 17), writing the inputs they expect, running their layers, and saying in Go's
//! terms what comes out.
//! May use: board, tactics, net (its kernels and its `Evaluation`). Files arrive as bytes.
//! Never enters: search, printing, sockets, file names.

mod backend;
mod cost;
mod embedded;
pub mod inputs;
pub mod model;
mod outputs;
pub mod plain;
mod read;
pub mod run;
mod tensors;
mod write;

pub use backend::KataNet;
pub use embedded::{EMBEDDED_CARD, EMBEDDED_NET};
pub use model::Model;
pub use outputs::{Answer, Asked, RawOutput, Scale};
pub use read::{Header, ReadError};
pub use tensors::{Inputs, Turn};
pub use write::CannotWrite;
