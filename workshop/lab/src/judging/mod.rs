//! How good a program's judgement is, and its moves: measured on games of others, not by playing.
//!
//! Analysing programs speak KataGo's JSON protocol, playing ones GTP; ours is one more command line, as in the arena.

mod analyst;
mod calibration;
mod endings;
mod losses;
mod positions;
mod reliability;
mod respondent;
mod spread;
mod statistics;

pub use calibration::{Calibrated, Calibration, calibrate};
pub use endings::{Endings, judge_endings};
pub use losses::{Losses, measure_losses};
pub use positions::Source;
pub use spread::{Spread, measure_spread};
