//! Whole evaluations on small random nets: symmetry and batches.

use std::collections::HashMap;
use std::sync::Arc;

use jigo_board::{Board, Color, Move, Rng, Symmetry};

use crate::kernel::Isa;
use crate::kernel::tests::noise;
use crate::planes::HISTORY;
use crate::weights::{Layout, Role};
use crate::{Architecture, Evaluator, Net, Position, Request, Weights};

fn net() -> Arc<Net> {
    let architecture: Architecture =
        "planes=compact-1 channels=32 blocks=rp head=32 hidden=16 value=mixture ownership=yes".parse().unwrap();
    let layout = Layout::new(&architecture);
    let mut values = noise(5, layout.len());
    for tensor in layout.tensors.iter().filter(|tensor| tensor.role == Role::Variance) {
        values[tensor.range()].iter_mut().for_each(|value| *value = value.abs() + 1.0);
    }
    Arc::new(Net::new(&Weights { architecture, values, notes: HashMap::new() }, Isa::best_f32()))
}

fn board(size: usize, seed: u64, moves: usize) -> Board {
    let (mut board, mut rng) = (Board::new(size), Rng::new(seed));
    for ply in 0..moves {
        let color = if ply % 2 == 0 { Color::Black } else { Color::White };
        if let Some(point) = jigo_board::random_game::random_point(&board, color, &mut rng) {
            board.play(color, point);
        }
    }
    board
}

fn position(board: &Board) -> Position<'_> {
    Position { board, to_move: Color::Black, recent: [None; HISTORY] }
}

#[test]
fn probabilities_add_up_and_illegal_moves_get_none() {
    let board = board(9, 3, 40);
    let evaluation = Evaluator::new(net()).evaluate(&position(&board), Symmetry::IDENTITY);
    assert!((evaluation.moves().map(|(_, p)| p).sum::<f32>() - 1.0).abs() < 1e-4);
    for point in board.points() {
        let chance = evaluation.probability(Move::Play(point));
        assert_eq!(chance > 0.0, board.is_legal(Color::Black, point));
        assert!(evaluation.black_ownership(point).unwrap().abs() <= 1.0);
    }
}

#[test]
fn a_turned_board_is_judged_like_the_board_laid_out_turned() {
    let (net, plain) = (net(), board(7, 8, 20));
    for symmetry in Symmetry::all() {
        let mut turned = Board::new(7);
        for point in plain.points() {
            if let Some(color) = plain.color_at(point) {
                turned.play(color, symmetry.apply(point, 7));
            }
        }
        let mut evaluator = Evaluator::new(Arc::clone(&net));
        let a = evaluator.evaluate(&position(&plain), symmetry);
        let b = evaluator.evaluate(&position(&turned), Symmetry::IDENTITY);
        for point in plain.points() {
            let there = symmetry.apply(point, 7);
            let (x, y) = (a.probability(Move::Play(point)), b.probability(Move::Play(there)));
            assert!((x - y).abs() < 1e-4, "{symmetry:?} {point:?}: {x} {y}");
        }
        assert!((a.value.black_win_rate(7.5) - b.value.black_win_rate(7.5)).abs() < 1e-4);
    }
}

#[test]
fn a_batch_of_many_sizes_equals_one_by_one() {
    let boards: Vec<Board> =
        [(9, 1), (9, 2), (19, 3), (9, 4), (13, 5)].map(|(size, seed)| board(size, seed, 25)).into();
    let requests: Vec<Request<'_>> = boards
        .iter()
        .enumerate()
        .map(|(i, board)| Request { position: position(board), symmetry: Symmetry::from_index(i) })
        .collect();
    let net = net();
    let together = Evaluator::new(Arc::clone(&net)).evaluate_batch(&requests);
    for (request, batched) in requests.iter().zip(&together) {
        let alone = Evaluator::new(Arc::clone(&net)).evaluate(&request.position, request.symmetry);
        for (a, b) in alone.moves().zip(batched.moves()) {
            assert!((a.1 - b.1).abs() < 1e-4);
        }
    }
}
