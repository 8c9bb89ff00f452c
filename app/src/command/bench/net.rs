//! `jigo bench net`.

mod katago;

use std::path::PathBuf;
use std::sync::Arc;

use jigo_board::{Board, Color, Rng, Symmetry, random_game};
use jigo_net::kernel::Isa;
use jigo_net::planes::HISTORY;
use jigo_net::{EMBEDDED_WEIGHTS, Evaluator, Net, Position, View, Weights};
use jigo_train::checkpoint::read_weights;

use super::speed::measure;

#[derive(clap::Args)]
pub struct Args {
    /// A net file; the fast net in the box if none is given
    net: Option<PathBuf>,
    /// Rounds to measure for each instruction set, board size and batch
    #[arg(long, default_value_t = 40)]
    rounds: usize,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    if let Some(path) = args.net.as_deref().filter(|path| katago::is_file(path)) {
        return katago::run(path, args.rounds);
    }
    let weights = match &args.net {
        Some(path) => read_weights(path)?,
        None => Weights::from_bytes(EMBEDDED_WEIGHTS)?,
    };
    println!("{}, positions per second, one thread:", weights.architecture);
    println!("{:>9} {:>6} {:>6} {:>12} {:>12}", "", "size", "batch", "best", "median");
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let net = Arc::new(Net::new(&weights, isa));
        for (size, batch) in [(9, 1), (9, 16), (19, 1), (19, 16)] {
            let boards: Vec<Board> = (0..batch).map(|seed| middle_game(size, seed as u64)).collect();
            let views: Vec<View<'_>> = boards.iter().map(view).collect();
            let mut evaluator = Evaluator::new(Arc::clone(&net));
            let speed = measure(args.rounds, || evaluator.evaluate_batch(&views).len());
            let size = format!("{size}x{size}");
            println!("{isa:>9} {size:>6} {batch:>6} {:>10.0}/s {:>10.0}/s", speed.best, speed.median);
        }
    }
    println!("fingerprint {:016x}", fingerprint(&weights));
    Ok(())
}

/// A board some way into a random game.
fn middle_game(size: usize, seed: u64) -> Board {
    let (mut board, mut rng, mut color) = (Board::new(size), Rng::new(seed), Color::Black);
    for _ in 0..size * size / 3 {
        if let Some(point) = random_game::random_point(&board, color, &mut rng) {
            board.play(color, point);
        }
        color = color.opponent();
    }
    board
}

fn view(board: &Board) -> View<'_> {
    let position = Position { board, to_move: Color::Black, recent: [None; HISTORY] };
    View::of(position, Symmetry::IDENTITY)
}

/// What the net says about a few positions, computed without any machine's special instructions and rounded.
fn fingerprint(weights: &Weights) -> u64 {
    let mut evaluator = Evaluator::new(Arc::new(Net::new(weights, Isa::Portable)));
    let mut hash = 0;
    let mut add = |share: f32| hash = Rng::new(hash ^ (share * 50.0).round() as u64).next_u64();
    for (size, seed) in [(9, 1), (13, 2), (19, 3)] {
        let board = middle_game(size, seed);
        let View { position, symmetry, .. } = view(&board);
        let evaluation = evaluator.evaluate(&position, symmetry);
        for (_, probability) in evaluation.moves() {
            add(probability);
        }
        add(evaluation.value.black_win_rate(7.5));
    }
    hash
}
