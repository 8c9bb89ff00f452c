//! Training games from SGF files.

use jigo_board::{Move, Point, Scoring};
use jigo_sgf::{Collection, GameRecord, GameResult};

use crate::record::{Counting, Record, mover};
use crate::tsv::GameLine;

/// The games of one file that training can use: whole games from the empty board, colours alternating, with a result. All
/// else (handicap, setup, problems, broken files) is left out without a word, as is the way with large folders.
pub fn records_of(id: &str, bytes: &[u8]) -> Vec<Record> {
    let games = Collection::from_bytes(bytes).map(|collection| collection.games).unwrap_or_default();
    let record = |(number, tree)| record_of(&format!("{id}#{number}"), &GameRecord::main_line(tree).ok()?);
    games.iter().enumerate().filter_map(record).collect()
}

fn record_of(id: &str, game: &GameRecord) -> Option<Record> {
    let size = game.playable_size().ok()?;
    let only_moves = game.setup().is_none() && game.moves().count() == game.steps.len();
    let alternating = game.moves().enumerate().all(|(ply, played)| played.color == mover(ply));
    if !only_moves || !alternating || game.handicap > 1 {
        return None;
    }
    let moves = game.moves().map(|played| match played.coord {
        None => Move::Pass,
        Some(coord) => Move::Play(Point::new(coord.col.into(), coord.row.into())),
    });
    let line = GameLine {
        id: id.to_string(),
        date: game.date.clone().unwrap_or_default(),
        size,
        komi: game.komi.unwrap_or(0.0),
        result: GameResult::parse(game.result.as_deref()?).filter(|&result| result != GameResult::Void)?,
        moves: moves.collect(),
    };
    let by_area = game.known_rules().is_some_and(|rules| rules.scoring == Scoring::Area);
    Record::new(&line, if by_area { Counting::AreaResult } else { Counting::ResultOnly })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_even_games_are_taken_and_others_left_out() {
        let game = b"(;GM[1]SZ[9]KM[7]RU[Chinese]RE[B+2];B[ee];W[cc];B[];W[])";
        let records = records_of("file", game);
        assert_eq!(records.len(), 1);
        assert_eq!((records[0].size, records[0].len(), &*records[0].id), (9, 4, "file#0"));
        assert_eq!(records[0].counting, Counting::AreaResult);
        for other in [
            &b"(;GM[1]SZ[9]HA[2]AB[cc][gg]RE[W+R];W[ee];B[dd])"[..],
            b"(;GM[1]SZ[9]RE[W+R];B[ee];B[dd])",
            b"(;GM[1]SZ[9];B[ee];W[dd])",
            b"(;GM[1]SZ[9]RE[W+R];B[ee];W[ee])",
            b"(;GM[2]SZ[9]RE[W+R];B[ee])",
            b"no game at all",
        ] {
            assert!(records_of("file", other).is_empty(), "{}", String::from_utf8_lossy(other));
        }
    }
}
