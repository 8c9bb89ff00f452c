//! ML-DK: the komi nearest to the game's at which the win rates for every komi call it contended (CGI III.B, procedure
//! ML-DK).

use super::{CgiParameters, komi_rate};
use crate::feedback::Feedback;
use crate::komi::{KomiRule, Situation};

pub struct MultiLabelled {
    parameters: CgiParameters,
}

/// A board of 19x19 cannot be won by more.
const LARGEST_BURDEN: u32 = 361;

impl MultiLabelled {
    pub fn new(parameters: CgiParameters) -> MultiLabelled {
        MultiLabelled { parameters }
    }

    /// The smallest burden that brings our win rate into the interval, and none if it is there already (lines 8 to 15).
    fn contended_burden(&self, win_rate_with: &dyn Fn(f32) -> Option<f32>) -> f32 {
        let CgiParameters { komi_low, komi_high, .. } = self.parameters;
        let Some(now) = win_rate_with(0.0) else { return 0.0 };
        let step = match now {
            rate if rate > komi_high => 1.0,
            rate if rate < komi_low => -1.0,
            _ => return 0.0,
        };
        let is_contended = |rate: f32| if step > 0.0 { rate <= komi_high } else { rate >= komi_low };
        let burdens = (1..=LARGEST_BURDEN).map(|points| step * points as f32);
        burdens.into_iter().find(|&burden| win_rate_with(burden).is_some_and(is_contended)).unwrap_or(0.0)
    }
}

impl KomiRule for MultiLabelled {
    fn counts_handicap(&self, _: &Situation) -> bool {
        false
    }

    fn adjusted(&mut self, _: f32, now: &Situation, feedback: &Feedback<'_>) -> f32 {
        komi_rate(&self.parameters, now) * self.contended_burden(feedback.win_rate_with)
    }
}

#[cfg(test)]
mod tests {
    use crate::feedback::Feedback;
    use crate::komi::black_points;
    use crate::komi::tests::{at, feedback, komi_by};
    use crate::parameters::KomiMethod;
    use jigo_board::Color;

    #[test]
    fn it_finds_the_closest_komi_that_is_contended() {
        // The example of CGI III.B: 57 % three points above komi, 53 % four points above it.
        let rates = |burden: f32| Some((0.69 - 0.04 * burden).clamp(0.0, 1.0));
        let said = Feedback { win_rate_with: &rates, ..feedback(0.69, 0.0) };
        let fresh = || komi_by(KomiMethod::MultiLabelled, |p| p.cgi.komi_c = 100.0);
        for us in Color::BOTH {
            let (parameters, mut komi) = fresh();
            komi.adjust(&parameters.search, &at(us, 10, 0), &said);
            assert_eq!(komi.shift(&parameters.search, &at(us, 10, 0), 10), black_points(4.0, us));
            // Behind, it looks the other way, but not beyond the limit of favour; late in the game it stays at the real komi.
            let behind = Feedback {
                win_rate_with: &|burden: f32| Some((0.25 - 0.04 * burden).clamp(0.0, 1.0)),
                ..feedback(0.25, 0.0)
            };
            komi.adjust(&parameters.search, &at(us, 10, 0), &behind);
            assert_eq!(komi.shift(&parameters.search, &at(us, 10, 0), 10), black_points(-5.0, us));
            komi.adjust(&parameters.search, &at(us, 300, 0), &behind);
            assert_eq!(komi.shift(&parameters.search, &at(us, 300, 0), 300), 0.0);
        }
        let contended = Feedback { win_rate_with: &|_| Some(0.5), ..feedback(0.5, 0.0) };
        let (parameters, mut komi) = fresh();
        komi.adjust(&parameters.search, &at(Color::Black, 10, 0), &contended);
        assert_eq!(komi.shift(&parameters.search, &at(Color::Black, 10, 0), 10), 0.0);
    }
}
