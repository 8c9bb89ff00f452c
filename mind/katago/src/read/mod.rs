//! Reading KataGo's net files, model versions 8 to 17: `.bin.gz`, `.txt.gz`, or either of them unpacked.
//!
//! Which it is shows in the bytes. The file is a row of words, with blocks of floats between them whose lengths follow from the words, so
//! it is walked from its first byte to its last; a file that is not exactly one net is refused in one sentence.

mod blocks;
mod heads;
mod layers;
mod stream;

use std::io;

use crate::model::{GLOBALS, METADATA, MetadataEncoder, Model, Multipliers, PLANES, RmsTip, Tip, Trunk};
use stream::Stream;

/// More layers deep, wide or in a row than any net has.
const MOST_CHANNELS: usize = 8192;
const MOST_BLOCKS: usize = 1000;

/// Why a file is no net we can run.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("this is not a KataGo net: it does not begin with a name and a version")]
    Foreign,
    #[error("the net is of model version {0}; 8 to 17 can be read")]
    Version(i64),
    #[error("the net file is damaged: it ends within {place}")]
    Ends { place: String },
    #[error("the net file is damaged: within {place} it cannot be unpacked ({error})")]
    Packing { place: String, error: io::Error },
    #[error("the net file is damaged, or newer than this program: in {place}, {what}")]
    Layer { place: String, what: String },
    #[error(
        "the net file is damaged, or no net: {place} would need more than the {floats_left} numbers it can still hold"
    )]
    TooLarge { place: String, floats_left: usize },
}

impl Model {
    /// Reads a whole file.
    pub fn read(file: &[u8]) -> Result<Model, ReadError> {
        let stream = &mut Stream::new(file);
        let Header { name, version, multipliers, metadata, area_with_suicide } = Header::read(stream)?;
        let reader = &mut Reader { stream, version };
        let trunk = reader.trunk(metadata)?;
        let policy = reader.policy_head(trunk.channels())?;
        let value = reader.value_head(trunk.channels())?;
        reader.stream.end()?;
        let numbers = reader.stream.numbers();
        Ok(Model { name, version, multipliers, area_with_suicide, trunk, policy, value, numbers })
    }
}

/// What a file says before its layers.
pub struct Header {
    pub name: String,
    pub version: u32,
    multipliers: Multipliers,
    /// Can it be told who plays?
    pub metadata: bool,
    area_with_suicide: bool,
}

impl Header {
    /// From the beginning of a file, a few hundred bytes.
    pub fn of(beginning: &[u8]) -> Result<Header, ReadError> {
        Header::read(&mut Stream::new(beginning))
    }

    fn read(stream: &mut Stream<'_>) -> Result<Header, ReadError> {
        let foreign = |error| if matches!(error, ReadError::Layer { .. }) { ReadError::Foreign } else { error };
        let name = stream.word().map_err(foreign)?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.';
        if name.len() > 96 || !name.chars().all(is_name) {
            return Err(ReadError::Foreign);
        }
        let number = stream.integer("the version").map_err(foreign)?;
        let version = u32::try_from(number).ok().filter(|version| (8..=17).contains(version));
        let version = version.ok_or(ReadError::Version(number))?;
        for (what, expected) in [("the number of input planes", PLANES), ("the number of global inputs", GLOBALS)] {
            let number = stream.size(what, MOST_CHANNELS)?;
            if number != expected {
                return Err(stream.fault(format!("{what} is {number}, not {expected}")));
            }
        }
        let multipliers = if version >= 13 { multipliers(stream)? } else { OLD_MULTIPLIERS };
        let (mut metadata, mut area_with_suicide) = (false, false);
        if version >= 15 {
            metadata = stream.flag("the version of the metadata")?;
            area_with_suicide = stream.flag("the choice of area")?;
            stream.zeros(6)?;
        }
        Ok(Header { name, version, multipliers, metadata, area_with_suicide })
    }
}

/// What versions before 13 mean without saying it.
const OLD_MULTIPLIERS: Multipliers = Multipliers {
    score_mean: 20.0,
    score_stdev: 20.0,
    lead: 20.0,
    variance_time: 40.0,
    value_error: 0.25,
    score_error: 30.0,
};

fn multipliers(stream: &mut Stream<'_>) -> Result<Multipliers, ReadError> {
    let mut next = || match stream.float("a multiplier") {
        Ok(number) if number > 0.0 => Ok(number),
        Ok(number) => Err(stream.fault(format!("a multiplier is {number}, not above 0"))),
        Err(error) => Err(error),
    };
    // The first one belongs to an output that only training uses.
    next()?;
    Ok(Multipliers {
        score_mean: next()?,
        score_stdev: next()?,
        lead: next()?,
        variance_time: next()?,
        value_error: next()?,
        score_error: next()?,
    })
}

/// Reads layers; some differ by version.
struct Reader<'a, 'b> {
    stream: &'b mut Stream<'a>,
    version: u32,
}

impl Reader<'_, '_> {
    fn trunk(&mut self, metadata: bool) -> Result<Trunk, ReadError> {
        self.stream.name()?;
        let count = self.stream.size("the number of blocks", MOST_BLOCKS)?;
        let channels = self.stream.size("the number of channels", MOST_CHANNELS)?;
        // Four more channel numbers, which every layer repeats for itself.
        for _ in 0..4 {
            self.stream.integer("a number of channels")?;
        }
        let mut rms_tip = false;
        if self.version >= 15 {
            rms_tip = self.stream.flag("the kind of the tip")?;
            self.stream.zeros(5)?;
        }
        let stem = self.conv(PLANES, Some(channels))?;
        let globals = self.matmul(GLOBALS, Some(channels))?;
        let metadata = if metadata { Some(self.metadata_encoder(channels)?) } else { None };
        let blocks = self.blocks(count, channels, 0)?;
        let tip = if rms_tip { Tip::Rms(self.rms_tip(channels)?) } else { Tip::Batch(self.norm_act(channels)?) };
        Ok(Trunk { stem, globals, metadata, blocks, tip })
    }

    fn rms_tip(&mut self, channels: usize) -> Result<RmsTip, ReadError> {
        let epsilon = self.norm_start(channels)?;
        let spatial = self.stream.flag("whether the norm is over the board")?;
        self.stream.zeros(1)?;
        let gamma = self.stream.floats(&[channels])?;
        let beta = self.stream.floats(&[channels])?;
        Ok(RmsTip { epsilon, spatial, gamma, beta, activation: self.activation()? })
    }

    fn metadata_encoder(&mut self, channels: usize) -> Result<MetadataEncoder, ReadError> {
        self.stream.name()?;
        let inputs = self.stream.size("the number of metadata inputs", MOST_CHANNELS)?;
        if inputs != METADATA {
            return Err(self.stream.fault(format!("the number of metadata inputs is {inputs}, not {METADATA}")));
        }
        let first = self.dense(METADATA, None)?;
        let activation1 = self.activation()?;
        let second = self.dense(first.bias.len(), None)?;
        let activation2 = self.activation()?;
        let out = self.matmul(second.bias.len(), Some(channels))?;
        Ok(MetadataEncoder { first, activation1, second, activation2, out })
    }
}
