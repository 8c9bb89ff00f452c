//! All games of a folder in memory, and random access to their positions.
//!
//! Games are kept whole (two bytes a move: a hundred megabytes hold 200,000 of them) and positions are replayed when asked for,
//! which costs far less than learning from one. So every draw is uniform over all positions, needs no shuffle buffer,
//! and depends on nothing but the random number that asked: a training run resumes exactly where it stopped.

use std::path::{Path, PathBuf};

use jigo_board::{Board, Color, Move};
use jigo_net::planes::HISTORY;

use crate::dead::{DeadStones, read_dead};
use crate::outcome::Outcome;
use crate::record::{Counting, Record, mover};
use crate::tsv::{GameLine, Games, TsvError};

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("cannot read {path}: {source}")]
    Folder { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    File(#[from] TsvError),
    #[error("{0} holds no game records")]
    Empty(PathBuf),
}

/// A position of a recorded game with everything it teaches.
pub struct Sample {
    pub board: Board,
    pub to_move: Color,
    pub recent: [Option<Move>; HISTORY],
    /// The move played and the two after it; absent past the end of the record.
    pub next: [Option<Move>; 3],
    pub ply: usize,
    pub outcome: Outcome,
}

/// Games of one board size.
#[derive(Default)]
pub struct Library {
    games: Vec<Record>,
    /// The number of positions before each game.
    starts: Vec<usize>,
    positions: usize,
}

/// Positions with a move to learn: one per move, and the final one of a counted game, where both sides passed.
fn positions_of(record: &Record) -> usize {
    let counted = record.result.black_score().is_some();
    record.len() + usize::from(counted)
}

impl Library {
    pub fn push(&mut self, record: Record) {
        self.starts.push(self.positions);
        self.positions += positions_of(&record);
        self.games.push(record);
    }

    pub fn games(&self) -> &[Record] {
        &self.games
    }

    pub fn into_games(self) -> Vec<Record> {
        self.games
    }

    /// The number of positions to learn from.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// The game and move number of a position, counted through the whole library.
    pub fn locate(&self, position: usize) -> (&Record, usize) {
        let game = self.starts.partition_point(|&start| start <= position) - 1;
        (&self.games[game], position - self.starts[game])
    }
}

impl Sample {
    pub fn of(record: &Record, ply: usize) -> Sample {
        let board = record.board_at(ply);
        let mut end = board.clone();
        record.play_on(&mut end, ply, record.len());
        let mut recent = [None; HISTORY];
        for (age, slot) in recent.iter_mut().enumerate() {
            *slot = (ply > age).then(|| record.mv(ply - 1 - age));
        }
        let counted = record.result.black_score().is_some();
        let next = std::array::from_fn(|ahead| {
            if ply + ahead < record.len() {
                Some(record.mv(ply + ahead))
            } else {
                // Counted games end with two passes, written down or not.
                (counted && ply + ahead < record.len() + 2).then_some(Move::Pass)
            }
        });
        Sample { board, to_move: mover(ply), recent, next, ply, outcome: Outcome::of(record, &end) }
    }
}

/// Games to learn from and games kept aside, by board size.
#[derive(Default)]
pub struct Shelf {
    pub size: usize,
    pub training: Library,
    pub validation: Library,
}

/// One game in this many is kept aside, chosen by its id, so that a game never changes sides.
const VALIDATION_SHARE: u64 = 50;

fn is_kept_aside(id: &str) -> bool {
    // FNV-1a: the same on every machine and for ever.
    let hash = id
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (hash >> 32).is_multiple_of(VALIDATION_SHARE)
}

/// Reads the game files of a folder (or a single file) and sorts them by board size, smallest first. `wanted` chooses files by name.
pub fn read_folder(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<Shelf>, ReadError> {
    let mut paths = Vec::new();
    if folder.is_dir() {
        let failed = |source| ReadError::Folder { path: folder.to_path_buf(), source };
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            paths.push(entry.map_err(failed)?.path());
        }
    } else {
        paths.push(folder.to_path_buf());
    }
    paths.sort();
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    paths.retain(|path| name(path).ends_with(".tsv.xz"));
    let (dead_files, game_files): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| name(path).contains("-dead"));
    let mut dead = DeadStones::new();
    for path in &dead_files {
        dead.extend(read_dead(path)?);
    }
    let mut shelves: Vec<Shelf> = Vec::new();
    for path in game_files.iter().filter(|path| wanted(&name(path))) {
        for game in Games::open(path)? {
            let game = game?;
            let Some(record) = Record::new(&game, counting(&game, &dead)) else { continue };
            let at = match shelves.binary_search_by_key(&record.size, |shelf| shelf.size) {
                Ok(at) => at,
                Err(at) => {
                    shelves.insert(at, Shelf { size: record.size, ..Shelf::default() });
                    at
                }
            };
            let shelf = &mut shelves[at];
            let library = if is_kept_aside(&record.id) { &mut shelf.validation } else { &mut shelf.training };
            library.push(record);
        }
    }
    if shelves.is_empty() { Err(ReadError::Empty(folder.to_path_buf())) } else { Ok(shelves) }
}

/// What a game's source tells about its count.
fn counting(game: &GameLine, dead: &DeadStones) -> Counting {
    match dead.get(game.id.as_str()) {
        Some((margin, stones)) => Counting::Dead { black_margin: *margin, stones: stones.clone() },
        // CGOS games are played until nothing dead is left.
        None if game.id.starts_with("cgos") => Counting::AllAlive,
        // Tom counts by area exactly when the komi is 7.5.
        None if game.id.starts_with("tom/") && game.komi == 7.5 => Counting::AreaResult,
        None => Counting::ResultOnly,
    }
}
