//! Room card: the papers' tables as commands, parameter tuning, reports, plots.
//!
//! For: experiments that play many games and say what they prove. Games are played by the arena.
//! May use: every room below.
//! Never enters: anything a door needs.

mod board_picture;
mod contest;
mod endgames;
pub mod experiment;
pub mod experiments;
pub mod judging;
mod report;
mod run;
pub mod tune;
pub mod value_nets;

pub use board_picture::BoardPicture;
pub use contest::{Conditions, Opponent};
pub use endgames::half_point_endgames;
pub use report::{Report, Row};
pub use run::{LabError, Step, default_folder, run_experiment};
