//! Stochastic gradient descent with momentum, a cosine learning rate, and an average of the weights.

use jigo_board::Rng;
use jigo_net::weights::{Layout, Role, Tensor};

/// Share of the batch's statistics in the running ones.
const STATISTICS_RATE: f32 = 0.02;
const MOMENTUM: f32 = 0.9;
/// Weights shrink by this much of the learning rate each step; scales and biases do not.
const DECAY: f32 = 1e-4;
/// A gradient longer than this is shortened to it: one odd batch must not throw the weights.
const LONGEST_GRADIENT: f32 = 3.0;

/// See [`caution`].
const DENSE_CAUTION: f32 = 0.05;

/// Starting weights: scaled noise in front of rectifiers (He et al. 2015), zero where outputs should start silent.
pub fn initial_values(layout: &Layout, rng: &mut Rng) -> Vec<f32> {
    let mut values = vec![0.0; layout.len()];
    for tensor in &layout.tensors {
        for value in &mut values[tensor.range()] {
            *value = match tensor.role {
                // Uniform noise of variance 2 / inputs.
                Role::Weights { inputs } => (rng.unit() * 2.0 - 1.0) * (6.0 / inputs as f32).sqrt(),
                Role::Scale { start } => f32::from(start) / 1000.0,
                Role::Variance => 1.0,
                Role::ZeroWeights | Role::Bias | Role::Mean => 0.0,
            };
        }
    }
    values
}

/// The learning rate of each step.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    pub peak: f32,
    pub final_share: f32,
    pub warm_up: u64,
    pub steps: u64,
}

impl Schedule {
    /// Rises linearly, then falls along half a cosine to `final_share` of the peak.
    pub fn rate(&self, step: u64) -> f32 {
        if step < self.warm_up {
            return self.peak * (step + 1) as f32 / self.warm_up as f32;
        }
        let progress = (step - self.warm_up) as f32 / (self.steps.saturating_sub(self.warm_up)).max(1) as f32;
        let wave = 0.5 * (1.0 + (std::f32::consts::PI * progress.min(1.0)).cos());
        self.peak * (self.final_share + (1.0 - self.final_share) * wave)
    }
}

/// The state that training carries from step to step.
#[derive(Clone)]
pub struct Optimizer {
    pub values: Vec<f32>,
    pub velocity: Vec<f32>,
    /// A running average of the values: what is shipped and measured.
    pub average: Vec<f32>,
}

impl Optimizer {
    pub fn new(values: Vec<f32>) -> Optimizer {
        Optimizer { velocity: vec![0.0; values.len()], average: values.clone(), values }
    }

    /// One step down the gradient. `gradients` holds measured statistics in their places.
    pub fn step(&mut self, layout: &Layout, gradients: &[f32], rate: f32, average_rate: f32) {
        let length = layout
            .tensors
            .iter()
            .filter(|tensor| tensor.role.is_trained())
            .map(|tensor| {
                let squares: f64 = gradients[tensor.range()].iter().map(|g| f64::from(*g) * f64::from(*g)).sum();
                squares * f64::from(caution(layout, tensor)).powi(2)
            })
            .sum::<f64>()
            .sqrt() as f32;
        if !length.is_finite() {
            return;
        }
        let shorten = (LONGEST_GRADIENT / length.max(1e-9)).min(1.0);
        for tensor in &layout.tensors {
            let range = tensor.range();
            let decay = match tensor.role {
                Role::Weights { .. } | Role::ZeroWeights => DECAY,
                _ => 0.0,
            };
            let values = self.values[range.clone()].iter_mut().zip(&gradients[range.clone()]);
            if !tensor.role.is_trained() {
                values.for_each(|(value, measured)| *value += STATISTICS_RATE * (measured - *value));
                continue;
            }
            let share = shorten * caution(layout, tensor);
            for ((value, gradient), velocity) in values.zip(&mut self.velocity[range]) {
                *velocity = MOMENTUM * *velocity + gradient * share + decay * *value;
                *value -= rate * *velocity;
            }
        }
        for (average, value) in self.average.iter_mut().zip(&self.values) {
            *average += average_rate * (value - *average);
        }
    }
}

/// How much of its gradient a tensor follows. The dense layers read maxima over the whole board without a normalisation in
/// between: at the rate that suits the rest their outputs swing from one certainty to the other, and a gradient shortened for
/// their sake is shortened for all.
fn caution(layout: &Layout, tensor: &Tensor) -> f32 {
    let dense = [&layout.hidden, &layout.hidden_bias, &layout.pooled, &layout.pooled_bias];
    if dense.contains(&&tensor.range()) { DENSE_CAUTION } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        let schedule = Schedule { peak: 1.0, final_share: 0.01, warm_up: 10, steps: 110 };
        assert!((schedule.rate(0) - 0.1).abs() < 1e-6);
        assert!((schedule.rate(10) - 1.0).abs() < 1e-6);
        assert!((schedule.rate(60) - 0.505).abs() < 1e-3);
        assert!((schedule.rate(110) - 0.01).abs() < 1e-6);
        assert!((schedule.rate(1000) - 0.01).abs() < 1e-6);
    }

    #[test]
    fn descends_a_bowl_and_ignores_a_broken_gradient() {
        let architecture: jigo_net::Architecture =
            "planes=compact-1 channels=16 blocks=r head=16 hidden=16 value=mixture ownership=yes".parse().unwrap();
        let layout = Layout::new(&architecture);
        let mut optimizer = Optimizer::new(initial_values(&layout, &mut Rng::new(1)));
        let energy =
            |optimizer: &Optimizer| -> f32 { optimizer.values[layout.stem.taps.clone()].iter().map(|v| v * v).sum() };
        let before = energy(&optimizer);
        for _ in 0..50 {
            let gradients = optimizer.values.clone();
            optimizer.step(&layout, &gradients, 0.01, 0.1);
        }
        assert!(energy(&optimizer) < 0.7 * before);
        let held = optimizer.values.clone();
        optimizer.step(&layout, &vec![f32::NAN; held.len()], 0.01, 0.1);
        assert_eq!(optimizer.values, held);
    }
}
