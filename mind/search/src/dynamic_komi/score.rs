//! The burden follows the mean score of simulations, closely in the opening and hardly at the end (Dynamic komi Algorithm 2).

use super::DynamicKomiParameters;
use crate::feedback::Feedback;
use crate::komi::{KomiRule, Situation};

pub struct ScoreBased {
    parameters: DynamicKomiParameters,
}

impl ScoreBased {
    pub fn new(parameters: DynamicKomiParameters) -> ScoreBased {
        ScoreBased { parameters }
    }

    /// How much of the lead is taken, with the sign of s as CGI III.B writes it: near 1 early in the game, near 0 late.
    fn rate(&self, occupied: f32) -> f32 {
        1.0 / (1.0 + (self.parameters.score_c * (occupied - self.parameters.score_s)).exp())
    }
}

impl KomiRule for ScoreBased {
    fn counts_handicap(&self, now: &Situation) -> bool {
        now.is_opening()
    }

    fn fades_in_leaf(&self) -> bool {
        self.parameters.in_leaf
    }

    fn adjusted(&mut self, burden: f32, now: &Situation, feedback: &Feedback<'_>) -> f32 {
        burden + self.rate(now.occupied) * feedback.our_lead
    }
}

#[cfg(test)]
mod tests {
    use crate::komi::Situation;
    use crate::komi::tests::{at, feedback, komi_by};
    use crate::parameters::KomiMethod;
    use jigo_board::Color;

    #[test]
    fn the_score_is_followed_early_and_hardly_late() {
        let (parameters, mut komi) = komi_by(KomiMethod::Score, |_| ());
        komi.adjust(&parameters.search, &at(Color::White, 60, 0), &feedback(0.9, 10.0));
        assert_eq!(komi.shift(&parameters.search, &at(Color::White, 60, 0), 60), -10.0);
        let (_, mut late) = komi_by(KomiMethod::Score, |_| ());
        let now = Situation { occupied: 0.99, ..at(Color::White, 350, 0) };
        late.adjust(&parameters.search, &now, &feedback(0.9, 10.0));
        assert_eq!(late.shift(&parameters.search, &now, 350), 0.0);
    }
}
