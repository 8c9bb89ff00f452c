//! Room card: the engine.
//!
//! For: one game from its first stone to its count: how long to think, what to play, when to pass or resign, which
//! stones are dead. Doors talk to [`Engine`]; those that build one also choose the [`jigo_search::Searcher`] it thinks with.
//! May use: the board and every room of the mind.
//! Never enters: protocols, files, printing, sockets. A refused request leaves the game exactly as it was.

mod analysis;
mod assessment;
mod budget;
mod decide;
mod engine;
mod human;
mod imagined_komi;
mod judgement;
mod knowledge;
mod level;
mod mistake;
mod nets;
mod outlook;
mod pace;
mod parameters;
mod policy_player;
mod preset;
mod second_look;
mod stop;
mod told;

pub use analysis::{AnalysisRequest, Watcher};
pub use assessment::{Assessment, BestMove, GamePart, JudgedPosition, Performance};
pub use decide::Decision;
pub use engine::{CannotUndo, Engine};
pub use human::{Human, HumanError};
pub use imagined_komi::{ImaginedKomi, KomiReason};
pub use jigo_katago::inputs::profile::{Profile, UnknownProfile};
pub use jigo_parameters::Kind;
pub use jigo_search::{
    Evaluation, Forecast, Limits, Manner, MoveReport, Progress, RandomMover, Restriction, RestrictionKind,
    SearchReport, TimeBudget, Unavailable,
};
pub use jigo_tactics::Unconditional;
pub use judgement::{Judgement, Status};
pub use level::{HIGHEST_LEVEL, LEVELS, LOWEST_LEVEL, Level, Strength};
pub use mistake::{Mistake, points_lost};
pub use nets::{CannotChangeNet, NetCard, NetCollection, OpenNet};
pub use outlook::Outlook;
pub use pace::natural_pause;
pub use parameters::{EngineParameters, Parameters};
pub use preset::{PRESETS, Preset, Setting, UnknownPreset};
pub use stop::StopFlag;
