//! The games that tables are learned from.

use std::path::{Path, PathBuf};

use jigo_board::{Board, Color, Move, Point};
use jigo_records::tsv::{GameLine, TsvError, TsvGames};

/// Some files of a folder, always in the same order.
#[derive(Clone, Debug)]
pub struct Corpus {
    files: Vec<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    #[error("cannot list the folder {path}: {source}")]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("there is no {prefix}*.tsv.xz in {path}")]
    Nothing { path: PathBuf, prefix: String },
    #[error(transparent)]
    Games(#[from] TsvError),
}

impl Corpus {
    /// The collections in `folder` whose names begin with `prefix`; lists of dead stones are left out.
    pub fn open(folder: &Path, prefix: &str) -> Result<Corpus, CorpusError> {
        let listing = |source| CorpusError::Folder { path: folder.to_path_buf(), source };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(listing)? {
            let path = entry.map_err(listing)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with(prefix) && name.ends_with(".tsv.xz") && !name.ends_with("-dead.tsv.xz") {
                files.push(path);
            }
        }
        if files.is_empty() {
            return Err(CorpusError::Nothing { path: folder.to_path_buf(), prefix: prefix.to_string() });
        }
        files.sort();
        Ok(Corpus { files })
    }

    /// Calls `visit` with the first `limit` games; returns how many there were.
    pub fn for_each_game(&self, limit: usize, mut visit: impl FnMut(&GameLine)) -> Result<usize, CorpusError> {
        let mut count = 0;
        for file in &self.files {
            for game in TsvGames::open(file)? {
                if count == limit {
                    return Ok(count);
                }
                visit(&game?);
                count += 1;
            }
        }
        Ok(count)
    }
}

/// A position of a game and the move chosen in it.
pub struct Moment<'a> {
    pub board: &'a Board,
    pub to_play: Color,
    /// The last move and the one before.
    pub recent: [Option<Point>; 2],
    pub chosen: Point,
}

/// Calls `visit` before each move of a game that is not a pass; stops where the record breaks the rules.
pub fn for_each_moment(game: &GameLine, mut visit: impl FnMut(Moment)) {
    let mut board = Board::new(game.size);
    let mut recent = [None, None];
    let mut to_play = Color::Black;
    for &mv in &game.moves {
        match mv {
            Move::Play(chosen) => {
                if !board.is_legal(to_play, chosen) {
                    return;
                }
                visit(Moment { board: &board, to_play, recent, chosen });
                board.play(to_play, chosen);
            }
            Move::Pass => board.pass(),
        }
        recent = [mv.point(), recent[0]];
        to_play = to_play.opponent();
    }
}
