//! Collections of games as text: one game per line, columns separated by tabs, compressed with xz.
//!
//! Columns: id, date, komi, result, number of moves, moves (two SGF letters each, `tt` is a pass, Black
//! first, strictly alternating), and in some files black's name, white's name and the source.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use jigo_board::{MAX_SIZE, Move, Point};
pub use jigo_sgf::GameResult;
use lzma_rust2::XzReader;

/// One game of a collection. Moves were legal when the collection was made; superko was not enforced.
#[derive(Clone, Debug, PartialEq)]
pub struct GameLine {
    pub id: String,
    pub date: String,
    pub size: usize,
    pub komi: f32,
    pub result: GameResult,
    /// Black first, strictly alternating.
    pub moves: Vec<Move>,
}

#[derive(Debug, thiserror::Error)]
pub enum TsvError {
    #[error("cannot read {path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{path}, line {line}: {reason}")]
    BadLine { path: PathBuf, line: usize, reason: BadLine },
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLine {
    #[error("there are {found} columns instead of {wanted}")]
    Columns { found: usize, wanted: &'static str },
    #[error("the komi {0:?} is no number")]
    Komi(String),
    #[error("the margin {0:?} is no number")]
    Margin(String),
    #[error("the result {0:?} is not understood")]
    Result(String),
    #[error("the move {0:?} is not on the board")]
    Move(String),
    #[error("{announced} moves are announced but {found} follow")]
    MoveCount { announced: String, found: usize },
}

impl GameLine {
    pub fn parse(line: &str, size: usize) -> Result<GameLine, BadLine> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, date, komi, result, count, moves, ..] = columns[..] else {
            return Err(BadLine::Columns { found: columns.len(), wanted: "at least six" });
        };
        let moves = parse_moves(moves, size)?;
        if count.parse() != Ok(moves.len()) {
            return Err(BadLine::MoveCount { announced: count.to_string(), found: moves.len() });
        }
        Ok(GameLine {
            id: id.to_string(),
            date: date.to_string(),
            size,
            komi: komi.parse().ok().filter(|k: &f32| k.is_finite()).ok_or_else(|| BadLine::Komi(komi.to_string()))?,
            result: parse_result(result).ok_or_else(|| BadLine::Result(result.to_string()))?,
            moves,
        })
    }
}

/// Some old records name a winner by nothing: their moves can be learnt, their result cannot.
fn parse_result(text: &str) -> Option<GameResult> {
    if matches!(text, "B+0" | "W+0") { Some(GameResult::Void) } else { GameResult::parse(text) }
}

fn parse_moves(text: &str, size: usize) -> Result<Vec<Move>, BadLine> {
    let coordinate = |letter: u8| Some(usize::from(letter.wrapping_sub(b'a'))).filter(|&at| at < size);
    let parse = |letters: &[u8]| match *letters {
        [b't', b't'] => Some(Move::Pass),
        [col, row] => Some(Move::Play(Point::new(coordinate(col)?, coordinate(row)?))),
        _ => None,
    };
    let bad = |letters| BadLine::Move(String::from_utf8_lossy(letters).into_owned());
    text.as_bytes().chunks(2).map(|letters| parse(letters).ok_or_else(|| bad(letters))).collect()
}

/// The games of one file, read and unpacked as they are asked for.
pub struct TsvGames {
    path: PathBuf,
    size: usize,
    lines: Box<dyn BufRead + Send>,
    line: usize,
    text: String,
}

impl TsvGames {
    /// Opens `NAME.tsv.xz`. Collections of 9x9 games are those whose names begin with `nine-`.
    pub fn open(path: &Path) -> Result<TsvGames, TsvError> {
        let file = File::open(path).map_err(|source| TsvError::Io { path: path.to_path_buf(), source })?;
        let nine = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("nine-"));
        let unpacked = XzReader::new(BufReader::new(file), true);
        Ok(TsvGames::from_lines(path, if nine { 9 } else { MAX_SIZE }, Box::new(BufReader::new(unpacked))))
    }

    fn from_lines(path: &Path, size: usize, lines: Box<dyn BufRead + Send>) -> TsvGames {
        TsvGames { path: path.to_path_buf(), size, lines, line: 0, text: String::new() }
    }
}

impl Iterator for TsvGames {
    type Item = Result<GameLine, TsvError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.text.clear();
        self.line += 1;
        match self.lines.read_line(&mut self.text) {
            Ok(0) => None,
            Ok(_) => {
                let parsed = GameLine::parse(self.text.trim_end_matches(['\n', '\r']), self.size);
                let (path, line) = (&self.path, self.line);
                Some(parsed.map_err(|reason| TsvError::BadLine { path: path.clone(), line, reason }))
            }
            Err(source) => Some(Err(TsvError::Io { path: self.path.clone(), source })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Color;
    use jigo_sgf::Margin;

    const LINE: &str = "82264324\t2006-01-01\t6.5\tW+R\t3\tqdttss\tblack 9d\twhite 9d\tsomewhere";

    #[test]
    fn a_line_becomes_a_game() {
        let game = GameLine::parse(LINE, 19).unwrap();
        assert_eq!((game.id.as_str(), game.date.as_str(), game.komi), ("82264324", "2006-01-01", 6.5));
        assert_eq!(game.result, GameResult::Win { winner: Color::White, by: Margin::Resignation });
        assert_eq!(game.moves, [Move::Play(Point::new(16, 3)), Move::Pass, Move::Play(Point::new(18, 18))]);
        let by_nothing = GameLine::parse(&LINE.replace("W+R", "W+0"), 19).unwrap();
        assert_eq!(by_nothing.result, GameResult::Void);
    }

    #[test]
    fn damaged_lines_say_what_is_wrong() {
        let wrong = |line: &str, size| GameLine::parse(line, size).unwrap_err();
        assert_eq!(wrong("1\t2", 19), BadLine::Columns { found: 2, wanted: "at least six" });
        assert_eq!(wrong(LINE, 9), BadLine::Move("qd".to_string()));
        assert_eq!(wrong(&LINE.replace("qdtt", "qdt"), 19), BadLine::Move("ts".to_string()));
        assert_eq!(wrong(&LINE.replace("6.5", "six"), 19), BadLine::Komi("six".to_string()));
        assert_eq!(
            wrong(&LINE.replace("\t3\t", "\t4\t"), 19),
            BadLine::MoveCount { announced: "4".to_string(), found: 3 }
        );
    }

    #[test]
    fn the_stream_names_file_and_line_of_a_mistake() {
        let text = format!("{LINE}\nnonsense\n");
        let mut games = TsvGames::from_lines(Path::new("some.tsv.xz"), 19, Box::new(std::io::Cursor::new(text)));
        assert!(games.next().unwrap().is_ok());
        assert_eq!(
            games.next().unwrap().unwrap_err().to_string(),
            "some.tsv.xz, line 2: there are 1 columns instead of at least six"
        );
        assert!(games.next().is_none());
    }

    #[test]
    fn a_file_that_is_not_xz_is_an_error() {
        let path = std::env::temp_dir().join(format!("jigo-not-xz-{}.tsv.xz", std::process::id()));
        std::fs::write(&path, b"plain text").unwrap();
        let first = TsvGames::open(&path).unwrap().next();
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(first, Some(Err(TsvError::Io { .. }))));
    }
}
