//! Analysis as the clients' dialects ask for it and write it: one file for the arguments, one for each way to write a
//! report. All of them render the engine's plain [`SearchReport`](jigo_engine::SearchReport).

mod arguments;
pub mod cgos;
pub mod kata;
pub mod lz;
mod view;

pub use arguments::AnalyzeArguments;
pub use view::{View, ownership_of};
