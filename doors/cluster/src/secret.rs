//! Secrets in files: one that its owner wrote and copied to every machine, and one that Jigo makes for the machines that are all
//! this one. Nobody else on a machine may read either.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::seal::random_bytes;

#[derive(Debug, Error)]
pub enum SecretError {
    #[error("the secret in {} cannot be used: {reason}", path.display())]
    Unusable { path: PathBuf, reason: String },
}

/// The first line of a file, which is the secret: `user:password` or any other words.
pub fn read_secret(path: &Path) -> Result<String, SecretError> {
    let refuse = |reason: String| SecretError::Unusable { path: path.to_path_buf(), reason };
    let text = fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
    let secret = text.lines().next().unwrap_or("").trim();
    if secret.is_empty() {
        return Err(refuse("its first line is empty".into()));
    }
    refuse_if_others_read(path).map_err(refuse)?;
    Ok(secret.to_string())
}

#[cfg(unix)]
fn refuse_if_others_read(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path).map_err(|error| error.to_string())?.permissions().mode();
    if mode & 0o077 == 0 { Ok(()) } else { Err("others on this machine can read it; chmod 600 keeps it yours".into()) }
}

#[cfg(not(unix))]
fn refuse_if_others_read(_: &Path) -> Result<(), String> {
    Ok(())
}

/// The secret of this user on this host, made when it is needed first.
pub fn own_secret(path: &Path) -> Result<String, SecretError> {
    // Asked first: who reads before and finds nothing may meet the secret that another has made since.
    if !path.exists() {
        make(path).map_err(|error| SecretError::Unusable { path: path.to_path_buf(), reason: error.to_string() })?;
    }
    read_secret(path)
}

/// Two who make it at the same time end with the same: it appears whole, and only the first.
fn make(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let secret: String = random_bytes::<32>().iter().map(|byte| format!("{byte:02x}")).collect();
    let draft = folder.join(format!(".secret-{:016x}", u64::from_le_bytes(random_bytes())));
    let written = owners_file(&draft).and_then(|mut file| writeln!(file, "{secret}"));
    let linked = written.and_then(|()| fs::hard_link(&draft, path));
    fs::remove_file(&draft).ok();
    match linked {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

fn owners_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_made_once_and_only_its_owner_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jigo/cluster.secret");
        let made = || own_secret(&path).unwrap();
        let secrets: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(made)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(secrets.iter().all(|secret| *secret == secrets[0] && secret.len() == 64), "{secrets:?}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
            assert!(own_secret(&path).unwrap_err().to_string().ends_with("chmod 600 keeps it yours"));
        }
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no drafts are left");
    }
}
