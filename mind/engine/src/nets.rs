//! The nets there are to think with. The app reads files; doors ask for nets by name, and an engine changes over without losing its game.

use std::sync::Arc;

use jigo_net::Backend;

use crate::engine::Engine;
use crate::human::Human;

/// What is known of a net without running it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetCard {
    /// What it is asked for by.
    pub name: String,
    /// What it is called inside its file.
    pub internal_name: String,
    /// Can it play like people of a rank?
    pub knows_people: bool,
    /// The version of KataGo's format that it is written in, 0 for our own.
    pub version: u32,
}

impl NetCard {
    /// A net of our own kind.
    pub fn ours(name: &str) -> NetCard {
        NetCard { name: name.into(), internal_name: name.into(), knows_people: false, version: 0 }
    }
}

/// A net ready to think with.
#[derive(Clone)]
pub struct OpenNet {
    pub card: NetCard,
    /// Without one, playouts alone judge.
    pub net: Option<Arc<dyn Backend>>,
    /// Itself if it knows people, or a net for human play that stands beside it.
    pub human: Option<Human>,
}

impl OpenNet {
    /// The nets that think: itself, if there is one, and the one that stands beside it.
    pub fn in_use(&self) -> Vec<NetCard> {
        let own = self.net.is_some().then(|| self.card.clone());
        let beside = self.human.iter().map(Human::card).filter(|_| !self.card.knows_people);
        own.into_iter().chain(beside).collect()
    }
}

/// Where nets are found by their names.
pub trait NetCollection: Send + Sync {
    /// The nets there are now.
    fn cards(&self) -> Vec<NetCard>;

    /// One of them, or one sentence why not.
    fn open(&self, name: &str) -> Result<OpenNet, String>;
}

/// Others think along with the net they share with us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the net cannot be changed while other machines think along")]
pub struct CannotChangeNet;

impl Engine {
    /// Thinks with another net from now on; game and clock stay, and so does the player it imitates, if the net knows people.
    pub fn change_net(&mut self, open: &OpenNet) -> Result<(), CannotChangeNet> {
        if !self.searcher_mut().set_net(open.net.clone()) {
            return Err(CannotChangeNet);
        }
        let like = self.plays_like().cloned();
        self.set_human(open.human.clone().map(|human| human.like(like)));
        Ok(())
    }
}
