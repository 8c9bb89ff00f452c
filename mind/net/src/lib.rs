//! Room card: the net.
//!
//! For: input planes, weights, fast CPU inference, the meaning of what comes out, batching, cache; and [`Backend`], what a search
//! asks of any net. What only a net like CGI's has is in `cgi.rs`.
//! May use: board, tactics. Weights arrive as bytes.
//! Never enters: training, files, sockets, printing. `unsafe` lives in `kernel` only, file by file.

pub mod architecture;
mod backend;
mod batch;
mod cache;
pub mod cgi;
mod embedded;
mod evaluation;
mod evaluator;
mod grid;
pub mod kernel;
mod network;
pub mod planes;
mod service;
pub mod value;
pub mod weights;

pub use architecture::Architecture;
pub use backend::{Backend, Evaluate, Manner, Told, View};
pub use cache::Cache;
pub use embedded::EMBEDDED_WEIGHTS;
pub use evaluation::{Evaluation, Forecast, Later, softmax};
pub use evaluator::Evaluator;
pub use grid::Grid;
pub use network::{Net, RawOutput, Workspace};
pub use planes::{PlaneSet, Position};
pub use service::{Connection, Service};
pub use value::{AtKomi, Value};
pub use weights::Weights;

#[cfg(test)]
mod tests;
