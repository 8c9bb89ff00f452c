//! From what a search found to a decision: play, pass or resign.

use jigo_board::{Color, Game, Move, Point, PointSet, Score};
use jigo_search::{MoveReport, SearchReport};

use crate::judgement::Judgement;
use crate::parameters::EngineParameters;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Move(Move),
    Resign,
}

/// A move outside settled ground may take the place of one inside it if it wins as often, but for this much.
const NO_WORSE: f32 = 0.03;
/// ... and if it was seen at least this part as often.
const TRUSTED_PART: u32 = 10;
/// After fewer simulations than these every point seems to be settled, since they hardly had a chance to differ.
const SETTLING_VISITS: u32 = 8;
/// A move that loses so much against a pass is not played for want of certainty.
const MUCH_CHANCE: f32 = 0.15;
const MUCH_POINTS: f32 = 3.0;
/// A win rate from fewer simulations is no reason to give up a game.
const RESIGN_VISITS: u32 = 50;

/// Nobody should resign before half of the board's points have seen a move: early estimates are not worth a game. With
/// handicap stones the start is lost on paper and the game is played all the same.
fn is_late_enough_to_resign(game: &Game) -> bool {
    2 * game.moves().len() >= game.board().area()
}

/// Turns what a search found into a move the rules allow. A move they forbid becomes a pass, which they always allow.
pub(crate) fn decide(
    game: &Game,
    color: Color,
    report: &SearchReport,
    judge: impl FnOnce() -> Judgement,
    parameters: &EngineParameters,
) -> Decision {
    if is_hopeless(game, report, parameters) {
        return Decision::Resign;
    }
    let best = choose(game, color, report, judge, parameters);
    let is_legal = game.check(color, best).is_ok();
    Decision::Move(if is_legal { best } else { Move::Pass })
}

/// Only at the game's own komi can a game be lost. While dynamic komi lends us points it still fights, and while it asks for
/// more than a win, missing that is no defeat; the search comes back to the real komi by itself. Who plays by temperature
/// is a beginner, and beginners play on.
fn is_hopeless(game: &Game, report: &SearchReport, parameters: &EngineParameters) -> bool {
    report.best().is_some_and(|best| best.win_rate.share_of(report.to_move) < parameters.resign_below)
        && is_late_enough_to_resign(game)
        && report.visits >= RESIGN_VISITS
        && report.extra_komi == 0.0
        && parameters.temperature == 0.0
}

/// The best move of a report, with good manners at the end of the game.
fn choose(
    game: &Game,
    color: Color,
    report: &SearchReport,
    judge: impl FnOnce() -> Judgement,
    parameters: &EngineParameters,
) -> Move {
    let Some(best) = report.best() else { return Move::Pass };
    if is_early(game) {
        // Nobody ends a game that has hardly begun, whatever a first glance says.
        let is_move = |found: &&MoveReport| found.mv != Move::Pass;
        return report.moves.iter().find(is_move).map_or(Move::Pass, |found| found.mv);
    }
    let settled = settled_points(game, report, parameters.settled);
    let is_open = |mv: Move| mv.point().is_some_and(|point| !settled.contains(point));
    if is_open(best.mv) {
        return best.mv;
    }
    // The best move is a pass, or lies in settled ground: is there anything left to play for?
    let share = |found: &MoveReport| found.win_rate.share_of(report.to_move);
    let as_good = |other: &&MoveReport| {
        is_open(other.mv) && other.visits * TRUSTED_PART >= best.visits && share(other) + NO_WORSE >= share(best)
    };
    if let Some(other) = report.moves.iter().find(as_good) {
        return other.mv;
    }
    let nothing_left = report.moves.iter().all(|other| !is_open(other.mv));
    if (best.mv == Move::Pass || nothing_left) && may_pass(game, color, judge) {
        return Move::Pass;
    }
    let play = |other: &&MoveReport| other.mv != Move::Pass && !fills_own_eye(game, color, other.mv);
    let instead = report.moves.iter().find(play).filter(|other| !is_much_worse(color, other, best));
    instead.map_or(Move::Pass, |other| other.mv)
}

/// Would it be foolish to play `other` though `best` is known? In a seki, fates are not plain and yet nobody may move.
fn is_much_worse(color: Color, other: &MoveReport, best: &MoveReport) -> bool {
    let lead = |of: &MoveReport| Score::black_lead(of.black_score).lead_of(color);
    let share = |of: &MoveReport| of.win_rate.share_of(color);
    share(best) - share(other) > MUCH_CHANCE || lead(best) - lead(other) > MUCH_POINTS
}

/// Points whose owner the simulations hardly ever disagree about.
fn settled_points(game: &Game, report: &SearchReport, share: f32) -> PointSet {
    if report.visits < SETTLING_VISITS {
        return PointSet::EMPTY;
    }
    let threshold = 2.0 * share - 1.0;
    game.board().points().filter(|&point| report.ownership(point).abs() >= threshold).collect()
}

/// Is the game won, or at least not spoilt, if play stops here? Where the rules count dead stones as alive only the board as it
/// stands may be counted.
fn may_pass(game: &Game, color: Color, judge: impl FnOnce() -> Judgement) -> bool {
    if game.rules().friendly_pass_ok { judge().is_settled() } else { game.score(&PointSet::EMPTY).lead_of(color) > 0.0 }
}

fn fills_own_eye(game: &Game, color: Color, mv: Move) -> bool {
    mv.point().is_some_and(|point: Point| game.board().around(point).is_eye_of(color))
}

/// Has the opponent just offered to end the game?
pub(crate) fn opponent_just_passed(game: &Game, color: Color) -> bool {
    game.moves().last() == Some(&(color.opponent(), Move::Pass))
}

/// Has the game hardly begun? On a board with few stones fates look plain because nobody has fought yet; finished games have
/// stones on more than half of the points.
pub(crate) fn is_early(game: &Game) -> bool {
    let board = game.board();
    let stones = board.area() - board.empties().len();
    3 * stones < board.area()
}

/// May `color` accept the offer: is every chain's fate plain, and the count won?
pub(crate) fn wins_by_passing(color: Color, judgement: &Judgement) -> bool {
    judgement.is_settled() && judgement.score().lead_of(color) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::stop::StopFlag;
    use jigo_board::Rules;
    use jigo_search::{Limits, RandomMover, SearchRequest, Searcher, TreeSearcher};

    fn played_out(moves: usize) -> Game {
        let mut game = Game::new(5, Rules::default());
        for _ in 0..moves {
            game.play(game.to_move(), Move::Pass).unwrap();
        }
        game
    }

    fn decided(game: &Game, color: Color, report: &SearchReport) -> Decision {
        let judge = || Judgement::new(game, None, 1, &StopFlag::default());
        decide(game, color, report, judge, &EngineParameters::default())
    }

    fn found(color: Color, mv: Move, visits: u32, share: f32) -> SearchReport {
        let mut report = SearchReport::new(color, 7.5);
        report.moves.push(MoveReport::new(mv, visits, color, share));
        report.visits = visits;
        report
    }

    #[test]
    fn a_lost_game_is_resigned_but_not_early_nor_after_a_short_look() {
        let hopeless = found(Color::Black, Move::Pass, 100, 0.01);
        assert_eq!(decided(&played_out(20), Color::Black, &hopeless), Decision::Resign);
        assert_eq!(decided(&played_out(4), Color::Black, &hopeless), Decision::Move(Move::Pass));
        let glimpsed = found(Color::Black, Move::Pass, 1, 0.01);
        assert_eq!(decided(&played_out(20), Color::Black, &glimpsed), Decision::Move(Move::Pass));
    }

    #[test]
    fn what_is_lost_at_an_imagined_komi_is_not_given_up() {
        let game = played_out(20);
        for extra_komi in [-5.0, 5.0] {
            for color in Color::BOTH {
                let mut report = found(color, Move::Pass, 100, 0.01);
                report.extra_komi = extra_komi;
                assert_ne!(decided(&game, color, &report), Decision::Resign, "{color} {extra_komi}");
            }
        }
    }

    #[test]
    fn after_one_simulation_nothing_is_settled_and_nobody_judges_the_board() {
        for seed in 0..8 {
            let mut engine = Engine::new(Game::new(9, Rules::default()), Box::new(RandomMover::new(seed)), seed);
            for _ in 0..45 {
                engine.genmove(engine.game().to_move());
            }
            let (game, stop) = (engine.game(), StopFlag::default());
            let color = game.to_move();
            assert!(!is_early(game), "a position of the middle game");
            let mut parameters = jigo_search::Parameters::default();
            parameters.search.tree_megabytes = 8;
            let limits = Limits { playouts: Some(1), visits: None, time: None };
            let request = SearchRequest::new(game, color, limits, stop.as_atomic());
            let report = TreeSearcher::new(parameters, None, 1, seed).search(&request, None);
            let judge = || panic!("nobody has the time");
            let decided = decide(game, color, &report, judge, &EngineParameters::default());
            assert_eq!(Some(decided), report.best().map(|best| Decision::Move(best.mv)));
            assert_ne!(decided, Decision::Move(Move::Pass));
        }
    }

    #[test]
    fn an_illegal_move_becomes_a_pass() {
        let mut game = played_out(0);
        let centre = Move::Play(Point::new(2, 2));
        game.play(Color::Black, centre).unwrap();
        let report = found(Color::White, centre, 100, 0.5);
        assert_eq!(decided(&game, Color::White, &report), Decision::Move(Move::Pass));
    }
}
