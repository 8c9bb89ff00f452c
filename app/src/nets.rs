//! Nets by name or file: ours and KataGo's, and the folder where a person keeps them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use jigo_katago::{KataNet, Model, ReadError};
use jigo_net::kernel::points::{Kernel, Proof};
use jigo_net::{Backend, Net, Weights};

use crate::nearest::did_you_mean;
use crate::places;

/// How a net's file may end; what stands before it is its name.
const ENDINGS: [&str; 6] = [".bin.gz", ".txt.gz", ".bin", ".txt", ".gz", ".safetensors"];

/// The folder where `jigo net add` puts nets.
pub fn folder() -> Option<PathBuf> {
    places::data_folder().map(|folder| folder.join("nets"))
}

/// The files in the folder for nets, by name.
pub fn kept() -> Vec<PathBuf> {
    let entries = folder().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.retain(|path| ENDINGS.iter().any(|ending| file_name(path).ends_with(ending)));
    files.sort();
    files
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What a net is called: its file without folder and ending.
pub fn name(path: &Path) -> String {
    let file = file_name(path);
    let ending = ENDINGS.iter().find(|ending| file.ends_with(*ending)).map_or(0, |ending| ending.len());
    file[..file.len() - ending].to_string()
}

/// The file that is meant: a file as it is named, or a kept net by its name, its file or a part of its name that no other has.
pub fn find(wanted: &str) -> Result<PathBuf> {
    let path = PathBuf::from(wanted);
    if path.is_file() {
        return Ok(path);
    }
    let kept = kept();
    if let Some(exact) = kept.iter().find(|path| name(path) == wanted || file_name(path) == wanted) {
        return Ok(exact.clone());
    }
    let names: Vec<String> = kept.iter().map(|path| name(path)).collect();
    let alike: Vec<&PathBuf> = kept.iter().filter(|path| name(path).contains(wanted)).collect();
    match alike[..] {
        [one] => Ok(one.clone()),
        [] => bail!(
            "there is no net {wanted:?}: no such file, and none of that name among yours{}",
            did_you_mean(wanted, names.iter().map(String::as_str))
        ),
        _ => bail!("{wanted:?} may be any of {} nets of yours: see `jigo net list`", alike.len()),
    }
}

/// A net of either kind.
#[derive(Clone)]
pub enum AnyNet {
    Ours(Arc<Net>),
    KataGo(Arc<KataNet>),
}

impl AnyNet {
    /// As fast as this machine can run it.
    pub fn read(file: &Path) -> Result<AnyNet> {
        AnyNet::read_for(file, Kernel::best())
    }

    /// All in f32, as KataGo computes.
    pub fn read_exact(file: &Path) -> Result<AnyNet> {
        AnyNet::read_for(file, Kernel::exact())
    }

    fn read_for(file: &Path, kernel: Kernel) -> Result<AnyNet> {
        let bytes = fs::read(file).with_context(|| format!("the net {} cannot be read", file.display()))?;
        AnyNet::from_bytes(&bytes, kernel).with_context(|| format!("{} cannot be used", file.display()))
    }

    fn from_bytes(bytes: &[u8], kernel: Kernel) -> Result<AnyNet> {
        if Weights::are_in(bytes) {
            return Ok(AnyNet::Ours(Arc::new(Net::from_bytes(bytes)?)));
        }
        match Model::read(bytes) {
            Ok(model) => {
                for kernel in &Proof::of_this_machine().refused {
                    tracing::warn!(%kernel, used = %Kernel::best(), "this kernel computes wrong numbers on this machine");
                }
                Ok(AnyNet::KataGo(Arc::new(KataNet::new(&model, kernel))))
            }
            Err(ReadError::Foreign) => Err(anyhow!("it is neither a net of Jigo nor one of KataGo")),
            Err(error) => Err(error.into()),
        }
    }

    pub fn backend(self) -> Arc<dyn Backend> {
        match self {
            AnyNet::Ours(net) => net,
            AnyNet::KataGo(net) => net,
        }
    }
}
