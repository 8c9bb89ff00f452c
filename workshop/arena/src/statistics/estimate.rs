//! Logistic Elo, the normal distribution and Wilson's interval.

use serde::{Deserialize, Serialize};

/// Half width of a two-sided 95 % interval in standard deviations.
const Z95: f64 = 1.959_963_984_540_054;

/// A two-sided 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// Expected score of a player who is `elo` points stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The inverse: infinite for a score of 0 or 1.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

pub(super) fn normal_cdf(deviations: f64) -> f64 {
    0.5 * libm::erfc(-deviations / std::f64::consts::SQRT_2)
}

/// Wilson's score interval for a proportion seen in `games` independent games.
pub(super) fn wilson(score: f64, games: f64) -> Interval {
    if games == 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let weight = Z95 * Z95 / games;
    let centre = (score + weight / 2.0) / (1.0 + weight);
    let half = (score * (1.0 - score) * weight + weight * weight / 4.0).sqrt() / (1.0 + weight);
    Interval {
        low: if score == 0.0 { 0.0 } else { centre - half },
        high: if score == 1.0 { 1.0 } else { centre + half },
    }
}

pub(super) fn half_width95(standard_error: f64) -> f64 {
    Z95 * standard_error
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the table in the handbook every chess federation prints: 100 points are 64 %, 200 are 76 %.
    #[test]
    fn elo_differences_give_the_known_scores() {
        assert_eq!((score_of_elo(100.0) * 100.0).round(), 64.0);
        assert_eq!((score_of_elo(200.0) * 100.0).round(), 76.0);
        assert_eq!(score_of_elo(0.0), 0.5);
        for elo in [-350.0, -3.0, 0.0, 42.0, 800.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn the_normal_distribution_has_its_known_quantiles() {
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-12);
        assert!((normal_cdf(-1.0) - 0.158_655_253_931_457).abs() < 1e-12);
    }
}
