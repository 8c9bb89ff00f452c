//! Batch normalisation with rectifier, over a whole batch.

use jigo_net::kernel::Isa;
use jigo_net::weights::{NORM_EPSILON, NormedRanges};

use super::batch::BatchShape;
use crate::kernel::{Activate, BackwardSums, Moments, NormBackward, activate, backward_sums, moments, norm_backward};

/// The normalisation behind one convolution, with what its backward pass needs to remember.
pub struct NormLayer {
    channels: usize,
    means: Vec<f32>,
    /// One over the standard deviation.
    sharpness: Vec<f32>,
}

impl NormLayer {
    pub fn new(channels: usize) -> NormLayer {
        NormLayer { channels, means: vec![0.0; channels], sharpness: vec![0.0; channels] }
    }

    /// Measures the batch, leaving mean and variance in `measured`, and writes
    /// `max(0, normalised input * scale + shift + residual)`.
    #[allow(clippy::too_many_arguments)]
    pub fn forward(
        &mut self,
        isa: Isa,
        shape: &BatchShape,
        values: &[f32],
        ranges: &NormedRanges,
        input: &[f32],
        residual: Option<&[f32]>,
        output: &mut [f32],
        measured: &mut [f32],
    ) {
        let channels = self.channels;
        let mut sums = vec![0.0; 2 * channels];
        for segment in shape.segments() {
            let (grid, images) = (segment.grid, segment.images);
            moments(isa, Moments { grid, images, channels, input: segment.of(input, channels), sums: &mut sums });
        }
        let share = 1.0 / shape.points() as f32;
        let (mut factors, mut shifts) = (vec![0.0; channels], vec![0.0; channels]);
        for c in 0..channels {
            let mean = sums[c] * share;
            let variance = (sums[channels + c] * share - mean * mean).max(0.0);
            self.means[c] = mean;
            self.sharpness[c] = 1.0 / (variance + NORM_EPSILON).sqrt();
            factors[c] = values[ranges.scale.start + c] * self.sharpness[c];
            shifts[c] = values[ranges.shift.start + c] - mean * factors[c];
            measured[ranges.mean.start + c] = mean;
            measured[ranges.variance.start + c] = variance;
        }
        for segment in shape.segments() {
            activate(
                isa,
                Activate {
                    grid: segment.grid,
                    images: segment.images,
                    channels,
                    input: segment.of(input, channels),
                    factors: &factors,
                    shifts: &shifts,
                    residual: residual.map(|residual| segment.of(residual, channels)),
                    output: segment.of_mut(output, channels),
                },
            );
        }
    }

    /// From the gradient of the output to that of the input. `gradient` keeps its rectified form, which is also the
    /// gradient of the residual; scale and shift gradients go to `gradients`.
    #[allow(clippy::too_many_arguments)]
    pub fn backward(
        &self,
        isa: Isa,
        shape: &BatchShape,
        values: &[f32],
        ranges: &NormedRanges,
        input: &[f32],
        activation: &[f32],
        gradient: &mut [f32],
        input_gradient: &mut [f32],
        gradients: &mut [f32],
    ) {
        let channels = self.channels;
        let mut sums = vec![0.0; 2 * channels];
        for segment in shape.segments() {
            backward_sums(
                isa,
                BackwardSums {
                    grid: segment.grid,
                    images: segment.images,
                    channels,
                    gradient: segment.of_mut(gradient, channels),
                    activation: segment.of(activation, channels),
                    input: segment.of(input, channels),
                    means: &self.means,
                    sums: &mut sums,
                },
            );
        }
        let share = 1.0 / shape.points() as f32;
        let mut rows = [vec![0.0; channels], vec![0.0; channels], vec![0.0; channels]];
        let [factors, slopes, offsets] = &mut rows;
        for c in 0..channels {
            let (sum, product, sharpness) = (sums[c], sums[channels + c], self.sharpness[c]);
            gradients[ranges.shift.start + c] = sum;
            gradients[ranges.scale.start + c] = product * sharpness;
            factors[c] = values[ranges.scale.start + c] * sharpness;
            slopes[c] = factors[c] * sharpness * sharpness * product * share;
            offsets[c] = factors[c] * sum * share - self.means[c] * slopes[c];
        }
        for segment in shape.segments() {
            norm_backward(
                isa,
                NormBackward {
                    grid: segment.grid,
                    images: segment.images,
                    channels,
                    gradient: segment.of(gradient, channels),
                    input: segment.of(input, channels),
                    factors,
                    slopes,
                    offsets,
                    output: segment.of_mut(input_gradient, channels),
                },
            );
        }
    }
}
