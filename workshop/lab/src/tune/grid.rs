//! Settings as whole numbers of steps from the start, so that going back leads exactly where one came from and equal
//! settings are equal.

use jigo_board::Rng;

use super::TuneParameter;

/// Steps away from the start, one entry for each parameter.
pub type GridPoint = Vec<i64>;

pub struct Grid {
    parameters: Vec<TuneParameter>,
}

impl Grid {
    pub fn new(parameters: &[TuneParameter]) -> Self {
        Self { parameters: parameters.to_vec() }
    }

    pub fn dimensions(&self) -> usize {
        self.parameters.len()
    }

    pub fn start(&self) -> GridPoint {
        vec![0; self.parameters.len()]
    }

    pub fn values(&self, point: &[i64]) -> Vec<f64> {
        let pairs = self.parameters.iter().zip(point);
        pairs.map(|(parameter, &steps)| parameter.allowed(parameter.start + steps as f64 * parameter.step)).collect()
    }

    pub fn is_inside(&self, dimension: usize, steps: i64) -> bool {
        let (lowest, highest) = self.ends(dimension);
        (lowest..=highest).contains(&steps)
    }

    pub fn clamp(&self, dimension: usize, steps: i64) -> i64 {
        let (lowest, highest) = self.ends(dimension);
        steps.clamp(lowest, highest)
    }

    pub fn random_point(&self, rng: &mut Rng) -> GridPoint {
        let draw = |dimension| {
            let (lowest, highest) = self.ends(dimension);
            lowest + rng.below((highest - lowest + 1) as usize) as i64
        };
        (0..self.dimensions()).map(draw).collect()
    }

    /// A tiny tolerance keeps 0.1 + 3 x 0.1 inside a range that ends at 0.4.
    fn ends(&self, dimension: usize) -> (i64, i64) {
        let parameter = &self.parameters[dimension];
        let steps = |end: f64| (end - parameter.start) / parameter.step;
        ((steps(parameter.min) - 1e-9).ceil() as i64, (steps(parameter.max) + 1e-9).floor() as i64)
    }
}
