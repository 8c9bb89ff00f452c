//! Room card: the papers' tables as commands, parameter tuning, reports, plots.
//!
//! For: experiments that play many games and say what they prove. Games are played by the arena.
//! May use: every room below.
//! Never enters: anything a door needs.

mod board_picture;
mod contest;
pub mod experiment;
pub mod experiments;
mod report;
mod run;
pub mod tune;

pub use board_picture::BoardPicture;
pub use contest::{Conditions, Yardstick};
pub use report::{Report, Row};
pub use run::{LabError, Step, default_folder, run_experiment};
