//! The generalised sequential probability ratio test, as modern engine testing runs it.
//!
//! "Is the first player at least `elo1` stronger, or at most `elo0`?" After every observation the log-likelihood
//! ratio of the best-fitting distribution with mean score s(elo1) against the best with s(elo0) is compared with
//! Wald's bounds. The distribution over the score classes is a nuisance parameter, fitted under each hypothesis
//! (M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution").
//! Observations are colour-swapped pairs when there are any, else single games. Elo is logistic.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::estimate::score_of_elo;
use super::outcomes::Outcomes;

/// A class never seen counts as this much, so that every mean between 0 and 1 can be fitted.
const UNSEEN: f64 = 1e-3;

/// A test: its two hypotheses and the accepted error rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// Probability of accepting `elo1` though `elo0` is true.
    pub alpha: f64,
    /// Probability of accepting `elo0` though `elo1` is true.
    pub beta: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SprtVerdict {
    Undecided,
    /// The first player is not `elo1` stronger.
    AcceptElo0,
    /// The first player is more than `elo0` stronger.
    AcceptElo1,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SprtError {
    #[error("an SPRT needs elo0 below elo1")]
    Order,
    #[error("the error rates alpha and beta of an SPRT must be above 0 and below 0.5")]
    Rates,
}

impl Sprt {
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Order);
        }
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !(is_rate(alpha) && is_rate(beta)) {
            return Err(SprtError::Rates);
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }

    /// Wald's bounds: below the first `elo0` is accepted, above the second `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    pub fn verdict(&self, outcomes: &impl Outcomes) -> SprtVerdict {
        let (low, high) = self.bounds();
        match self.log_likelihood_ratio(outcomes) {
            ratio if ratio >= high => SprtVerdict::AcceptElo1,
            ratio if ratio <= low => SprtVerdict::AcceptElo0,
            _ => SprtVerdict::Undecided,
        }
    }

    pub fn log_likelihood_ratio(&self, outcomes: &impl Outcomes) -> f64 {
        let counts = outcomes.counts();
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let steps = (counts.len() - 1) as f64;
        let classes: Vec<(f64, f64)> = (counts.iter().enumerate())
            .map(|(class, &count)| (class as f64 / steps, (count as f64).max(UNSEEN)))
            .collect();
        let score0 = score_of_elo(self.elo0);
        let score1 = score_of_elo(self.elo1);
        let tilt0 = tilt_to_mean(&classes, score0);
        let tilt1 = tilt_to_mean(&classes, score1);
        (classes.iter())
            .map(|&(score, count)| {
                let fitted0 = 1.0 + tilt0 * (score - score0);
                let fitted1 = 1.0 + tilt1 * (score - score1);
                count * (fitted0 / fitted1).ln()
            })
            .sum()
    }
}

/// The likeliest distribution with mean `mean` gives class i the weight n_i / (1 + x (a_i - mean)); this finds x,
/// the only root of a function that falls from +infinity to -infinity over the interval.
fn tilt_to_mean(classes: &[(f64, f64)], mean: f64) -> f64 {
    let excess = |tilt: f64| -> f64 {
        (classes.iter()).map(|&(score, count)| count * (score - mean) / (1.0 + tilt * (score - mean))).sum()
    };
    let mut low = -1.0 / (1.0 - mean);
    let mut high = 1.0 / mean;
    // A double has 53 bits: after so many halvings the interval hardly shrinks any more.
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::super::outcomes::{Pentanomial, Trinomial};
    use super::*;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
    }

    /// Reference values computed with fishtest's own `LLR_logistic`.
    #[test]
    fn pairs_give_fishtests_ratio() {
        let cases: [([u64; 5], f64, f64, f64); 7] = [
            ([3, 20, 50, 22, 5], 0.0, 20.0, 0.04032037241670679),
            ([3, 20, 50, 22, 5], 0.0, 5.0, 0.17838022438188125),
            ([3, 20, 50, 22, 5], -10.0, 10.0, 0.9344729113889829),
            ([0, 10, 30, 12, 0], 0.0, 20.0, -0.27041453628885204),
            ([0, 10, 30, 12, 0], 0.0, 5.0, 0.085226848211516),
            ([12, 40, 60, 30, 8], 0.0, 20.0, -2.9973011351582723),
            ([12, 40, 60, 30, 8], -10.0, 10.0, -2.0579732004260216),
        ];
        for (counts, elo0, elo1, expected) in cases {
            let ratio = sprt(elo0, elo1).log_likelihood_ratio(&Pentanomial(counts));
            assert!((ratio - expected).abs() < 1e-9, "{counts:?}: {ratio}, not {expected}");
        }
    }

    #[test]
    fn single_games_give_fishtests_ratio() {
        let games = Trinomial { losses: 30, draws: 40, wins: 50 };
        let ratio = sprt(0.0, 20.0).log_likelihood_ratio(&games);
        assert!((ratio - 1.4333717997704136).abs() < 1e-9, "{ratio}");
    }

    /// Published with fastchess's tests, from real runs; given there to three digits.
    #[test]
    fn long_runs_give_fastchess_ratio() {
        let games = Trinomial { wins: 21404, losses: 21184, draws: 40708 };
        let ratio = sprt(0.5, 2.5).log_likelihood_ratio(&games);
        assert!((ratio + 1.57).abs() < 0.01, "{ratio}");

        let pairs = Pentanomial([223, 9863, 20279 + 1000, 10037, 246]);
        let ratio = sprt(0.5, 2.5).log_likelihood_ratio(&pairs);
        assert!((ratio + 3.07).abs() < 0.01, "{ratio}");
    }

    #[test]
    fn bounds_are_walds() {
        let (low, high) = sprt(0.0, 10.0).bounds();
        assert!((low + 2.9444389791664403).abs() < 1e-12);
        assert!((high - 2.9444389791664403).abs() < 1e-12);
    }

    /// Known from fishtest's formula: 53 clean pairs accept 20 Elo, 52 do not.
    #[test]
    fn a_clean_sweep_is_accepted_when_fishtest_accepts_it() {
        assert_eq!(sprt(0.0, 20.0).verdict(&Pentanomial([0, 0, 0, 0, 52])), SprtVerdict::Undecided);
        assert_eq!(sprt(0.0, 20.0).verdict(&Pentanomial([0, 0, 0, 0, 53])), SprtVerdict::AcceptElo1);
        assert_eq!(sprt(0.0, 20.0).verdict(&Pentanomial([60, 0, 0, 0, 0])), SprtVerdict::AcceptElo0);
    }

    #[test]
    fn nothing_played_decides_nothing() {
        assert_eq!(sprt(0.0, 20.0).verdict(&Pentanomial::default()), SprtVerdict::Undecided);
    }

    #[test]
    fn impossible_tests_are_refused() {
        assert_eq!(Sprt::new(5.0, 5.0, 0.05, 0.05), Err(SprtError::Order));
        assert_eq!(Sprt::new(0.0, f64::NAN, 0.05, 0.05), Err(SprtError::Order));
        assert_eq!(Sprt::new(0.0, 5.0, 0.0, 0.05), Err(SprtError::Rates));
        assert_eq!(Sprt::new(0.0, 5.0, 0.05, 0.7), Err(SprtError::Rates));
    }
}
