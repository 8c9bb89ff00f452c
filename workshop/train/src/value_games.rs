//! Self-play to the very end as training data for the value and ownership heads (003 sec III.A).

use std::path::Path;

use indicatif::ProgressBar;
use jigo_board::{Color, Rng};
use jigo_records::tsv::{GameLine, GameResult, WonBy};
use jigo_records::{Counting, Record, Shelf};

use crate::checkpoint::{read_weights, write_atomically};
use crate::game_text::{games_as_text, games_from_text};
use crate::self_play::{Batch, PlayedGame, Players, SelfPlayError};

/// One game in this many is kept aside.
const VALIDATION_SHARE: usize = 20;

/// Which games are to be played.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub size: usize,
    pub komi: f32,
    pub games: usize,
    pub seed: u64,
}

/// Lets a net play against itself and labels the games with what every point became.
pub fn generate(net: &Path, wanted: Wanted, players: &mut dyn Players) -> Result<Shelf, SelfPlayError> {
    Ok(shelve(play(net, wanted, players)?, wanted))
}

/// The same, but games that the file holds already are not played again.
pub fn generate_once(
    net: &Path,
    wanted: Wanted,
    players: &mut dyn Players,
    kept: &Path,
) -> Result<Shelf, SelfPlayError> {
    let unreadable = |what: String| SelfPlayError::Kept(kept.to_path_buf(), what);
    if kept.exists() {
        let text = std::fs::read_to_string(kept).map_err(|error| unreadable(error.to_string()))?;
        return Ok(shelve(games_from_text(&text, wanted.size).map_err(unreadable)?, wanted));
    }
    let games = play(net, wanted, players)?;
    write_atomically(kept, games_as_text(&games).as_bytes())?;
    Ok(shelve(games, wanted))
}

fn play(net: &Path, wanted: Wanted, players: &mut dyn Players) -> Result<Vec<PlayedGame>, SelfPlayError> {
    let Wanted { size, komi, games, seed } = wanted;
    let net = read_weights(net)?;
    let batches = Batch::split(size, komi, games, &mut Rng::new(seed));
    let bar = ProgressBar::new(games as u64);
    let played = players.play([&net, &net], &batches, &mut |games| bar.inc(games as u64))?;
    bar.finish_and_clear();
    Ok(played)
}

fn shelve(played: Vec<PlayedGame>, wanted: Wanted) -> Shelf {
    let Wanted { size, komi, seed, .. } = wanted;
    let mut shelf = Shelf { size, ..Shelf::default() };
    for (number, game) in played.into_iter().enumerate() {
        let line = GameLine {
            id: format!("self/{seed}/{number}"),
            date: String::new(),
            size,
            komi,
            result: result(game.black_margin() - komi),
            moves: game.moves,
        };
        if let Some(record) = Record::new(&line, Counting::AllAlive) {
            let library = if number % VALIDATION_SHARE == 0 { &mut shelf.validation } else { &mut shelf.training };
            library.push(record);
        }
    }
    shelf
}

fn result(black_score: f32) -> GameResult {
    match black_score {
        score if score > 0.0 => GameResult::Win(Color::Black, WonBy::Score(score)),
        score if score < 0.0 => GameResult::Win(Color::White, WonBy::Score(-score)),
        _ => GameResult::Draw,
    }
}
