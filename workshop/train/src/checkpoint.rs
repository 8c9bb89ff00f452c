//! The state of a training run on disk: written whole or not at all.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use jigo_net::weights::{Precision, Weights, WeightsError};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};

use crate::optimizer::Optimizer;

#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("cannot use {path}: {source}")]
    File { path: PathBuf, source: std::io::Error },
    #[error("{path}: {source}")]
    Weights { path: PathBuf, source: WeightsError },
    #[error("{path} is not a checkpoint of this program: {reason}")]
    Format { path: PathBuf, reason: String },
    #[error("the run in {0} trains another architecture; choose another folder")]
    OtherArchitecture(PathBuf),
}

/// Writes beside the target and renames, so that a reader or a crash never meets half a file.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), CheckpointError> {
    let failed = |source| CheckpointError::File { path: path.to_path_buf(), source };
    let partial = path.with_extension("partial");
    let mut file = std::fs::File::create(&partial).map_err(failed)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(failed)?;
    std::fs::rename(&partial, path).map_err(failed)
}

pub fn read(path: &Path) -> Result<Vec<u8>, CheckpointError> {
    std::fs::read(path).map_err(|source| CheckpointError::File { path: path.to_path_buf(), source })
}

pub fn read_weights(path: &Path) -> Result<Weights, CheckpointError> {
    let failed = |source| CheckpointError::Weights { path: path.to_path_buf(), source };
    Weights::from_bytes(&read(path)?).map_err(failed)
}

pub fn write_weights(path: &Path, weights: &Weights, precision: Precision) -> Result<(), CheckpointError> {
    let failed = |source| CheckpointError::Weights { path: path.to_path_buf(), source };
    write_atomically(path, &weights.to_bytes(precision).map_err(failed)?)
}

/// Where a run keeps its checkpoint.
pub fn state_path(run: &Path) -> PathBuf {
    run.join("state.safetensors")
}

/// Everything needed to go on as if nothing had happened.
pub struct Checkpoint {
    /// What the numbers are of, in words that tell one kind of net from another.
    pub architecture: String,
    pub step: u64,
    pub optimizer: Optimizer,
}

const PARTS: [&str; 4] = ["values", "velocity", "squares", "average"];

impl Checkpoint {
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        let optimizer = &self.optimizer;
        let bytes: Vec<Vec<u8>> = [&optimizer.values, &optimizer.velocity, &optimizer.squares, &optimizer.average]
            .iter()
            .map(|part| part.iter().flat_map(|value| value.to_le_bytes()).collect())
            .collect();
        let metadata = HashMap::from([
            ("architecture".to_string(), self.architecture.clone()),
            ("step".to_string(), self.step.to_string()),
        ]);
        let wrong = |error: safetensors::SafeTensorError| format_error(path, &error.to_string());
        let mut views = Vec::new();
        for (name, bytes) in PARTS.iter().zip(&bytes) {
            views.push((*name, TensorView::new(Dtype::F32, vec![optimizer.values.len()], bytes).map_err(wrong)?));
        }
        write_atomically(path, &serialize(views, Some(metadata)).map_err(wrong)?)
    }

    /// Where a run stands, if it has begun.
    pub fn of_run(run: &Path, architecture: &str, len: usize) -> Result<Option<Checkpoint>, CheckpointError> {
        let state = state_path(run);
        if !state.exists() {
            return Ok(None);
        }
        let checkpoint = Checkpoint::read(&state)?;
        if checkpoint.architecture != architecture || checkpoint.optimizer.values.len() != len {
            return Err(CheckpointError::OtherArchitecture(run.to_path_buf()));
        }
        Ok(Some(checkpoint))
    }

    pub fn read(path: &Path) -> Result<Checkpoint, CheckpointError> {
        let bytes = read(path)?;
        let wrong = |reason: &str| format_error(path, reason);
        let (_, header) = SafeTensors::read_metadata(&bytes).map_err(|error| wrong(&error.to_string()))?;
        let field = |name: &str| header.metadata().as_ref().and_then(|m| m.get(name)).ok_or_else(|| wrong(name));
        let architecture = field("architecture")?.clone();
        let step = field("step")?.parse().map_err(|_| wrong("the step is not a number"))?;
        let file = SafeTensors::deserialize(&bytes).map_err(|error| wrong(&error.to_string()))?;
        let len: usize = file.tensor(PARTS[0]).map_err(|error| wrong(&error.to_string()))?.shape().iter().product();
        let part = |name: &str| -> Result<Vec<f32>, CheckpointError> {
            let view = file.tensor(name).map_err(|error| wrong(&error.to_string()))?;
            if view.dtype() != Dtype::F32 || view.shape() != [len] || len == 0 {
                return Err(wrong("a part has the wrong shape"));
            }
            let numbers = view.data().chunks_exact(4);
            Ok(numbers.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
        };
        let [values, velocity, squares, average] = PARTS;
        let (values, velocity) = (part(values)?, part(velocity)?);
        let optimizer = Optimizer { values, velocity, squares: part(squares)?, average: part(average)? };
        Ok(Checkpoint { architecture, step, optimizer })
    }
}

fn format_error(path: &Path, reason: &str) -> CheckpointError {
    CheckpointError::Format { path: path.to_path_buf(), reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimizer::initial_values;
    use jigo_board::Rng;
    use jigo_net::Architecture;
    use jigo_net::weights::Layout;

    #[test]
    fn a_run_comes_back_as_it_was_and_damage_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.safetensors");
        let architecture: Architecture =
            "planes=compact-1 channels=16 blocks=r head=16 hidden=16 value=labels ownership=no".parse().unwrap();
        let optimizer = Optimizer::new(initial_values(&Layout::new(&architecture), &mut Rng::new(1)));
        let checkpoint = Checkpoint { architecture: architecture.to_string(), step: 42, optimizer };
        checkpoint.write(&path).unwrap();
        let back = Checkpoint::read(&path).unwrap();
        assert_eq!((back.step, &back.architecture), (42, &checkpoint.architecture));
        assert_eq!(back.optimizer.values, checkpoint.optimizer.values);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert!(matches!(Checkpoint::read(&path), Err(CheckpointError::Format { .. })));
    }
}
