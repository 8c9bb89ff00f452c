//! SS-R, SS-B and SS-M: komi is the game's own plus a share of the expected score, by playouts, by the net's ownership, or by
//! both (CGI II.D, III.B). What was imagined before does not matter, other than in Dynamic komi, whose rule adds to it.

use super::{CgiParameters, komi_rate};
use crate::feedback::Feedback;
use crate::komi::{KomiRule, Situation};

pub struct SituationalScore {
    parameters: CgiParameters,
    lead: fn(&Feedback<'_>) -> f32,
}

impl SituationalScore {
    pub fn of_rollouts(parameters: CgiParameters) -> SituationalScore {
        SituationalScore { parameters, lead: |feedback| feedback.rollouts_lead }
    }

    pub fn of_board(parameters: CgiParameters) -> SituationalScore {
        SituationalScore { parameters, lead: |feedback| feedback.board_lead }
    }

    /// Lambda is 0.5 whatever the search uses (CGI III.B).
    pub fn mixed(parameters: CgiParameters) -> SituationalScore {
        SituationalScore { parameters, lead: |feedback| (feedback.rollouts_lead + feedback.board_lead) / 2.0 }
    }
}

impl KomiRule for SituationalScore {
    /// With a net the first moves are no noise.
    fn counts_handicap(&self, _: &Situation) -> bool {
        false
    }

    fn adjusted(&mut self, burden: f32, now: &Situation, feedback: &Feedback<'_>) -> f32 {
        // The lead was counted under the burden in force, which is rounded.
        let lead_at_real_komi = (self.lead)(feedback) + burden.round();
        komi_rate(&self.parameters, now) * lead_at_real_komi
    }
}

#[cfg(test)]
mod tests {
    use crate::feedback::Feedback;
    use crate::komi::tests::{at, feedback, komi_by};
    use crate::parameters::KomiMethod;
    use jigo_board::Color;

    #[test]
    fn each_method_follows_its_own_territory() {
        let said = Feedback { rollouts_lead: 20.0, board_lead: 10.0, ..feedback(0.9, 15.0) };
        let now = at(Color::Black, 0, 0);
        let rate = 1.0 / (1.0 + (-8.0f32 * 0.45).exp());
        for (method, lead) in
            [(KomiMethod::ScoreOfRollouts, 20.0), (KomiMethod::ScoreOfBoard, 10.0), (KomiMethod::ScoreMixed, 15.0)]
        {
            let (parameters, mut komi) = komi_by(method, |_| ());
            komi.adjust(&parameters.search, &now, &said);
            let imagined = (rate * lead).round();
            assert_eq!(komi.shift(&parameters.search, &now, 0), imagined, "{method:?}");
            // The same score again, counted under that komi, leaves the komi as it is.
            let again = Feedback {
                rollouts_lead: 20.0 - imagined,
                board_lead: 10.0 - imagined,
                ..feedback(0.5, 15.0 - imagined)
            };
            komi.adjust(&parameters.search, &now, &again);
            assert_eq!(komi.shift(&parameters.search, &now, 0), imagined, "{method:?} does not add up");
        }
    }
}
