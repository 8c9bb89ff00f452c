//! Room card: playout.
//!
//! For: a semi-random game from a leaf to the end. Generators propose moves (one file each), a policy says in
//! which order and how often they are asked, and the finished game gives an [`Outcome`].
//! May use: the board, tactics, patterns and parameters.
//! Never enters: the tree, komi (a playout ends with a score, not with a winner), threads, printing.
//!
//! Read in this order: [`Simulation`] is the game so far, [`Policy`] is pure data, [`Playout::run`] is the loop, and
//! `generator/` holds the moves.

mod generator;
mod last_good_reply;
mod outcome;
mod parameters;
mod playout;
mod policy;
mod simulation;
mod suggestions;
pub mod suite;

pub use generator::Generator;
pub use outcome::{Outcome, Owner};
pub use parameters::{GeneratorOrder, PlayoutParameters, PolicyName};
pub use playout::Playout;
pub use policy::{Policy, Step};
pub use simulation::{Played, Position, Simulation};
pub use suggestions::{Urgency, suggestions};
