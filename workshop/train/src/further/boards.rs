//! What is done to every point or every channel of boards of one size: norms, means and maxima, forward and backward.

use jigo_katago::model::{Conv, NormAct};
use jigo_net::Grid;

use super::products::add;

/// Means, means scaled by size and maxima of every channel, and which cell each maximum is of.
#[derive(Default)]
pub struct Pooled {
    pub numbers: Vec<f32>,
    cells: Vec<usize>,
}

/// Boards of one size that lie one behind the other.
#[derive(Clone, Copy)]
pub struct Boards {
    pub grid: Grid,
    pub images: usize,
}

impl Boards {
    /// Every point of every board, as image and cell of all boards.
    pub fn cells(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.images)
            .flat_map(move |image| self.grid.point_cells().map(move |cell| (image, image * self.grid.cells() + cell)))
    }

    pub fn norm(self, norm: &NormAct, input: &[f32], output: &mut [f32]) {
        let channels = norm.channels();
        for (_, cell) in self.cells() {
            let (from, to) = (&input[cell * channels..][..channels], &mut output[cell * channels..][..channels]);
            for (((to, from), scale), bias) in to.iter_mut().zip(from).zip(&norm.scale).zip(&norm.bias) {
                *to = (from * scale + bias).max(0.0);
            }
        }
    }

    /// Adds to the gradients of the norm and of its input.
    pub fn norm_back(
        self,
        norm: &NormAct,
        input: &[f32],
        output: &[f32],
        output_gradient: &[f32],
        to: &mut NormAct,
        input_gradient: &mut [f32],
    ) {
        let channels = norm.channels();
        let (mut of_scale, mut of_bias) = (vec![0.0f32; channels], vec![0.0f32; channels]);
        for (_, cell) in self.cells() {
            let range = cell * channels..(cell + 1) * channels;
            let (x, y) = (&input[range.clone()], &output[range.clone()]);
            let (dy, dx) = (&output_gradient[range.clone()], &mut input_gradient[range]);
            for c in 0..channels {
                let d = if y[c] > 0.0 { dy[c] } else { 0.0 };
                of_scale[c] += d * x[c];
                of_bias[c] += d;
                dx[c] += d * norm.scale[c];
            }
        }
        add(&mut to.scale, &of_scale);
        add(&mut to.bias, &of_bias);
    }

    /// Adds a number per image and channel to every point.
    pub fn shift(self, by: &[f32], tensor: &mut [f32]) {
        let channels = by.len() / self.images;
        for (image, cell) in self.cells() {
            add(&mut tensor[cell * channels..][..channels], &by[image * channels..][..channels]);
        }
    }

    /// The sum over each board's points, `[images][channels]`.
    pub fn sums(self, channels: usize, tensor: &[f32]) -> Vec<f32> {
        let mut sums = vec![0.0; self.images * channels];
        for (image, cell) in self.cells() {
            add(&mut sums[image * channels..][..channels], &tensor[cell * channels..][..channels]);
        }
        sums
    }

    pub fn pool(self, channels: usize, largeness: f32, tensor: &[f32], pooled: &mut Pooled) {
        let share = 1.0 / self.grid.points() as f32;
        pooled.numbers.clear();
        pooled.numbers.resize(self.images * 3 * channels, 0.0);
        pooled.cells.clear();
        pooled.cells.resize(self.images * channels, usize::MAX);
        for (image, cell) in self.cells() {
            let numbers = &mut pooled.numbers[image * 3 * channels..][..3 * channels];
            let cells = &mut pooled.cells[image * channels..][..channels];
            for (c, value) in tensor[cell * channels..][..channels].iter().enumerate() {
                numbers[c] += value * share;
                // Behind a rectifier nothing is below zero, where the maxima begin.
                if *value > numbers[2 * channels + c] {
                    (numbers[2 * channels + c], cells[c]) = (*value, cell);
                }
            }
        }
        for numbers in pooled.numbers.chunks_exact_mut(3 * channels) {
            let (means, scaled) = numbers.split_at_mut(channels);
            scaled.iter_mut().zip(means).for_each(|(scaled, mean)| *scaled = *mean * largeness * 0.1);
        }
    }

    /// Adds the gradient of what was pooled.
    pub fn unpool(self, channels: usize, largeness: f32, pooled: &Pooled, of_pooled: &[f32], gradient: &mut [f32]) {
        let share = 1.0 / self.grid.points() as f32;
        let of_image = |image: usize| &of_pooled[image * 3 * channels..][..3 * channels];
        for (image, cell) in self.cells() {
            let of_image = of_image(image);
            for (c, to) in gradient[cell * channels..][..channels].iter_mut().enumerate() {
                *to += share * (of_image[c] + of_image[channels + c] * largeness * 0.1);
            }
        }
        for (at, &cell) in pooled.cells.iter().enumerate().filter(|(_, cell)| **cell != usize::MAX) {
            let (image, c) = (at / channels, at % channels);
            gradient[cell * channels + c] += of_image(image)[2 * channels + c];
        }
    }

    pub fn mean_factors(largeness: f32) -> [f32; 3] {
        [1.0, largeness * 0.1, largeness * largeness * 0.01 - 0.1]
    }

    /// What the value head pools: means, scaled by size in two ways.
    pub fn means(self, channels: usize, largeness: f32, tensor: &[f32]) -> Vec<f32> {
        let share = 1.0 / self.grid.points() as f32;
        let sums = self.sums(channels, tensor);
        let of_image = |sums: &[f32]| -> Vec<f32> {
            let factors = Boards::mean_factors(largeness);
            factors.iter().flat_map(|factor| sums.iter().map(move |sum| sum * share * factor)).collect()
        };
        sums.chunks_exact(channels).flat_map(of_image).collect()
    }

    pub fn unmean(self, channels: usize, largeness: f32, of_means: &[f32], gradient: &mut [f32]) {
        let share = 1.0 / self.grid.points() as f32;
        let factors = Boards::mean_factors(largeness);
        let of_sums: Vec<f32> = of_means
            .chunks_exact(3 * channels)
            .flat_map(|image| {
                (0..channels).map(move |c| (0..3).map(|k| image[k * channels + c] * factors[k]).sum::<f32>())
            })
            .map(|sum| sum * share)
            .collect();
        self.shift(&of_sums, gradient);
    }

    /// A 1x1 convolution to a few channels on one board, points in row order.
    pub fn outputs(self, image: usize, conv: &Conv, tensor: &[f32]) -> Vec<f32> {
        let mut outputs = Vec::with_capacity(self.grid.points() * conv.outputs);
        for cell in self.grid.point_cells() {
            let from = &tensor[(image * self.grid.cells() + cell) * conv.inputs..][..conv.inputs];
            let output =
                |o: usize| from.iter().enumerate().map(|(i, x)| x * conv.weights[i * conv.outputs + o]).sum::<f32>();
            outputs.extend((0..conv.outputs).map(output));
        }
        outputs
    }

    pub fn outputs_back(
        self,
        image: usize,
        conv: &Conv,
        tensor: &[f32],
        of_outputs: &[f32],
        to: &mut Conv,
        gradient: &mut [f32],
    ) {
        for (cell, of_point) in self.grid.point_cells().zip(of_outputs.chunks_exact(conv.outputs)) {
            let range =
                (image * self.grid.cells() + cell) * conv.inputs..(image * self.grid.cells() + cell + 1) * conv.inputs;
            let (from, into) = (&tensor[range.clone()], &mut gradient[range]);
            for (i, (x, dx)) in from.iter().zip(into).enumerate() {
                for (o, d) in of_point.iter().enumerate() {
                    *dx += d * conv.weights[i * conv.outputs + o];
                    to.weights[i * conv.outputs + o] += d * x;
                }
            }
        }
    }
}
