//! Room card: tables.
//!
//! For: learning the tables of the patterns room from game records: which shapes recur, what each feature of a move is
//! worth (minorisation-maximisation), which corner positions are joseki; and measuring how well they predict.
//! May use: board, tactics, patterns, records.
//! Never enters: playing, networks, printing. Whoever calls shows the [`Progress`].

mod census;
mod contests;
mod corpus;
mod harvest;
mod joseki;
mod learn;
mod mm;
mod prediction;
mod progress;

pub use census::{ShapeCount, count_shapes};
pub use contests::{Contests, Sampling, TEAM_CLASSES, TeamTable};
pub use corpus::{Corpus, CorpusError};
pub use harvest::{Harvest, harvest};
pub use joseki::{JosekiPlan, build_joseki};
pub use learn::{LearnSettings, learn};
pub use mm::{BradleyTerry, Fit, Prior, Sweep, fit};
pub use prediction::{Prediction, predict};
pub use progress::Progress;
