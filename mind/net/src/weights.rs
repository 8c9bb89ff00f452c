//! The numbers of a net, one flat array with names, and their file form (safetensors).

use std::collections::HashMap;

use half::f16;
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use sha2::{Digest, Sha256};

use crate::architecture::{Architecture, Block, POINT_OUTPUTS};

/// Added to a variance before its root, in training and in play.
pub const NORM_EPSILON: f32 = 1e-4;

/// What a tensor is for; training starts and treats each kind differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A weight matrix or filter bank with this many inputs per output, in front of a rectifier.
    Weights {
        inputs: usize,
    },
    /// A weight matrix whose outputs start at zero.
    ZeroWeights,
    Bias,
    /// The factor of a normalisation, with its starting value in thousandths.
    Scale {
        start: u16,
    },
    /// The running mean and variance of a normalisation: measured, not trained.
    Mean,
    Variance,
}

impl Role {
    pub fn is_trained(self) -> bool {
        !matches!(self, Role::Mean | Role::Variance)
    }
}

#[derive(Clone, Debug)]
pub struct Tensor {
    pub name: String,
    pub shape: Vec<usize>,
    pub role: Role,
    pub start: usize,
}

impl Tensor {
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.shape.iter().product::<usize>()
    }
}

/// A convolution without bias and the normalisation behind it, as ranges of the flat array.
#[derive(Clone, Debug)]
pub struct NormedRanges {
    pub taps: std::ops::Range<usize>,
    pub scale: std::ops::Range<usize>,
    pub shift: std::ops::Range<usize>,
    pub mean: std::ops::Range<usize>,
    pub variance: std::ops::Range<usize>,
}

#[derive(Clone, Debug)]
pub struct BlockRanges {
    pub first: NormedRanges,
    /// `[2 * channels][channels]`, in a pooled block.
    pub pool: Option<std::ops::Range<usize>>,
    pub second: NormedRanges,
}

/// Which part of the flat array is what.
#[derive(Clone, Debug)]
pub struct Layout {
    pub tensors: Vec<Tensor>,
    pub stem: NormedRanges,
    pub blocks: Vec<BlockRanges>,
    pub head: NormedRanges,
    /// `[head][POINT_OUTPUTS]`
    pub points: std::ops::Range<usize>,
    /// `[2 * head][hidden]` and `[hidden]`
    pub hidden: std::ops::Range<usize>,
    pub hidden_bias: std::ops::Range<usize>,
    /// `[hidden][pooled outputs]` and `[pooled outputs]`
    pub pooled: std::ops::Range<usize>,
    pub pooled_bias: std::ops::Range<usize>,
}

/// Appends tensors one behind the other.
struct Builder(Vec<Tensor>);

impl Builder {
    fn add(&mut self, name: String, shape: &[usize], role: Role) -> std::ops::Range<usize> {
        let start = self.0.last().map_or(0, |tensor| tensor.range().end);
        let tensor = Tensor { name, shape: shape.to_vec(), role, start };
        let range = tensor.range();
        self.0.push(tensor);
        range
    }

    fn normed(&mut self, name: &str, taps: usize, inputs: usize, outputs: usize, start: u16) -> NormedRanges {
        let weights = Role::Weights { inputs: taps * inputs };
        NormedRanges {
            taps: self.add(format!("{name}.taps"), &[taps, inputs, outputs], weights),
            scale: self.add(format!("{name}.norm.scale"), &[outputs], Role::Scale { start }),
            shift: self.add(format!("{name}.norm.shift"), &[outputs], Role::Bias),
            mean: self.add(format!("{name}.norm.mean"), &[outputs], Role::Mean),
            variance: self.add(format!("{name}.norm.variance"), &[outputs], Role::Variance),
        }
    }
}

impl Layout {
    pub fn new(architecture: &Architecture) -> Layout {
        let (channels, head, hidden) = (architecture.channels, architecture.head, architecture.hidden);
        let outputs = architecture.pooled_outputs();
        let mut builder = Builder(Vec::new());
        let stem = builder.normed("stem", 9, architecture.planes.channels(), channels, 1000);
        let blocks = architecture
            .blocks
            .iter()
            .enumerate()
            .map(|(i, block)| BlockRanges {
                first: builder.normed(&format!("block{i}.first"), 9, channels, channels, 1000),
                pool: (*block == Block::Pooled)
                    .then(|| builder.add(format!("block{i}.pool"), &[2 * channels, channels], Role::ZeroWeights)),
                // A block starts close to the identity, which lets a deep tower learn from the first step.
                second: builder.normed(&format!("block{i}.second"), 9, channels, channels, 200),
            })
            .collect();
        let head_ranges = builder.normed("head", 1, channels, head, 1000);
        Layout {
            stem,
            blocks,
            head: head_ranges,
            points: builder.add("points".into(), &[head, POINT_OUTPUTS], Role::ZeroWeights),
            hidden: builder.add("hidden".into(), &[2 * head, hidden], Role::Weights { inputs: 2 * head }),
            hidden_bias: builder.add("hidden.bias".into(), &[hidden], Role::Bias),
            pooled: builder.add("pooled".into(), &[hidden, outputs], Role::ZeroWeights),
            pooled_bias: builder.add("pooled.bias".into(), &[outputs], Role::Bias),
            tensors: builder.0,
        }
    }

    pub fn len(&self) -> usize {
        self.tensors.last().map_or(0, |tensor| tensor.range().end)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    #[error("this is not a safetensors file: {0}")]
    Format(#[from] safetensors::SafeTensorError),
    #[error("the file does not say which net it holds")]
    NoArchitecture,
    #[error(transparent)]
    Architecture(#[from] crate::architecture::ArchitectureError),
    #[error("tensor {0} is missing or has another shape")]
    Tensor(String),
    #[error("tensor {0} holds a number that is not finite")]
    NotFinite(String),
    #[error("the net is damaged: its weights are not those that were saved")]
    Damaged,
}

/// How numbers are stored in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// For checkpoints.
    Full,
    /// For shipping: half the size, and the difference is far below what training noise leaves.
    Half,
}

/// Under this name a file says what it should hold. Files of earlier versions do not say it.
pub const DIGEST: &str = "sha256";

/// What a digest is made of: all notes in order, then all numbers as they are stored.
fn digest(notes: &HashMap<String, String>) -> Sha256 {
    let mut sorted: Vec<_> = notes.iter().collect();
    sorted.sort();
    let mut digest = Sha256::new();
    for (name, text) in sorted {
        digest.update(format!("{name}={text}\n"));
    }
    digest
}

fn hex(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A net as plain numbers, with notes about where it comes from.
#[derive(Clone)]
pub struct Weights {
    pub architecture: Architecture,
    pub values: Vec<f32>,
    /// Free text: data, steps, measured accuracy.
    pub notes: HashMap<String, String>,
}

impl Weights {
    /// Does a file that begins like this hold weights of ours? They begin with a length of eight bytes and a table in JSON.
    pub fn are_in(beginning: &[u8]) -> bool {
        beginning.get(8) == Some(&b'{')
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let (_, header) = SafeTensors::read_metadata(bytes)?;
        let mut notes = header.metadata().clone().unwrap_or_default();
        let promised = notes.remove(DIGEST);
        let mut found = digest(&notes);
        let architecture: Architecture = notes.remove("architecture").ok_or(WeightsError::NoArchitecture)?.parse()?;
        let file = SafeTensors::deserialize(bytes)?;
        let layout = Layout::new(&architecture);
        let mut values = vec![0.0; layout.len()];
        for tensor in &layout.tensors {
            let wrong = || WeightsError::Tensor(tensor.name.clone());
            let view = file.tensor(&tensor.name).map_err(|_| wrong())?;
            if view.shape() != tensor.shape {
                return Err(wrong());
            }
            found.update(view.data());
            read_values(&view, &mut values[tensor.range()]).ok_or_else(wrong)?;
            if values[tensor.range()].iter().any(|value| !value.is_finite()) {
                return Err(WeightsError::NotFinite(tensor.name.clone()));
            }
        }
        if promised.is_some_and(|promised| promised != hex(found)) {
            return Err(WeightsError::Damaged);
        }
        Ok(Weights { architecture, values, notes })
    }

    pub fn to_bytes(&self, precision: Precision) -> Result<Vec<u8>, WeightsError> {
        let layout = Layout::new(&self.architecture);
        let (dtype, bytes): (Dtype, Vec<u8>) = match precision {
            Precision::Full => (Dtype::F32, self.values.iter().flat_map(|v| v.to_le_bytes()).collect()),
            Precision::Half => (Dtype::F16, self.values.iter().flat_map(|v| f16::from_f32(*v).to_le_bytes()).collect()),
        };
        let width = bytes.len() / self.values.len();
        let mut views = Vec::new();
        for tensor in &layout.tensors {
            let range = tensor.range();
            let data = &bytes[range.start * width..range.end * width];
            views.push((tensor.name.clone(), TensorView::new(dtype, tensor.shape.clone(), data)?));
        }
        let mut metadata = self.notes.clone();
        metadata.insert("architecture".into(), self.architecture.to_string());
        metadata.insert(DIGEST.into(), hex(digest(&metadata).chain_update(&bytes)));
        Ok(serialize(views, Some(metadata))?)
    }
}

fn read_values(view: &TensorView<'_>, to: &mut [f32]) -> Option<()> {
    match view.dtype() {
        Dtype::F32 => {
            for (to, bytes) in to.iter_mut().zip(view.data().chunks_exact(4)) {
                *to = f32::from_le_bytes(bytes.try_into().ok()?);
            }
        }
        Dtype::F16 => {
            for (to, bytes) in to.iter_mut().zip(view.data().chunks_exact(2)) {
                *to = f16::from_le_bytes(bytes.try_into().ok()?).to_f32();
            }
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::noise;

    fn small() -> Weights {
        let architecture: Architecture =
            "planes=compact-1 channels=16 blocks=rp head=16 hidden=16 value=mixture ownership=yes".parse().unwrap();
        let values = noise(1, Layout::new(&architecture).len());
        Weights { architecture, values, notes: HashMap::from([("origin".into(), "noise".into())]) }
    }

    #[test]
    fn full_precision_round_trips_exactly_and_half_to_three_digits() {
        let weights = small();
        let full = Weights::from_bytes(&weights.to_bytes(Precision::Full).unwrap()).unwrap();
        assert_eq!(full.values, weights.values);
        assert_eq!(full.architecture, weights.architecture);
        assert_eq!(full.notes, weights.notes);
        let half = Weights::from_bytes(&weights.to_bytes(Precision::Half).unwrap()).unwrap();
        crate::kernel::tests::assert_close(&half.values, &weights.values, 5e-4);
    }

    #[test]
    fn one_flipped_bit_anywhere_in_the_weights_is_noticed() {
        let sound = small().to_bytes(Precision::Half).unwrap();
        let data = 8 + SafeTensors::read_metadata(&sound).unwrap().0;
        for at in (data..sound.len()).step_by(101) {
            let mut flipped = sound.clone();
            flipped[at] ^= 1;
            let error = Weights::from_bytes(&flipped).err().map(|error| error.to_string());
            assert_eq!(error.as_deref(), Some("the net is damaged: its weights are not those that were saved"), "{at}");
        }
        // In the table before the weights a flipped bit may spoil more than the digest, but nothing passes unseen except in
        // its very name, which makes the net one of those that have none.
        for at in 0..data {
            let mut flipped = sound.clone();
            flipped[at] ^= 1;
            let is_name = sound[..data].windows(DIGEST.len()).position(|part| part == DIGEST.as_bytes());
            let spares_name = is_name.is_none_or(|name| !(name..name + DIGEST.len()).contains(&at));
            assert!(Weights::from_bytes(&flipped).is_err() || !spares_name, "{at}: {:?}", sound[at] as char);
        }
    }

    #[test]
    fn a_net_without_a_digest_is_still_read() {
        let weights = small();
        let bytes: Vec<u8> = weights.values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let layout = Layout::new(&weights.architecture);
        let view = |tensor: &Tensor| {
            let range = tensor.range();
            let data = &bytes[range.start * 4..range.end * 4];
            (tensor.name.clone(), TensorView::new(Dtype::F32, tensor.shape.clone(), data).unwrap())
        };
        let metadata = HashMap::from([("architecture".to_string(), weights.architecture.to_string())]);
        let old = serialize(layout.tensors.iter().map(view), Some(metadata)).unwrap();
        assert_eq!(Weights::from_bytes(&old).unwrap().values, weights.values);
    }

    #[test]
    fn damaged_files_are_refused_in_one_sentence() {
        let bytes = small().to_bytes(Precision::Half).unwrap();
        assert!(Weights::from_bytes(&bytes[..bytes.len() - 7]).is_err());
        assert!(Weights::from_bytes(b"not a net").is_err());
        let mut broken = small();
        broken.values[5] = f32::NAN;
        let bytes = broken.to_bytes(Precision::Full).unwrap();
        assert!(matches!(Weights::from_bytes(&bytes), Err(WeightsError::NotFinite(name)) if name == "stem.taps"));
    }
}
