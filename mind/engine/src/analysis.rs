//! Thinking about a position without playing: what analysis protocols, reviews and the web board ask for.

use std::time::Duration;

use jigo_board::Color;
use jigo_search::{Limits, Progress, Restriction, SearchReport};

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
