//! Room card: analysis of positions, many at once.
//!
//! For: KataGo's JSON analysis protocol, one object per line, which KaTrain, LizzieYzy and many scripts speak. A line
//! becomes a [`message`], each position of a query a job in the [`queue`], and a worker with an engine of its own
//! answers it. [`AnalysisService`] knows nothing of where lines come from: [`serve`] joins it to a pair of streams,
//! another door may join it to a socket.
//! May use: the engine and the board, JSON.
//! Never enters: the search tree, printing, any way for a line to panic, to hang others or to grow memory without bound.

mod fault;
mod fields;
mod message;
mod query;
mod queue;
mod render;
mod serve;
mod service;
mod settings;
mod start;
mod worker;

pub use serve::{AtEnd, LONGEST_LINE, serve};
pub use service::{AnalysisService, Client, MakeEngine, Options};
pub use settings::Viewpoint;
