//! From a thought to a deed: play, pass or resign.

use jigo_board::{Color, Game, Move};

use crate::judgement::Judgement;
use crate::thinker::Thought;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Move(Move),
    Resign,
}

/// Below this chance of winning, playing on only wastes the opponent's time.
const RESIGN_BELOW: f32 = 0.05;

/// Nobody should resign before half of the board's points have seen a move: early estimates are not worth a game.
fn is_late_enough_to_resign(game: &Game) -> bool {
    2 * game.moves().len() >= game.board().area()
}

/// Turns a thought into a move the rules allow. A move they forbid becomes a pass, which they always allow.
pub(crate) fn decide(game: &Game, color: Color, thought: Thought) -> Decision {
    if thought.win_rate.is_some_and(|rate| rate < RESIGN_BELOW) && is_late_enough_to_resign(game) {
        return Decision::Resign;
    }
    let is_legal = game.check(color, thought.best).is_ok();
    Decision::Move(if is_legal { thought.best } else { Move::Pass })
}

/// Has the opponent just offered to end the game?
pub(crate) fn opponent_just_passed(game: &Game, color: Color) -> bool {
    game.moves().last() == Some(&(color.opponent(), Move::Pass))
}

/// May `color` accept the offer: is every chain's fate plain, and the count won?
///
/// On a board with few stones fates look plain because nobody has fought yet; finished games have stones on more than
/// half of the points.
pub(crate) fn wins_by_passing(game: &Game, color: Color, judgement: &Judgement) -> bool {
    let board = game.board();
    let stones = board.area() - board.empties().len();
    3 * stones >= board.area() && judgement.is_settled() && game.score(judgement.dead()).lead_of(color) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Point, Rules};

    fn played_out(moves: usize) -> Game {
        let mut game = Game::new(5, Rules::default());
        for _ in 0..moves {
            game.play(game.to_move(), Move::Pass).unwrap();
        }
        game
    }

    #[test]
    fn a_lost_game_is_resigned_but_not_early() {
        let hopeless = Thought { best: Move::Pass, win_rate: Some(0.01), report: None };
        assert_eq!(decide(&played_out(20), Color::Black, hopeless.clone()), Decision::Resign);
        assert_eq!(decide(&played_out(4), Color::Black, hopeless), Decision::Move(Move::Pass));
    }

    #[test]
    fn without_an_opinion_nobody_resigns() {
        let thought = Thought { best: Move::Pass, win_rate: None, report: None };
        assert_eq!(decide(&played_out(20), Color::Black, thought), Decision::Move(Move::Pass));
    }

    #[test]
    fn an_illegal_thought_becomes_a_pass() {
        let mut game = played_out(0);
        let centre = Move::Play(Point::new(2, 2));
        game.play(Color::Black, centre).unwrap();
        let thought = Thought { best: centre, win_rate: None, report: None };
        assert_eq!(decide(&game, Color::White, thought), Decision::Move(Move::Pass));
    }
}
