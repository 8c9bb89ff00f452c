//! Last moves of games that half a point decided (CGI IV.E): won at a komi of 6.5, lost at 7.5.

use std::path::Path;

use jigo_board::{Game, Rules};
use jigo_records::{Counting, Record, Split, mover, read_folder};
use jigo_sgf::{Collection, GameTree};

use crate::run::LabError;

/// Black's lead on the board in such a game.
const BLACK_MARGIN: f32 = 7.0;
/// "The 10th position from the end of a game" (CGI IV.E).
const LEFT_TO_PLAY: usize = 10;

/// Such games of the files whose names contain one of `files`, ten moves before their end, as SGF text.
pub fn half_point_endgames(data: &Path, files: &[String], size: usize) -> Result<String, LabError> {
    let splits = read_folder(data, |name| files.iter().any(|part| name.contains(part)))?;
    let records = splits.into_iter().filter(|split| split.size == size).flat_map(Split::into_games);
    let games: Vec<GameTree> = records.filter(is_half_point).filter_map(|record| without_end(&record)).collect();
    if games.is_empty() { Err(LabError::NoEndgames) } else { Ok(Collection { games }.to_text()) }
}

fn is_half_point(record: &Record) -> bool {
    matches!(record.counting, Counting::Dead { black_margin, .. } if black_margin == BLACK_MARGIN)
}

/// None if a move repeats a position, which the arena's rules forbid.
fn without_end(record: &Record) -> Option<GameTree> {
    let mut game = Game::new(record.size, Rules::default());
    for ply in 0..record.len().checked_sub(LEFT_TO_PLAY)? {
        game.play(mover(ply), record.mv(ply)).ok()?;
    }
    Some(GameTree::from_game(&game))
}
