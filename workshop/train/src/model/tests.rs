//! Finite differences on every kind of weight, and the forward pass against inference.

use std::collections::HashMap;

use jigo_board::Rng;
use jigo_net::weights::{Role, Weights};
use jigo_net::{Net, Workspace};

use super::*;

fn architecture() -> Architecture {
    "planes=compact-1 channels=32 blocks=rp head=16 hidden=16 value=mixture ownership=yes".parse().unwrap()
}

fn random_values(layout: &Layout, rng: &mut Rng) -> Vec<f32> {
    let mut values = vec![0.0; layout.len()];
    for tensor in &layout.tensors {
        for value in &mut values[tensor.range()] {
            let noise = rng.unit() * 2.0 - 1.0;
            *value = match tensor.role {
                Role::Weights { inputs } => noise * (3.0 / inputs as f32).sqrt(),
                Role::ZeroWeights => noise * 0.2,
                Role::Scale { .. } => 1.0 + noise * 0.3,
                Role::Variance => 1.0 + noise * 0.5,
                Role::Bias | Role::Mean => noise * 0.3,
            };
        }
    }
    values
}

fn fill_planes(model: &mut Model, channels: usize, rng: &mut Rng) {
    for segment in model.shape.clone().segments() {
        for image in 0..segment.images {
            for cell in segment.grid.point_cells() {
                let at = (segment.first_cell + image * segment.grid.cells() + cell) * channels;
                model.planes[at..at + channels].iter_mut().for_each(|v| *v = rng.unit() - 0.5);
            }
        }
    }
}

/// A loss that touches every output: a fixed random weighting of outputs and their squares.
fn probe(outputs: Outputs<'_>) -> f64 {
    let mut loss = 0.0;
    let mut add = |value: f32, gradient: &mut f32, weight: f32| {
        loss += f64::from(weight) * (f64::from(value) + 0.5 * f64::from(value) * f64::from(value));
        *gradient = weight * (1.0 + value);
    };
    let mut rng = Rng::new(99);
    for segment in outputs.shape.segments() {
        for image in 0..segment.images {
            for cell in segment.grid.point_cells() {
                let at = (segment.first_cell + image * segment.grid.cells() + cell) * POINT_OUTPUTS;
                for at in at..at + POINT_OUTPUTS {
                    add(outputs.points[at], &mut outputs.point_gradient[at], (rng.unit() - 0.5) * 0.02);
                }
            }
        }
    }
    for (value, gradient) in outputs.pooled.iter().zip(outputs.pooled_gradient) {
        add(*value, gradient, rng.unit() - 0.5);
    }
    loss
}

#[test]
fn gradients_match_finite_differences_in_every_tensor() {
    let architecture = architecture();
    let layout = Layout::new(&architecture);
    let mut rng = Rng::new(11);
    let mut values = random_values(&layout, &mut rng);
    let mut model = Model::new(Isa::best_f32(), &architecture, BatchShape::new(&[(7, 2), (5, 2)]));
    fill_planes(&mut model, architecture.planes.channels(), &mut rng);
    model.step(&values, probe);
    let gradients = model.gradients.clone();
    for tensor in layout.tensors.iter().filter(|tensor| tensor.role.is_trained()) {
        // Along a random direction within the tensor: sums thousands of derivatives into one well-conditioned number.
        let direction: Vec<f32> = tensor.range().map(|_| rng.unit() * 2.0 - 1.0).collect();
        let expected: f64 =
            tensor.range().zip(&direction).map(|(at, d)| f64::from(gradients[at]) * f64::from(*d)).sum();
        let length = (direction.len() as f32).sqrt();
        let step = 0.004 / length;
        let mut loss_at = |by: f32, values: &mut Vec<f32>| {
            let before = values.clone();
            for (at, d) in tensor.range().zip(&direction) {
                values[at] += by * d;
            }
            let loss = model.step(values, probe);
            *values = before;
            loss
        };
        let numeric = (loss_at(step, &mut values) - loss_at(-step, &mut values)) / (2.0 * f64::from(step));
        let tolerance = 0.03 * expected.abs().max(numeric.abs()) + 0.002 * f64::from(length);
        assert!((numeric - expected).abs() < tolerance, "{}: {expected} against {numeric}", tensor.name);
    }
}

#[test]
fn bf16_tiles_agree_with_f32_on_the_direction_of_the_gradient() {
    if !Isa::Amx.is_available() {
        return;
    }
    let architecture = architecture();
    let layout = Layout::new(&architecture);
    let values = random_values(&layout, &mut Rng::new(11));
    let gradients = |isa| {
        let mut model = Model::new(isa, &architecture, BatchShape::new(&[(9, 3), (7, 2)]));
        fill_planes(&mut model, architecture.planes.channels(), &mut Rng::new(4));
        model.step(&values, probe);
        model.gradients
    };
    let (exact, rounded) = (gradients(Isa::Avx512), gradients(Isa::Amx));
    for tensor in layout.tensors.iter().filter(|tensor| tensor.role.is_trained()) {
        let dot = |a: &[f32], b: &[f32]| -> f64 { a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum() };
        let (a, b) = (&exact[tensor.range()], &rounded[tensor.range()]);
        let cosine = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
        assert!(cosine > 0.95, "{}: {cosine}", tensor.name);
    }
}

/// With the batch's own statistics as running statistics, inference is the training pass.
#[test]
fn inference_equals_the_training_pass() {
    let architecture = architecture();
    let layout = Layout::new(&architecture);
    let mut rng = Rng::new(21);
    let mut values = random_values(&layout, &mut rng);
    let isa = Isa::best_f32();
    let mut model = Model::new(isa, &architecture, BatchShape::new(&[(9, 3)]));
    fill_planes(&mut model, architecture.planes.channels(), &mut rng);
    let (points, pooled) = model.step(&values, |outputs| (outputs.points.to_vec(), outputs.pooled.to_vec()));
    for tensor in layout.tensors.iter().filter(|tensor| !tensor.role.is_trained()) {
        values[tensor.range()].copy_from_slice(&model.gradients[tensor.range()]);
    }
    let net = Net::new(&Weights { architecture: architecture.clone(), values, notes: HashMap::new() }, isa);
    let grid = jigo_net::Grid::new(9);
    let mut workspace = Workspace::default();
    workspace.planes(&net, grid, 3).copy_from_slice(&model.planes);
    net.run(grid, 3, &mut workspace);
    for image in 0..3 {
        let raw = net.output(grid, image, &workspace);
        for row in 0..9 {
            for column in 0..9 {
                for output in 0..4 {
                    let at = (image * grid.cells() + grid.cell(row, column)) * POINT_OUTPUTS + output;
                    let difference = (raw.at(row, column, output) - points[at]).abs();
                    assert!(difference < 1e-3, "point {row} {column}: {difference}");
                }
            }
        }
        let outputs = architecture.pooled_outputs();
        for (a, b) in raw.pooled.iter().zip(&pooled[image * outputs..]) {
            assert!((a - b).abs() < 1e-3);
        }
    }
}
