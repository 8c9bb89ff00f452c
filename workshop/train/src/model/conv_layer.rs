//! A 3x3 convolution that can also run backward.

use std::ops::Range;

use jigo_net::kernel::{Conv3x3, ConvScratch, Finish, Isa};

use super::batch::BatchShape;
use crate::kernel::{GradientScratch, WeightGradient};

pub struct ConvLayer {
    isa: Isa,
    inputs: usize,
    outputs: usize,
    taps: Range<usize>,
    forward: Conv3x3,
    /// Gradients travel through the filters turned half around, outputs to inputs.
    backward: Conv3x3,
}

/// Working memory shared by all layers of a model.
#[derive(Default)]
pub struct LayerScratch {
    conv: ConvScratch,
    gradient: GradientScratch,
    turned: Vec<f32>,
}

impl ConvLayer {
    pub fn new(isa: Isa, inputs: usize, outputs: usize, taps: Range<usize>) -> ConvLayer {
        let zeros = vec![0.0; taps.len()];
        ConvLayer {
            isa,
            inputs,
            outputs,
            taps,
            forward: Conv3x3::new(isa, inputs, outputs, &zeros),
            backward: Conv3x3::new(isa, outputs, inputs, &zeros),
        }
    }

    /// Takes the filters from the flat array of values.
    pub fn load(&mut self, values: &[f32], scratch: &mut LayerScratch) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        let taps = &values[self.taps.clone()];
        self.forward.set_taps(taps);
        scratch.turned.resize(taps.len(), 0.0);
        for (tap, plane) in taps.chunks_exact(inputs * outputs).enumerate() {
            let turned = &mut scratch.turned[(8 - tap) * inputs * outputs..][..inputs * outputs];
            for (i, row) in plane.chunks_exact(outputs).enumerate() {
                for (o, weight) in row.iter().enumerate() {
                    turned[o * inputs + i] = *weight;
                }
            }
        }
        self.backward.set_taps(&scratch.turned);
    }

    /// `output = conv(input)`, plus a number per image and channel if `shift` is given.
    pub fn forward(
        &self,
        shape: &BatchShape,
        input: &[f32],
        shift: Option<&[f32]>,
        output: &mut [f32],
        scratch: &mut LayerScratch,
    ) {
        for segment in shape.segments() {
            let finish = shift.map_or(Finish::Store, |by| Finish::Shift { by: segment.images_of(by, self.outputs) });
            let (input, output) = (segment.of(input, self.inputs), segment.of_mut(output, self.outputs));
            self.forward.run(segment.grid, segment.images, input, output, finish, &mut scratch.conv);
        }
    }

    /// `output += conv(input)`
    pub fn add_forward(&self, shape: &BatchShape, input: &[f32], output: &mut [f32], scratch: &mut LayerScratch) {
        for segment in shape.segments() {
            let (input, output) = (segment.of(input, self.inputs), segment.of_mut(output, self.outputs));
            self.forward.run(segment.grid, segment.images, input, output, Finish::Accumulate, &mut scratch.conv);
        }
    }

    /// The gradient of the input: written, or added to what is there.
    pub fn backward(
        &self,
        shape: &BatchShape,
        output_gradient: &[f32],
        finish: Finish<'_>,
        input_gradient: &mut [f32],
        scratch: &mut LayerScratch,
    ) {
        for segment in shape.segments() {
            let (from, to) = (segment.of(output_gradient, self.outputs), segment.of_mut(input_gradient, self.inputs));
            self.backward.run(segment.grid, segment.images, from, to, finish, &mut scratch.conv);
        }
    }

    /// Adds the filters' gradient to the flat array of gradients.
    pub fn learn(
        &self,
        shape: &BatchShape,
        input: &[f32],
        output_gradient: &[f32],
        gradients: &mut [f32],
        scratch: &mut LayerScratch,
    ) {
        for segment in shape.segments() {
            WeightGradient {
                grid: segment.grid,
                images: segment.images,
                inputs: self.inputs,
                outputs: self.outputs,
                input: segment.of(input, self.inputs),
                output_gradient: segment.of(output_gradient, self.outputs),
            }
            .add_to(self.isa, &mut gradients[self.taps.clone()], &mut scratch.gradient);
        }
    }
}
