//! The heads, forward and backward: per-point outputs and the pooled outputs behind the hidden layer.

use jigo_net::architecture::{Architecture, POINT_OUTPUTS};
use jigo_net::kernel::{Aligned, Gemm, Isa, gemm};
use jigo_net::weights::Layout;

use super::batch::BatchShape;
use super::norm_layer::NormLayer;
use super::pooling::{bias_backward, dense_backward, dense_forward, pool_batch, unpool_batch};
use crate::kernel::{ProductGradient, product_gradient};

pub struct Heads {
    isa: Isa,
    channels: usize,
    head: usize,
    hidden_width: usize,
    outputs: usize,
    layout: Layout,
    shape: BatchShape,
    norm: NormLayer,
    sums: Aligned<f32>,
    activation: Aligned<f32>,
    head_gradient: Aligned<f32>,
    sums_gradient: Aligned<f32>,
    pooled: Vec<f32>,
    hidden: Vec<f32>,
    /// `[cells][POINT_OUTPUTS]`
    pub points: Aligned<f32>,
    /// `[images][pooled outputs]`
    pub outs: Vec<f32>,
}

impl Heads {
    pub fn new(isa: Isa, architecture: &Architecture, layout: &Layout, shape: BatchShape) -> Heads {
        let (cells, images) = (shape.cells(), shape.images());
        let head = architecture.head;
        Heads {
            isa,
            channels: architecture.channels,
            head,
            hidden_width: architecture.hidden,
            outputs: architecture.pooled_outputs(),
            layout: layout.clone(),
            norm: NormLayer::new(head),
            sums: Aligned::zeroed(cells * head),
            activation: Aligned::zeroed(cells * head),
            head_gradient: Aligned::zeroed(cells * head),
            sums_gradient: Aligned::zeroed(cells * head),
            pooled: vec![0.0; images * 2 * head],
            hidden: vec![0.0; images * architecture.hidden],
            points: Aligned::zeroed(cells * POINT_OUTPUTS),
            outs: vec![0.0; images * architecture.pooled_outputs()],
            shape,
        }
    }

    pub fn forward(&mut self, values: &[f32], trunk: &[f32], measured: &mut [f32]) {
        let (rows, head) = (self.shape.cells(), self.head);
        let weights = |range: &std::ops::Range<usize>| &values[range.clone()];
        let taps = weights(&self.layout.head.taps);
        gemm(self.isa, Gemm { rows, inner: self.channels, columns: head, a: trunk, b: taps, c: &mut self.sums });
        self.norm.forward(
            self.isa,
            &self.shape,
            values,
            &self.layout.head,
            &self.sums,
            None,
            &mut self.activation,
            measured,
        );
        let points = weights(&self.layout.points);
        let (activation, c) = (&self.activation, &mut self.points);
        gemm(self.isa, Gemm { rows, inner: head, columns: POINT_OUTPUTS, a: activation, b: points, c });
        pool_batch(self.isa, &self.shape, head, &self.activation, &mut self.pooled);
        let (hidden, hidden_bias) = (weights(&self.layout.hidden), weights(&self.layout.hidden_bias));
        dense_forward(hidden, hidden_bias, 2 * head, &self.pooled, &mut self.hidden);
        self.hidden.iter_mut().for_each(|value| *value = value.max(0.0));
        let (pooled, pooled_bias) = (weights(&self.layout.pooled), weights(&self.layout.pooled_bias));
        dense_forward(pooled, pooled_bias, self.hidden_width, &self.hidden, &mut self.outs);
    }

    /// From the outputs' gradients to all gradients and to the trunk's.
    pub fn backward(
        &mut self,
        values: &[f32],
        trunk: &[f32],
        point_gradient: &[f32],
        out_gradient: &[f32],
        trunk_gradient: &mut [f32],
        gradients: &mut [f32],
    ) {
        let (rows, head, channels, hidden) = (self.shape.cells(), self.head, self.channels, self.hidden_width);
        let layout = &self.layout;

        bias_backward(self.outputs, out_gradient, &mut gradients[layout.pooled_bias.clone()]);
        let mut hidden_gradient = vec![0.0; self.hidden.len()];
        dense_backward(
            &values[layout.pooled.clone()],
            hidden,
            self.outputs,
            &self.hidden,
            out_gradient,
            &mut gradients[layout.pooled.clone()],
            &mut hidden_gradient,
        );
        for (gradient, value) in hidden_gradient.iter_mut().zip(&self.hidden) {
            if *value <= 0.0 {
                *gradient = 0.0;
            }
        }
        bias_backward(hidden, &hidden_gradient, &mut gradients[layout.hidden_bias.clone()]);
        let mut pooled_gradient = vec![0.0; self.pooled.len()];
        dense_backward(
            &values[layout.hidden.clone()],
            2 * head,
            hidden,
            &self.pooled,
            &hidden_gradient,
            &mut gradients[layout.hidden.clone()],
            &mut pooled_gradient,
        );

        let points = transposed(&values[layout.points.clone()], POINT_OUTPUTS);
        let (a, b, c) = (point_gradient, &points, &mut self.head_gradient);
        gemm(self.isa, Gemm { rows, inner: POINT_OUTPUTS, columns: head, a, b, c });
        let (a, c) = (&self.activation, &mut gradients[layout.points.clone()]);
        let b = point_gradient;
        product_gradient(self.isa, ProductGradient { rows, inputs: head, outputs: POINT_OUTPUTS, a, b, c });
        let gradient = &mut self.head_gradient;
        unpool_batch(&self.shape, head, &self.activation, &self.pooled, &pooled_gradient, gradient);

        self.norm.backward(
            self.isa,
            &self.shape,
            values,
            &layout.head,
            &self.sums,
            &self.activation,
            &mut self.head_gradient,
            &mut self.sums_gradient,
            gradients,
        );
        let (b, c) = (&self.sums_gradient, &mut gradients[layout.head.taps.clone()]);
        product_gradient(self.isa, ProductGradient { rows, inputs: channels, outputs: head, a: trunk, b, c });
        let taps = transposed(&values[layout.head.taps.clone()], head);
        let a = &self.sums_gradient;
        gemm(self.isa, Gemm { rows, inner: head, columns: channels, a, b: &taps, c: trunk_gradient });
    }
}

/// Rows become columns.
pub fn transposed(matrix: &[f32], columns: usize) -> Vec<f32> {
    let rows = matrix.len() / columns;
    let mut turned = vec![0.0; matrix.len()];
    for (r, row) in matrix.chunks_exact(columns).enumerate() {
        for (c, value) in row.iter().enumerate() {
            turned[c * rows + r] = *value;
        }
    }
    turned
}
