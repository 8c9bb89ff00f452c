//! Self-play to the very end as training data for the value and ownership heads (003 sec III.A).

use std::path::Path;
use std::sync::Arc;

use indicatif::ProgressBar;
use jigo_board::{Color, Rng};
use jigo_net::Net;
use jigo_net::kernel::Isa;
use jigo_records::tsv::{GameLine, GameResult, WonBy};
use jigo_records::{Counting, Record, Shelf};

use crate::checkpoint::{CheckpointError, read_weights};
use crate::self_play::play_games;

/// Games played side by side.
const ABREAST: usize = 64;
/// One game in this many is kept aside.
const VALIDATION_SHARE: usize = 20;

/// Lets a net play `games` games against itself and labels them with what every point became.
pub fn generate(net: &Path, size: usize, komi: f32, games: usize, seed: u64) -> Result<Shelf, CheckpointError> {
    let net = Arc::new(Net::new(&read_weights(net)?, Isa::best()));
    let mut rng = Rng::new(seed);
    let mut shelf = Shelf { size, ..Shelf::default() };
    let bar = ProgressBar::new(games as u64);
    let mut number = 0;
    while number < games {
        for game in play_games([&net, &net], size, komi, ABREAST.min(games - number), &mut rng) {
            let score = game.black_margin() - komi;
            let line = GameLine {
                id: format!("self/{seed}/{number}"),
                date: String::new(),
                size,
                komi,
                result: result(score),
                moves: game.moves,
            };
            if let Some(record) = Record::new(&line, Counting::AllAlive) {
                let library = if number % VALIDATION_SHARE == 0 { &mut shelf.validation } else { &mut shelf.training };
                library.push(record);
            }
            number += 1;
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(shelf)
}

fn result(black_score: f32) -> GameResult {
    match black_score {
        score if score > 0.0 => GameResult::Win(Color::Black, WonBy::Score(score)),
        score if score < 0.0 => GameResult::Win(Color::White, WonBy::Score(-score)),
        _ => GameResult::Draw,
    }
}
