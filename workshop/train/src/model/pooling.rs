//! Global pooling and small dense layers, forward and backward, one row per image.

use jigo_net::kernel::{Dense, Isa, Pool, pool};

use super::batch::BatchShape;

/// Averages and maxima of each image, `[images][2 * channels]`.
pub fn pool_batch(isa: Isa, shape: &BatchShape, channels: usize, input: &[f32], pooled: &mut [f32]) {
    for segment in shape.segments() {
        let (grid, images) = (segment.grid, segment.images);
        let pooled = segment.images_of_mut(pooled, 2 * channels);
        pool(isa, Pool { grid, images, channels, input: segment.of(input, channels), pooled });
    }
}

/// Adds the pooled values' gradient to the points' gradient. Points that tie for the maximum each get it whole.
pub fn unpool_batch(
    shape: &BatchShape,
    channels: usize,
    input: &[f32],
    pooled: &[f32],
    pooled_gradient: &[f32],
    gradient: &mut [f32],
) {
    for segment in shape.segments() {
        let grid = segment.grid;
        let share = 1.0 / grid.points() as f32;
        for image in 0..segment.images {
            let row = (segment.first_image + image) * 2 * channels;
            let maxima = &pooled[row + channels..row + 2 * channels];
            let (average_gradient, maximum_gradient) = pooled_gradient[row..row + 2 * channels].split_at(channels);
            for cell in grid.point_cells() {
                let at = (segment.first_cell + image * grid.cells() + cell) * channels;
                let values = &input[at..at + channels];
                let to = &mut gradient[at..at + channels];
                for c in 0..channels {
                    let top = if values[c] == maxima[c] { maximum_gradient[c] } else { 0.0 };
                    to[c] += average_gradient[c] * share + top;
                }
            }
        }
    }
}

/// `output = input * weights + bias` for every row.
pub fn dense_forward(weights: &[f32], bias: &[f32], inputs: usize, input: &[f32], output: &mut [f32]) {
    let dense = Dense { weights, bias };
    for (from, to) in input.chunks_exact(inputs).zip(output.chunks_exact_mut(bias.len())) {
        dense.run(from, to);
    }
}

/// Adds the weights' gradient and writes the input's, for every row.
pub fn dense_backward(
    weights: &[f32],
    inputs: usize,
    outputs: usize,
    input: &[f32],
    output_gradient: &[f32],
    weight_gradient: &mut [f32],
    input_gradient: &mut [f32],
) {
    let rows = input.chunks_exact(inputs).zip(output_gradient.chunks_exact(outputs));
    for ((x, dy), dx) in rows.zip(input_gradient.chunks_exact_mut(inputs)) {
        for i in 0..inputs {
            let row = i * outputs..(i + 1) * outputs;
            let mut sum = 0.0;
            for ((w, dw), dy) in weights[row.clone()].iter().zip(&mut weight_gradient[row]).zip(dy) {
                sum += w * dy;
                *dw += x[i] * dy;
            }
            dx[i] = sum;
        }
    }
}

/// Adds every row's gradient to the bias gradient.
pub fn bias_backward(outputs: usize, output_gradient: &[f32], bias_gradient: &mut [f32]) {
    for dy in output_gradient.chunks_exact(outputs) {
        for (to, dy) in bias_gradient.iter_mut().zip(dy) {
            *to += dy;
        }
    }
}
