//! `jigo net mix`: a net between two others.
//!
//! A net that went on learning something new forgets a little of what it knew. Its weights lie near those it started from, and a net
//! on the way between the two often has most of both (Wortsman et al. 2022).

use std::path::PathBuf;

use anyhow::ensure;
use jigo_net::weights::Precision;
use jigo_train::checkpoint::{read_weights, write_weights};

#[derive(clap::Args)]
pub struct MixArgs {
    /// The net that learning began with
    before: PathBuf,
    /// The net after it; its notes are kept
    after: PathBuf,
    /// The file to write
    #[arg(long, short)]
    out: PathBuf,
    /// How far to go: 0 is the net before, 1 the net after
    #[arg(long, default_value_t = 0.7, value_parser = crate::command::train::parse_share)]
    share: f32,
}

pub fn run(args: &MixArgs) -> anyhow::Result<()> {
    let (before, mut after) = (read_weights(&args.before)?, read_weights(&args.after)?);
    ensure!(
        before.architecture == after.architecture,
        "only nets of one architecture can be mixed: {} is {}, {} is {}",
        args.before.display(),
        before.architecture,
        args.after.display(),
        after.architecture
    );
    for (value, from) in after.values.iter_mut().zip(&before.values) {
        *value = from + args.share * (*value - from);
    }
    Ok(write_weights(&args.out, &after, Precision::Half)?)
}
