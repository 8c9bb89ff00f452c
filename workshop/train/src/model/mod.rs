//! The net as training sees it: a forward pass that remembers, and the backward pass.
//!
//! One thread owns one [`Model`]: buffers for its share of the batch. The weights are one flat array shared by
//! all; the gradients, laid out the same, are each thread's own.

mod batch;
mod conv_layer;
mod heads;
mod norm_layer;
mod pooling;
mod tower;

use jigo_net::Architecture;
use jigo_net::architecture::POINT_OUTPUTS;
use jigo_net::kernel::{Aligned, Arithmetic, Isa};
use jigo_net::weights::Layout;

pub use batch::{BatchShape, Segment};
pub use conv_layer::{ConvLayer, LayerScratch};
use heads::Heads;
pub use heads::transposed;
use tower::Tower;

/// A net's outputs for a batch, and the place for their gradients.
pub struct Outputs<'a> {
    pub shape: &'a BatchShape,
    /// `[cells][POINT_OUTPUTS]`
    pub points: &'a [f32],
    /// `[images][pooled outputs]`
    pub pooled: &'a [f32],
    pub point_gradient: &'a mut [f32],
    pub pooled_gradient: &'a mut [f32],
}

pub struct Model {
    shape: BatchShape,
    /// The input, `[cells][plane channels]`, to be filled by the caller.
    pub planes: Aligned<f32>,
    tower: Tower,
    heads: Heads,
    point_gradient: Aligned<f32>,
    pooled_gradient: Vec<f32>,
    trunk_gradient: Aligned<f32>,
    /// After a step: gradients of what is trained, and the batch's mean and variance in their places.
    pub gradients: Vec<f32>,
}

impl Model {
    pub fn new(isa: Isa, architecture: &Architecture, shape: BatchShape) -> Model {
        assert_ne!(isa.arithmetic(), Arithmetic::Int8, "gradients need more range than bytes have");
        let layout = Layout::new(architecture);
        let cells = shape.cells();
        Model {
            planes: Aligned::zeroed(cells * architecture.planes.channels()),
            tower: Tower::new(isa, architecture, &layout, shape.clone()),
            heads: Heads::new(isa, architecture, &layout, shape.clone()),
            point_gradient: Aligned::zeroed(cells * POINT_OUTPUTS),
            pooled_gradient: vec![0.0; shape.images() * architecture.pooled_outputs()],
            trunk_gradient: Aligned::zeroed(cells * architecture.channels),
            gradients: vec![0.0; layout.len()],
            shape,
        }
    }

    pub fn shape(&self) -> &BatchShape {
        &self.shape
    }

    /// Forward on `planes` only: leaves the batch's mean and variance of every normalisation in `gradients`.
    pub fn measure(&mut self, values: &[f32]) {
        self.tower.load(values);
        let trunk = self.tower.forward(values, &self.planes, &mut self.gradients);
        self.heads.forward(values, trunk, &mut self.gradients);
    }

    /// Forward on `planes`, then `loss` (which writes the outputs' gradients and returns its sum), then backward.
    pub fn step<T>(&mut self, values: &[f32], loss: impl FnOnce(Outputs<'_>) -> T) -> T {
        self.tower.load(values);
        self.gradients.fill(0.0);
        self.point_gradient.fill(0.0);
        self.pooled_gradient.fill(0.0);
        let trunk = self.tower.forward(values, &self.planes, &mut self.gradients);
        self.heads.forward(values, trunk, &mut self.gradients);
        let result = loss(Outputs {
            shape: &self.shape,
            points: &self.heads.points,
            pooled: &self.heads.outs,
            point_gradient: &mut self.point_gradient,
            pooled_gradient: &mut self.pooled_gradient,
        });
        self.heads.backward(
            values,
            trunk,
            &self.point_gradient,
            &self.pooled_gradient,
            &mut self.trunk_gradient,
            &mut self.gradients,
        );
        self.tower.backward(values, &self.planes, &mut self.trunk_gradient, &mut self.gradients);
        result
    }
}

#[cfg(test)]
mod tests;
