//! Room card: playout.
//!
//! For: a semi-random game from a leaf to the end. Generators propose moves (one file each), a policy says in
//! which order and how often they are asked, and the finished game gives an [`Outcome`].
//! May use: the board, tactics, patterns and parameters.
//! Never enters: the tree, komi (a playout ends with a score, not with a winner), threads, printing.
//!
//! Read in this order: [`Simulation`] is the game so far, [`Policy`] is pure data, [`Playout::run`] is the loop, and
//! `generator/` holds the moves. [`Evaluation`] is what many playouts think of a position, [`misjudgements`] says which
//! generators led them astray.

mod evaluation;
mod generator;
mod last_good_reply;
mod misjudgement;
mod outcome;
mod parameters;
mod playout;
mod policy;
mod simulation;
mod status;
mod suggestions;
pub mod suite;
mod yardstick;

pub use evaluation::{Evaluation, Playouts};
pub use generator::Generator;
pub use misjudgement::{Deed, Misjudgement, Remark, misjudgements};
pub use outcome::{Outcome, Owner};
pub use parameters::{GeneratorOrder, PlayoutParameters, PolicyName};
pub use playout::Playout;
pub use policy::{Policy, Step};
pub use simulation::{Played, Position, Simulation};
pub use status::{DECIDED, OPEN, Status, expectation};
pub use suggestions::{Urgency, suggestions};
pub use yardstick::{Fingerprint, Yardstick, fingerprint, yardsticks};
