//! A larger net that starts where a smaller one stands.

use jigo_board::Rng;
use jigo_net::weights::{Layout, Role};
use jigo_net::{Architecture, Weights};

use crate::optimizer::initial_values;

/// The values of `architecture` with everything taken over from `small` that has the same name and shape. Blocks that are
/// new start silent: their scale is zero, so the state passes through them unchanged and the net says what it said before.
pub fn grow(small: &Weights, architecture: &Architecture, rng: &mut Rng) -> Vec<f32> {
    let layout = Layout::new(architecture);
    let mut values = initial_values(&layout, rng);
    let known = Layout::new(&small.architecture);
    for tensor in &layout.tensors {
        let same = known.tensors.iter().find(|old| old.name == tensor.name && old.shape == tensor.shape);
        match (same, tensor.role) {
            (Some(old), _) => values[tensor.range()].copy_from_slice(&small.values[old.range()]),
            (None, Role::Scale { .. }) if tensor.name.contains(".second.") => values[tensor.range()].fill(0.0),
            _ => {}
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use jigo_board::{Board, Color, Symmetry};
    use jigo_net::kernel::Isa;
    use jigo_net::planes::HISTORY;
    use jigo_net::{Evaluator, Net, Position};

    use super::*;

    #[test]
    fn more_blocks_change_nothing_at_first() {
        let parse = |blocks: &str| -> Architecture {
            let rest = "head=16 hidden=16 value=mixture ownership=yes";
            format!("planes=compact-1 channels=32 blocks={blocks} {rest}").parse().unwrap()
        };
        let (small, large) = (parse("rp"), parse("rprp"));
        let mut rng = Rng::new(3);
        let mut values = initial_values(&Layout::new(&small), &mut rng);
        values.iter_mut().for_each(|value| *value += rng.unit() * 0.1);
        let small = Weights { architecture: small, values, notes: HashMap::new() };
        let values = grow(&small, &large, &mut rng);
        let large = Weights { architecture: large, values, notes: HashMap::new() };
        let mut board = Board::new(9);
        board.play(Color::Black, jigo_board::Point::new(2, 3));
        let position = Position { board: &board, to_move: Color::White, recent: [None; HISTORY] };
        let evaluate = |weights: &Weights| {
            Evaluator::new(Arc::new(Net::new(weights, Isa::best_f32()))).evaluate(&position, Symmetry::IDENTITY)
        };
        for (a, b) in evaluate(&small).moves().zip(evaluate(&large).moves()) {
            assert!((a.1 - b.1).abs() < 1e-5);
        }
    }
}
