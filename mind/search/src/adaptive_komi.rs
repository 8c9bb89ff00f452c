//! Jigo's dynamic komi: handicap stones counted as points until they have faded, then larger wins asked of sure ones
//! (Pachi 4.2).

use crate::feedback::Feedback;
use crate::komi::{KomiRule, Situation};
use crate::parameters::SearchParameters;

pub struct Adaptive {
    sure_win: f32,
    too_much: f32,
    handicap_moves: usize,
}

impl Adaptive {
    pub fn new(parameters: &SearchParameters) -> Adaptive {
        Adaptive {
            sure_win: parameters.komi_sure_win,
            too_much: parameters.komi_too_much,
            handicap_moves: parameters.komi_moves as usize,
        }
    }
}

impl KomiRule for Adaptive {
    fn counts_handicap(&self, now: &Situation) -> bool {
        now.is_opening() || (now.handicap > 0 && now.move_number < self.handicap_moves)
    }

    /// A sure win is asked to be a larger win; what was asked is given back when it proves too much. Late in the game one
    /// point more may turn every win into a loss, and a search that sees only losses plays nonsense: what cannot be had
    /// is not asked.
    fn adjusted(&mut self, burden: f32, _: &Situation, feedback: &Feedback<'_>) -> f32 {
        let can_be_had = || (feedback.win_rate_with)(burden + 1.0).is_none_or(|rate| rate >= self.too_much);
        if feedback.our_win_rate > self.sure_win {
            if can_be_had() { burden + 1.0 } else { burden }
        } else if burden > 0.0 && feedback.our_win_rate < self.too_much {
            (burden - 1.0).max(0.0)
        } else {
            burden
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::feedback::Feedback;
    use crate::komi::tests::{at, feedback, komi_by};
    use crate::parameters::KomiMethod;
    use jigo_board::Color;

    #[test]
    fn a_sure_win_is_asked_to_grow_and_gives_back_what_was_too_much() {
        let (parameters, mut komi) = komi_by(KomiMethod::Adaptive, |_| ());
        let now = at(Color::Black, 60, 0);
        komi.adjust(&parameters.search, &now, &feedback(0.9, 10.0));
        komi.adjust(&parameters.search, &now, &feedback(0.9, 10.0));
        komi.adjust(&parameters.search, &now, &feedback(0.7, 10.0));
        assert_eq!(komi.shift(&parameters.search, &now, 60), 2.0);
        for _ in 0..5 {
            komi.adjust(&parameters.search, &now, &feedback(0.3, -5.0));
        }
        assert_eq!(komi.shift(&parameters.search, &now, 60), 0.0);
    }

    #[test]
    fn a_sure_win_is_not_asked_for_a_point_that_cannot_be_had() {
        let (parameters, mut komi) = komi_by(KomiMethod::Adaptive, |_| ());
        let now = at(Color::Black, 60, 0);
        // Everything is settled: Black wins by seven points, not by eight.
        let rates = |burden: f32| Some(if burden <= 7.0 { 0.99 } else { 0.02 });
        for _ in 0..20 {
            let said = Feedback { win_rate_with: &rates, ..feedback(0.99, 7.0) };
            komi.adjust(&parameters.search, &now, &said);
        }
        assert_eq!(komi.shift(&parameters.search, &now, 60), 7.0);
    }
}
