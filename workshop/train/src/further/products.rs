//! Matrix products of rows, forward and backward.

use jigo_katago::model::{Dense, Matmul};

pub fn add(to: &mut [f32], what: &[f32]) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += what);
}

pub fn add_scaled(to: &mut [f32], what: &[f32], factor: f32) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += what * factor);
}

/// A matrix product of every row of `input`.
pub fn product(layer: &Matmul, input: &[f32]) -> Vec<f32> {
    let mut output = vec![0.0; input.len() / layer.inputs * layer.outputs];
    for (from, to) in input.chunks_exact(layer.inputs).zip(output.chunks_exact_mut(layer.outputs)) {
        for (x, row) in from.iter().zip(layer.weights.chunks_exact(layer.outputs)).filter(|(x, _)| **x != 0.0) {
            add_scaled(to, row, *x);
        }
    }
    output
}

/// Adds the weights' gradient and returns the input's.
pub fn product_back(layer: &Matmul, input: &[f32], of_output: &[f32], to: &mut Matmul) -> Vec<f32> {
    let outputs = layer.outputs;
    let mut of_input = vec![0.0; input.len()];
    let rows = input.chunks_exact(layer.inputs).zip(of_output.chunks_exact(outputs));
    for ((x, dy), dx) in rows.zip(of_input.chunks_exact_mut(layer.inputs)) {
        for i in 0..layer.inputs {
            let row = i * outputs..(i + 1) * outputs;
            dx[i] = layer.weights[row.clone()].iter().zip(dy).map(|(w, dy)| w * dy).sum();
            add_scaled(&mut to.weights[row], dy, x[i]);
        }
    }
    of_input
}

pub fn dense(layer: &Dense, input: &[f32]) -> Vec<f32> {
    let mut output = product(&layer.matmul, input);
    output.chunks_exact_mut(layer.bias.len()).for_each(|row| add(row, &layer.bias));
    output
}

pub fn dense_back(layer: &Dense, input: &[f32], of_output: &[f32], to: &mut Dense) -> Vec<f32> {
    of_output.chunks_exact(layer.bias.len()).for_each(|row| add(&mut to.bias, row));
    product_back(&layer.matmul, input, of_output, &mut to.matmul)
}
