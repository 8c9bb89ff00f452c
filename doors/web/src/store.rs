//! Saved games: one SGF file each, in one folder. A file is replaced in one step, so a crash leaves the old record or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::messages::SavedGame;
use crate::refusal::Refusal;
use crate::table::summary;

pub struct Store {
    folder: PathBuf,
}

/// More files than these are not listed, and no more are made.
pub const MOST_GAMES: usize = 2000;
/// No record of ours is nearly as long; a longer file was put there by somebody else.
const LONGEST_RECORD: u64 = 16 << 20;

impl Store {
    pub fn open(folder: &Path) -> io::Result<Store> {
        fs::create_dir_all(folder)?;
        Ok(Store { folder: folder.to_owned() })
    }

    pub fn save(&self, id: &str, sgf: &str) -> Result<(), Refusal> {
        self.replace(id, sgf).map_err(|error| Refusal::Storage(format!("the game could not be saved: {error}")))
    }

    fn replace(&self, id: &str, sgf: &str) -> io::Result<()> {
        let path = self.path(id);
        let draft = path.with_extension("sgf.new");
        let mut file = File::create(&draft)?;
        file.write_all(sgf.as_bytes())?;
        file.sync_all()?;
        fs::rename(&draft, &path)?;
        // Where folders can be synced this makes the new name last; elsewhere it does no harm to have tried.
        let _ = File::open(&self.folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    pub fn load(&self, id: &str) -> Result<String, Refusal> {
        let unknown = || Refusal::NotFound("there is no such game".to_owned());
        if !is_id(id) {
            return Err(unknown());
        }
        match self.read(&self.path(id)) {
            Ok(sgf) => Ok(sgf),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(unknown()),
            Err(error) => Err(Refusal::Storage(format!("the game could not be read: {error}"))),
        }
    }

    fn read(&self, path: &Path) -> io::Result<String> {
        if fs::metadata(path)?.len() > LONGEST_RECORD {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is too long"));
        }
        fs::read_to_string(path)
    }

    pub fn remove(&self, id: &str) -> Result<(), Refusal> {
        self.load(id)?;
        fs::remove_file(self.path(id))
            .map_err(|error| Refusal::Storage(format!("the game could not be deleted: {error}")))
    }

    /// All saved games, the latest first. What cannot be read is left out.
    pub fn list(&self) -> Vec<SavedGame> {
        let mut games: Vec<SavedGame> = self.files().filter_map(|path| self.describe(&path)).collect();
        games.sort_by(|a, b| b.changed.cmp(&a.changed).then(a.id.cmp(&b.id)));
        games
    }

    pub fn is_full(&self) -> bool {
        self.files().count() >= MOST_GAMES
    }

    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().filter_map(Result::ok);
        entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|end| end == "sgf"))
            .take(MOST_GAMES)
    }

    fn describe(&self, path: &Path) -> Option<SavedGame> {
        let id = path.file_stem()?.to_str().filter(|id| is_id(id))?.to_owned();
        let changed = fs::metadata(path).ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_secs();
        summary(id, &self.read(path).ok()?, changed)
    }

    fn path(&self, id: &str) -> PathBuf {
        debug_assert!(is_id(id));
        self.folder.join(id).with_extension("sgf")
    }
}

/// Names of games are made by us: short, small letters and digits, nothing a file system could take for more than a name.
fn is_id(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_paths_are_unknown_games() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("games")).unwrap();
        fs::write(folder.path().join("secret.sgf"), "(;)").unwrap();
        for name in ["../secret", "..", "", "a/b", "A", "a.b", &"a".repeat(33)] {
            assert!(matches!(store.load(name), Err(Refusal::NotFound(_))), "{name}");
            assert!(matches!(store.remove(name), Err(Refusal::NotFound(_))), "{name}");
        }
    }

    #[test]
    fn a_saved_game_replaces_the_former_one_and_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.save("abc", "(;SZ[9]GN[one])").unwrap();
        store.save("abc", "(;SZ[9]GN[two];B[aa])").unwrap();
        fs::write(folder.path().join("broken.sgf"), "no record").unwrap();
        fs::write(folder.path().join("abc.sgf.new"), "(;half").unwrap();
        let listed = store.list();
        assert_eq!(listed.len(), 1);
        assert_eq!((listed[0].name.as_str(), listed[0].moves), ("two", 1));
        store.remove("abc").unwrap();
        assert!(store.list().is_empty());
    }
}
