//! The folder of a match: `match.json` (the spec), `games.jsonl` (one line per finished game), `games/` (SGF), and
//! what is drawn from them. The SGF of a game is in place before its line is; killing the arena at any moment leaves
//! everything readable.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::journal::{Journal, JournalError, differing_fields, read_json, write_json, write_whole};
use crate::record::GameEntry;
use crate::spec::MatchSpec;

const SPEC_FILE: &str = "match.json";
const JOURNAL_FILE: &str = "games.jsonl";

#[derive(Debug, Error)]
pub enum FolderError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{} holds a different match ({differences}); choose another folder", path.display())]
    OtherMatch { path: PathBuf, differences: String },
    #[error("{} holds no match", path.display())]
    NoMatch { path: PathBuf },
}

pub struct MatchFolder {
    path: PathBuf,
    journal: Journal<GameEntry>,
}

impl MatchFolder {
    /// Makes the folder, or comes back to the same match in it, and gives the games that are already finished.
    pub fn open(path: &Path, spec: &MatchSpec) -> Result<(Self, Vec<GameEntry>), FolderError> {
        let games = path.join("games");
        fs::create_dir_all(&games).map_err(|error| JournalError::Io { path: games, error })?;
        let (journal, mut records) = Journal::<GameEntry>::open(&path.join(JOURNAL_FILE))?;
        if let Some(stored) = read_json(&path.join(SPEC_FILE))? {
            refuse_other_match(path, &stored, spec)?;
        }
        write_json(&path.join(SPEC_FILE), spec)?;
        let mut known = HashSet::new();
        records.retain(|record| known.insert(record.game));
        Ok((Self { path: path.to_path_buf(), journal }, records))
    }

    /// Stores a finished game.
    pub fn add(&mut self, record: &GameEntry, sgf: &str) -> Result<(), FolderError> {
        self.write(&format!("games/{:05}.sgf", record.game), sgf)?;
        Ok(self.journal.add(record)?)
    }

    pub fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        Ok(write_whole(&self.path.join(name), text)?)
    }
}

/// The spec of the match in a folder.
pub fn read_spec(folder: &Path) -> Result<MatchSpec, FolderError> {
    read_json(&folder.join(SPEC_FILE))?.ok_or_else(|| FolderError::NoMatch { path: folder.to_path_buf() })
}

/// A match may be made longer or shorter when it is resumed; anything else makes it a different one.
fn refuse_other_match(path: &Path, stored: &MatchSpec, wanted: &MatchSpec) -> Result<(), FolderError> {
    let comparable = MatchSpec { games: wanted.games, ..stored.clone() };
    if comparable == *wanted {
        return Ok(());
    }
    let differences = differing_fields(&comparable, wanted).join(", ");
    Err(FolderError::OtherMatch { path: path.to_path_buf(), differences })
}
