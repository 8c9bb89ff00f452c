//! How beginners' levels play: moves that come to mind, drawn from the policy, without reading whether they work.

use jigo_board::{Color, Game, Move, Rng};
use jigo_search::{MoveReport, SearchReport};

use crate::parameters::EngineParameters;

/// Their simulations: enough to see when the game is over, too few to read anything.
pub(crate) const BEGINNERS_GLANCE: u32 = 8;
/// Ideas that come to nobody's mind, whatever the temperature: without this floor a wild player fills its own eyes.
const LEAST_POLICY: f32 = 0.002;

/// How somebody plays who does not read.
#[derive(Clone, Copy)]
pub(crate) struct PolicyPlayer {
    /// The policy is flattened or sharpened by it.
    pub temperature: f32,
    /// The chance that a move is not even seen, however urgent: people of this strength miss things, and play the best of
    /// what they see rather than something wild.
    pub overlooked: f32,
}

impl PolicyPlayer {
    pub(crate) fn of(parameters: &EngineParameters) -> Option<PolicyPlayer> {
        let &EngineParameters { temperature, overlooked, .. } = parameters;
        (temperature > 0.0).then_some(PolicyPlayer { temperature, overlooked })
    }

    /// Puts a drawn move in the first place of the report, where the manners of the endgame may still correct it. A pass that
    /// even the glance prefers stays: it ends the game.
    pub(crate) fn draw_first_move(&self, report: &mut SearchReport, game: &Game, color: Color, rng: &mut Rng) {
        if report.best().is_some_and(|best| best.mv != Move::Pass)
            && let Some(index) = self.draw(report, game, color, rng)
        {
            report.moves[..=index].rotate_right(1);
        }
    }

    /// The index of a legal point that comes to mind, if one does.
    fn draw(&self, report: &SearchReport, game: &Game, color: Color, rng: &mut Rng) -> Option<usize> {
        let is_idea = |seen: &MoveReport| {
            seen.policy >= LEAST_POLICY && seen.mv != Move::Pass && game.check(color, seen.mv).is_ok()
        };
        let ideas: Vec<usize> = (0..report.moves.len()).filter(|&index| is_idea(&report.moves[index])).collect();
        let seen: Vec<usize> = ideas.iter().copied().filter(|_| rng.unit() >= self.overlooked).collect();
        if seen.is_empty() {
            // Who sees nothing plays anywhere.
            return (!ideas.is_empty()).then(|| ideas[rng.below(ideas.len())]);
        }
        let weight = |&index: &usize| report.moves[index].policy.powf(1.0 / self.temperature);
        let mut left = seen.iter().map(weight).sum::<f32>() * rng.unit();
        let drawn = seen.iter().find(|index| {
            left -= weight(index);
            left < 0.0
        });
        drawn.copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::Decision;
    use crate::engine::Engine;
    use crate::level::Level;
    use jigo_board::{Point, Rules};
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

    #[test]
    fn what_is_overlooked_is_not_played_and_what_nobody_would_play_never_is() {
        let game = Game::new(9, Rules::default());
        let mut report = SearchReport::new(Color::Black, 7.0);
        let points = [(4, 4), (6, 2), (2, 6), (8, 0)].map(|(row, col)| Move::Play(Point::new(row, col)));
        for (mv, policy) in points.into_iter().zip([0.9, 0.05, 0.04, LEAST_POLICY / 2.0]) {
            let mut seen = MoveReport::new(mv, 8, Color::Black, 0.5);
            seen.policy = policy;
            report.moves.push(seen);
        }
        let mut rng = Rng::new(7);
        let mut times_drawn = |overlooked| {
            let player = PolicyPlayer { temperature: 0.2, overlooked };
            let mut times = [0; 4];
            (0..400).for_each(|_| times[player.draw(&report, &game, Color::Black, &mut rng).unwrap()] += 1);
            times
        };
        assert_eq!(times_drawn(0.0), [400, 0, 0, 0]);
        let often = times_drawn(0.8);
        assert!(often[0] < 320 && often[1] > 20 && often[2] > 20, "{often:?}");
        assert_eq!(often[3], 0);
    }
}
