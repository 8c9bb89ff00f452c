//! `jigo lab`: the papers' experiments, with the papers' own figures beside ours.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use jigo_arena::{CommandLine, MatchBar, TimeControl, locate};
use jigo_lab::experiment::Experiment;
use jigo_lab::{Conditions, Step, Yardstick, default_folder, experiments, run_experiment};

const EXAMPLES: &str = "\
Examples:
  jigo lab --list
  jigo lab playouts --jobs 2
  jigo lab playouts --size 19 --playouts 5000 --games 1000     as large as in the paper
  jigo lab connections --against 'fuego'

Defaults are small and finish within minutes. The folder holds report.md, plot.svg and a folder for every match, as
`jigo match` makes them. An interrupted experiment is carried on by the same command; with more --games only the missing
ones are played.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
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
}

pub fn run(args: Args) -> Result<()> {
    let Some(name) = args.name.as_deref().filter(|_| !args.list) else {
        list();
        return Ok(());
    };
    let experiment = experiments::by_name(name)
        .with_context(|| format!("there is no experiment {name:?}; `jigo lab --list` shows all"))?;
    let conditions = args.conditions(experiment)?;
    let folder = args.out.unwrap_or_else(|| default_folder(experiment, &conditions));

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
            Some("self") => conditions.yardstick = Yardstick::Baseline,
            Some("gnugo") if !conditions.has_gnu_go => bail!("GNU Go is not installed"),
            Some("gnugo") => conditions.yardstick = Yardstick::GnuGo,
            Some(command) => conditions.yardstick = Yardstick::Program(CommandLine::parse(command)?),
        }
        Ok(conditions)
    }
}
