//! Files that survive a kill at any moment: a journal of JSON lines, and files written whole or not at all.
//!
//! An entry of a journal counts when its line, with its newline, is on the disk. A line torn by a kill is cut off when
//! the journal is opened again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum JournalError {
    #[error("cannot use {}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{} is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("another arena is playing in {}", folder.display())]
    InUse { folder: PathBuf },
}

/// A journal that is open for writing, and locked: two writers would both do the same work.
pub struct Journal<T> {
    path: PathBuf,
    file: Locked,
    entries: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> Journal<T> {
    /// Opens or makes the journal and gives what it holds.
    pub fn open(path: &Path) -> Result<(Self, Vec<T>), JournalError> {
        let io_error = |error| JournalError::Io { path: path.to_path_buf(), error };
        let open = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = Locked::new(open.map_err(io_error)?, path)?;
        // Where locks are binding, only its holder can read the file.
        let mut bytes = Vec::new();
        file.0.read_to_end(&mut bytes).map_err(io_error)?;
        let (entries, good) =
            read_entries(&bytes).map_err(|reason| JournalError::Damaged { path: path.to_path_buf(), reason })?;
        if good < bytes.len() {
            file.0.set_len(good as u64).and_then(|()| file.0.sync_data()).map_err(io_error)?;
        }
        file.0.seek(SeekFrom::Start(good as u64)).map_err(io_error)?;
        Ok((Self { path: path.to_path_buf(), file, entries: PhantomData }, entries))
    }

    pub fn add(&mut self, entry: &T) -> Result<(), JournalError> {
        let line = to_json(entry, &self.path)?;
        (self.file.0.write_all(format!("{line}\n").as_bytes()))
            .and_then(|()| self.file.0.sync_data())
            .map_err(|error| JournalError::Io { path: self.path.clone(), error })
    }
}

/// The entries of whole lines, and the length of what is good. A last line that does not parse was torn; one in the
/// middle means that somebody edited the file.
fn read_entries<T: DeserializeOwned>(bytes: &[u8]) -> Result<(Vec<T>, usize), String> {
    let mut entries = Vec::new();
    let mut good = 0;
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let is_last = good + line.len() == bytes.len();
        match serde_json::from_slice(line) {
            Ok(entry) if line.ends_with(b"\n") => {
                entries.push(entry);
                good += line.len();
            }
            Err(error) if !is_last => return Err(format!("line {}: {error}", number + 1)),
            _ => break,
        }
    }
    Ok((entries, good))
}

/// A file that nobody else locks. The lock dies with its holder, even by kill -9.
struct Locked(File);

impl Locked {
    fn new(file: File, path: &Path) -> Result<Locked, JournalError> {
        match file.try_lock() {
            Ok(()) => Ok(Locked(file)),
            Err(TryLockError::WouldBlock) => {
                Err(JournalError::InUse { folder: path.parent().unwrap_or(path).to_path_buf() })
            }
            Err(TryLockError::Error(error)) => Err(JournalError::Io { path: path.to_path_buf(), error }),
        }
    }
}

impl Drop for Locked {
    /// Closing alone is not enough: a player being started at this moment has a copy of the descriptor until it is on its way.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// Writes a file whole or not at all.
pub fn write_whole(path: &Path, text: &str) -> Result<(), JournalError> {
    let unfinished = path.with_extension("unfinished");
    let write = || -> io::Result<()> {
        let mut file = File::create(&unfinished)?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        fs::rename(&unfinished, path)
    };
    write().map_err(|error| JournalError::Io { path: path.to_path_buf(), error })
}

/// Writes a value as JSON, whole or not at all.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), JournalError> {
    let damaged =
        |error: serde_json::Error| JournalError::Damaged { path: path.to_path_buf(), reason: error.to_string() };
    let text = serde_json::to_string_pretty(value).map_err(damaged)?;
    write_whole(path, &(text + "\n"))
}

/// Reads such a value again; `None` if there is no such file.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, JournalError> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| JournalError::Damaged { path: path.to_path_buf(), reason: error.to_string() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(JournalError::Io { path: path.to_path_buf(), error }),
    }
}

/// Names of the settings in which two values differ, for telling a user why a folder is not the right one.
pub fn differing_fields<T: Serialize>(one: &T, other: &T) -> Vec<String> {
    let fields = |value: &T| serde_json::to_value(value).unwrap_or_default();
    let (one, other) = (fields(one), fields(other));
    let differing = one.as_object().into_iter().flatten().filter(|(name, value)| other.get(name) != Some(value));
    differing.map(|(name, _)| name.clone()).collect()
}

fn to_json(value: &impl Serialize, path: &Path) -> Result<String, JournalError> {
    serde_json::to_string(value)
        .map_err(|error| JournalError::Damaged { path: path.to_path_buf(), reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_count() {
        let whole = b"1\n2\n3\n";
        for cut in 0..=whole.len() {
            let (entries, good) = read_entries::<u32>(&whole[..cut]).unwrap();
            assert_eq!(entries.len(), cut / 2);
            assert_eq!(good, cut / 2 * 2);
        }
        assert_eq!(read_entries::<u32>(b"1\n{\"to").unwrap().1, 2);
        assert!(read_entries::<u32>(b"1\nx\n3\n").unwrap_err().starts_with("line 2:"));
    }

    #[test]
    fn a_closed_journal_is_free_even_while_a_starting_player_has_its_descriptor() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (mut journal, _) = Journal::open(&path).unwrap();
        journal.add(&1u32).unwrap();
        assert!(matches!(Journal::<u32>::open(&path), Err(JournalError::InUse { .. })));
        let inherited = journal.file.0.try_clone().unwrap();
        drop(journal);
        let (_journal, entries) = Journal::<u32>::open(&path).unwrap();
        assert_eq!(entries, [1]);
        drop(inherited);
    }
}
