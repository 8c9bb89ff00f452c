//! What makes a position worth a question, and the komi at which it is asked.

use std::sync::Arc;

use jigo_board::{Board, Color, Game, Rng, Symmetry};
use jigo_net::{Evaluator, Net, Position, View};
use jigo_tactics::{Reader, is_in_seki, is_ladder};

use super::exercise::{Exercise, Kind};

/// The share of questions at the komi the game was played with; the others are about as hard as they can be.
const PLAIN_SHARE: f32 = 0.25;
/// How far from even the others may be, in board sides.
const SWING: f32 = 0.5;
/// A ladder is worth asking about from this many stones on.
const LADDER_STONES: usize = 3;

/// Komi that games are usually played with.
const USUAL: [f32; 6] = [7.5, 7.5, 7.0, 6.5, 5.5, 0.5];
/// ... and how far an unusual one may be from zero.
const UNUSUAL: usize = 60;

/// A game's komi: every other one a usual one.
pub fn komi_of_game(size: usize, rng: &mut Rng) -> f32 {
    let usual = rng.chance(0.5);
    let komi =
        if usual { USUAL[rng.below(USUAL.len())] } else { rng.below(4 * UNUSUAL + 1) as f32 / 2.0 - UNUSUAL as f32 };
    komi.clamp(-((size * size) as f32), (size * size) as f32)
}

/// Most questions are put at a komi near the one that `net` thinks is even: there an answer says something, and there a
/// teacher who is told the komi plays for every point.
pub fn choose_komi(net: &Arc<Net>, exercises: &mut [Exercise], rng: &mut Rng) {
    let games: Vec<Option<Game>> = exercises.iter().map(Exercise::game).collect();
    let request = |game| View::of(Position::of_game(game), Symmetry::IDENTITY);
    let requests: Vec<View<'_>> = games.iter().flatten().map(request).collect();
    let mut evaluations = Evaluator::new(Arc::clone(net)).evaluate_batch(&requests).into_iter();
    for (exercise, game) in exercises.iter_mut().zip(&games) {
        let Some(evaluation) = game.as_ref().and_then(|_| evaluations.next()) else { continue };
        let side = f32::from(exercise.size);
        // Two draws: close to even more often than far from it.
        let swing = SWING * side * (rng.unit() + rng.unit() - 1.0);
        if !rng.chance(PLAIN_SHARE)
            && let Some(even) = evaluation.value.fair_komi()
        {
            exercise.komi = nearest_komi(even + swing, exercise.size.into());
        }
    }
}

/// The nearest komi that games on a board of this size are played with.
pub fn nearest_komi(komi: f32, size: usize) -> f32 {
    let most = (size * size) as f32;
    ((2.0 * komi).round() / 2.0).clamp(-most, most)
}

/// What is special about a position, if it is one of the things strong players seldom leave on the board.
pub fn tactic(board: &Board, to_move: Color, reader: &mut Reader) -> Option<Kind> {
    if board.ko_point(to_move).is_some() {
        return Some(Kind::Ko);
    }
    let heads: Vec<_> = board.chain_heads().collect();
    if heads.iter().any(|&head| is_in_seki(board, head)) {
        return Some(Kind::Seki);
    }
    let caught = |&head: &jigo_board::Point| {
        let own_turn = board.color_at(head) == Some(to_move);
        let asks = if own_turn { board.liberty_count(head) == 1 } else { board.liberty_count(head) == 2 };
        asks && board.chain_size(head) >= LADDER_STONES && is_ladder(board, head, reader)
    };
    heads.iter().any(caught).then_some(Kind::Ladder)
}

#[cfg(test)]
mod tests {
    use jigo_board::Diagram;

    use super::*;

    fn seen(text: &str, to_move: Color) -> Option<Kind> {
        tactic(&Diagram::parse(text).unwrap().board, to_move, &mut Reader::new())
    }

    #[test]
    fn ladders_and_sekis_are_found() {
        let ladder = "
            . . . . . . .
            . . X X . . .
            . X O O . . .
            . . X O . . .
            . . . X . . .
            . . . . . . .
            . . . . . . .";
        assert_eq!(seen(ladder, Color::Black), Some(Kind::Ladder));
        assert_eq!(seen(&ladder.replace("O O", "O ."), Color::Black), None);
        let seki = "
            . X X X . O X
            O O O O O O X
            X X X X X X X
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        assert_eq!(seen(seki, Color::White), Some(Kind::Seki));
    }

    #[test]
    fn komi_are_usual_ones_and_any_other() {
        let mut rng = Rng::new(5);
        let drawn: Vec<f32> = (0..500).map(|_| komi_of_game(19, &mut rng)).collect();
        assert!(drawn.iter().all(|komi| (-60.0..=60.0).contains(komi) && (2.0 * komi).fract() == 0.0));
        assert!(drawn.iter().any(|&komi| komi < -50.0) && drawn.iter().any(|&komi| komi > 50.0));
        assert!((150..350).contains(&drawn.iter().filter(|komi| USUAL.contains(komi)).count()));
        assert!((0..100).all(|_| komi_of_game(5, &mut rng).abs() <= 25.0));
    }
}
