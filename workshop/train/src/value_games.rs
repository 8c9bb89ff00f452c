//! Self-play to the very end as training data for the value and ownership heads (CGI III.A).

use std::io::ErrorKind;
use std::path::Path;

use indicatif::ProgressBar;
use jigo_board::{Rng, Score};
use jigo_records::tsv::{GameLine, GameResult};
use jigo_records::{Counting, Record, Split};

use crate::checkpoint::{read_weights, write_atomically};
use crate::game_text::{games_as_text, games_from_text};
use crate::self_play::{Batch, PlayedGame, Players, SelfPlayError};

/// One game in this many is kept aside.
const VALIDATION_SHARE: usize = 20;
/// After so many batches what was played is written down.
const BATCHES_AT_A_TIME: usize = 8;

/// Which games are to be played.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub size: usize,
    pub komi: f32,
    pub games: usize,
    pub seed: u64,
}

/// Lets a net play against itself and labels the games with what every point became. The games are kept in a file as they
/// are played, and what it holds already is not played again.
pub fn generate(net: &Path, wanted: Wanted, players: &mut dyn Players, kept: &Path) -> Result<Split, SelfPlayError> {
    let batches = Batch::split(wanted.size, wanted.komi, wanted.games, &mut Rng::new(wanted.seed));
    let mut games = read_kept(kept, wanted.size)?;
    let mut left = &batches[..];
    let mut known = 0;
    while let Some((batch, rest)) = left.split_first()
        && known + batch.games <= games.len()
    {
        known += batch.games;
        left = rest;
    }
    games.truncate(known);
    if !left.is_empty() {
        let net = read_weights(net)?;
        let bar = ProgressBar::new(wanted.games as u64).with_position(known as u64);
        for some in left.chunks(BATCHES_AT_A_TIME) {
            games.extend(players.play([&net, &net], some, &mut |games| bar.inc(games as u64))?);
            write_atomically(kept, games_as_text(&games).as_bytes())?;
        }
        bar.finish_and_clear();
    }
    Ok(split(games, wanted))
}

fn read_kept(path: &Path, size: usize) -> Result<Vec<PlayedGame>, SelfPlayError> {
    let unreadable = |what: String| SelfPlayError::Kept(path.to_path_buf(), what);
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(unreadable(error.to_string())),
        Ok(text) => games_from_text(&text, size).map_err(unreadable),
    }
}

fn split(played: Vec<PlayedGame>, wanted: Wanted) -> Split {
    let Wanted { size, komi, seed, .. } = wanted;
    let mut split = Split { size, ..Split::default() };
    for (number, game) in played.into_iter().enumerate() {
        if let Some(record) = record(&game, komi, format!("self/{seed}/{number}")) {
            let library = if number % VALIDATION_SHARE == VALIDATION_SHARE - 1 {
                &mut split.validation
            } else {
                &mut split.training
            };
            library.push(record);
        }
    }
    split
}

/// A game as a record that knows what every point became.
pub fn record(game: &PlayedGame, komi: f32, id: String) -> Option<Record> {
    let result = GameResult::counted(Score::black_lead(game.black_margin() - komi));
    let (size, moves) = (game.board.size(), game.moves.clone());
    Record::new(&GameLine { id, date: String::new(), size, komi, result, moves }, Counting::AllAlive)
}
