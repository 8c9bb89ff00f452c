//! The residual tower, forward and backward.

use jigo_net::architecture::Architecture;
use jigo_net::kernel::{Aligned, Finish, Isa};
use jigo_net::weights::{Layout, NormedRanges};

use super::batch::BatchShape;
use super::conv_layer::{ConvLayer, LayerScratch};
use super::norm_layer::NormLayer;
use super::pooling::{dense_backward, dense_forward, pool_batch, unpool_batch};

/// A convolution, its normalisation, and what the forward pass left for the backward pass.
struct Stage {
    conv: ConvLayer,
    norm: NormLayer,
    ranges: NormedRanges,
    /// The convolution's output.
    sums: Aligned<f32>,
    /// The rectified output.
    activation: Aligned<f32>,
}

/// The pooled side path of a block.
struct SidePath {
    weights: std::ops::Range<usize>,
    pooled: Vec<f32>,
}

pub struct Tower {
    isa: Isa,
    channels: usize,
    shape: BatchShape,
    /// The stem, then two stages per block.
    stages: Vec<Stage>,
    side_paths: Vec<Option<SidePath>>,
    scratch: LayerScratch,
    middle_gradient: Aligned<f32>,
    sums_gradient: Aligned<f32>,
}

impl Tower {
    pub fn new(isa: Isa, architecture: &Architecture, layout: &Layout, shape: BatchShape) -> Tower {
        let channels = architecture.channels;
        let len = shape.cells() * channels;
        let stage = |ranges: &NormedRanges, inputs: usize| Stage {
            conv: ConvLayer::new(isa, inputs, channels, ranges.taps.clone()),
            norm: NormLayer::new(channels),
            ranges: ranges.clone(),
            sums: Aligned::zeroed(len),
            activation: Aligned::zeroed(len),
        };
        let mut stages = vec![stage(&layout.stem, architecture.planes.channels())];
        for block in &layout.blocks {
            stages.push(stage(&block.first, channels));
            stages.push(stage(&block.second, channels));
        }
        let side_path = |weights: &std::ops::Range<usize>| SidePath {
            weights: weights.clone(),
            pooled: vec![0.0; shape.images() * 2 * channels],
        };
        Tower {
            isa,
            channels,
            stages,
            side_paths: layout.blocks.iter().map(|block| block.pool.as_ref().map(side_path)).collect(),
            scratch: LayerScratch::default(),
            middle_gradient: Aligned::zeroed(len),
            sums_gradient: Aligned::zeroed(len),
            shape,
        }
    }

    pub fn load(&mut self, values: &[f32]) {
        for stage in &mut self.stages {
            stage.conv.load(values, &mut self.scratch);
        }
    }

    /// Runs the tower on `planes`. Batch statistics go to `measured`.
    pub fn forward(&mut self, values: &[f32], planes: &[f32], measured: &mut [f32]) -> &[f32] {
        let Tower { isa, channels, shape, stages, side_paths, scratch, .. } = self;
        let (isa, channels) = (*isa, *channels);
        run_stage(isa, shape, values, &mut stages[0], planes, None, None, measured, scratch);
        for (block, side_path) in side_paths.iter_mut().enumerate() {
            let (before, after) = stages.split_at_mut(2 * block + 1);
            let state = &before[2 * block].activation;
            let (first, second) = after.split_at_mut(1);
            run_stage(isa, shape, values, &mut first[0], state, None, None, measured, scratch);
            let middle = &first[0].activation;
            let shift = side_path.as_mut().map(|side| {
                pool_batch(isa, shape, channels, middle, &mut side.pooled);
                let mut shift = vec![0.0; shape.images() * channels];
                let weights = &values[side.weights.clone()];
                dense_forward(weights, &vec![0.0; channels], 2 * channels, &side.pooled, &mut shift);
                shift
            });
            run_stage(isa, shape, values, &mut second[0], middle, shift.as_deref(), Some(state), measured, scratch);
        }
        &self.stages.last().expect("a stem").activation
    }

    /// From the gradient of the tower's output to all gradients. `gradient` is used up.
    pub fn backward(&mut self, values: &[f32], planes: &[f32], gradient: &mut [f32], gradients: &mut [f32]) {
        let Tower { isa, channels, shape, stages, side_paths, scratch, middle_gradient, sums_gradient } = self;
        let (isa, channels) = (*isa, *channels);
        for (block, side_path) in side_paths.iter().enumerate().rev() {
            let [state, first, second] = &stages[2 * block..2 * block + 3] else {
                unreachable!("two stages per block")
            };

            second.norm_backward(isa, shape, values, gradient, sums_gradient, gradients);
            second.conv.learn(shape, &first.activation, sums_gradient, gradients, scratch);
            second.conv.backward(shape, sums_gradient, Finish::Store, middle_gradient, scratch);
            if let Some(side) = side_path {
                let shift_gradient = sum_points(shape, channels, sums_gradient);
                let mut pooled_gradient = vec![0.0; side.pooled.len()];
                dense_backward(
                    &values[side.weights.clone()],
                    2 * channels,
                    channels,
                    &side.pooled,
                    &shift_gradient,
                    &mut gradients[side.weights.clone()],
                    &mut pooled_gradient,
                );
                unpool_batch(shape, channels, &first.activation, &side.pooled, &pooled_gradient, middle_gradient);
            }

            first.norm_backward(isa, shape, values, middle_gradient, sums_gradient, gradients);
            first.conv.learn(shape, &state.activation, sums_gradient, gradients, scratch);
            // `gradient` already holds the shortcut's share.
            first.conv.backward(shape, sums_gradient, Finish::Accumulate, gradient, scratch);
        }
        let stem = &stages[0];
        stem.norm_backward(isa, shape, values, gradient, sums_gradient, gradients);
        stem.conv.learn(shape, planes, sums_gradient, gradients, scratch);
    }
}

#[allow(clippy::too_many_arguments)]
fn run_stage(
    isa: Isa,
    shape: &BatchShape,
    values: &[f32],
    stage: &mut Stage,
    input: &[f32],
    shift: Option<&[f32]>,
    residual: Option<&[f32]>,
    measured: &mut [f32],
    scratch: &mut LayerScratch,
) {
    let Stage { conv, norm, ranges, sums, activation } = stage;
    conv.forward(shape, input, shift, sums, scratch);
    norm.forward(isa, shape, values, ranges, sums, residual, activation, measured);
}

impl Stage {
    fn norm_backward(
        &self,
        isa: Isa,
        shape: &BatchShape,
        values: &[f32],
        gradient: &mut [f32],
        sums_gradient: &mut [f32],
        gradients: &mut [f32],
    ) {
        let Stage { norm, ranges, sums, activation, .. } = self;
        norm.backward(isa, shape, values, ranges, sums, activation, gradient, sums_gradient, gradients);
    }
}

/// The sum over each image's points, `[images][channels]`.
fn sum_points(shape: &BatchShape, channels: usize, input: &[f32]) -> Vec<f32> {
    let mut sums = vec![0.0; shape.images() * channels];
    for segment in shape.segments() {
        let boards = segment.of(input, channels).chunks_exact(segment.grid.cells() * channels);
        for (board, sums) in boards.zip(segment.images_of_mut(&mut sums, channels).chunks_exact_mut(channels)) {
            for cell in board.chunks_exact(channels) {
                for (sum, value) in sums.iter_mut().zip(cell) {
                    *sum += value;
                }
            }
        }
    }
    sums
}
