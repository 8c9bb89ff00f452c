//! A quick look at positions kept aside, while training runs.

use std::sync::Arc;

use jigo_board::{Color, Rng, Symmetry};
use jigo_net::{Evaluator, Net, Position};
use jigo_records::{Library, Sample};

#[derive(Clone, Copy, Debug, Default)]
pub struct Validation {
    pub positions: usize,
    /// Share of positions whose most likely move was played.
    pub top1: f64,
    /// Half the squared error of Black's value in -1..1 at the game's komi (CGI IV.A).
    pub value_mse: f64,
}

/// Measures `count` positions, the same ones every time.
pub fn validate(net: &Arc<Net>, library: &Library, count: usize) -> Validation {
    let mut evaluator = Evaluator::new(Arc::clone(net));
    let mut rng = Rng::new(2);
    let (mut hits, mut error, mut valued) = (0, 0.0, 0);
    for _ in 0..count {
        let (record, ply) = library.locate(rng.below(library.positions()));
        let sample = Sample::of(record, ply);
        let position = Position { board: &sample.board, to_move: sample.to_move, recent: sample.recent };
        let evaluation = evaluator.evaluate(&position, Symmetry::IDENTITY);
        let best = evaluation.moves().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(mv, _)| mv);
        hits += usize::from(best == sample.next[0]);
        if let Some(winner) = sample.outcome.winner {
            let z = if winner == Color::Black { 1.0 } else { -1.0 };
            let v = 2.0 * f64::from(evaluation.value.black_win_rate(sample.outcome.komi)) - 1.0;
            error += 0.5 * (z - v) * (z - v);
            valued += 1;
        }
    }
    Validation {
        positions: count,
        top1: hits as f64 / count.max(1) as f64,
        value_mse: error / f64::from(valued.max(1)),
    }
}
