//! Room card: the papers' tables as commands, parameter tuning, reports, plots.
//!
//! For: experiments that play many games and say what they prove. Games are played by the arena.
//! May use: every room below.
//! Never enters: anything a door needs.

mod board_picture;
pub mod claims;
mod contest;
mod endgames;
pub mod experiment;
pub mod experiments;
pub mod findings;
mod idle;
pub mod judging;
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
pub use plan::{Errand, errands};
pub use report::{Report, Row};
pub use run::{LabError, RunProgress, default_folder, run_experiment};
