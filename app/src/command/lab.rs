//! `jigo lab`: the papers' experiments, with the papers' own figures beside ours.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use jigo_arena::journal::write_whole;
use jigo_arena::{CommandLine, MatchBar, locate};
use jigo_board::TimeControl;
use jigo_lab::experiment::{Experiment, Start};
use jigo_lab::value_nets::{self, Measurement, Training, train_four};
use jigo_lab::{Conditions, Opponent, Step, default_folder, experiments, half_point_endgames, run_experiment};

use crate::judging_options::Judging;

const EXAMPLES: &str = "\
Examples:
  jigo lab --list
  jigo lab playouts --jobs 2
  jigo lab playouts --size 19 --playouts 5000 --games 1000     as large as in the paper
  jigo lab connections --against 'fuego'
  jigo lab value-nets --data DATA --train-steps 1000           trains the nets of CGI and measures them
  jigo lab net-cross --nets runs/lab/nets                      lets them play each other

Defaults are small and finish within minutes. The folder holds report.md, plot.svg and a folder for every match, as
`jigo match` makes them. An interrupted experiment is carried on by the same command; with more --games only the missing
ones are played.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    judging: Option<Judging>,

    /// The experiment
    #[arg(required_unless_present = "list")]
    name: Option<String>,

    /// Show all experiments
    #[arg(short, long)]
    list: bool,

    /// Games of each variant [default: the experiment's]
    #[arg(short = 'n', long, value_name = "N")]
    games: Option<u64>,

    /// Playouts for each move [default: the experiment's]
    #[arg(short, long, value_name = "N")]
    playouts: Option<u64>,

    /// Clock of each player instead of playouts, as in `jigo match` [default: the experiment's]
    #[arg(long, conflicts_with = "playouts")]
    time: Option<TimeControl>,

    /// Board size [default: the experiment's]
    #[arg(short, long, value_name = "N")]
    size: Option<usize>,

    /// Games played at the same time
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,

    /// Where the experiment is kept [default: runs/lab/, named after the experiment and its conditions]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Opponent, unless a variant has its own: gnugo, self or a GTP command line [default: gnugo if installed, else self]
    #[arg(long, value_name = "gnugo|self|COMMAND")]
    against: Option<String>,

    /// Seed from which openings and the seeds of games follow
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    nets: NetOptions,
}

/// What the experiments of CGI need besides.
#[derive(clap::Args)]
#[command(next_help_heading = "Experiments with nets")]
struct NetOptions {
    /// Folder of the nets VN, ML-VN, BV-VN and BV-ML-VN, one training run each [default: runs/lab/nets; in games, the shipped net]
    #[arg(long, value_name = "DIR")]
    nets: Option<PathBuf>,

    /// Folder with game records (.tsv.xz or .sgf)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Train the four nets first, so many steps each; what is trained is not trained again
    #[arg(long, value_name = "N", requires = "data")]
    train_steps: Option<u64>,

    /// Learn from files whose names contain one of these words
    #[arg(long, value_delimiter = ',', default_value = "tygem-train-0,nine-cgos-train")]
    train_files: Vec<String>,

    /// Measure on files whose names contain one of these words
    #[arg(long, value_delimiter = ',', default_value = "tygem-test")]
    test_files: Vec<String>,
}

const NETS: &str = "runs/lab/nets";
/// For `value-nets`, which plays none.
const TEST_GAMES: u64 = 200;
const MEASURED_SIZE: usize = 19;

pub fn run(args: Args) -> Result<()> {
    if let Some(judging) = &args.judging {
        return judging.run();
    }
    let Some(name) = args.name.as_deref().filter(|_| !args.list) else {
        list();
        return Ok(());
    };
    args.train_nets()?;
    if name == value_nets::NAME {
        return args.measure_nets();
    }
    let experiment = experiments::by_name(name)
        .with_context(|| format!("there is no experiment {name:?}; `jigo lab --list` shows all"))?;
    let mut conditions = args.conditions(experiment)?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(experiment, &conditions));
    conditions.endgames = args.endgames(experiment, &conditions, &folder)?;

    let mut bar = MatchBar::default();
    let mut present = None;
    let mut watch = |step: &Step| {
        if present != Some(step.place) {
            present = Some(step.place);
            bar.finish();
            bar = MatchBar::default();
            eprintln!("{}/{}  {} against {}", step.place + 1, step.matches, step.label, step.opponent);
        }
        bar.show(step.progress);
    };
    let report = run_experiment(experiment, &conditions, &folder, args.jobs, &mut watch);
    bar.finish();
    println!("{}\nKept in {}", report?.text(), folder.display());
    Ok(())
}

fn list() {
    for experiment in experiments::all() {
        println!("{:<20} {:<14} {}", experiment.name, experiment.source, experiment.about);
    }
    println!("{:<20} {:<14} {}", value_nets::NAME, value_nets::SOURCE, value_nets::ABOUT);
}

impl Args {
    fn conditions(&self, experiment: &Experiment) -> Result<Conditions> {
        let mut conditions = Conditions::of(experiment, locate("gnugo").is_file());
        conditions.seed = self.seed;
        conditions.size = self.size.unwrap_or(conditions.size);
        conditions.games = self.games.unwrap_or(conditions.games);
        ensure!(conditions.games > 0, "an experiment needs at least one game");
        if let Some(playouts) = self.playouts {
            ensure!(playouts > 0, "a move needs at least one playout");
            conditions.playouts = playouts;
            conditions.clock = TimeControl::Unlimited;
        }
        conditions.clock = self.time.unwrap_or(conditions.clock);
        match self.against.as_deref() {
            None => {}
            Some("self") => conditions.opponent = Opponent::Baseline,
            Some("gnugo") if !conditions.has_gnu_go => bail!("GNU Go is not installed"),
            Some("gnugo") => conditions.opponent = Opponent::GnuGo,
            Some(command) => conditions.opponent = Opponent::Program(CommandLine::parse(command)?),
        }
        conditions.nets = self.nets.nets.clone().or_else(|| self.nets.train_steps.map(|_| NETS.into()));
        Ok(conditions)
    }

    fn nets_folder(&self) -> PathBuf {
        self.nets.nets.clone().unwrap_or_else(|| NETS.into())
    }

    fn train_nets(&self) -> Result<()> {
        let (Some(steps), Some(data)) = (self.nets.train_steps, self.nets.data.clone()) else { return Ok(()) };
        ensure!(steps > 0, "training needs at least one step");
        let (files, workers) = (self.nets.train_files.clone(), self.jobs.max(1));
        let training = Training { data, files, steps, workers, seed: self.seed };
        Ok(train_four(&self.nets_folder(), &training)?)
    }

    fn measure_nets(&self) -> Result<()> {
        let out = self.out.clone().unwrap_or_else(|| PathBuf::from("runs/lab").join(value_nets::NAME));
        let measurement = Measurement {
            nets: self.nets_folder(),
            data: self.nets.data.clone().context("this experiment measures nets on game records: --data is missing")?,
            test_files: self.nets.test_files.clone(),
            size: self.size.unwrap_or(MEASURED_SIZE),
            games: self.games.unwrap_or(TEST_GAMES) as usize,
            out: out.clone(),
        };
        let style = ProgressStyle::with_template("{msg:10} {wide_bar} {pos}/{len} games, left {eta_precise}")?;
        let bar = ProgressBar::no_length().with_style(style);
        let report = value_nets::measure(&measurement, &bar);
        bar.finish_and_clear();
        println!("{}\nKept in {}", report?.text(), out.display());
        Ok(())
    }

    /// Writes the endgames an experiment starts from, unless they are there already.
    fn endgames(&self, experiment: &Experiment, conditions: &Conditions, folder: &Path) -> Result<Option<PathBuf>> {
        let variants = (experiment.variants)(conditions.size);
        let wants_them = variants.iter().any(|variant| matches!(variant.start, Start::Endgames { .. }));
        let Some(data) = self.nets.data.as_deref().filter(|_| wants_them) else { return Ok(None) };
        let file = folder.join("endgames.sgf");
        if !file.is_file() {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            write_whole(&file, &half_point_endgames(data, &self.nets.test_files, conditions.size)?)?;
        }
        Ok(Some(file))
    }
}
