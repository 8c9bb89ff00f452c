//! Room card: playout.
//!
//! For: a semi-random game from a leaf to the end. Generators propose moves (one file each), a policy says in
//! which order and how often they are asked, and the finished game gives an [`Outcome`].
//! May use: the board, tactics, patterns and parameters.
//! Never enters: the tree, threads, printing. Komi enters for Go Intellect's playouts only, which learn from who won; all
//! others end with a score and not with a winner.
//!
//! Read in this order: [`Simulation`] is the game so far, `policy.rs` is pure data, [`Playout::run`] is the loop, and
//! `generator/` holds the moves. What only a paper's program uses is in `go_intellect/` and `evaluation_value/`.

mod bench_position;
mod generator;
mod outcome;
mod parameters;
mod playout;
mod playouts;
mod policy;
mod simulation;
mod suggestions;

// What only a paper's program uses.
pub mod evaluation_value;
pub mod go_intellect;

pub use bench_position::{BenchPosition, Fingerprint, bench_positions, fingerprint};
pub use generator::Generator;
pub use outcome::{Outcome, Owner};
pub use parameters::{PlayoutParameters, PolicyName};
pub use playout::Playout;
pub use playouts::Playouts;
pub use policy::{Step, steps};
pub use simulation::{Played, Simulation, StartPosition};
pub use suggestions::{Urgency, suggestions};
