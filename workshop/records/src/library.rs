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
use crate::sgf_games::records_of;
use crate::tsv::{GameLine, TsvError, TsvGames};

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
    let counted = record.result.score().is_some();
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
        let counted = record.result.score().is_some();
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
pub struct Split {
    pub size: usize,
    pub training: Library,
    pub validation: Library,
}

impl Split {
    /// All of them, where nothing has been learnt from either part.
    pub fn into_games(self) -> impl Iterator<Item = Record> {
        self.training.games.into_iter().chain(self.validation.games)
    }
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

/// Reads the game collections (`.tsv.xz`) and SGF files of a folder and the folders in it, or a single file, and sorts the
/// games by board size, smallest first. `wanted` chooses files by their names.
pub fn read_folder(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<Split>, ReadError> {
    let mut paths = Vec::new();
    find_files(folder, &mut paths)?;
    paths.sort();
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut dead = DeadStones::new();
    for path in paths.iter().filter(|path| name(path).contains("-dead") && name(path).ends_with(".tsv.xz")) {
        dead.extend(read_dead(path)?);
    }
    let mut splits = Vec::new();
    for path in paths.iter().filter(|path| wanted(&name(path)) && !name(path).contains("-dead")) {
        if name(path).ends_with(".tsv.xz") {
            for game in TsvGames::open(path)? {
                let game = game?;
                let record = Record::new(&game, counting(&game, &dead));
                record.into_iter().for_each(|record| sort_in(&mut splits, record));
            }
        } else if name(path).ends_with(".sgf") {
            let bytes = std::fs::read(path).map_err(|source| ReadError::Folder { path: path.clone(), source })?;
            records_of(&name(path), &bytes).into_iter().for_each(|record| sort_in(&mut splits, record));
        }
    }
    if splits.is_empty() { Err(ReadError::Empty(folder.to_path_buf())) } else { Ok(splits) }
}

fn find_files(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), ReadError> {
    if !path.is_dir() {
        found.push(path.to_path_buf());
        return Ok(());
    }
    let failed = |source| ReadError::Folder { path: path.to_path_buf(), source };
    for entry in std::fs::read_dir(path).map_err(failed)? {
        find_files(&entry.map_err(failed)?.path(), found)?;
    }
    Ok(())
}

fn sort_in(splits: &mut Vec<Split>, record: Record) {
    let at = match splits.binary_search_by_key(&record.size, |split| split.size) {
        Ok(at) => at,
        Err(at) => {
            splits.insert(at, Split { size: record.size, ..Split::default() });
            at
        }
    };
    let split = &mut splits[at];
    let library = if is_kept_aside(&record.id) { &mut split.validation } else { &mut split.training };
    library.push(record);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_sgf_files_becomes_positions_by_board_size() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("inner")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("a.sgf", "(;GM[1]SZ[9]KM[7]RE[B+R];B[ee];W[cc];B[gc])");
        write("inner/b.sgf", "(;GM[1]SZ[19]KM[6.5]RE[W+3.5];B[pd];W[dp])");
        write("inner/notes.txt", "not a game");
        let splits = read_folder(folder.path(), |_| true).unwrap();
        let counts: Vec<_> =
            splits.iter().map(|s| (s.size, s.training.positions() + s.validation.positions())).collect();
        // A counted game has one more position: the one where both pass.
        assert_eq!(counts, [(9, 3), (19, 3)]);
        assert!(matches!(read_folder(folder.path(), |name| name == "c"), Err(ReadError::Empty(_))));
    }

    #[test]
    fn a_sample_knows_past_and_future() {
        let record = &records_of("x", b"(;GM[1]SZ[9]KM[7]RE[B+R];B[ee];W[cc];B[gc];W[gg])")[0];
        let mut library = Library::default();
        library.push(record.clone());
        let (found, ply) = library.locate(2);
        let sample = Sample::of(found, ply);
        assert_eq!((sample.to_move, sample.ply), (Color::Black, 2));
        assert_eq!(sample.recent[..3], [Some(record.mv(1)), Some(record.mv(0)), None]);
        assert_eq!(sample.next, [Some(record.mv(2)), Some(record.mv(3)), None]);
        assert_eq!(sample.outcome.winner, Some(Color::Black));
        assert_eq!(sample.outcome.black_margin, None);
    }
}
