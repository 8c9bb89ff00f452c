//! `jigo train`: teach a net.

mod disputes;
mod further;
mod positions;
pub mod teach;

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Subcommand;
use jigo_net::Architecture;
use jigo_train::checkpoint::read_weights;
use jigo_train::loss::LossWeights;
use jigo_train::optimizer::Schedule;
use jigo_train::self_play::{Players, ThisMachine};
use jigo_train::supervised::{self, SelfPlay, SupervisedSettings, Taught};
use jigo_train::value_games::Wanted;
use jigo_train::{reinforce, value_games};

/// The architecture of the embedded net.
const SHIPPED: &str = "planes=compact-1 channels=64 blocks=rprprp head=64 hidden=64 value=mixture ownership=yes";

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    how: How,
}

#[derive(Subcommand)]
enum How {
    /// Learn from game records: moves, results at every komi, ownership
    Sl(SupervisedArgs),
    /// Play against earlier policies and learn from the results (REINFORCE)
    Rl(ReinforceArgs),
    /// Let a net play itself to the end of the game and teach it results and ownership from that; its policy stays
    Value(ValueArgs),
    /// Make positions worth asking a teacher about: all sizes, handicaps, komi, wild and careless players
    Positions(positions::PositionsArgs),
    /// Let a stronger net answer questions about positions, for `sl --taught` to learn from
    Teach(teach::TeachArgs),
    /// Let a stronger net play with itself, and write down what it thinks of every position on the way
    Demonstrate(teach::DemonstrateArgs),
    /// Make positions for a second round: what follows where a student and its teacher were furthest apart
    Disputes(disputes::DisputesArgs),
    /// Teach a small net of KataGo's further by a stronger one's answers
    Further(further::FurtherArgs),
    /// Measure how far a net is from a teacher's answers, by kind of position
    Agreement(teach::AgreementArgs),
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
    /// Start from this net; with --architecture it grows into that one
    #[arg(long)]
    from: Option<PathBuf>,
    /// What to train, instead of the shipped architecture or that of --from
    #[arg(long)]
    architecture: Option<String>,
    /// Steps of the whole run
    #[arg(long, default_value_t = 30_000)]
    steps: u64,
    /// Positions of each size per worker and step, as SIZE:COUNT
    #[arg(long, value_delimiter = ',', default_value = "19:44,9:16", value_parser = parse_boards)]
    boards: Vec<(usize, usize)>,
    /// Highest learning rate
    #[arg(long, default_value_t = 0.006)]
    rate: f32,
    /// Steps over which the learning rate rises to its highest
    #[arg(long, default_value_t = 400)]
    warm_up: u64,
    /// Share of the learning rate left at the end
    #[arg(long, default_value_t = 0.005)]
    final_share: f32,
    /// Threads, each with its own share of the batch
    #[arg(long, default_value_t = 2, value_parser = crate::side_by_side::read)]
    workers: usize,
    /// Decides starting weights and the order of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Steps between looks at games kept aside
    #[arg(long, default_value_t = 500)]
    validate_every: u64,
    /// Positions of such a look
    #[arg(long, default_value_t = 1500)]
    validation_positions: usize,
    /// Let the net of --from play so many games with itself first, and learn results and ownership from them as well
    #[arg(long, value_name = "GAMES", requires = "from")]
    self_play: Option<usize>,
    /// Share of positions from these games
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, requires = "self_play", value_parser = parse_share)]
    self_play_share: f32,
    /// Learn from a teacher's answers as well: journals of `jigo train teach`
    #[arg(long, value_name = "JOURNAL", value_delimiter = ',')]
    taught: Vec<PathBuf>,
    /// Share of positions from these answers, on boards that there are records of as well
    #[arg(long, value_name = "SHARE", default_value_t = 0.7, requires = "taught", value_parser = parse_share)]
    taught_share: f32,
    #[command(flatten)]
    players: PlayersArgs,
}

#[derive(clap::Args)]
struct ReinforceArgs {
    /// The net to start from
    #[arg(long)]
    from: PathBuf,
    /// Folder of this run; a run found there is resumed
    #[arg(long)]
    run: PathBuf,
    /// Board size of the games
    #[arg(long, default_value_t = 9, value_parser = parse_size)]
    size: usize,
    /// Komi of the games
    #[arg(long, default_value_t = 7.0, allow_negative_numbers = true)]
    komi: f32,
    /// Iterations of the whole run
    #[arg(long, default_value_t = 100)]
    iterations: usize,
    /// Games per iteration
    #[arg(long, default_value_t = 128)]
    games: usize,
    /// Iterations until the current policy joins the pool of opponents
    #[arg(long, default_value_t = 25)]
    pool_every: usize,
    /// Learning rate at first; it falls along half a cosine
    #[arg(long, default_value_t = 0.002)]
    rate: f32,
    /// Threads, each with its own share of the batch
    #[arg(long, default_value_t = 2, value_parser = crate::side_by_side::read)]
    workers: usize,
    /// Measure results against what the value head expected
    #[arg(long)]
    baseline: bool,
    /// How much the opponents' moves are learnt, which holds the policy to those of the pool
    #[arg(long, value_name = "WEIGHT", default_value_t = 0.05)]
    hold: f32,
    /// Decides the games, and the order in which they are learnt
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    players: PlayersArgs,
}

#[derive(clap::Args)]
struct ValueArgs {
    /// The net that plays, and that is taught
    #[arg(long)]
    from: PathBuf,
    /// Folder of this run
    #[arg(long)]
    run: PathBuf,
    /// Board size of the games
    #[arg(long, default_value_t = 9, value_parser = parse_size)]
    size: usize,
    /// Komi of the games
    #[arg(long, default_value_t = 7.0, allow_negative_numbers = true)]
    komi: f32,
    /// Games to play before learning
    #[arg(long, default_value_t = 2000)]
    games: usize,
    /// Steps of the whole run
    #[arg(long, default_value_t = 2000)]
    steps: u64,
    /// Positions per worker and step
    #[arg(long, default_value_t = 64)]
    batch: usize,
    /// Highest learning rate
    #[arg(long, default_value_t = 0.01)]
    rate: f32,
    /// Threads, each with its own share of the batch
    #[arg(long, default_value_t = 2, value_parser = crate::side_by_side::read)]
    workers: usize,
    /// Decides the games, and the order in which they are learnt
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    players: PlayersArgs,
}

/// Who plays the games to learn from.
#[derive(clap::Args)]
struct PlayersArgs {
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    elsewhere: crate::cluster_options::ElsewhereArgs,
}

impl PlayersArgs {
    fn gather(&self) -> anyhow::Result<Box<dyn Players>> {
        #[cfg(feature = "cluster")]
        if let Some(link) = self.elsewhere.options()? {
            return Ok(Box::new(crate::handed::Workers::of_cluster(&link)?));
        }
        Ok(Box::new(ThisMachine))
    }
}

pub fn parse_size(text: &str) -> Result<usize, String> {
    let sizes = jigo_board::MIN_SIZE..=jigo_board::MAX_SIZE;
    text.parse().ok().filter(|size| sizes.contains(size)).ok_or_else(|| format!("\"{text}\" is not a board size"))
}

pub fn parse_share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("\"{text}\" is not a share between 0 and 1"))
}

pub fn parse_boards(text: &str) -> Result<(usize, usize), String> {
    let wrong = || format!("\"{text}\" is not SIZE:COUNT");
    let (size, count) = text.split_once(':').ok_or_else(wrong)?;
    let (size, count) = (parse_size(size)?, count.parse().map_err(|_| wrong())?);
    if (1..=4096).contains(&count) { Ok((size, count)) } else { Err(wrong()) }
}

pub fn run(args: Args) -> anyhow::Result<()> {
    match args.how {
        How::Sl(args) => run_supervised(args),
        How::Rl(args) => run_reinforce(args),
        How::Value(args) => run_value(args),
        How::Positions(args) => positions::run(args),
        How::Teach(args) => teach::run(args),
        How::Demonstrate(args) => teach::run_demonstrate(args),
        How::Disputes(args) => disputes::run(args),
        How::Further(args) => further::run(args),
        How::Agreement(args) => teach::run_agreement(args),
    }
}

fn run_supervised(args: SupervisedArgs) -> anyhow::Result<()> {
    if args.steps == 0 || args.self_play == Some(0) {
        bail!("training needs at least one step and, with --self-play, one game");
    }
    let architecture: Architecture = match (&args.architecture, &args.from) {
        (Some(text), _) => text.parse().context("--architecture")?,
        (None, Some(path)) => read_weights(path)?.architecture,
        (None, None) => SHIPPED.parse()?,
    };
    let mut players = args.players.gather()?;
    let settings = SupervisedSettings {
        data: args.data,
        files: args.files,
        run: args.run,
        architecture,
        start: args.from,
        seed: args.seed,
        threads: args.workers,
        boards: args.boards,
        schedule: Schedule { peak: args.rate, final_share: args.final_share, warm_up: args.warm_up, steps: args.steps },
        validate_every: args.validate_every.max(1),
        validation_positions: args.validation_positions,
        loss: LossWeights::default(),
        self_play: args.self_play.map(|games| SelfPlay { games, share: args.self_play_share }),
        taught: Taught::in_journals(&args.taught, args.taught_share),
    };
    supervised::train(&settings, &mut *players)?;
    Ok(())
}

fn run_reinforce(args: ReinforceArgs) -> anyhow::Result<()> {
    if args.games == 0 || args.pool_every == 0 {
        bail!("training needs at least one game and one iteration between additions to the pool");
    }
    let mut players = args.players.gather()?;
    let settings = reinforce::ReinforceSettings {
        start: args.from,
        run: args.run,
        size: args.size,
        komi: args.komi,
        iterations: args.iterations,
        games: args.games,
        pool_every: args.pool_every,
        rate: args.rate,
        threads: args.workers,
        baseline: args.baseline,
        hold: args.hold,
        seed: args.seed,
    };
    reinforce::train(&settings, &mut *players)?;
    Ok(())
}

fn run_value(args: ValueArgs) -> anyhow::Result<()> {
    if args.steps == 0 || args.games == 0 || args.batch == 0 {
        bail!("training needs at least one game, one position and one step");
    }
    let wanted = Wanted { size: args.size, komi: args.komi, games: args.games, seed: args.seed };
    std::fs::create_dir_all(&args.run).with_context(|| format!("cannot make {}", args.run.display()))?;
    let kept = supervised::self_play_path(&args.run, args.size);
    let split = value_games::generate(&args.from, wanted, &mut *args.players.gather()?, &kept)?;
    supervised::train_on_self_play(
        &SupervisedSettings {
            data: args.from.clone(),
            files: Vec::new(),
            run: args.run,
            architecture: read_weights(&args.from)?.architecture,
            start: Some(args.from),
            seed: args.seed,
            threads: args.workers,
            boards: vec![(args.size, args.batch)],
            schedule: Schedule { peak: args.rate, final_share: 0.01, warm_up: 50, steps: args.steps },
            validate_every: 250,
            validation_positions: 1000,
            loss: LossWeights { policy: [1.0, 0.0, 0.0], value: 1.0, ownership: 1.0 },
            self_play: None,
            taught: None,
        },
        &[split],
    )?;
    Ok(())
}
