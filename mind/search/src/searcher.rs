//! What can be asked of whoever thinks about positions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jigo_board::{Color, Game, Symmetry};
use jigo_net::{Backend, Evaluation, Manner};

use crate::parameters::Parameters;
use crate::progress::Progress;
use crate::report::SearchReport;
use crate::resources::Unavailable;
use crate::restriction::Restriction;
use crate::stop::Limits;

/// What to think about, and for how long.
pub struct SearchRequest<'a> {
    pub game: &'a Game,
    pub to_move: Color,
    pub limits: Limits,
    /// Raise it from any thread to end the search.
    pub stop: &'a AtomicBool,
    pub restrictions: &'a [Restriction],
    /// Also tell who owns what after each move.
    pub move_ownership: bool,
    /// May the search end before its limits once the best move cannot change?
    pub may_settle: bool,
    /// Begin as the first search did, with an empty tree: all visits are of this search, whatever was asked before.
    pub fresh: bool,
    /// From which side the net sees a position follows from the position alone and not from the seed: whoever asks again is
    /// told the same. Players draw the side, so that they do not play the same game twice.
    pub steady_views: bool,
    /// No dynamic komi: win rates are those of the game's own komi.
    pub plain_komi: bool,
    /// Where the position looks the same from several sides, search moves once that are images of each other, and tell of all of
    /// them. The machines of a cluster could choose different ones, and do not.
    pub join_images: bool,
    /// Also tell what the net alone thinks of the position as it lies.
    pub raw_net: bool,
}

impl<'a> SearchRequest<'a> {
    /// The best move by all means.
    pub fn new(game: &'a Game, to_move: Color, limits: Limits, stop: &'a AtomicBool) -> SearchRequest<'a> {
        SearchRequest {
            game,
            to_move,
            limits,
            stop,
            restrictions: &[],
            move_ownership: false,
            may_settle: true,
            fresh: false,
            steady_views: false,
            plain_komi: false,
            join_images: false,
            raw_net: false,
        }
    }

    /// Is it for somebody who wants to see what all moves are worth, and does not wait for the best one?
    pub fn is_analysis(&self) -> bool {
        !self.may_settle
    }
}

/// Thinks about positions. The tree is one kind; a cluster and random moves are others.
///
/// Contract: answers soon after `stop` is raised or a limit is reached, and keeps no hold on the game.
pub trait Searcher: Send {
    fn search(&mut self, request: &SearchRequest<'_>, progress: Option<Progress<'_>>) -> SearchReport;

    /// What its net alone thinks, if it has one.
    fn raw_net(&mut self, _game: &Game, _to_move: Color, _symmetry: Symmetry, _manner: Manner) -> Option<Evaluation> {
        None
    }

    /// What it can be tuned by has changed: the next search starts afresh. Or nothing has changed, because this machine
    /// does not have what was asked for.
    fn set_parameters(&mut self, _parameters: &Parameters) -> Result<(), Unavailable> {
        Ok(())
    }

    /// Thinks with another net from now on, or with none, and forgets what it found out; false if it cannot.
    fn set_net(&mut self, _net: Option<Arc<dyn Backend>>) -> bool {
        false
    }

    /// Forgets everything it has found out, the net's answers included.
    fn forget(&mut self) {}

    fn threads(&self) -> usize {
        1
    }

    /// Searches with so many threads from now on, if it can; the next search starts afresh.
    fn set_threads(&mut self, _threads: usize) -> Result<(), Unavailable> {
        Ok(())
    }
}
