//! `jigo train further`: a small net of KataGo's learns from a stronger one's answers.

use std::path::PathBuf;

use jigo_train::further::{FurtherSettings, train_further};
use jigo_train::optimizer::Schedule;

#[derive(clap::Args)]
pub struct FurtherArgs {
    /// Journals of a teacher's answers
    #[arg(required = true)]
    journals: Vec<PathBuf>,
    /// The net to begin with: a file of KataGo's, model version 8 to 10
    #[arg(long)]
    from: PathBuf,
    /// Folder of this run; a run found there is resumed
    #[arg(long)]
    run: PathBuf,
    /// What the new net is called inside its file
    #[arg(long, default_value = "taught")]
    name: String,
    /// Steps of the whole run
    #[arg(long, default_value_t = 8000)]
    steps: u64,
    /// Positions of each size per worker and step, as SIZE:COUNT
    #[arg(long, value_delimiter = ',', default_value = "19:32,13:8,9:24", value_parser = super::parse_boards)]
    boards: Vec<(usize, usize)>,
    /// Highest learning rate
    #[arg(long, default_value_t = 0.0003)]
    rate: f32,
    /// Steps over which the learning rate rises to its highest
    #[arg(long, default_value_t = 100)]
    warm_up: u64,
    /// Share of the learning rate left at the end
    #[arg(long, default_value_t = 0.02)]
    final_share: f32,
    /// Threads, each with its own share of the batch
    #[arg(long, default_value_t = 2, value_parser = crate::side_by_side::read)]
    workers: usize,
    /// Decides the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Steps between looks at answers kept aside
    #[arg(long, default_value_t = 500)]
    validate_every: u64,
    /// Positions of such a look
    #[arg(long, default_value_t = 1500)]
    validation_positions: usize,
}

pub fn run(args: FurtherArgs) -> anyhow::Result<()> {
    let FurtherArgs { rate: peak, final_share, warm_up, steps, .. } = args;
    Ok(train_further(&FurtherSettings {
        journals: args.journals,
        start: args.from,
        name: args.name,
        run: args.run,
        boards: args.boards,
        schedule: Schedule { peak, final_share, warm_up, steps },
        threads: args.workers,
        seed: args.seed,
        validate_every: args.validate_every.max(1),
        validation_positions: args.validation_positions,
    })?)
}
