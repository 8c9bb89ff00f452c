//! `jigo train`: teach a net.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Subcommand;
use jigo_net::Architecture;
use jigo_train::checkpoint::read_weights;
use jigo_train::loss::LossWeights;
use jigo_train::optimizer::Schedule;
use jigo_train::supervised::{self, Settings};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    how: How,
}

#[derive(Subcommand)]
enum How {
    /// Learn from game records: moves, results at every komi, ownership
    Sl(SupervisedArgs),
}

#[derive(clap::Args)]
struct SupervisedArgs {
    /// Folder with game records (.tsv.xz)
    #[arg(long)]
    data: PathBuf,
    /// Read files whose names contain one of these words
    #[arg(long, value_delimiter = ',', default_value = "tygem-train,tom,nine-cgos-train")]
    files: Vec<String>,
    /// Folder of this run; a run found there is resumed
    #[arg(long)]
    run: PathBuf,
    /// Start from this net and take over its architecture
    #[arg(long)]
    from: Option<PathBuf>,
    /// What to train; ignored with --from
    #[arg(
        long,
        default_value = "planes=compact-1 channels=96 blocks=rprprpr head=64 hidden=64 value=mixture ownership=yes"
    )]
    architecture: String,
    /// Steps of the whole run
    #[arg(long, default_value_t = 40_000)]
    steps: u64,
    /// Positions of each size per worker and step, as SIZE:COUNT
    #[arg(long, value_delimiter = ',', default_value = "19:26,9:24", value_parser = parse_boards)]
    boards: Vec<(usize, usize)>,
    /// Highest learning rate
    #[arg(long, default_value_t = 0.08)]
    rate: f32,
    /// Steps over which the learning rate rises to its highest
    #[arg(long, default_value_t = 400)]
    warm_up: u64,
    /// Share of the learning rate left at the end
    #[arg(long, default_value_t = 0.005)]
    final_share: f32,
    /// Threads, each with its own share of the batch
    #[arg(long, default_value_t = 2)]
    workers: usize,
    /// Decides starting weights and the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Steps between looks at games kept aside
    #[arg(long, default_value_t = 500)]
    validate_every: u64,
    #[arg(long, default_value_t = 1500)]
    validation_positions: usize,
}

fn parse_boards(text: &str) -> Result<(usize, usize), String> {
    let wrong = || format!("\"{text}\" is not SIZE:COUNT");
    let (size, count) = text.split_once(':').ok_or_else(wrong)?;
    let (size, count) = (size.parse().map_err(|_| wrong())?, count.parse().map_err(|_| wrong())?);
    let sizes = jigo_board::MIN_SIZE..=jigo_board::MAX_SIZE;
    if sizes.contains(&size) && (1..=4096).contains(&count) { Ok((size, count)) } else { Err(wrong()) }
}

pub fn run(args: Args) -> anyhow::Result<()> {
    match args.how {
        How::Sl(args) => run_supervised(args),
    }
}

fn run_supervised(args: SupervisedArgs) -> anyhow::Result<()> {
    if args.workers == 0 || args.steps == 0 {
        bail!("training needs at least one worker and one step");
    }
    let architecture: Architecture = match &args.from {
        Some(path) => read_weights(path)?.architecture,
        None => args.architecture.parse().context("--architecture")?,
    };
    supervised::train(&Settings {
        data: args.data,
        files: args.files,
        run: args.run,
        architecture,
        start: args.from,
        seed: args.seed,
        workers: args.workers,
        boards: args.boards,
        schedule: Schedule { peak: args.rate, final_share: args.final_share, warm_up: args.warm_up, steps: args.steps },
        validate_every: args.validate_every.max(1),
        validation_positions: args.validation_positions,
        loss: LossWeights::default(),
    })?;
    Ok(())
}
