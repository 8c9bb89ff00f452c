//! Positions worth asking a teacher about: more than strong players ever show.

mod dispute;
mod exercise;
mod generate;
mod levels;
mod lines;
mod mixture;
mod policy_game;
mod question;

pub use dispute::{disputes, write_disputes};
pub use exercise::{Draw, Exercise, Kind, ask_by_rules, move_at, place_of};
pub use generate::{PositionSettings, PositionsError, generate, read_exercises};
pub use mixture::{Mixture, SHARES};
pub(crate) use mixture::{draw_played_kind, draw_size, exercise, plan};
pub(crate) use policy_game::{PolicyGame, mover};
pub(crate) use question::{komi_of_game, nearest_komi};
