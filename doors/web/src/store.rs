//! Saved games: one SGF file each, in one folder. A file is replaced in one step, so a crash leaves the old record or the new one.
//! Whatever else lies in the folder (a pipe, a folder, somebody's notes) harms only itself.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::folder_lock::{CannotOpen, FolderLock};
use crate::library::GameFile;
use crate::refusal::Refusal;

pub struct Store {
    folder: PathBuf,
    lock: FolderLock,
}

/// More files than these are not listed, and no more are made.
pub const MOST_GAMES: usize = 20_000;
/// No record of ours is nearly as long; a longer file was put there by somebody else.
const LONGEST_RECORD: u64 = 16 << 20;
/// A record on its way to be saved.
const DRAFT: &str = "sgf.new";

impl Store {
    /// Takes the folder for itself and clears away what a crash left unfinished.
    pub fn open(folder: &Path) -> Result<Store, CannotOpen> {
        fs::create_dir_all(folder)?;
        let store = Store { folder: folder.to_owned(), lock: FolderLock::take(folder)? };
        let is_draft = |path: &PathBuf| path.to_str().is_some_and(|name| name.ends_with(&format!(".{DRAFT}")));
        store.entries().filter(is_draft).for_each(|draft| drop(fs::remove_file(draft)));
        Ok(store)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Tells those who want the same folder where the games can be seen.
    pub fn announce(&self, url: &str) -> io::Result<()> {
        self.lock.announce(url)
    }

    pub fn save(&self, id: &str, sgf: &str) -> Result<(), Refusal> {
        self.replace(id, sgf).map_err(|error| Refusal::storage("unsaved", &error))
    }

    fn replace(&self, id: &str, sgf: &str) -> io::Result<()> {
        let path = self.path(id);
        let draft = path.with_extension(DRAFT);
        // Half a draft on a full disk would only take room.
        write_whole(&draft, sgf)
            .and_then(|()| fs::rename(&draft, &path))
            .inspect_err(|_| drop(fs::remove_file(&draft)))?;
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
            Err(error) => Err(Refusal::storage("unreadable", &error)),
        }
    }

    pub fn read(&self, path: &Path) -> io::Result<String> {
        // A pipe would keep its reader waiting for ever.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is no file"));
        }
        let mut text = String::new();
        File::open(path)?.take(LONGEST_RECORD + 1).read_to_string(&mut text)?;
        if text.len() as u64 > LONGEST_RECORD {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is too long"));
        }
        Ok(text)
    }

    pub fn remove(&self, id: &str) -> Result<(), Refusal> {
        self.load(id)?;
        fs::remove_file(self.path(id)).map_err(|error| Refusal::storage("undeletable", &error))
    }

    pub fn is_full(&self) -> bool {
        self.files().count() >= MOST_GAMES
    }

    fn entries(&self) -> impl Iterator<Item = PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().filter_map(Result::ok);
        entries.map(|entry| entry.path())
    }

    /// The files that may be games.
    pub fn files(&self) -> impl Iterator<Item = GameFile> {
        let named = self.entries().filter(|path| path.extension().is_some_and(|end| end == "sgf"));
        let file = |path: PathBuf| GameFile::of(&path, path.file_stem()?.to_str().filter(|id| is_id(id))?);
        named.filter_map(file).take(MOST_GAMES)
    }

    fn path(&self, id: &str) -> PathBuf {
        debug_assert!(is_id(id));
        self.folder.join(id).with_extension("sgf")
    }
}

fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
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
    fn the_folder_belongs_to_one_and_a_crash_leaves_no_drafts() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.announce("http://127.0.0.1:1/").unwrap();
        let Err(CannotOpen::Taken { url }) = Store::open(folder.path()) else { panic!("two have one folder") };
        assert_eq!(url.as_deref(), Some("http://127.0.0.1:1/"));
        drop(store);
        fs::write(folder.path().join("abc.sgf.new"), "(;half").unwrap();
        let _store = Store::open(folder.path()).unwrap();
        assert!(!folder.path().join("abc.sgf.new").exists());
        let Err(CannotOpen::Taken { url: None }) = Store::open(folder.path()) else { panic!("an old address") };
    }

    #[test]
    fn a_saved_game_replaces_the_former_one() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        store.save("abc", "(;SZ[9]GN[one])").unwrap();
        store.save("abc", "(;SZ[9]GN[two];B[aa])").unwrap();
        fs::write(folder.path().join("broken.sgf"), "no record").unwrap();
        fs::write(folder.path().join("abc.sgf.new"), "(;half").unwrap();
        assert!(store.load("abc").unwrap().contains("GN[two]"));
        let ids = |store: &Store| store.files().map(|file| file.id).collect::<Vec<_>>();
        assert_eq!(ids(&store).len(), 2, "what is no game is found out by reading it");
        store.remove("abc").unwrap();
        assert_eq!(ids(&store), ["broken"]);
    }
}
