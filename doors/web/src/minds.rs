//! Who thinks for the door. The app knows how engines are made; the door only asks for them.

use jigo_engine::{Engine, Level};

pub struct Minds {
    /// An opponent of this level.
    pub player: Box<dyn Fn(Level) -> Engine + Send + Sync>,
    /// One who judges positions as well as it can. It is not the opponent's mind, so that looking at a game does not make
    /// the opponent any wiser.
    pub analyst: Box<dyn Fn() -> Engine + Send + Sync>,
}
