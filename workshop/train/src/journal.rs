//! A file that only grows: whole entries one behind the other. A kill at any moment costs the entry being written, no more.
//!
//! After a line that says what the file holds, every entry is its length and a checksum (four bytes each, little-endian) and
//! then the entry itself, packed by postcard. What a kill tore off at the end is cut away when the journal is opened again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("cannot use {path}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error("{0} is not {1}")]
    OtherContent(PathBuf, &'static str),
    #[error("somebody else is writing {0}")]
    InUse(PathBuf),
    #[error("{0} holds an entry that this program does not understand")]
    Entry(PathBuf),
}

/// What a journal can hold.
pub trait Entry: Serialize + DeserializeOwned {
    /// What a file of these is, for its first line and for complaints. It changes when the meaning of an entry does.
    const WHAT: &'static str;
}

const FRAME: usize = 8;

/// A journal open for writing, locked against a second writer.
pub struct Journal<T> {
    path: PathBuf,
    file: File,
    entries: PhantomData<T>,
}

impl<T: Entry> Journal<T> {
    /// Opens or begins a journal and gives what it holds.
    pub fn open(path: &Path) -> Result<(Journal<T>, Vec<T>), JournalError> {
        let failed = |source| JournalError::File { path: path.to_path_buf(), source };
        let open = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = open.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(path.to_path_buf())),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        // Where locks are binding, only its holder can read the file.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let header = header::<T>();
        let entries = if header.starts_with(&bytes) {
            // Nothing yet, or a first line that was torn.
            file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(&header)).map_err(failed)?;
            Vec::new()
        } else {
            let (entries, good) = read_entries::<T>(path, &bytes)?;
            file.set_len(good as u64).and_then(|()| file.seek(SeekFrom::Start(good as u64))).map_err(failed)?;
            entries
        };
        Ok((Journal { path: path.to_path_buf(), file, entries: PhantomData }, entries))
    }

    pub fn add(&mut self, entry: &T) -> Result<(), JournalError> {
        let failed = |source| JournalError::File { path: self.path.clone(), source };
        let packed = postcard::to_stdvec(entry).map_err(|error| failed(io::Error::other(error)))?;
        let mut frame = (packed.len() as u32).to_le_bytes().to_vec();
        frame.extend(checksum(&packed).to_le_bytes());
        frame.extend(packed);
        self.file.write_all(&frame).and_then(|()| self.file.sync_data()).map_err(failed)
    }
}

/// What a journal holds, also while somebody else goes on writing it.
pub fn read_journal<T: Entry>(path: &Path) -> Result<Vec<T>, JournalError> {
    let bytes = std::fs::read(path).map_err(|source| JournalError::File { path: path.to_path_buf(), source })?;
    Ok(read_entries(path, &bytes)?.0)
}

fn header<T: Entry>() -> Vec<u8> {
    format!("{}\n", T::WHAT).into_bytes()
}

/// The whole entries, and the length of what is good.
fn read_entries<T: Entry>(path: &Path, bytes: &[u8]) -> Result<(Vec<T>, usize), JournalError> {
    let header = header::<T>();
    if !bytes.starts_with(&header) {
        return Err(JournalError::OtherContent(path.to_path_buf(), T::WHAT));
    }
    let (mut entries, mut good) = (Vec::new(), header.len());
    while let Some(frame) = bytes.get(good..good + FRAME) {
        let number = |at: usize| u32::from_le_bytes([frame[at], frame[at + 1], frame[at + 2], frame[at + 3]]);
        let start = good + FRAME;
        let packed = start.checked_add(number(0) as usize).and_then(|end| bytes.get(start..end));
        let Some(packed) = packed.filter(|packed| checksum(packed) == number(4)) else { break };
        entries.push(postcard::from_bytes(packed).map_err(|_| JournalError::Entry(path.to_path_buf()))?);
        good = start + packed.len();
    }
    Ok((entries, good))
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Serialize, serde::Deserialize, Clone, Debug, PartialEq)]
    struct Note(String);

    impl Entry for Note {
        const WHAT: &'static str = "notes of a test, 1";
    }

    fn note(text: &str) -> Note {
        Note(text.to_string())
    }

    #[test]
    fn a_journal_cut_off_anywhere_keeps_its_whole_entries_and_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let notes = [note("one"), note("two"), note("three")];
        let (mut journal, before) = Journal::open(&path).unwrap();
        assert!(before.is_empty());
        notes.iter().for_each(|note| journal.add(note).unwrap());
        assert!(matches!(Journal::<Note>::open(&path), Err(JournalError::InUse(_))));
        assert_eq!(read_journal::<Note>(&path).unwrap(), notes, "readers need no lock");
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let mut most = 0;
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, kept) = Journal::<Note>::open(&path).unwrap();
            assert_eq!(kept, notes[..kept.len()]);
            assert!(kept.len() >= most);
            most = kept.len();
            notes[kept.len()..].iter().for_each(|note| journal.add(note).unwrap());
            drop(journal);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {length}");
        }
        assert_eq!(most, 3);
    }

    #[test]
    fn another_file_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letter");
        std::fs::write(&path, "Dear Sir or Madam\n").unwrap();
        let error = Journal::<Note>::open(&path).err().unwrap();
        assert!(error.to_string().ends_with("is not notes of a test, 1"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "Dear Sir or Madam\n");
    }
}
