//! `jigo train positions`: what a teacher is to be asked about.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jigo_katago::KataNet;
use jigo_records::read_folder;
use jigo_train::positions::{Kind, Mixture, PositionSettings, SHARES, generate, read_exercises};

use super::teach::net;
use crate::engine_options::load_net;

#[derive(clap::Args)]
pub struct PositionsArgs {
    /// The file to fill; one found there is continued
    file: PathBuf,
    /// Positions it shall hold
    #[arg(long, default_value_t = 100_000)]
    count: usize,
    /// Folder with game records (.tsv.xz) for the part that comes from strong players
    #[arg(long)]
    data: PathBuf,
    /// Read files whose names contain one of these words
    #[arg(long, value_delimiter = ',', default_value = "tygem-train-0,nine-cgos-train")]
    files: Vec<String>,
    /// Boards of these sizes only, each as often as the others; all sizes, the usual ones more often, if none is named
    #[arg(long, value_delimiter = ',', value_parser = super::parse_size)]
    sizes: Vec<usize>,
    /// Draws of each kind, such as record:3,departure:2; the usual mixture if none is named
    #[arg(long, value_delimiter = ',', value_name = "KIND:DRAWS", value_parser = parse_share)]
    kinds: Vec<(Kind, usize)>,
    /// The net that plays; the embedded one if none is given
    #[arg(long)]
    net: Option<PathBuf>,
    /// The net whose searches lines are taken from: best that of the student; the one in the box if none is given
    #[arg(long)]
    thinker: Option<String>,
    /// Threads; the file is the same with any number of them
    #[arg(long, default_value_t = 2, value_parser = crate::side_by_side::read)]
    workers: usize,
    /// Decides which positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(args: PositionsArgs) -> anyhow::Result<()> {
    let net = net(args.net.as_deref())?;
    let thinker = match &args.thinker {
        Some(name) => load_net(name)?,
        None => KataNet::embedded(),
    };
    let mut records = read_folder(&args.data, |name| args.files.iter().any(|part| name.contains(part)))?;
    if !args.sizes.is_empty() {
        records.retain(|split| args.sizes.contains(&split.size));
    }
    let settings = PositionSettings { file: args.file, count: args.count, seed: args.seed, workers: args.workers };
    let shares = if args.kinds.is_empty() { SHARES.to_vec() } else { args.kinds };
    generate(&Mixture { records, net, thinker, sizes: args.sizes, shares }, &settings)?;
    let exercises = read_exercises(&settings.file)?;
    println!("{} different positions", exercises.len());
    let mut kinds = BTreeMap::new();
    let mut sizes = BTreeMap::new();
    for exercise in &exercises {
        *kinds.entry(exercise.kind).or_insert(0) += 1;
        *sizes.entry(exercise.size).or_insert(0) += 1;
    }
    for (kind, count) in kinds {
        println!("{kind:?}: {count}");
    }
    for (size, count) in sizes {
        println!("{size}x{size}: {count}");
    }
    Ok(())
}

/// A kind that can be drawn, and how often.
fn parse_share(text: &str) -> Result<(Kind, usize), String> {
    let names = || SHARES.map(|(kind, _)| format!("{kind:?}").to_lowercase());
    let (name, draws) = text.split_once(':').ok_or_else(|| format!("\"{text}\" is not KIND:DRAWS"))?;
    let (kind, _) = SHARES
        .into_iter()
        .zip(names())
        .find_map(|(share, known)| (known == name.to_lowercase()).then_some(share))
        .ok_or_else(|| format!("there are no positions \"{name}\"; there are {}", names().join(", ")))?;
    let draws = draws.parse().ok().filter(|draws| (1..=1000).contains(draws));
    Ok((kind, draws.ok_or_else(|| format!("\"{text}\": draws are a number from 1 to 1000"))?))
}
