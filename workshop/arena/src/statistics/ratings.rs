//! Ratings of more than two players from their games against each other: the Bradley-Terry model.
//!
//! Maximum likelihood with a draw counting half for each (D. Hunter, "MM algorithms for generalized Bradley-Terry
//! models", 2004), ratings centred on zero. Each pairing that met also gets one imaginary draw, so that a player who
//! won or lost everything still has a finite rating.

use super::estimate::{Interval, half_width95};

const IMAGINARY_GAMES: f64 = 1.0;
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// All games between two players, by their place in the list of players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    pub first: usize,
    pub second: usize,
    pub games: u64,
    /// Points of the first player, a draw counting one half.
    pub first_points: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    pub elo: f64,
    pub interval: Interval,
}

/// Ratings in the order of the players, their mean being zero.
pub fn ratings(players: usize, pairings: &[Pairing]) -> Vec<Rating> {
    let met: Vec<Pairing> = (pairings.iter().copied()).filter(|pairing| pairing.games > 0).collect();
    let strengths = strengths(players, &met);
    let errors = standard_errors(&strengths, &met);
    let logs: Vec<f64> = strengths.iter().map(|s| s.ln() * ELO_PER_NAT).collect();
    let mean = logs.iter().sum::<f64>() / players.max(1) as f64;
    logs.into_iter()
        .zip(errors)
        .map(|(log, error)| {
            let half = half_width95(error * ELO_PER_NAT);
            let elo = log - mean;
            Rating { elo, interval: Interval { low: elo - half, high: elo + half } }
        })
        .collect()
}

/// Minorisation-maximisation: each strength becomes points / sum of games / (own + opponent's strength).
fn strengths(players: usize, pairings: &[Pairing]) -> Vec<f64> {
    let mut points = vec![0.0; players];
    for pairing in pairings {
        points[pairing.first] += pairing.first_points + IMAGINARY_GAMES / 2.0;
        points[pairing.second] += games(pairing) - pairing.first_points - IMAGINARY_GAMES / 2.0;
    }
    let mut strengths = vec![1.0; players];
    for _ in 0..10_000 {
        let mut expected = vec![0.0; players];
        for pairing in pairings {
            let share = games(pairing) / (strengths[pairing.first] + strengths[pairing.second]);
            expected[pairing.first] += share;
            expected[pairing.second] += share;
        }
        let mut change: f64 = 0.0;
        for player in 0..players {
            if expected[player] > 0.0 {
                let next = points[player] / expected[player];
                change = change.max((next / strengths[player]).ln().abs());
                strengths[player] = next;
            }
        }
        if change < 1e-10 {
            break;
        }
    }
    strengths
}

fn games(pairing: &Pairing) -> f64 {
    pairing.games as f64 + IMAGINARY_GAMES
}

/// Standard errors of the centred log-strengths: the curvature of the log-likelihood is a graph Laplacian, whose
/// null direction (adding the same to everyone) is filled before inverting and costs nothing after centring.
fn standard_errors(strengths: &[f64], pairings: &[Pairing]) -> Vec<f64> {
    let players = strengths.len();
    let mut information = vec![vec![1.0 / players.max(1) as f64; players]; players];
    for pairing in pairings {
        let (a, b) = (pairing.first, pairing.second);
        let expected = strengths[a] / (strengths[a] + strengths[b]);
        let weight = games(pairing) * expected * (1.0 - expected);
        information[a][a] += weight;
        information[b][b] += weight;
        information[a][b] -= weight;
        information[b][a] -= weight;
    }
    let Some(covariance) = inverse(information) else {
        return vec![f64::INFINITY; players];
    };
    (0..players).map(|player| (covariance[player][player] - 1.0 / players as f64).sqrt()).collect()
}

/// Gauss-Jordan with partial pivoting; `None` for players that are not all connected by games.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let mut result: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|column| f64::from(row == column)).collect()).collect();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-9 {
            return None;
        }
        matrix.swap(column, pivot);
        result.swap(column, pivot);
        let scale = 1.0 / matrix[column][column];
        for entry in matrix[column].iter_mut().chain(result[column].iter_mut()) {
            *entry *= scale;
        }
        let (pivot_row, pivot_result) = (matrix[column].clone(), result[column].clone());
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for (entry, above) in matrix[row].iter_mut().zip(&pivot_row) {
                *entry -= factor * above;
            }
            for (entry, above) in result[row].iter_mut().zip(&pivot_result) {
                *entry -= factor * above;
            }
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::super::estimate::{elo_of_score, score_of_elo};
    use super::*;

    fn pairing(first: usize, second: usize, games: u64, first_points: f64) -> Pairing {
        Pairing { first, second, games, first_points }
    }

    #[test]
    fn two_players_get_the_difference_of_their_score() {
        let ratings = ratings(2, &[pairing(0, 1, 1000, 640.0)]);
        let difference = ratings[0].elo - ratings[1].elo;
        assert!((difference - elo_of_score(640.5 / 1001.0)).abs() < 1e-6);
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-9);
        // The error of the difference is twice that of a centred rating: 2 * 1.96 * 173.7 / 2 / sqrt(n p q).
        let expected = 1.96 * ELO_PER_NAT / (1000.0_f64 * 0.64 * 0.36).sqrt();
        let width = ratings[0].interval.high - ratings[0].interval.low;
        assert!((width - expected).abs() < 0.1, "{width} against {expected}");
    }

    #[test]
    fn results_made_from_true_ratings_give_them_back() {
        let truth = [150.0, 0.0, -20.0, -130.0];
        let mut pairings = Vec::new();
        for first in 0..4 {
            for second in first + 1..4 {
                let expected = score_of_elo(truth[first] - truth[second]);
                pairings.push(pairing(first, second, 1_000_000, 1e6 * expected));
            }
        }
        for (rating, truth) in ratings(4, &pairings).iter().zip(truth) {
            assert!((rating.elo - truth).abs() < 0.01, "{rating:?}");
            assert!(rating.interval.low < truth && truth < rating.interval.high);
        }
    }

    #[test]
    fn a_clean_sweep_stays_finite_and_strangers_are_unbounded() {
        let swept = ratings(2, &[pairing(0, 1, 20, 20.0)]);
        assert!(swept[0].elo > 100.0 && swept[0].elo.is_finite());
        let strangers = ratings(3, &[pairing(0, 1, 20, 10.0)]);
        assert_eq!(strangers[2].interval.high, f64::INFINITY);
    }
}
