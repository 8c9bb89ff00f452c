//! The game in progress, as the doors see it.

use std::time::{Duration, Instant};

use jigo_board::{
    Clock, Color, Game, HandicapError, Illegal, Move, Point, Rng, Rules, Score, Symmetry, TimeControl,
    UnacceptableKomi, acceptable_komi,
};
use jigo_tactics::{Unconditional, UnconditionalLife, is_bad_self_atari};
use thiserror::Error;

use jigo_search::{Evaluation, Limits, Manner, SearchReport, SearchRequest, Searcher, TimeBudget, Unavailable};

use crate::analysis::{AnalysisRequest, Watcher};
use crate::budget::{GameStage, at_most, budget};
use crate::decide::{Decision, decide, is_early, opponent_just_passed, wins_by_passing};
use crate::human::Human;
use crate::judgement::Judgement;
use crate::level::Level;
use crate::parameters::Parameters;
use crate::policy_player::PolicyPlayer;
use crate::second_look::instead_of_pass;
use crate::stop::StopFlag;
use crate::told::told;

/// One game, its clock and the search that thinks about it. Every method that can fail leaves the game as it was.
pub struct Engine {
    game: Game,
    clock: Clock,
    searcher: Box<dyn Searcher>,
    stop: StopFlag,
    seed: u64,
    /// Draws the moves of beginners' levels.
    rng: Rng,
    parameters: Parameters,
    last_report: Option<SearchReport>,
    /// Told not to think on the opponent's time until the next move.
    is_resting: bool,
    pub(crate) human: Option<Human>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("cannot undo")]
pub struct CannotUndo;

/// For clients that name no limit at all (Sabaki sends no time commands): as long as a person likes to wait.
const DEFAULT_BUDGET: TimeBudget = TimeBudget { desired: Duration::from_secs(3), maximum: Duration::from_secs(6) };

/// With less for a move nobody counts the board before it.
const JUDGING_TIME: Duration = Duration::from_millis(100);

/// Simulations that give a first impression.
const GLANCE: u64 = 64;

impl Engine {
    /// `seed` decides everything the engine itself leaves to chance; the searcher brings its own.
    pub fn new(game: Game, searcher: Box<dyn Searcher>, seed: u64) -> Engine {
        Engine {
            game,
            clock: Clock::default(),
            searcher,
            stop: StopFlag::default(),
            seed,
            rng: Rng::new(seed),
            parameters: Parameters::default(),
            last_report: None,
            is_resting: false,
            human: None,
        }
    }

    /// Tuned like this; the searcher was made with these parameters and is not told again.
    pub fn with_parameters(self, parameters: Parameters) -> Engine {
        Engine { parameters, ..self }
    }

    pub(crate) fn searcher_mut(&mut self) -> &mut dyn Searcher {
        &mut *self.searcher
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    pub fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// Raise it from any thread to end the current thought early.
    pub fn stop_flag(&self) -> StopFlag {
        self.stop.clone()
    }

    /// An empty board of this size, which must be one the board allows; rules and komi stay.
    pub fn start_game(&mut self, size: usize) {
        let komi = self.game.komi();
        let mut game = Game::new(size, *self.game.rules());
        game.set_komi(komi);
        self.continue_from(game);
    }

    /// Goes on with a game from elsewhere, both players with their whole time.
    pub fn continue_from(&mut self, game: Game) {
        self.game = game;
        self.clock.restart();
        // It tells of another game, perhaps on another board.
        self.last_report = None;
    }

    pub fn set_komi(&mut self, komi: f32) -> Result<(), UnacceptableKomi> {
        self.game.set_komi(acceptable_komi(komi)?);
        Ok(())
    }

    /// Other rules for the same moves; komi stays.
    pub fn set_rules(&mut self, rules: Rules) {
        self.game.set_rules(rules);
    }

    pub fn set_time_control(&mut self, control: TimeControl) {
        self.clock = Clock::new(control);
    }

    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), Illegal> {
        self.game.play(color, mv)
    }

    /// Says who is to move, for positions that were set up.
    pub fn set_to_move(&mut self, color: Color) {
        self.game.set_to_move(color);
    }

    /// Takes back this many moves, or none if there are fewer.
    pub fn undo(&mut self, moves: usize) -> Result<(), CannotUndo> {
        let kept = self.game.moves().len().checked_sub(moves).ok_or(CannotUndo)?;
        self.game.rewind_to(kept);
        Ok(())
    }

    /// Decides on a move and makes it.
    pub fn genmove(&mut self, color: Color) -> Decision {
        self.make_move(color, None)
    }

    /// As [`Engine::genmove`], telling about the search while it runs.
    pub fn genmove_told(&mut self, color: Color, every: Duration, tell: &mut dyn FnMut(&SearchReport)) -> Decision {
        self.genmove_watched(color, Watcher::new(every, tell))
    }

    /// As [`Engine::genmove`], with somebody watching. [`Engine::last_report`] then tells how the search ended.
    pub fn genmove_watched(&mut self, color: Color, watcher: Watcher<'_>) -> Decision {
        self.make_move(color, Some(watcher))
    }

    fn make_move(&mut self, color: Color, watcher: Option<Watcher<'_>>) -> Decision {
        let begun = Instant::now();
        let decision = self.choose(color, &self.stop.clone(), watcher);
        if let Decision::Move(mv) = decision {
            let made = self.game.play(color, mv);
            debug_assert_eq!(made, Ok(()), "decisions are legal");
        }
        self.clock.spend(color, begun.elapsed());
        decision
    }

    /// What `genmove` would do, without doing it.
    pub fn suggest(&mut self, color: Color) -> Decision {
        self.choose(color, &self.stop.clone(), None)
    }

    /// As [`Engine::suggest`], with somebody watching who may raise `stop` to hear no more of it.
    pub fn suggest_watched(&mut self, color: Color, stop: &StopFlag, watcher: Watcher<'_>) -> Decision {
        self.choose(color, stop, Some(watcher))
    }

    fn choose(&mut self, color: Color, stop: &StopFlag, watcher: Option<Watcher<'_>>) -> Decision {
        self.is_resting = false;
        let begun = Instant::now();
        let limits = self.limits(color);
        let has_time = limits.time.is_none_or(|time| time.maximum >= JUDGING_TIME);
        let is_offered = opponent_just_passed(&self.game, color) && !is_early(&self.game) && has_time;
        let judge = |searcher| Judgement::at_first_sight(&self.game, searcher, self.seed, stop);
        if is_offered && wins_by_passing(color, &judge(&mut *self.searcher)) {
            self.last_report = watcher.map(|watcher| self.glance(color, &watcher));
            return Decision::Move(Move::Pass);
        }
        let report = self.search(color, limits, stop, watcher);
        let (game, searcher) = (&self.game, &mut *self.searcher);
        let judge = || Judgement::at_first_sight(game, searcher, self.seed, stop);
        let mut decision = decide(game, color, &report, judge, &self.parameters.engine);
        if decision == Decision::Move(Move::Pass) && !opponent_just_passed(&self.game, color) {
            let left = limits.time.map(|budget| budget.maximum.saturating_sub(begun.elapsed()));
            let instead = instead_of_pass(&self.game, color, &report, &mut *self.searcher, left, stop);
            decision = instead.map_or(decision, Decision::Move);
        }
        self.last_report = Some(report);
        decision
    }

    /// How long to think about the next move.
    fn limits(&self, color: Color) -> Limits {
        let own = &self.parameters.engine;
        let stage = GameStage { area: self.game.board().area(), moves: self.game.moves().len() };
        let lag = Duration::from_secs_f32(own.lag);
        let time = at_most(budget(&self.clock, color, stage, lag), own.most_seconds);
        let limit = |most: u32| (most > 0).then_some(u64::from(most));
        let (playouts, visits) = (limit(own.most_playouts), limit(own.most_visits));
        let is_unlimited = playouts.or(visits).is_none() && time.is_none();
        Limits { playouts, visits, time: if is_unlimited { Some(DEFAULT_BUDGET) } else { time } }
    }

    fn search(&mut self, color: Color, limits: Limits, stop: &StopFlag, watcher: Option<Watcher<'_>>) -> SearchReport {
        let mut request = SearchRequest::new(&self.game, color, limits, stop.as_atomic());
        if let Some(watcher) = &watcher {
            request.restrictions = watcher.restrictions;
            request.move_ownership = watcher.move_ownership;
        }
        let mut report = self.searcher.search(&request, watcher.map(|watcher| watcher.progress));
        if let Some(player) = PolicyPlayer::of(&self.parameters.engine) {
            player.draw_first_move(&mut report, &self.game, color, &mut self.rng);
        }
        self.choose_like(&mut report, color);
        report
    }

    /// For whoever draws moves.
    pub(crate) fn game_and_rng(&mut self) -> (&Game, &mut Rng) {
        (&self.game, &mut self.rng)
    }

    /// A few simulations for somebody who watches a move that needs no thought.
    fn glance(&mut self, color: Color, watcher: &Watcher<'_>) -> SearchReport {
        let limits = Limits { playouts: Some(GLANCE), visits: None, time: None };
        let request =
            AnalysisRequest { move_ownership: watcher.move_ownership, ..AnalysisRequest::quick(color, limits) };
        self.analyse(&request, &StopFlag::default(), &mut |_| {})
    }

    /// Thinks about the position without touching game or clock; tells about it now and then, and ends at the limits or
    /// when `stop` is raised. Win rates are those of the game's own komi.
    pub fn analyse(
        &mut self,
        request: &AnalysisRequest<'_>,
        stop: &StopFlag,
        tell: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        let (game, seed) = (&self.game, self.seed);
        let mut tell = |report: &SearchReport| tell(&told(game, report, seed));
        let report = request.run(&mut *self.searcher, game, stop, &mut tell);
        told(game, &report, seed)
    }

    /// What the net alone thinks of the position seen in one of eight ways, if there is a net.
    pub fn raw_net(&mut self, color: Color, symmetry: Symmetry, manner: Manner) -> Option<Evaluation> {
        self.searcher.raw_net(&self.game, color, symmetry, manner)
    }

    /// Thinks on the opponent's time until `stop` is raised, if it should. Nothing of the game changes.
    pub fn ponder(&mut self, stop: &StopFlag) {
        let opponent = self.game.to_move();
        let request = SearchRequest::new(&self.game, opponent, Limits::default(), stop.as_atomic());
        self.searcher.search(&request, None);
    }

    /// Is it the opponent's turn after a move of ours, and are we asked to think on?
    pub fn wants_to_ponder(&self) -> bool {
        self.parameters.engine.ponder && !self.is_resting && self.last_report.is_some() && !self.game.is_over()
    }

    /// No more thinking on the opponent's time until the next move.
    pub fn rest(&mut self) {
        self.is_resting = true;
    }

    /// As [`Engine::genmove`], but no pass while dead stones of the opponent stand on the board.
    pub fn genmove_cleanup(&mut self, color: Color) -> Decision {
        let decision = self.genmove(color);
        if decision != Decision::Move(Move::Pass) {
            return decision;
        }
        let judgement = self.judge();
        let board = self.game.board();
        let doomed = judgement.dead().iter().filter(|&stone| board.color_at(stone) == Some(color.opponent()));
        let liberties: Vec<Point> = doomed.flat_map(|stone| board.liberties(stone)).collect();
        let sound = |&point: &Point| {
            self.game.check(color, Move::Play(point)).is_ok() && !is_bad_self_atari(self.game.board(), color, point)
        };
        let Some(point) = liberties.into_iter().find(sound) else { return decision };
        self.game.undo();
        let made = self.game.play(color, Move::Play(point));
        debug_assert_eq!(made, Ok(()), "the move was checked");
        Decision::Move(Move::Play(point))
    }

    /// What the last search found out.
    pub fn last_report(&self) -> Option<&SearchReport> {
        self.last_report.as_ref()
    }

    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Changes everything that can be tuned at once; what was learnt with the old values is forgotten.
    pub fn set_parameters(&mut self, parameters: Parameters) -> Result<(), Unavailable> {
        self.searcher.set_parameters(&parameters.searching)?;
        self.parameters = parameters;
        Ok(())
    }

    /// Forgets what it found out about this and other positions; the game itself stays.
    pub fn forget(&mut self) {
        self.searcher.forget();
    }

    pub fn threads(&self) -> usize {
        self.searcher.threads()
    }

    pub fn set_threads(&mut self, threads: usize) -> Result<(), Unavailable> {
        self.searcher.set_threads(threads)
    }

    /// Plays as well as this and no better, from now on.
    pub fn set_level(&mut self, level: Level) {
        level.set_in(&mut self.parameters.engine);
    }

    /// The fate of every stone if play stopped here.
    pub fn judge(&mut self) -> Judgement {
        Judgement::of(&self.game, &mut *self.searcher, self.seed, &self.stop)
    }

    /// What is certain about a point, whatever both players do.
    pub fn unconditional_status(&self, point: Point) -> Unconditional {
        let board = self.game.board();
        UnconditionalLife::new(board).at(board, point)
    }

    pub fn final_score(&mut self) -> Score {
        self.judge().score()
    }

    /// Black's stones on the star points, as GTP fixes them.
    pub fn place_fixed_handicap(&mut self, stones: usize) -> Result<Vec<Point>, HandicapError> {
        self.game.place_fixed_handicap(stones)
    }

    /// Black's stones on good points.
    pub fn place_free_handicap(&mut self, stones: usize) -> Result<Vec<Point>, HandicapError> {
        self.game.place_free_handicap(stones)
    }

    /// Black's stones where somebody else likes them.
    pub fn set_free_handicap(&mut self, points: Vec<Point>) -> Result<(), HandicapError> {
        self.game.set_free_handicap(points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;
    use jigo_search::RandomMover;

    fn engine(size: usize, rules: &str) -> Engine {
        let game = Game::new(size, Rules::by_name(rules).unwrap());
        Engine::new(game, Box::new(RandomMover::new(7)), 7)
    }

    #[test]
    fn random_games_come_to_an_end_on_every_size_under_every_ruleset() {
        for size in [2, 3, 5, 9, 13] {
            for (name, _) in jigo_board::RULESETS {
                let mut engine = engine(size, name);
                let mut moves = 0;
                while !engine.game().is_over() {
                    let color = engine.game().to_move();
                    assert_ne!(engine.genmove(color), Decision::Resign);
                    moves += 1;
                    assert!(moves < 20 * size * size, "{name} on {size} goes on for ever");
                }
            }
        }
    }

    #[test]
    fn a_suggestion_changes_nothing() {
        let mut engine = engine(9, "chinese");
        engine.suggest(Color::White);
        assert!(engine.game().is_at_start());
    }

    #[test]
    fn too_many_undone_moves_undo_nothing() {
        let mut engine = engine(9, "chinese");
        engine.genmove(Color::Black);
        assert_eq!(engine.undo(2), Err(CannotUndo));
        assert_eq!(engine.game().moves().len(), 1);
        assert_eq!(engine.undo(1), Ok(()));
        assert!(engine.game().is_at_start());
    }

    #[test]
    fn a_pass_is_answered_by_a_pass_once_the_game_is_won() {
        let diagram = Diagram::parse(
            ". X . X O .
             X . X X O O
             X X X O O .
             . X O O O O
             X X O . O .
             . X O O . O",
        )
        .unwrap();
        let mut game = Game::from_position(diagram.board, Color::Black, Rules::default());
        game.play(Color::Black, Move::Pass).unwrap();
        let mut engine = Engine::new(game, Box::new(RandomMover::new(7)), 7);
        assert_eq!(engine.suggest(Color::White), Decision::Move(Move::Pass));
    }

    #[test]
    fn with_no_time_at_all_a_move_is_played_at_once_and_no_pass() {
        let mut parameters = jigo_search::Parameters::default();
        parameters.search.tree_megabytes = 8;
        let searcher = jigo_search::TreeSearcher::new(parameters, None, 1, 1);
        let mut engine = Engine::new(Game::new(19, Rules::default()), Box::new(searcher), 1);
        engine.set_time_control(TimeControl::absolute(Duration::from_millis(1)));
        for color in [Color::Black, Color::White, Color::Black] {
            assert!(matches!(engine.genmove(color), Decision::Move(Move::Play(_))));
            // One simulation for each thread, and no second look.
            assert!(engine.last_report().is_some_and(|report| report.playouts <= 2));
        }
    }

    #[test]
    fn an_early_pass_is_not_taken_as_the_end() {
        let mut engine = engine(9, "chinese");
        engine.place_fixed_handicap(4).unwrap();
        engine.play(Color::White, Move::Pass).unwrap();
        assert_ne!(engine.suggest(Color::Black), Decision::Move(Move::Pass));
    }
}
