//! Who chooses the moves. The engine cannot tell one thinker from another.

use std::time::Duration;

use jigo_board::random_game::random_point;
use jigo_board::{Color, Game, Move, Rng, Symmetry};
use jigo_search::{Limits, NetOpinion, Parameters, Progress, SearchReport, SearchRequest, Searcher, TimeBudget};

use crate::analysis::{AnalysisRequest, Watcher};
use crate::stop::StopFlag;

/// What a thinker makes of a position.
#[derive(Clone, Debug)]
pub struct Thought {
    pub best: Move,
    /// How likely the player who asked is to win, if the thinker has an opinion.
    pub win_rate: Option<f32>,
    /// All that the search found out, if there was one.
    pub report: Option<SearchReport>,
}

/// What to play?
pub struct Question<'a, 'w> {
    pub game: &'a Game,
    /// Need not be the player the game expects next.
    pub color: Color,
    pub limits: Limits,
    pub stop: &'a StopFlag,
    pub watcher: Option<Watcher<'w>>,
}

impl<'a> Question<'a, '_> {
    /// With all the time of the world and nobody watching.
    pub fn new(game: &'a Game, color: Color, stop: &'a StopFlag) -> Self {
        Question { game, color, limits: Limits::default(), stop, watcher: None }
    }
}

/// Chooses moves.
///
/// Contract: answers soon after `stop` is raised, and keeps no hold on the game. The engine checks the move against the
/// rules of the whole game, so a thinker may know simple ko only.
pub trait Thinker: Send {
    /// With a limit of time, answers in about the desired time and never after the maximum.
    fn think(&mut self, question: Question<'_, '_>) -> Thought;

    /// Finds out all it can, for somebody else to judge, by the game's own komi. A thinker without opinions has none.
    fn analyse(
        &mut self,
        _game: &Game,
        _request: &AnalysisRequest<'_>,
        _stop: &StopFlag,
        _tell: &mut dyn FnMut(&SearchReport),
    ) -> Option<SearchReport> {
        None
    }

    /// What its net alone thinks, if it has one.
    fn raw_net(&mut self, _game: &Game, _color: Color, _symmetry: Symmetry) -> Option<NetOpinion> {
        None
    }

    /// Thinks ahead while `color`, the opponent, is to move, until `stop` is raised. A thinker without memory does not.
    fn ponder(&mut self, _game: &Game, _color: Color, _stop: &StopFlag) {}

    /// What it can be tuned by has changed. A thinker without parameters does not care.
    fn set_parameters(&mut self, _parameters: &Parameters) {}
}

/// Uniformly random moves that fill no own eye: legal, quick and hopeless.
pub struct RandomThinker {
    rng: Rng,
}

impl RandomThinker {
    pub fn new(seed: u64) -> RandomThinker {
        RandomThinker { rng: Rng::new(seed) }
    }
}

/// Draws before a thinker concludes that superko leaves it nothing but a pass.
const DRAWS: usize = 32;

impl Thinker for RandomThinker {
    fn think(&mut self, Question { game, color, .. }: Question<'_, '_>) -> Thought {
        let best = (0..DRAWS)
            .map_while(|_| random_point(game.board(), color, &mut self.rng).map(Move::Play))
            .find(|&mv| game.check(color, mv).is_ok())
            .unwrap_or(Move::Pass);
        Thought { best, win_rate: None, report: None }
    }
}

/// Searches the tree of moves.
pub struct SearchThinker {
    searcher: Box<dyn Searcher>,
    /// Simulations for one move; without it, and without a clock, [`DEFAULT_BUDGET`].
    playouts: Option<u64>,
}

/// For clients that name no limit at all (Sabaki sends no time commands): as long as a person likes to wait.
pub const DEFAULT_BUDGET: TimeBudget = TimeBudget { desired: Duration::from_secs(3), maximum: Duration::from_secs(6) };

impl SearchThinker {
    pub fn new(searcher: Box<dyn Searcher>, playouts: Option<u64>) -> SearchThinker {
        SearchThinker { searcher, playouts }
    }
}

impl Thinker for SearchThinker {
    fn think(&mut self, question: Question<'_, '_>) -> Thought {
        let Question { game, color, limits, stop, watcher } = question;
        let playouts = self.playouts.into_iter().chain(limits.playouts).min();
        let time = if playouts.is_some() { limits.time } else { limits.time.or(Some(DEFAULT_BUDGET)) };
        let limits = Limits { playouts, time };
        let mut request = SearchRequest::new(game, color, limits, stop.as_atomic());
        if let Some(watcher) = &watcher {
            request.restrictions = watcher.restrictions;
            request.move_ownership = watcher.move_ownership;
        }
        let report = self.searcher.search(&request, watcher.map(|watcher| watcher.progress));
        let best = report.best();
        Thought {
            best: best.map_or(Move::Pass, |best| best.mv),
            win_rate: best.map(|best| best.win_rate),
            report: Some(report),
        }
    }

    fn analyse(
        &mut self,
        game: &Game,
        request: &AnalysisRequest<'_>,
        stop: &StopFlag,
        tell: &mut dyn FnMut(&SearchReport),
    ) -> Option<SearchReport> {
        let search = SearchRequest {
            restrictions: request.restrictions,
            move_ownership: request.move_ownership,
            may_settle: false,
            plain_komi: true,
            raw_net: true,
            ..SearchRequest::new(game, request.color, request.limits, stop.as_atomic())
        };
        Some(self.searcher.search(&search, Some(Progress { every: request.every, tell })))
    }

    fn raw_net(&mut self, game: &Game, color: Color, symmetry: Symmetry) -> Option<NetOpinion> {
        self.searcher.raw_net(game, color, symmetry)
    }

    fn ponder(&mut self, game: &Game, color: Color, stop: &StopFlag) {
        self.searcher.search(&SearchRequest::new(game, color, Limits::default(), stop.as_atomic()), None);
    }

    fn set_parameters(&mut self, parameters: &Parameters) {
        self.searcher.set_parameters(parameters.clone());
    }
}
