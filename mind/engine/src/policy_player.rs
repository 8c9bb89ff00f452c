//! How beginners' levels play: moves that come to mind, drawn from the policy, without reading whether they work.

use jigo_board::{Color, Game, Move, Rng};
use jigo_search::SearchReport;

/// Their simulations: enough to see when the game is over, too few to read anything.
pub(crate) const BEGINNERS_GLANCE: u32 = 32;
/// Ideas that come to nobody's mind, whatever the temperature: without this floor a wild player fills its own eyes.
const LEAST_POLICY: f32 = 0.002;

/// Puts a move drawn from the policy, flattened or sharpened by a temperature, in the first place of the report, where
/// the manners of the endgame may still correct it. A pass that even the glance prefers stays: it ends the game.
pub(crate) fn draw_first_move(report: &mut SearchReport, game: &Game, color: Color, temperature: f32, rng: &mut Rng) {
    if report.best().is_some_and(|best| best.mv != Move::Pass)
        && let Some(index) = draw(report, game, color, temperature, rng)
    {
        report.moves[..=index].rotate_right(1);
    }
}

/// The index of a legal point drawn by policy, or none if nothing comes to mind.
fn draw(report: &SearchReport, game: &Game, color: Color, temperature: f32, rng: &mut Rng) -> Option<usize> {
    let weight = |mv: Move, policy: f32| {
        let is_idea = policy >= LEAST_POLICY && mv != Move::Pass && game.check(color, mv).is_ok();
        if is_idea { policy.powf(1.0 / temperature) } else { 0.0 }
    };
    let weights: Vec<f32> = report.moves.iter().map(|seen| weight(seen.mv, seen.policy)).collect();
    let mut left = weights.iter().sum::<f32>() * rng.unit();
    let drawn = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    drawn.filter(|&index| weights[index] > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::Decision;
    use crate::engine::Engine;
    use crate::level::Level;
    use jigo_board::Rules;
    use jigo_search::{Parameters, TreeSearcher};

    #[test]
    fn moves_vary_and_are_never_a_pass_on_an_empty_board() {
        let searcher = TreeSearcher::new(Parameters::default(), None, 1, 1);
        let mut engine = Engine::new(Game::new(9, Rules::default()), Box::new(searcher), 5);
        engine.set_level(Level::numbered(1));
        let moves: Vec<Decision> = (0..12).map(|_| engine.suggest(Color::Black)).collect();
        assert!(moves.iter().all(|&decision| decision != Decision::Move(Move::Pass)));
        assert!(moves.iter().any(|&decision| decision != moves[0]), "{moves:?}");
    }
}
