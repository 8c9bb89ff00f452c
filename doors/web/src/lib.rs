//! Room card: the board in the browser.
//!
//! For: serving the embedded client, and games over HTTP and WebSocket as `PROTOCOL.md` tells.
//! May use: the engine, the board, game records, and tactics to say why a move is played; tokio, axum and serde.
//! Never enters: rules of Go and thinking, which are the engine's; the search tree; another door; any address but loopback unless
//! asked for. No game is lost by whatever happens to the process.
//!
//! Start with `table.rs`, one game as everybody at it sees it; `session.rs` puts tabs and a thinking thread around it.

mod analysis_socket;
mod analysis_view;
mod api;
mod assets;
mod connections;
mod folder_lock;
mod games;
mod guesses;
mod library;
mod messages;
mod minds;
mod records;
mod refusal;
mod rehearsal;
mod security;
mod server;
mod session;
mod socket;
mod store;
mod table;
mod thinking;
mod training;

pub use folder_lock::CannotOpen;
pub use messages::{ClusterView, FlowView, MachineState, MachineView};
pub use minds::{AnswerSink, Minds, QueryHandler};
pub use rehearsal::rehearse;
pub use server::Server;
