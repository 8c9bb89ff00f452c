//! `jigo lab`: the papers' experiments, with the papers' own figures beside ours.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use jigo_arena::journal::write_whole;
use jigo_arena::{MatchBar, locate};
use jigo_board::TimeControl;
use jigo_lab::experiment::{Experiment, Start};
use jigo_lab::findings::{self, Findings};
use jigo_lab::komi_curve::{self, KomiCurve};
use jigo_lab::value_nets::{self, Measurement, Training, train_four};
use jigo_lab::{
    Conditions, Errand, LabError, Opponent, Report, RunProgress, claims, default_folder, errands, experiments,
    half_point_endgames, idle, rounds, run_experiment,
};
use jigo_train::supervised::Taught;

use crate::judging_options::Judging;
use crate::version::LONG_VERSION;

const EXAMPLES: &str = "\
Examples:
  jigo lab --list
  jigo lab playouts --jobs 2
  jigo lab playouts --size 19 --playouts 5000 --games 1000     as large as in the paper
  jigo lab connections --against 'fuego'
  jigo lab playouts --rows 'w/o capture;w/o 3x3 patterns'      only these rows; the others stay as they are
  jigo lab value-nets --data DATA --train-steps 1000           trains the nets of CGI and measures them
  jigo lab net-cross --nets runs/lab/nets                      lets them play each other
  jigo lab --all --hours 8 --results docs/experiments/results  as much of everything as a night allows
  jigo lab report                                              the page of claims, from those results

Defaults are small and finish within minutes. The folder holds report.md, plot.svg and a folder for every match, as
`jigo match` makes them. An interrupted experiment is carried on by the same command; with more --games only the missing
ones are played.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<LabCommand>,

    /// The experiment
    #[arg(required_unless_present_any = ["list", "all"])]
    name: Option<String>,

    /// Play every experiment in turn, a few games of each at a time, the worthiest first
    #[arg(long, requires = "hours", conflicts_with_all = ["name", "games", "playouts", "time", "size", "out", "train_steps"])]
    all: bool,

    /// For how long; what was played is never played again
    #[arg(long, value_name = "N", requires = "all")]
    hours: Option<f64>,

    /// Put what was found into this folder too, for `jigo lab report`
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,

    /// Show all experiments
    #[arg(short, long)]
    list: bool,

    /// Play only these rows of the experiment, by their labels, the word before a comma or LABEL against OPPONENT;
    /// others stay as they are
    #[arg(long, value_name = "LABEL", value_delimiter = ';', conflicts_with = "all")]
    rows: Vec<String>,

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
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = crate::side_by_side::read)]
    jobs: usize,

    /// Where the experiment is kept [default: runs/lab/, named after the experiment and its conditions]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Opponent, unless a variant has its own: gnugo, self or a GTP command line, which also takes the place of GNU Go
    /// where a variant names that [default: gnugo if installed, else self]
    #[arg(long, value_name = "gnugo|self|[NAME=]COMMAND")]
    against: Option<String>,

    /// Seed from which openings and the seeds of games follow
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    nets: NetOptions,
}

#[derive(clap::Subcommand)]
pub enum LabCommand {
    #[command(flatten)]
    Judging(Judging),
    #[cfg(unix)]
    Soak(crate::soak_options::Soaking),
    /// Write the page of the papers' claims from what experiments found
    Report {
        /// Folder of findings, filled by --results
        #[arg(long, value_name = "DIR", default_value = "docs/experiments/results")]
        results: PathBuf,
        /// The page
        #[arg(short, long, value_name = "FILE", default_value = "docs/experiments/README.md")]
        out: PathBuf,
    },
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

    /// Positions per worker and step, as SIZE:COUNT; most are of the paper's size
    #[arg(long, value_delimiter = ',', default_value = "19:24,9:8", value_parser = super::train::parse_boards)]
    train_boards: Vec<(usize, usize)>,

    /// Learn from a teacher's answers as well, the same for all four: journals of `jigo train teach`
    #[arg(long, value_name = "JOURNAL", value_delimiter = ',', requires = "train_steps")]
    taught: Vec<PathBuf>,

    /// Share of positions from these answers
    #[arg(long, value_name = "SHARE", default_value_t = 0.7, requires = "taught", value_parser = super::train::parse_share)]
    taught_share: f32,

    /// Measure on files whose names contain one of these words
    #[arg(long, value_delimiter = ',', default_value = "tygem-test")]
    test_files: Vec<String>,
}

const NETS: &str = "runs/lab/nets";
/// For `value-nets`, which plays none.
const TEST_GAMES: u64 = 200;
const MEASURED_SIZE: usize = 19;
/// Of `komi-curve`.
const CURVE_PLAYOUTS: u64 = 2000;

pub fn run(args: Args) -> Result<()> {
    match &args.command {
        Some(LabCommand::Judging(judging)) => return judging.run(),
        #[cfg(unix)]
        Some(LabCommand::Soak(soaking)) => return soaking.run(),
        Some(LabCommand::Report { results, out }) => return write_page(results, out),
        None => {}
    }
    if let Some(hours) = args.hours {
        return args.play_all(hours);
    }
    let Some(name) = args.name.as_deref().filter(|_| !args.list) else {
        list();
        return Ok(());
    };
    args.train_nets()?;
    if name == value_nets::NAME {
        return args.measure_nets();
    }
    if name == komi_curve::NAME {
        return args.measure_komi();
    }
    let experiment = experiments::by_name(name)
        .with_context(|| format!("there is no experiment {name:?}; `jigo lab --list` shows all"))?;
    let mut conditions = args.conditions(experiment)?;
    let folder = args.out.clone().unwrap_or_else(|| default_folder(experiment, &conditions));
    conditions.endgames = args.endgames(experiment, &conditions, &folder)?;

    println!("{}\nKept in {}", args.play(experiment, &conditions, &folder)?.text(), folder.display());
    Ok(())
}

fn write_page(results: &Path, out: &Path) -> Result<()> {
    let found = findings::read_all(results)?;
    write_whole(out, &claims::page(&found))?;
    println!("{} from {} experiments", out.display(), found.len());
    Ok(())
}

fn list() {
    for experiment in experiments::all() {
        println!("{:<20} {:<14} {}", experiment.name, experiment.source, experiment.about);
    }
    println!("{:<20} {:<14} {}", value_nets::NAME, value_nets::SOURCE, value_nets::ABOUT);
    println!("{:<20} {:<14} {}", komi_curve::NAME, komi_curve::SOURCE, komi_curve::ABOUT);
}

impl Args {
    /// One experiment, with its progress.
    fn play(&self, experiment: &'static Experiment, conditions: &Conditions, folder: &Path) -> Result<Report> {
        for warning in idle(experiment, conditions) {
            eprintln!("note: {warning}");
        }
        let mut bar = MatchBar::default();
        let mut present = None;
        let mut watch = |step: &RunProgress| {
            if present != Some(step.place) {
                present = Some(step.place);
                bar.finish();
                bar = MatchBar::default();
                eprintln!("{}/{}  {} against {}", step.place + 1, step.matches, step.label, step.opponent);
            }
            bar.show(step.progress);
        };
        let report = run_experiment(experiment, conditions, folder, self.jobs, &mut watch);
        bar.finish();
        let report = report?;
        if let Some(results) = &self.results {
            Findings::keep(&report, results)?;
        }
        Ok(report)
    }

    /// Every experiment, a round of games each, and again, until the time is over or all is played.
    fn play_all(&self, hours: f64) -> Result<()> {
        ensure!(hours > 0.0 && hours.is_finite(), "--hours must be a positive number");
        let end = Instant::now() + Duration::from_secs_f64(hours.min(8760.0) * 3600.0);
        let errands = errands();
        for (errand, games) in rounds(&errands) {
            if Instant::now() >= end {
                return Ok(());
            }
            let Errand { experiment, size, playouts, rows, opponent, .. } = *errand;
            let mut conditions = self.conditions(experiment)?;
            conditions.opponent = match opponent {
                Some(program) => Opponent::program(program)?,
                None if self.against.is_none() => Opponent::Baseline,
                None => conditions.opponent,
            };
            (conditions.size, conditions.playouts, conditions.games) = (size, playouts, games);
            conditions.rows = rows.iter().map(|row| row.to_string()).collect();
            eprintln!("{} on {size}x{size}, {games} games of each row", experiment.name);
            match self.play(experiment, &conditions, &default_folder(experiment, &conditions)) {
                // Without GNU Go or nets there is still the rest.
                Err(error) if matches!(error.downcast_ref(), Some(LabError::NothingToPlay)) => eprintln!("{error}"),
                Err(error) => return Err(error),
                Ok(_) => {}
            }
        }
        Ok(())
    }

    fn conditions(&self, experiment: &Experiment) -> Result<Conditions> {
        let mut conditions = Conditions::of(experiment, locate("gnugo").is_file());
        conditions.has_cluster = cfg!(all(feature = "cluster", unix));
        conditions.seed = self.seed;
        conditions.version = LONG_VERSION.clone();
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
            Some(command) => conditions.opponent = Opponent::program(command)?,
        }
        for wanted in &self.rows {
            ensure!(
                (experiment.variants)(conditions.size).iter().any(|variant| conditions.is_called(variant, wanted)),
                "{} has no row {wanted:?}",
                experiment.name
            );
        }
        conditions.rows = self.rows.clone();
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
        let taught = Taught::in_journals(&self.nets.taught, self.nets.taught_share);
        let boards = self.nets.train_boards.clone();
        let training = Training { data, files, boards, steps, workers, seed: self.seed, taught };
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

    fn measure_komi(&self) -> Result<()> {
        let out = self.out.clone().unwrap_or_else(|| PathBuf::from("runs/lab").join(komi_curve::NAME));
        let playouts = u32::try_from(self.playouts.unwrap_or(CURVE_PLAYOUTS)).context("so many playouts never end")?;
        let size = self.size.unwrap_or(MEASURED_SIZE);
        ensure!((2..=19).contains(&size), "a board has 2 to 19 lines");
        let curve = KomiCurve::measure(size, playouts, self.seed);
        curve.keep(&out)?;
        println!("{}\nKept in {}", curve.text(), out.display());
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
