//! Whole evaluations: symmetry, batches and cache on small random nets, kernels on the shipped one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use jigo_board::{Board, Color, Move, Rng, Symmetry};

use crate::batch::{BatchQueue, Batched};
use crate::cache::{Ask, Cache, Cached};
use crate::kernel::tests::noise;
use crate::kernel::{Arithmetic, Isa};
use crate::planes::HISTORY;
use crate::weights::{Layout, Role};
use crate::{Architecture, EMBEDDED_WEIGHTS, Evaluation, Evaluator, Net, Position, View, Weights};

fn net() -> Arc<Net> {
    net_on(Isa::best_f32())
}

fn net_on(isa: Isa) -> Arc<Net> {
    let architecture: Architecture =
        "planes=compact-1 channels=32 blocks=rp head=32 hidden=16 value=mixture ownership=yes".parse().unwrap();
    let layout = Layout::new(&architecture);
    let mut values = noise(5, layout.len());
    for tensor in layout.tensors.iter().filter(|tensor| tensor.role == Role::Variance) {
        values[tensor.range()].iter_mut().for_each(|value| *value = value.abs() + 1.0);
    }
    Arc::new(Net::new(&Weights { architecture, values, notes: HashMap::new() }, isa))
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

/// The shipped net, run by every kernel. On positions of real games bytes moved no probability or win rate by more than
/// 0.045, bf16 none by more than 0.008 (docs/experiments/nets.md).
#[test]
fn every_kernel_judges_alike() {
    let weights = Weights::from_bytes(EMBEDDED_WEIGHTS).unwrap();
    let evaluator = |isa| Evaluator::new(Arc::new(Net::new(&weights, isa)));
    let mut exact = evaluator(Isa::Portable);
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let tolerance = match isa.arithmetic() {
            Arithmetic::F32 => 1e-3,
            Arithmetic::Bf16 => 0.02,
            Arithmetic::Int8 => 0.06,
        };
        let mut evaluator = evaluator(isa);
        for (size, seed, moves) in [(9, 1, 10), (9, 2, 40), (13, 3, 60), (19, 4, 30), (19, 5, 200)] {
            let board = board(size, seed, moves);
            let [expected, actual] =
                [&mut exact, &mut evaluator].map(|evaluator| evaluator.evaluate(&position(&board), Symmetry::IDENTITY));
            for ((mv, expected), (_, actual)) in expected.moves().zip(actual.moves()) {
                assert!((expected - actual).abs() < tolerance, "{isa} {size} {mv:?}: {expected} {actual}");
            }
            let [expected, actual] = [expected, actual].map(|evaluation| evaluation.value.black_win_rate(7.5));
            assert!((expected - actual).abs() < tolerance, "{isa} {size}: {expected} {actual}");
        }
    }
}

#[test]
fn a_batch_of_many_sizes_equals_one_by_one() {
    let boards: Vec<Board> =
        [(9, 1), (9, 2), (19, 3), (9, 4), (13, 5)].map(|(size, seed)| board(size, seed, 25)).into();
    let views: Vec<View<'_>> =
        boards.iter().enumerate().map(|(i, board)| View::of(position(board), Symmetry::from_index(i))).collect();
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let net = net_on(isa);
        let together = Evaluator::new(Arc::clone(&net)).evaluate_batch(&views);
        for (request, batched) in views.iter().zip(&together) {
            let alone = Evaluator::new(Arc::clone(&net)).evaluate(&request.position, request.symmetry);
            for (a, b) in alone.moves().zip(batched.moves()) {
                assert!((a.1 - b.1).abs() < 1e-4, "{isa}");
            }
        }
    }
}

/// Says which positions it was asked about.
struct Witness(Evaluator, Arc<Mutex<Vec<u64>>>);

impl Ask for Witness {
    fn fingerprint(&mut self, view: &View<'_>) -> u64 {
        view.position.fingerprint()
    }

    fn ask(&mut self, view: View<'_>) -> Arc<Evaluation> {
        self.1.lock().unwrap().push(view.position.fingerprint());
        Arc::new(self.0.evaluate(&view.position, view.symmetry))
    }
}

fn same(a: &Evaluation, b: &Evaluation) -> bool {
    a.moves().zip(b.moves()).all(|(x, y)| x == y) && a.value == b.value
}

#[test]
fn a_cache_answers_what_was_asked_before_and_forgets_the_oldest() {
    let boards: Vec<Board> = (0..40).map(|seed| board(9, seed, 20)).collect();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let cache = Arc::new(Cache::new(1));
    let cached =
        |net_digest| Cached::new(Arc::clone(&cache), net_digest, Witness(Evaluator::new(net()), Arc::clone(&asked)));
    let (mut first, mut second, mut of_another_net) = (cached(1), cached(1), cached(2 << 32));
    let answers: Vec<_> = boards.iter().map(|b| first.ask(View::of(position(b), Symmetry::IDENTITY))).collect();
    assert_eq!(asked.lock().unwrap().len(), 40);
    for (board, answer) in boards.iter().zip(&answers) {
        assert!(same(&second.ask(View::of(position(board), Symmetry::IDENTITY)), answer));
    }
    assert_eq!(asked.lock().unwrap().len(), 40, "another thread finds them too");

    second.ask(View::of(position(&boards[0]), Symmetry::from_index(3)));
    second.ask(View::of(Position { to_move: Color::White, ..position(&boards[0]) }, Symmetry::IDENTITY));
    let recent = Position::recent_after([None; HISTORY], Move::Pass);
    second.ask(View::of(Position { recent, ..position(&boards[0]) }, Symmetry::IDENTITY));
    of_another_net.ask(View::of(position(&boards[0]), Symmetry::IDENTITY));
    assert_eq!(asked.lock().unwrap().len(), 44, "another view, colour, last move or net is another question");

    for seed in 100..2000 {
        let board = board(9, seed, 10);
        second.ask(View::of(position(&board), Symmetry::IDENTITY));
        // Asked for again and again, so never the oldest.
        second.ask(View::of(position(&boards[1]), Symmetry::IDENTITY));
    }
    let before = asked.lock().unwrap().len();
    second.ask(View::of(position(&boards[1]), Symmetry::IDENTITY));
    assert_eq!(asked.lock().unwrap().len(), before);
    second.ask(View::of(position(&boards[0]), Symmetry::IDENTITY));
    assert_eq!(asked.lock().unwrap().len(), before + 1, "a megabyte does not hold two thousand boards");
}

#[test]
fn threads_that_share_batches_get_their_own_answers() {
    let net = net();
    let queue = Arc::new(BatchQueue::new(4, 1));
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (net, queue) = (Arc::clone(&net), Arc::clone(&queue));
            scope.spawn(move || {
                let mut batched = Batched::new(queue, Box::new(Evaluator::new(Arc::clone(&net))));
                let mut alone = Evaluator::new(net);
                for turn in 0..20 {
                    let board = board([9, 13][turn % 2], (thread * 100 + turn) as u64, 25);
                    let symmetry = Symmetry::from_index(turn);
                    let answer = batched.ask(View::of(position(&board), symmetry));
                    let expected = alone.evaluate(&position(&board), symmetry);
                    for (a, b) in answer.moves().zip(expected.moves()) {
                        assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-4);
                    }
                }
            });
        }
    });
}
