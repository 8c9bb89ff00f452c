//! `jigo net mix`: a net between two others.
//!
//! A net that went on learning something new forgets a little of what it knew. Its weights lie near those it started from, and a net
//! on the way between the two often has most of both (Wortsman et al. 2022).

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use jigo_katago::Model;
use jigo_net::Weights;
use jigo_net::weights::Precision;
use jigo_train::checkpoint::{read, read_weights, write_atomically, write_weights};
use jigo_train::further::between;

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

pub fn run(args: &MixArgs) -> Result<()> {
    match (model_of_katago(&args.before)?, model_of_katago(&args.after)?) {
        (None, None) => mix_ours(args),
        (Some(before), Some(after)) => mix_katagos(args, &before, &after),
        _ => bail!("only nets of one architecture can be mixed: one of these is KataGo's, the other is ours"),
    }
}

/// None for a net of ours.
fn model_of_katago(path: &Path) -> Result<Option<Model>> {
    let bytes = read(path)?;
    if Weights::are_in(&bytes) {
        return Ok(None);
    }
    Ok(Some(Model::read(&bytes).with_context(|| format!("{} cannot be used", path.display()))?))
}

fn mix_katagos(args: &MixArgs, before: &Model, after: &Model) -> Result<()> {
    let mixed = between(before, after, args.share).with_context(|| {
        format!(
            "only nets of one architecture can be mixed: {} and {} differ",
            args.before.display(),
            args.after.display()
        )
    })?;
    Ok(write_atomically(&args.out, &mixed.to_bytes()?)?)
}

fn mix_ours(args: &MixArgs) -> Result<()> {
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
