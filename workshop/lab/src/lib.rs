//! Room card: the lab.
//!
//! For: the papers' experiments and what they prove, tuning of parameters by games, judgement measured on recorded games, and
//! soaks: hours of traffic against all doors. Games are played by the arena; our own program is one more command line.
//! May use: every room below.
//! Never enters: anything a door needs.

mod board_picture;
pub mod claims;
mod contest;
mod endgames;
pub mod experiment;
pub mod experiments;
pub mod findings;
#[cfg(unix)]
mod guardian;
mod idle;
pub mod judging;
pub mod komi_curve;
#[cfg(unix)]
mod machines;
mod plan;
mod report;
mod run;
#[cfg(unix)]
pub mod soak;
pub mod tune;
pub mod value_nets;

pub use board_picture::BoardPicture;
pub use contest::{Conditions, Opponent};
pub use endgames::half_point_endgames;
pub use idle::idle;
pub use plan::{Errand, errands, rounds};
pub use report::{Report, Row};
pub use run::{LabError, RunProgress, default_folder, run_experiment};
