//! Simultaneous perturbation stochastic approximation (J. Spall 1992): all parameters are moved at once in a random
//! direction, the two opposite settings play a colour-swapped pair against each other, and everything moves a little
//! towards the winner. The moves shrink as the games go by.

use jigo_arena::seed::random_part;
use jigo_board::Rng;

use super::{Contest, Method, TuneParameter};

/// Spall's recommended decay exponents for practice, and his stability constant as a share of all iterations.
const GAIN_DECAY: f64 = 0.602;
const PERTURBATION_DECAY: f64 = 0.101;
const STABILITY: f64 = 0.1;
/// In units of a parameter's tuning step: the first perturbation, and the first move after a pair won 2-0. Chosen on
/// simulated programs 350 Elo below their best: 2500 pairs bring them within 11 Elo on average (20 runs); with a
/// perturbation of one step and moves of half a step it is 48.
const FIRST_PERTURBATION: f64 = 2.0;
const FIRST_MOVE: f64 = 0.25;

pub struct Spsa {
    parameters: Vec<TuneParameter>,
    values: Vec<f64>,
    /// Iterations done and planned.
    done: u64,
    planned: u64,
    /// The signs of the perturbation being tried.
    signs: Vec<f64>,
    rng: Rng,
}

impl Spsa {
    pub fn new(parameters: &[TuneParameter], games: u64, seed: u64) -> Self {
        Self {
            values: parameters.iter().map(|parameter| parameter.start).collect(),
            parameters: parameters.to_vec(),
            done: 0,
            planned: games.div_ceil(2).max(1),
            signs: Vec::new(),
            rng: random_part(seed, "spsa", 0),
        }
    }

    /// In units of a tuning step.
    fn perturbation(&self) -> f64 {
        FIRST_PERTURBATION / ((self.done + 1) as f64).powf(PERTURBATION_DECAY)
    }

    /// How far a pair won 2-0 moves each parameter, in units of its tuning step.
    fn largest_move(&self) -> f64 {
        let stability = STABILITY * self.planned as f64;
        let decay = |exponent: f64| ((stability + 1.0) / (stability + 1.0 + self.done as f64)).powf(exponent);
        // The gradient estimate divides by the perturbation, which shrinks too.
        FIRST_MOVE * decay(GAIN_DECAY) * FIRST_PERTURBATION / self.perturbation()
    }

    fn moved(&self, distance: f64) -> Vec<f64> {
        let moved = |((parameter, value), sign): ((&TuneParameter, &f64), &f64)| {
            parameter.allowed(value + sign * distance * parameter.step)
        };
        self.parameters.iter().zip(&self.values).zip(&self.signs).map(moved).collect()
    }
}

impl Method for Spsa {
    fn propose(&mut self) -> Vec<Contest> {
        self.signs = self.parameters.iter().map(|_| if self.rng.chance(0.5) { 1.0 } else { -1.0 }).collect();
        let distance = self.perturbation();
        let contest = Contest { setting: self.moved(distance), against: Some(self.moved(-distance)) };
        vec![contest.clone(), contest]
    }

    fn learn(&mut self, points: &[f64]) {
        // From -1 (both games lost) to 1 (both won).
        let lead = 2.0 * points.iter().sum::<f64>() / points.len() as f64 - 1.0;
        let distance = lead * self.largest_move();
        for ((value, sign), parameter) in self.values.iter_mut().zip(&self.signs).zip(&self.parameters) {
            *value = (*value + sign * distance * parameter.step).clamp(parameter.min, parameter.max);
        }
        self.done += 1;
    }

    fn present(&self) -> Vec<f64> {
        self.values.clone()
    }

    fn best(&self) -> Vec<f64> {
        self.parameters.iter().zip(&self.values).map(|(parameter, &value)| parameter.allowed(value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spsa(games: u64) -> Spsa {
        let parameters = ["a=10:0:20:1", "b=0.5:0:1:0.1"].map(|text| TuneParameter::parse(text).unwrap());
        Spsa::new(&parameters, games, 1)
    }

    #[test]
    fn opposite_settings_meet_and_the_winner_pulls() {
        let mut method = spsa(100);
        let pair = method.propose();
        assert_eq!(pair.len(), 2);
        assert_eq!(pair[0], pair[1]);
        let (one, other) = (&pair[0].setting, pair[0].against.as_ref().unwrap());
        for (middle, ends) in [(10.0, (one[0], other[0])), (0.5, (one[1], other[1]))] {
            assert!((ends.0 + ends.1 - 2.0 * middle).abs() < 1e-9 && ends.0 != ends.1);
        }
        method.learn(&[1.0, 1.0]);
        for (before, (now, winner)) in [10.0, 0.5].iter().zip(method.values.iter().zip(one)) {
            assert!((now - before).signum() == (winner - before).signum(), "{now} from {before} towards {winner}");
        }
        let moved = method.values[0] - 10.0;
        assert!((moved.abs() - FIRST_MOVE).abs() < 1e-9);
    }

    #[test]
    fn an_even_pair_moves_nothing() {
        let mut method = spsa(100);
        method.propose();
        method.learn(&[1.0, 0.0]);
        assert_eq!(method.present(), [10.0, 0.5]);
    }

    #[test]
    fn moves_shrink() {
        let mut method = spsa(1000);
        let first = method.largest_move();
        method.done = 499;
        assert!(method.largest_move() < 0.6 * first);
    }
}
