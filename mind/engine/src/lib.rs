//! Room card: the game in progress.
//!
//! For: one game from its first stone to its count: how long to think, what to play, when to pass or resign, which
//! stones are dead. Doors talk to [`Engine`] and to nothing below it.
//! May use: the board, tactics, patterns, playouts and the search.
//! Never enters: protocols, files, printing, sockets. A refused request leaves the game exactly as it was.

mod analysis;
mod budget;
mod decide;
mod game_in_progress;
mod imagined_komi;
mod judgement;
mod knowledge;
mod level;
mod mistake;
mod outlook;
mod pace;
mod parameters;
mod second_look;
mod sight;
mod stop;
mod thinker;

pub use analysis::{AnalysisRequest, Watcher};
pub use decide::Decision;
pub use game_in_progress::{CannotUndo, Engine};
pub use imagined_komi::{ImaginedKomi, KomiReason};
pub use jigo_parameters::Kind;
pub use jigo_search::{
    Limits, MoveReport, NetOpinion, Progress, Restriction, RestrictionKind, SearchReport, TimeBudget,
};
pub use jigo_tactics::Unconditional;
pub use judgement::{Judgement, Status};
pub use level::{HIGHEST_LEVEL, LEVELS, LOWEST_LEVEL, Level, Strength};
pub use mistake::{Mistake, points_lost};
pub use outlook::Outlook;
pub use pace::natural_pause;
pub use parameters::{EngineParameters, Parameters};
pub use stop::StopFlag;
pub use thinker::{DEFAULT_BUDGET, Question, RandomThinker, SearchThinker, Thinker, Thought};
