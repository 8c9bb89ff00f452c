//! Small pieces that several kinds of blocks are made of.

use jigo_net::kernel::Dense;
use jigo_net::kernel::points::{Conv, Kernel, Norm, padded};

use crate::model::{self, NormAct};

pub fn norm(norm: &NormAct) -> Norm {
    Norm::new(&norm.scale, &norm.bias, norm.activation)
}

pub fn conv(kernel: Kernel, conv: &model::Conv) -> Conv {
    Conv::new(kernel, conv.height, conv.width, conv.inputs, conv.outputs, &conv.weights)
}

/// Convolutions that read the same input, run as one: their outputs stand side by side, each beginning at a multiple of sixteen.
pub struct SideBySide {
    pub conv: Conv,
    /// Where each one's outputs begin.
    pub starts: Vec<usize>,
    /// All outputs of a point.
    pub stride: usize,
}

impl SideBySide {
    pub fn new(kernel: Kernel, convs: &[&model::Conv]) -> SideBySide {
        let height = convs.iter().map(|conv| conv.height).max().unwrap_or(1);
        let width = convs.iter().map(|conv| conv.width).max().unwrap_or(1);
        // Winograd knows squares; a smaller kernel is a larger one with zeros around it.
        let (height, width) = (height.max(width), width.max(height));
        let inputs = convs[0].inputs;
        let stride = convs.iter().map(|conv| padded(conv.outputs)).sum();
        let mut weights = vec![0.0; height * width * inputs * stride];
        let mut starts = Vec::new();
        let mut start = 0;
        for conv in convs {
            let (down, right) = ((height - conv.height) / 2, (width - conv.width) / 2);
            for (at, row) in conv.weights.chunks_exact(conv.outputs).enumerate() {
                let (tap, input) = (at / inputs, at % inputs);
                let tap = (tap / conv.width + down) * width + tap % conv.width + right;
                weights[(tap * inputs + input) * stride + start..][..conv.outputs].copy_from_slice(row);
            }
            starts.push(start);
            start += padded(conv.outputs);
        }
        SideBySide { conv: Conv::new(kernel, height, width, inputs, stride, &weights), starts, stride }
    }
}

/// A matrix product with one vector per board, outputs padded to sixteens.
pub struct BoardMatmul {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl BoardMatmul {
    pub fn new(matmul: &model::Matmul) -> BoardMatmul {
        BoardMatmul::of_parts(matmul, 1)
    }

    /// Its input is a pooled tensor: three numbers per channel, the channels of each third padded to sixteens.
    pub fn of_pooled(matmul: &model::Matmul) -> BoardMatmul {
        BoardMatmul::of_parts(matmul, 3)
    }

    pub fn with_bias(mut self, bias: &[f32]) -> BoardMatmul {
        self.bias[..bias.len()].copy_from_slice(bias);
        self
    }

    fn of_parts(matmul: &model::Matmul, parts: usize) -> BoardMatmul {
        let (channels, outputs) = (matmul.inputs / parts, padded(matmul.outputs));
        let wide = if parts == 1 { channels } else { padded(channels) };
        let mut weights = vec![0.0; parts * wide * outputs];
        for (at, row) in matmul.weights.chunks_exact(matmul.outputs).enumerate() {
            let input = at / channels * wide + at % channels;
            weights[input * outputs..][..matmul.outputs].copy_from_slice(row);
        }
        BoardMatmul { weights, bias: vec![0.0; outputs] }
    }

    pub fn inputs(&self) -> usize {
        self.weights.len() / self.bias.len()
    }

    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    pub fn run(&self, input: &[f32], output: &mut [f32]) {
        Dense { weights: &self.weights, bias: &self.bias }.run(input, output);
    }
}
