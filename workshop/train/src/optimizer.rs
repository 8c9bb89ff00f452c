//! How weights follow their gradients: matrices by steps that are as long in every direction (`orthogonal.rs`), everything
//! else by Adam (Kingma and Ba 2015); all by momentum where games of the net with itself teach it; a cosine learning rate; an
//! average of the weights.

use jigo_board::Rng;
use jigo_net::kernel::Isa;
use jigo_net::weights::{Layout, Role, Tensor};

use crate::orthogonal::orthogonal;

/// Share of the batch's statistics in the running ones.
const STATISTICS_RATE: f32 = 0.02;

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
    /// Running mean squares of the gradients, where steps are divided by their root.
    pub squares: Vec<f32>,
    /// A running average of the values: what is shipped and measured.
    pub average: Vec<f32>,
}

impl Optimizer {
    pub fn new(values: Vec<f32>) -> Optimizer {
        let zeros = vec![0.0; values.len()];
        Optimizer { velocity: zeros.clone(), squares: zeros, average: values.clone(), values }
    }

    /// One step of supervised learning. `gradients` holds measured statistics in their places.
    pub fn step(&mut self, layout: &Layout, gradients: &[f32], rate: f32, average_rate: f32) {
        if gradients.iter().any(|gradient| !gradient.is_finite()) {
            return;
        }
        for tensor in &layout.tensors {
            if !tensor.role.is_trained() {
                self.follow_statistics(tensor, gradients);
            } else if is_inner_matrix(layout, tensor) {
                self.orthogonal_step(tensor, gradients, rate);
            } else {
                self.adam_step(layout, tensor, gradients, rate);
            }
        }
        self.follow_average(average_rate);
    }

    fn orthogonal_step(&mut self, tensor: &Tensor, gradients: &[f32], rate: f32) {
        /// Gradients are averaged over some twenty steps.
        const MOMENTUM: f32 = 0.95;
        /// Numbers of a step are this large on average, times the rate.
        const SIZE: f32 = 0.2;
        let columns = tensor.shape[tensor.shape.len() - 1];
        let range = tensor.range();
        let mut wanted = vec![0.0; range.len()];
        let velocities = self.velocity[range.clone()].iter_mut();
        for ((velocity, gradient), wanted) in velocities.zip(&gradients[range.clone()]).zip(&mut wanted) {
            *velocity += (1.0 - MOMENTUM) * (gradient - *velocity);
            // A look ahead (Nesterov): what the velocity would be if the next gradient were this one again.
            *wanted = *velocity + (1.0 - MOMENTUM) * (gradient - *velocity);
        }
        let rows = range.len() / columns;
        let size = SIZE * (rows.max(columns) as f32).sqrt();
        let step = orthogonal(Isa::best_f32(), &wanted, columns);
        for (value, step) in self.values[range].iter_mut().zip(step) {
            *value -= rate * (size * step + DECAY * *value);
        }
    }

    fn adam_step(&mut self, layout: &Layout, tensor: &Tensor, gradients: &[f32], rate: f32) {
        const MOMENTUM: f32 = 0.9;
        const SQUARES_RATE: f32 = 0.01;
        /// Below this a gradient is no direction to follow.
        const LEAST: f32 = 1e-7;
        let decay = if matches!(tensor.role, Role::Weights { .. } | Role::ZeroWeights) { DECAY } else { 0.0 };
        // Each of these numbers moves whole outputs at every step, in dense layers all that is said about the score.
        let rate = rate * if is_dense(layout, tensor) { 0.1 } else { 0.4 };
        for at in tensor.range() {
            let gradient = gradients[at];
            self.velocity[at] += (1.0 - MOMENTUM) * (gradient - self.velocity[at]);
            self.squares[at] += SQUARES_RATE * (gradient * gradient - self.squares[at]);
            let step = self.velocity[at] / (self.squares[at].sqrt() + LEAST);
            self.values[at] -= rate * (step + decay * self.values[at]);
        }
    }

    /// One step of Adam for numbers without a layout; `step` counts from 0.
    pub fn plain_step(&mut self, gradients: &[f32], rate: f32, step: u64, average_rate: f32) {
        const MOMENTUM: f32 = 0.9;
        const SQUARES_MOMENTUM: f32 = 0.99;
        const LEAST: f32 = 1e-8;
        if gradients.iter().any(|gradient| !gradient.is_finite()) {
            return;
        }
        // Both averages begin at zero and are too small at first.
        let time = (step + 1).min(1 << 20) as i32;
        let (young, young_squares) = (1.0 - MOMENTUM.powi(time), 1.0 - SQUARES_MOMENTUM.powi(time));
        for (at, gradient) in gradients.iter().enumerate() {
            self.velocity[at] += (1.0 - MOMENTUM) * (gradient - self.velocity[at]);
            self.squares[at] += (1.0 - SQUARES_MOMENTUM) * (gradient * gradient - self.squares[at]);
            let size = (self.squares[at] / young_squares).sqrt() + LEAST;
            self.values[at] -= rate * self.velocity[at] / young / size;
        }
        self.follow_average(average_rate);
    }

    /// One step of learning from games of one's own, whose gradients are mostly noise: plain momentum, so that a step is as short as
    /// its gradient says.
    pub fn momentum_step(&mut self, layout: &Layout, gradients: &[f32], rate: f32, average_rate: f32) {
        const MOMENTUM: f32 = 0.9;
        /// Weights shrink by this much of the learning rate each step; scales and biases do not.
        const DECAY: f32 = 1e-4;
        /// A gradient longer than this is shortened to it: one odd batch must not throw the weights.
        const LONGEST_GRADIENT: f32 = 3.0;
        let caution = |tensor: &Tensor| if is_dense(layout, tensor) { 0.05 } else { 1.0f32 };
        let length = layout
            .tensors
            .iter()
            .filter(|tensor| tensor.role.is_trained())
            .map(|tensor| {
                let squares: f64 = gradients[tensor.range()].iter().map(|g| f64::from(*g) * f64::from(*g)).sum();
                squares * f64::from(caution(tensor)).powi(2)
            })
            .sum::<f64>()
            .sqrt() as f32;
        if !length.is_finite() {
            return;
        }
        let shorten = (LONGEST_GRADIENT / length.max(1e-9)).min(1.0);
        for tensor in &layout.tensors {
            if !tensor.role.is_trained() {
                self.follow_statistics(tensor, gradients);
                continue;
            }
            let decay = match tensor.role {
                Role::Weights { .. } | Role::ZeroWeights => DECAY,
                _ => 0.0,
            };
            let share = shorten * caution(tensor);
            for at in tensor.range() {
                self.velocity[at] = MOMENTUM * self.velocity[at] + gradients[at] * share + decay * self.values[at];
                self.values[at] -= rate * self.velocity[at];
            }
        }
        self.follow_average(average_rate);
    }

    fn follow_statistics(&mut self, tensor: &Tensor, measured: &[f32]) {
        for at in tensor.range() {
            self.values[at] += STATISTICS_RATE * (measured[at] - self.values[at]);
        }
    }

    fn follow_average(&mut self, rate: f32) {
        for (average, value) in self.average.iter_mut().zip(&self.values) {
            *average += rate * (value - *average);
        }
    }
}

/// Weights shrink by this much of the learning rate each step of supervised learning; scales and biases do not. Behind a
/// normalisation their length does not matter, but the longer they are the less a step turns them.
const DECAY: f32 = 0.1;

/// Filters and side paths inside the tower, and the head's: matrices from many numbers to many. Outputs go by Adam, one by one.
fn is_inner_matrix(layout: &Layout, tensor: &Tensor) -> bool {
    let range = tensor.range();
    let in_block = |block: &jigo_net::weights::BlockRanges| {
        range == block.first.taps || range == block.second.taps || block.pool.as_ref() == Some(&range)
    };
    range == layout.stem.taps || range == layout.head.taps || layout.blocks.iter().any(in_block)
}

/// The dense layers read maxima over the whole board without a normalisation in between: at the rate that suits the rest their
/// outputs swing from one certainty to the other, and a gradient shortened for their sake is shortened for all.
fn is_dense(layout: &Layout, tensor: &Tensor) -> bool {
    let dense = [&layout.hidden, &layout.hidden_bias, &layout.pooled, &layout.pooled_bias];
    dense.contains(&&tensor.range())
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
        let start = optimizer.clone();
        for step in [Optimizer::step, Optimizer::momentum_step] {
            optimizer = start.clone();
            for _ in 0..50 {
                let gradients = optimizer.values.clone();
                step(&mut optimizer, &layout, &gradients, 0.01, 0.1);
            }
            assert!(energy(&optimizer) < 0.7 * energy(&start));
        }
        let held = optimizer.values.clone();
        optimizer.step(&layout, &vec![f32::NAN; held.len()], 0.01, 0.1);
        optimizer.momentum_step(&layout, &vec![f32::NAN; held.len()], 0.01, 0.1);
        assert_eq!(optimizer.values, held);
    }
}
