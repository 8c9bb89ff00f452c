//! The folder of a match: `match.json` (the spec), `games.jsonl` (one line per finished game), `games/` (SGF), and
//! what is drawn from them. Killing the arena at any moment leaves it readable.
//!
//! A game is finished when its line stands in `games.jsonl`, with its newline, on the disk. Its SGF is in place before.
//! Everything but that journal is written under another name first and renamed.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::record::GameRecord;
use crate::spec::MatchSpec;

const SPEC_FILE: &str = "match.json";
const JOURNAL_FILE: &str = "games.jsonl";

#[derive(Debug, Error)]
pub enum FolderError {
    #[error("cannot use {}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{} is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("{} holds a different match ({differences}); choose another folder", path.display())]
    OtherMatch { path: PathBuf, differences: String },
    #[error("another arena is playing in {}", path.display())]
    InUse { path: PathBuf },
    #[error("{} holds no match", path.display())]
    NoMatch { path: PathBuf },
}

pub struct MatchFolder {
    path: PathBuf,
    journal: File,
}

impl MatchFolder {
    /// Makes the folder, or comes back to the same match in it, and gives the games that are already finished.
    pub fn open(path: &Path, spec: &MatchSpec) -> Result<(Self, Vec<GameRecord>), FolderError> {
        let io_error = |error| FolderError::Io { path: path.to_path_buf(), error };
        fs::create_dir_all(path.join("games")).map_err(io_error)?;
        let journal_path = path.join(JOURNAL_FILE);
        let journal = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&journal_path)
            .map_err(|error| FolderError::Io { path: journal_path.clone(), error })?;
        lock(&journal, path)?;
        match read_spec(path) {
            Ok(stored) => refuse_other_match(path, &stored, spec)?,
            Err(FolderError::NoMatch { .. }) => {}
            Err(error) => return Err(error),
        }
        let folder = Self { path: path.to_path_buf(), journal };
        let text = serde_json::to_string_pretty(spec)
            .map_err(|error| FolderError::Damaged { path: path.join(SPEC_FILE), reason: error.to_string() })?;
        folder.write(SPEC_FILE, &(text + "\n"))?;
        let records = folder.recover(&journal_path)?;
        Ok((folder, records))
    }

    /// Stores a finished game.
    pub fn add(&mut self, record: &GameRecord, sgf: &str) -> Result<(), FolderError> {
        self.write(&format!("games/{:05}.sgf", record.game), sgf)?;
        let path = self.path.join(JOURNAL_FILE);
        let line = serde_json::to_string(record)
            .map_err(|error| FolderError::Damaged { path: path.clone(), reason: error.to_string() })?;
        self.journal
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| self.journal.sync_data())
            .map_err(|error| FolderError::Io { path, error })
    }

    /// Writes a file of the folder whole or not at all.
    pub fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        let path = self.path.join(name);
        let unfinished = path.with_extension("unfinished");
        let write = || -> io::Result<()> {
            let mut file = File::create(&unfinished)?;
            file.write_all(text.as_bytes())?;
            file.sync_data()?;
            fs::rename(&unfinished, &path)
        };
        write().map_err(|error| FolderError::Io { path: path.clone(), error })
    }

    /// Reads the journal and cuts off a last line that was being written when the arena was killed.
    fn recover(&self, path: &Path) -> Result<Vec<GameRecord>, FolderError> {
        let io_error = |error| FolderError::Io { path: path.to_path_buf(), error };
        let bytes = fs::read(path).map_err(io_error)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let (records, good) = read_journal(&bytes[..whole])
            .map_err(|reason| FolderError::Damaged { path: path.to_path_buf(), reason })?;
        if good < bytes.len() {
            self.journal.set_len(good as u64).and_then(|()| self.journal.sync_data()).map_err(io_error)?;
        }
        Ok(records)
    }
}

/// The spec of the match in a folder.
pub fn read_spec(folder: &Path) -> Result<MatchSpec, FolderError> {
    let path = folder.join(SPEC_FILE);
    match fs::read(&path) {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map_err(|error| FolderError::Damaged { path, reason: error.to_string() })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(FolderError::NoMatch { path: folder.to_path_buf() })
        }
        Err(error) => Err(FolderError::Io { path, error }),
    }
}

/// The records of whole lines, each game once, and the length of what is good. A last line that does not parse was
/// torn by a failing disk or machine; one in the middle means somebody edited the file.
fn read_journal(bytes: &[u8]) -> Result<(Vec<GameRecord>, usize), String> {
    let mut records: Vec<GameRecord> = Vec::new();
    let mut known = HashSet::new();
    let mut good = 0;
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        match serde_json::from_slice::<GameRecord>(line) {
            Ok(record) => {
                good += line.len();
                if known.insert(record.game) {
                    records.push(record);
                }
            }
            Err(_) if good + line.len() == bytes.len() => break,
            Err(error) => return Err(format!("line {}: {error}", number + 1)),
        }
    }
    Ok((records, good))
}

/// A match may be made longer or shorter when it is resumed; anything else makes it a different one.
fn refuse_other_match(path: &Path, stored: &MatchSpec, wanted: &MatchSpec) -> Result<(), FolderError> {
    let comparable = MatchSpec { games: wanted.games, ..stored.clone() };
    if comparable == *wanted {
        return Ok(());
    }
    let as_json = |spec: &MatchSpec| serde_json::to_value(spec).unwrap_or_default();
    let (old, new) = (as_json(&comparable), as_json(wanted));
    let differing = old.as_object().into_iter().flatten().filter(|(key, value)| new.get(key) != Some(value));
    let differences: Vec<String> = differing.map(|(key, _)| key.clone()).collect();
    Err(FolderError::OtherMatch { path: path.to_path_buf(), differences: differences.join(", ") })
}

/// Two arenas in one folder would both count the same games. The lock dies with its holder, even by kill -9.
#[cfg(unix)]
fn lock(journal: &File, path: &Path) -> Result<(), FolderError> {
    use rustix::fs::{FlockOperation, flock};
    flock(journal, FlockOperation::NonBlockingLockExclusive)
        .map_err(|_| FolderError::InUse { path: path.to_path_buf() })
}

#[cfg(not(unix))]
fn lock(_journal: &File, _path: &Path) -> Result<(), FolderError> {
    Ok(())
}
