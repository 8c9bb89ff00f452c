//! One server per folder: two would overwrite each other's games. The one that is there leaves its address for the one that comes.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

#[derive(Debug, Error)]
pub enum CannotOpen {
    /// Another server has the folder; its address, once it has one.
    #[error("another Jigo has these games open{}", .url.as_ref().map(|url| format!(" at {url}")).unwrap_or_default())]
    Taken { url: Option<String> },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Held as long as the server lives; the system lets go of it however the process ends.
pub struct FolderLock {
    _file: File,
    address: PathBuf,
}

impl FolderLock {
    pub fn take(folder: &Path) -> Result<FolderLock, CannotOpen> {
        let address = folder.join("address");
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join("lock"))?;
        match file.try_lock() {
            Ok(()) => {
                // Whatever is written there is of a server that has ended.
                let _ = fs::remove_file(&address);
                Ok(FolderLock { _file: file, address })
            }
            Err(TryLockError::WouldBlock) => {
                let url = fs::read_to_string(&address).ok().filter(|url| url.starts_with("http://"));
                Err(CannotOpen::Taken { url })
            }
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// Tells those who come later where the games are. The address may hold the token, so it is for its owner's eyes only.
    pub fn announce(&self, url: &str) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.create(true).truncate(true).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&self.address)?.write_all(url.as_bytes())
    }
}
