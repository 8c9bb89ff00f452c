//! Nets that a worker has been lent: it asks for those it does not have, and keeps the last few.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use jigo_cluster::{Fetch, ParcelName};
use jigo_net::{Net, Weights};
use tempfile::NamedTempFile;

/// The learner, its opponent, and those of the iteration before.
const KEPT: usize = 4;

#[derive(Default)]
pub struct Nets {
    nets: Latest<Net>,
    files: Latest<NamedTempFile>,
}

impl Nets {
    pub fn net(&self, name: ParcelName, fetch: &Fetch<'_>) -> Result<Arc<Net>, String> {
        self.nets.get(name, || read(&fetch_net(name, fetch)?))
    }

    /// The net in a file that only we can read, for a program of ours. One of KataGo's is packed and may become anything, so
    /// it is left to that program, which is bound.
    pub fn file(&self, name: ParcelName, fetch: &Fetch<'_>) -> Result<Arc<NamedTempFile>, String> {
        self.files.get(name, || {
            let bytes = fetch_net(name, fetch)?;
            if Weights::are_in(&bytes) {
                read(&bytes)?;
            }
            let kept = || -> std::io::Result<NamedTempFile> {
                let mut file = NamedTempFile::new()?;
                file.write_all(&bytes)?;
                Ok(file)
            };
            kept().map_err(|error| format!("the net cannot be kept: {error}"))
        })
    }
}

fn fetch_net(name: ParcelName, fetch: &Fetch<'_>) -> Result<Vec<u8>, String> {
    fetch(name).ok_or("the net did not arrive".to_string())
}

fn read(bytes: &[u8]) -> Result<Net, String> {
    Net::from_bytes(bytes).map_err(|error| format!("what arrived is not a net: {error}"))
}

/// Things by name, the latest last.
struct Latest<T>(Mutex<Vec<(ParcelName, Arc<T>)>>);

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Latest(Mutex::default())
    }
}

impl<T> Latest<T> {
    fn get(&self, name: ParcelName, make: impl FnOnce() -> Result<T, String>) -> Result<Arc<T>, String> {
        // Held while a thing is on its way, so that several slots do not ask for the same one.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, thing)) = kept.iter().find(|(known, _)| *known == name) {
            return Ok(thing.clone());
        }
        let thing = Arc::new(make()?);
        kept.push((name, thing.clone()));
        if kept.len() > KEPT {
            kept.remove(0);
        }
        Ok(thing)
    }
}
