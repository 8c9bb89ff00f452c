//! Room card: training.
//!
//! For: supervised, reinforcement and value training of the net, positions worth asking a stronger teacher about and its answers, and
//! reports on what was learnt.
//! May use: records, the net, the engine as a player, and everything below. Progress bars and files are fine here.
//! Never enters: doors. `unsafe` lives in `kernel` only, file by file.

pub mod checkpoint;
pub mod classroom;
pub mod further;
mod game_text;
mod grow;
pub mod history;
pub mod journal;
mod kernel;
pub mod loss;
mod model;
pub mod optimizer;
mod orthogonal;
pub mod positions;
pub mod reinforce;
pub mod report;
pub mod self_play;
pub mod supervised;
mod target;
pub mod teach;
mod team;
mod training_thread;
pub mod validation;
pub mod value_games;

pub use game_text::{games_as_text, games_from_text};
