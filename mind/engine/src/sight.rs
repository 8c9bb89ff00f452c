//! A player who plays at sight: moves that come to mind, without reading whether they work.

use jigo_board::{Color, Game, Move, Rng, Symmetry};
use jigo_search::{NetOpinion, Parameters, SearchReport, Searcher};

use crate::analysis::AnalysisRequest;
use crate::stop::StopFlag;
use crate::thinker::{Question, SearchThinker, Thinker, Thought};

/// Draws each move from the policy, flattened or sharpened by a temperature.
pub struct SightThinker {
    glance: SearchThinker,
    temperature: f32,
    rng: Rng,
}

/// A glance: enough to see when the game is over, too little to read anything.
const GLANCE: u64 = 32;
/// Ideas that come to nobody's mind, whatever the temperature: without this floor a wild player fills its own eyes.
const LEAST_POLICY: f32 = 0.002;

impl SightThinker {
    pub fn new(searcher: Box<dyn Searcher>, temperature: f32, seed: u64) -> SightThinker {
        SightThinker { glance: SearchThinker::new(searcher, Some(GLANCE)), temperature, rng: Rng::new(seed) }
    }

    /// A legal point drawn by policy, or none if nothing comes to mind.
    fn idea(&mut self, game: &Game, color: Color, report: &SearchReport) -> Option<usize> {
        let weight = |mv: Move, policy: f32| {
            let is_idea = policy >= LEAST_POLICY && mv != Move::Pass && game.check(color, mv).is_ok();
            if is_idea { policy.powf(1.0 / self.temperature) } else { 0.0 }
        };
        let weights: Vec<f32> = report.moves.iter().map(|seen| weight(seen.mv, seen.policy)).collect();
        let mut left = weights.iter().sum::<f32>() * self.rng.unit();
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        drawn.filter(|&index| weights[index] > 0.0)
    }
}

impl Thinker for SightThinker {
    fn think(&mut self, question: Question<'_, '_>) -> Thought {
        let (game, color) = (question.game, question.color);
        let mut thought = self.glance.think(question);
        // A pass that even the glance prefers ends the game; otherwise the idea takes the first place of the report, where
        // the manners of the endgame may still correct it.
        if thought.best != Move::Pass
            && let Some(report) = &mut thought.report
            && let Some(index) = self.idea(game, color, report)
        {
            report.moves[..=index].rotate_right(1);
            thought.best = report.moves[0].mv;
        }
        // No opinion on who wins: a beginner plays on.
        Thought { win_rate: None, ..thought }
    }

    fn analyse(
        &mut self,
        game: &Game,
        request: &AnalysisRequest<'_>,
        stop: &StopFlag,
        tell: &mut dyn FnMut(&SearchReport),
    ) -> Option<SearchReport> {
        self.glance.analyse(game, request, stop, tell)
    }

    fn raw_net(&mut self, game: &Game, color: Color, symmetry: Symmetry) -> Option<NetOpinion> {
        self.glance.raw_net(game, color, symmetry)
    }

    fn set_parameters(&mut self, parameters: &Parameters) {
        self.glance.set_parameters(parameters);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Rules;
    use jigo_search::TreeSearcher;

    fn first_moves(temperature: f32) -> Vec<Move> {
        let searcher = TreeSearcher::new(Parameters::default(), None, 1, 1);
        let mut thinker = SightThinker::new(Box::new(searcher), temperature, 5);
        let game = Game::new(9, Rules::default());
        let stop = StopFlag::default();
        let think = |_| thinker.think(Question::new(&game, Color::Black, &stop));
        let thoughts: Vec<Thought> = (0..12).map(think).collect();
        assert!(thoughts.iter().all(|thought| thought.win_rate.is_none()));
        thoughts.into_iter().map(|thought| thought.best).collect()
    }

    #[test]
    fn moves_vary_and_are_never_a_pass_on_an_empty_board() {
        let moves = first_moves(2.0);
        assert!(moves.iter().all(|&mv| mv != Move::Pass));
        assert!(moves.iter().any(|&mv| mv != moves[0]), "{moves:?}");
    }
}
