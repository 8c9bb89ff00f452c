//! Thinking about a position without playing: what analysis protocols, reviews and the web board ask for.

use std::time::Duration;

use jigo_board::{Color, Game};
use jigo_search::{Limits, Progress, Restriction, SearchReport, SearchRequest, Searcher};

use crate::stop::StopFlag;

/// What to think about, for how long, and how often to tell.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisRequest<'a> {
    pub color: Color,
    /// Without any the analysis goes on until it is stopped.
    pub limits: Limits,
    pub restrictions: &'a [Restriction],
    pub every: Duration,
    /// Also find out who owns what after each move.
    pub move_ownership: bool,
    /// Use nothing that was found out before: all visits are new.
    pub fresh: bool,
}

impl AnalysisRequest<'_> {
    /// A look that nobody watches, within these limits.
    pub(crate) fn quick(color: Color, limits: Limits) -> AnalysisRequest<'static> {
        AnalysisRequest { color, limits, restrictions: &[], every: Duration::MAX, move_ownership: false, fresh: false }
    }

    /// Finds out all it can, for somebody else to judge, by the game's own komi.
    pub(crate) fn run(
        &self,
        searcher: &mut dyn Searcher,
        game: &Game,
        stop: &StopFlag,
        tell: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        let search = SearchRequest {
            restrictions: self.restrictions,
            move_ownership: self.move_ownership,
            may_settle: false,
            fresh: self.fresh,
            steady_views: true,
            plain_komi: true,
            join_images: true,
            raw_net: true,
            ..SearchRequest::new(game, self.color, self.limits, stop.as_atomic())
        };
        searcher.search(&search, Some(Progress { every: self.every, tell }))
    }
}

/// Somebody who watches a move being chosen, and may have wishes about it.
pub struct Watcher<'a> {
    pub progress: Progress<'a>,
    pub restrictions: &'a [Restriction],
    /// Also find out who owns what after each move.
    pub move_ownership: bool,
}

impl<'a> Watcher<'a> {
    /// One without wishes.
    pub fn new(every: Duration, tell: &'a mut dyn FnMut(&SearchReport)) -> Watcher<'a> {
        Watcher { progress: Progress { every, tell }, restrictions: &[], move_ownership: false }
    }
}
