//! Who thinks for the door. The app knows how engines are made; the door only asks for them.

use jigo_engine::{Engine, Level};

use crate::messages::ClusterView;

pub struct Minds {
    /// An opponent of this level.
    pub player: Box<dyn Fn(Level) -> Engine + Send + Sync>,
    /// One who judges positions as well as it can. It is not the opponent's mind, so that looking at a game does not make
    /// the opponent any wiser.
    pub analyst: Box<dyn Fn() -> Engine + Send + Sync>,
    /// A new guest of the analysis service, who is told its answers.
    pub analysis: Box<dyn Fn(AnswerLine) -> HearLine + Send + Sync>,
    /// How the other machines are doing, if there are any that think along.
    pub cluster: Option<Box<dyn Fn() -> ClusterView + Send + Sync>>,
}

/// Takes one line of the analysis protocol to whoever asked. It must not wait.
pub type AnswerLine = Box<dyn Fn(String) + Send + Sync>;
/// Hears one line of the analysis protocol. When it is dropped, nothing more is done for the guest.
pub type HearLine = Box<dyn Fn(&str) + Send>;
