use jigo_board::{Game, Move, Point, Rules};
use jigo_katago::inputs::{Course, InputOptions, write};
use jigo_katago::model::{Block, Conv, Dense, Matmul, NormAct, Ordinary, PolicyHead, Pooling, Tip, Trunk, ValueHead};
use jigo_katago::{Inputs, RawOutput, plain};

use super::*;

const SIDE: usize = 7;

fn noise(rng: &mut Rng, len: usize, size: f32) -> Vec<f32> {
    (0..len).map(|_| size * (2.0 * rng.unit() - 1.0)).collect()
}

/// A small net of both kinds of blocks, its numbers at random.
fn model(rng: &mut Rng) -> Model {
    let mut model = Model::read(include_bytes!("../../../../mind/katago/tests/data/tiny-v8-relu.bin.gz")).unwrap();
    let conv = |rng: &mut Rng, side: usize, inputs: usize, outputs: usize| {
        let (height, width, size) = (side, side, 1.0 / ((side * side * inputs) as f32).sqrt());
        Conv { height, width, inputs, outputs, weights: noise(rng, side * side * inputs * outputs, 2.0 * size) }
    };
    let matmul = |rng: &mut Rng, inputs: usize, outputs: usize| Matmul {
        inputs,
        outputs,
        weights: noise(rng, inputs * outputs, 1.0 / (inputs as f32).sqrt()),
    };
    let dense = |rng: &mut Rng, inputs: usize, outputs: usize| Dense {
        matmul: matmul(rng, inputs, outputs),
        bias: noise(rng, outputs, 0.2),
    };
    let norm = |rng: &mut Rng, channels: usize| NormAct {
        scale: noise(rng, channels, 0.3).iter().map(|more| 1.0 + more).collect(),
        bias: noise(rng, channels, 0.3),
        activation: model
            .trunk
            .blocks
            .iter()
            .find_map(|block| match block {
                Block::Ordinary(b) => Some(b.norm1.activation),
                _ => None,
            })
            .unwrap(),
    };
    let ordinary = Ordinary {
        norm1: norm(rng, 32),
        first: conv(rng, 3, 32, 32),
        norm2: norm(rng, 32),
        second: conv(rng, 3, 32, 32),
    };
    let pooling = Pooling {
        norm1: norm(rng, 32),
        regular: conv(rng, 3, 32, 16),
        pool: conv(rng, 3, 32, 16),
        pool_norm: norm(rng, 16),
        spread: matmul(rng, 48, 16),
        norm2: norm(rng, 16),
        last: conv(rng, 3, 16, 32),
    };
    let trunk = Trunk {
        stem: conv(rng, 5, 22, 32),
        globals: matmul(rng, 19, 32),
        metadata: None,
        blocks: vec![Block::Ordinary(ordinary), Block::Pooling(pooling)],
        tip: Tip::Batch(norm(rng, 32)),
    };
    let policy = PolicyHead {
        conv: conv(rng, 1, 32, 16),
        pool_conv: conv(rng, 1, 32, 16),
        pool_norm: norm(rng, 16),
        spread: matmul(rng, 48, 16),
        norm: norm(rng, 16),
        out: conv(rng, 1, 16, 1),
        pass: matmul(rng, 48, 1),
        pass_out: None,
    };
    let value = ValueHead {
        conv: conv(rng, 1, 32, 16),
        norm: norm(rng, 16),
        dense: dense(rng, 48, 20),
        activation: model.value.activation,
        value: dense(rng, 20, 3),
        score: dense(rng, 20, 4),
        ownership: conv(rng, 1, 16, 1),
    };
    (model.trunk, model.policy, model.value) = (trunk, policy, value);
    model
}

fn inputs() -> Vec<Inputs> {
    let mut game = Game::new(SIDE, Rules::default());
    let mut seen = Vec::new();
    for (col, row) in [(2, 2), (4, 3), (3, 3), (4, 5), (1, 5)] {
        game.play(game.to_move(), Move::Play(Point::new(col, row))).unwrap();
        seen.push(write(&Course::of_game(&game), &InputOptions::default(), None, &mut Reader::new()));
    }
    seen.split_off(3)
}

/// Everything the net says, times fixed weights.
fn weighed(output: &RawOutput, weights: &RawOutput) -> f64 {
    let row = |output: &RawOutput| -> Vec<f32> {
        let RawOutput { policy, pass, value, score, ownership, .. } = output;
        policy.iter().chain(pass).chain(value).chain(score).chain(ownership).copied().collect()
    };
    row(output).iter().zip(row(weights)).map(|(a, b)| f64::from(*a) * f64::from(b)).sum()
}

#[test]
fn the_layers_say_what_the_plain_ones_say() {
    let model = model(&mut Rng::new(1));
    assert!(is_known(&model));
    let mut network = Network::new(Isa::best_for_training(), &model, SIDE, 2);
    network.load(&model);
    for (output, inputs) in network.forward(&model, &inputs()).iter().zip(inputs()) {
        let plain = plain::run(&model, &inputs);
        let near = |a: &[f32], b: &[f32]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-3);
        assert!(near(&output.policy, &plain.policy) && near(&output.pass, &plain.pass));
        assert!(near(&output.value, &plain.value) && near(&output.score, &plain.score));
        assert!(near(&output.ownership, &plain.ownership));
    }
}

/// Along a direction at random in each tensor, what the gradient foretells happens.
#[test]
fn gradients_foretell_what_happens() {
    let rng = &mut Rng::new(2);
    let model = model(rng);
    let boards = inputs();
    let mut network = Network::new(Isa::best_for_training(), &model, SIDE, 2);
    network.load(&model);
    let mut weights = network.forward(&model, &boards);
    for output in &mut weights {
        for row in [&mut output.policy, &mut output.pass, &mut output.score, &mut output.ownership] {
            *row = noise(rng, row.len(), 1.0);
        }
        output.value = [0.5, -0.7, 0.1];
    }
    let mut gradient = zeros_like(&model);
    network.backward(&model, &boards, &weights, &mut gradient);
    let (start, mut slopes) = (numbers(&model), vec![0.0; numbers(&model).len()]);
    drain_into(&mut gradient, &mut slopes);
    let at = |network: &mut Network, values: &[f32]| -> f64 {
        let mut moved = model.clone();
        set_numbers(&mut moved, values);
        network.load(&moved);
        network.forward(&moved, &boards).iter().zip(&weights).map(|(output, weights)| weighed(output, weights)).sum()
    };
    // Rectifiers and maxima bend a little on the way: many small parts, of which nearly all must be right.
    let (mut right, mut all) = (0, 0);
    for part in (0..start.len()).step_by(97) {
        if slopes[part].abs() < 0.05 {
            continue;
        }
        let step = 2e-3;
        let moved = |by: f32| {
            let mut values = start.clone();
            values[part] += by;
            values
        };
        let seen = (at(&mut network, &moved(step)) - at(&mut network, &moved(-step))) / f64::from(2.0 * step);
        all += 1;
        right += usize::from((seen - f64::from(slopes[part])).abs() < 0.05 * f64::from(slopes[part].abs()) + 0.02);
    }
    assert!(all > 100 && right * 100 >= all * 95, "{right} of {all}");
}

#[test]
fn numbers_go_out_and_in() {
    let mut model = model(&mut Rng::new(3));
    let row: Vec<f32> = (0..numbers(&model).len()).map(|at| at as f32).collect();
    set_numbers(&mut model, &row);
    assert_eq!(numbers(&model), row);
    let read = Model::read(&model.to_bytes().unwrap()).unwrap();
    assert_eq!(numbers(&read), row);
    assert!((half_as_long(0.123_456) - 0.123_456).abs() < 1e-4 && half_as_long(-2.0) == -2.0);
}

#[test]
fn a_net_between_two_lies_halfway_and_other_shapes_have_none() {
    let (one, other) = (model(&mut Rng::new(1)), model(&mut Rng::new(2)));
    let halfway = numbers(&between(&one, &other, 0.5).unwrap());
    for ((one, other), between) in numbers(&one).into_iter().zip(numbers(&other)).zip(halfway) {
        assert!((between - (one + other) / 2.0).abs() <= 0.001 * between.abs() + 1e-6, "{one} {between} {other}");
    }
    let tiny = Model::read(include_bytes!("../../../../mind/katago/tests/data/tiny-v8-relu.bin.gz")).unwrap();
    assert!(between(&one, &tiny, 0.5).is_none());
}
