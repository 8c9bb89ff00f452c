//! Counted results, seen from the first player: single games in three classes, colour-swapped pairs in five.
//!
//! A pair shares its opening, so its two games are not independent. Counting the pair as one observation
//! with five possible scores keeps the variance honest (and, with lopsided openings, much smaller).

use serde::{Deserialize, Serialize};

use super::estimate::{Interval, elo_of_score, normal_cdf, wilson};

/// Single games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trinomial {
    pub losses: u64,
    pub draws: u64,
    pub wins: u64,
}

/// Colour-swapped pairs by half points gained: `[0, 1/2, 1, 3/2, 2]` out of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Trinomial {
    /// Counts one game; 0, 1/2 or 1 for the first player.
    pub fn add(&mut self, points: f64) {
        match points {
            1.0 => self.wins += 1,
            0.0 => self.losses += 1,
            _ => self.draws += 1,
        }
    }
}

impl Pentanomial {
    /// Counts one pair; both scores are 0, 1/2 or 1 for the first player.
    pub fn add(&mut self, first_game: f64, second_game: f64) {
        let half_points = ((first_game + second_game) * 2.0).round() as usize;
        self.0[half_points.min(4)] += 1;
    }
}

/// Results that fall into equally spaced classes of score between 0 and 1.
pub trait Outcomes {
    /// How often each class was seen, from a total loss to a total win.
    fn counts(&self) -> Vec<u64>;

    /// One imaginary observation of two equal players without draws. It keeps variances of tiny samples
    /// away from zero and is forgotten as soon as there is real evidence.
    fn imaginary(&self) -> Vec<f64>;

    /// Games in one observation.
    fn games_per_observation(&self) -> u64;

    fn observations(&self) -> u64 {
        self.counts().iter().sum()
    }

    fn games(&self) -> u64 {
        self.observations() * self.games_per_observation()
    }

    /// Mean score between 0 and 1; one half when nothing was played.
    fn score(&self) -> f64 {
        match self.observations() {
            0 => 0.5,
            n => moment(&self.counts(), |score| score) / n as f64,
        }
    }

    /// 95 % interval of the score: Wilson's, with the number of games replaced by the number of independent
    /// drawless games that would give the same variance. Without draws and pairs it is exactly Wilson's.
    fn score_interval(&self) -> Interval {
        wilson(self.score(), self.effective_games())
    }

    /// Logistic Elo with its 95 % interval; infinite ends where nothing bounds them.
    fn elo(&self) -> (f64, Interval) {
        let interval = self.score_interval();
        let ends = Interval { low: elo_of_score(interval.low), high: elo_of_score(interval.high) };
        (elo_of_score(self.score()), ends)
    }

    /// Probability that the first player is the stronger one, flat prior: the distance from one half in
    /// standard deviations under "equal", which for single games is (wins - losses) / sqrt(wins + losses).
    fn likelihood_of_superiority(&self) -> f64 {
        let counts = self.counts();
        let spread = moment(&counts, |score| (score - 0.5).powi(2));
        if spread == 0.0 {
            return 0.5;
        }
        normal_cdf(moment(&counts, |score| score - 0.5) / spread.sqrt())
    }

    /// See [`Outcomes::score_interval`].
    fn effective_games(&self) -> f64 {
        let weights: Vec<f64> =
            (self.counts().iter().zip(self.imaginary())).map(|(&seen, imaginary)| seen as f64 + imaginary).collect();
        let total: f64 = weights.iter().sum();
        let mean = weighted(&weights, |score| score) / total;
        let variance = weighted(&weights, |score| (score - mean).powi(2)) / total;
        let drawless = mean * (1.0 - mean) / self.games_per_observation() as f64;
        self.games() as f64 * drawless / variance
    }
}

impl Outcomes for Trinomial {
    fn counts(&self) -> Vec<u64> {
        vec![self.losses, self.draws, self.wins]
    }

    fn imaginary(&self) -> Vec<f64> {
        vec![0.5, 0.0, 0.5]
    }

    fn games_per_observation(&self) -> u64 {
        1
    }
}

impl Outcomes for Pentanomial {
    fn counts(&self) -> Vec<u64> {
        self.0.to_vec()
    }

    fn imaginary(&self) -> Vec<f64> {
        vec![0.25, 0.0, 0.5, 0.0, 0.25]
    }

    fn games_per_observation(&self) -> u64 {
        2
    }
}

fn moment(counts: &[u64], of_score: impl Fn(f64) -> f64) -> f64 {
    let weights: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    weighted(&weights, of_score)
}

fn weighted(weights: &[f64], of_score: impl Fn(f64) -> f64) -> f64 {
    let steps = (weights.len() - 1) as f64;
    (weights.iter().enumerate()).map(|(class, weight)| weight * of_score(class as f64 / steps)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not within {tolerance} of {expected}");
    }

    fn half_width(interval: Interval) -> f64 {
        (interval.high - interval.low) / 2.0
    }

    /// Values published with fastchess's own Elo tests (trinomial: wins, losses, draws).
    #[test]
    fn elo_and_superiority_agree_with_fastchess_on_single_games() {
        let sample = Trinomial { wins: 136, losses: 96, draws: 111 };
        let (elo, interval) = sample.elo();
        assert_near(elo, 40.70, 0.01);
        assert_near(half_width(interval), 30.43, 0.3);
        assert_near(sample.likelihood_of_superiority(), 0.9960, 0.001);

        let sample = Trinomial { wins: 76, losses: 89, draws: 123 };
        assert_near(sample.likelihood_of_superiority(), 0.1553, 0.001);
    }

    /// Published with fastchess as LL, LD, WL, DD, WD, WW.
    #[test]
    fn elo_and_superiority_agree_with_fastchess_on_pairs() {
        let sample = Pentanomial([34, 54, 31 + 32, 64, 75]);
        let (elo, interval) = sample.elo();
        assert_near(elo, 55.58, 0.01);
        assert_near(half_width(interval), 27.65, 0.3);

        let sample = Pentanomial([332, 433, 457 + 41, 333, 334]);
        let (elo, interval) = sample.elo();
        assert_near(elo, -8.64, 0.01);
        assert_near(half_width(interval), 10.33, 0.05);
        assert_near(sample.likelihood_of_superiority(), 0.0505, 0.001);
    }

    /// The textbook Wilson interval for 8 of 10.
    #[test]
    fn without_draws_the_interval_is_wilsons() {
        let sample = Trinomial { wins: 8, losses: 2, draws: 0 };
        let interval = sample.score_interval();
        assert_near(interval.low, 0.4901625, 1e-6);
        assert_near(interval.high, 0.9433178, 1e-6);
    }

    #[test]
    fn draws_and_balanced_pairs_narrow_the_interval() {
        let decisive = Trinomial { wins: 50, losses: 50, draws: 0 };
        let drawish = Trinomial { wins: 20, losses: 20, draws: 60 };
        let split_pairs = Pentanomial([0, 0, 50, 0, 0]);
        let widths = [
            half_width(decisive.score_interval()),
            half_width(drawish.score_interval()),
            half_width(split_pairs.score_interval()),
        ];
        assert!(widths[0] > widths[1] && widths[1] > widths[2], "{widths:?}");
        assert!(widths[2] > 0.0);
    }

    #[test]
    fn a_clean_sweep_has_no_upper_bound_but_a_lower_one() {
        let sweep = Trinomial { wins: 10, losses: 0, draws: 0 };
        let (elo, interval) = sweep.elo();
        assert_eq!(elo, f64::INFINITY);
        assert_eq!(interval.high, f64::INFINITY);
        assert!(interval.low > 100.0 && interval.low < 250.0, "{interval:?}");
    }

    #[test]
    fn no_games_say_nothing() {
        let nothing = Trinomial::default();
        assert_eq!(nothing.score(), 0.5);
        assert_eq!(nothing.likelihood_of_superiority(), 0.5);
        assert_eq!(nothing.score_interval(), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn a_pair_is_filed_by_its_total() {
        let mut pairs = Pentanomial::default();
        pairs.add(1.0, 1.0);
        pairs.add(0.0, 1.0);
        pairs.add(0.5, 0.5);
        pairs.add(0.5, 0.0);
        assert_eq!(pairs.0, [0, 1, 2, 0, 1]);
    }
}
