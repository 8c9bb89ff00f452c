//! Who thinks for the door. The app knows how engines are made; the door only asks for them.

use std::sync::{Arc, Mutex, PoisonError};

use jigo_engine::{Engine, Level, NetCollection};
use tracing::warn;

use crate::messages::ClusterView;

pub struct Minds {
    /// An opponent of this level.
    pub player: Box<dyn Fn(Level) -> Engine + Send + Sync>,
    /// One who judges positions as well as it can. It is not the opponent's mind, so that looking at a game does not make
    /// the opponent any wiser.
    pub analyst: Box<dyn Fn() -> Engine + Send + Sync>,
    /// A new guest of the analysis service, who is told its answers.
    pub analysis: Box<dyn Fn(AnswerSink) -> QueryHandler + Send + Sync>,
    /// The nets that an opponent and the analyst may think with instead of the usual one.
    pub nets: Arc<dyn NetCollection>,
    /// The one the analyst was asked to think with.
    pub analyst_net: Mutex<Option<String>>,
    /// How the other machines are doing, if there are any that think along.
    pub cluster: Option<Box<dyn Fn() -> ClusterView + Send + Sync>>,
}

/// Who sits opposite a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Opponent {
    pub level: u64,
    /// The usual net if none is named.
    pub net: Option<String>,
    /// A player to imitate, by KataGo's names.
    pub like: Option<String>,
}

impl Minds {
    pub fn engine_of(&self, opponent: &Opponent) -> Engine {
        let mut engine = (self.player)(Level::numbered(opponent.level));
        self.change_net(&mut engine, opponent.net.as_deref());
        if let Some(like) = &opponent.like
            && let Err(error) = engine.play_like(like)
        {
            warn!(%error, "plays as itself");
        }
        engine
    }

    pub fn analyst_with(&self, net: Option<&str>) -> Engine {
        let mut engine = (self.analyst)();
        self.change_net(&mut engine, net);
        engine
    }

    /// A net that is no longer there, or no longer a net, costs nobody a game: the usual one takes its place.
    fn change_net(&self, engine: &mut Engine, net: Option<&str>) {
        let Some(name) = net else { return };
        let changed = self.nets.open(name).and_then(|open| engine.change_net(&open).map_err(|error| error.to_string()));
        if let Err(error) = changed {
            warn!(net = name, %error, "thinks with the usual net");
        }
    }

    pub fn analyst_net(&self) -> Option<String> {
        self.analyst_net.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set_analyst_net(&self, net: Option<String>) {
        *self.analyst_net.lock().unwrap_or_else(PoisonError::into_inner) = net;
    }
}

/// Takes an answer of the analysis protocol, one line, to whoever asked. It must not wait.
pub type AnswerSink = Box<dyn Fn(String) + Send + Sync>;
/// Takes one line of the analysis protocol to the service. When it is dropped, nothing more is done for the guest.
pub type QueryHandler = Box<dyn Fn(&str) + Send>;
