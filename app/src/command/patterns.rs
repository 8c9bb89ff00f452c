//! `jigo patterns`: learn the weights of moves from games, and report what they are worth.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jigo_patterns::{Gammas, LEVELS};
use jigo_tables::{Corpus, Fit, Harvest, LearnSettings, Prediction, Sampling, count_shapes, learn, predict};

use crate::progress::bar;

const EXAMPLES: &str = "\
Examples:
  jigo patterns learn --data DIR --out gammas-19.bin
  jigo patterns learn --data DIR --out gammas-9.bin --collections nine --one-in 1
  jigo patterns learn --data DIR --out gammas-19.bin --from gammas-19.bin     carry on where an interrupted run stopped
  jigo patterns report --data DIR --games 2000
  jigo patterns report --data DIR --collections nine-cgos-test --size 9
  jigo patterns report --data DIR --table gammas-19.bin";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(clap::Subcommand)]
enum Task {
    /// Learn a table of weights (minorisation-maximisation)
    Learn(LearnArgs),
    /// Count how often strong players choose the 3x3 shapes of the playouts
    Shapes(ShapesArgs),
    /// Say how often the weights foresee the moves of other games, and what they think of features
    Report(ReportArgs),
}

#[derive(clap::Args)]
struct LearnArgs {
    /// Folder with collections of games (.tsv.xz)
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// Only collections whose names begin so
    #[arg(long, value_name = "PREFIX", default_value = "tygem-train")]
    collections: String,

    /// The table to write; it is written after every sweep
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Begin with the shapes and weights of this table
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Games in which recurring shapes are looked for
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    harvest_games: usize,

    /// Keep a shape larger than 3x3 if it was played this often
    #[arg(long, value_name = "N", default_value_t = 50)]
    support: u32,

    /// Games whose positions are learned from
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    games: usize,

    /// Of these games, one position in N
    #[arg(long, value_name = "N", default_value_t = 20)]
    one_in: usize,

    /// Virtual wins that tie a shape to the next smaller one
    #[arg(long, value_name = "WINS", default_value_t = 5.0)]
    shape_prior: f64,

    /// Stop after this many sweeps even if the weights still improve
    #[arg(long, value_name = "N", default_value_t = 30)]
    sweeps: usize,

    /// Threads that learn
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::side_by_side::read)]
    threads: usize,

    /// Number that decides which positions are taken
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
struct ReportArgs {
    /// Folder with collections of games (.tsv.xz)
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// Only collections whose names begin so
    #[arg(long, value_name = "PREFIX", default_value = "tygem-test")]
    collections: String,

    /// Judge the program's table for boards of this size
    #[arg(long, value_name = "N", default_value_t = 19, conflicts_with = "table")]
    size: usize,

    /// Judge this table instead of one in the program
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,

    /// Games to foresee
    #[arg(long, value_name = "N", default_value_t = 2000)]
    games: usize,
}

#[derive(clap::Args)]
struct ShapesArgs {
    /// Folder with collections of games (.tsv.xz)
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// Only collections whose names begin so
    #[arg(long, value_name = "PREFIX", default_value = "tygem-test")]
    collections: String,

    /// Games to look at
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: usize,
}

pub fn run(args: Args) -> Result<()> {
    match args.task {
        Task::Learn(args) => run_learn(&args),
        Task::Shapes(args) => run_shapes(&args),
        Task::Report(args) => run_report(&args),
    }
}

fn run_learn(args: &LearnArgs) -> Result<()> {
    let corpus = Corpus::open(&args.data, &args.collections)?;
    let earlier = args.from.as_deref().map(read_table).transpose()?;
    let settings = LearnSettings {
        harvest: Harvest { games: args.harvest_games, core_support: 20, support: args.support, seed: args.seed },
        sampling: Sampling { games: args.games, one_in: args.one_in, seed: args.seed },
        fit: Fit { max_sweeps: args.sweeps, enough: 1e-4, threads: args.threads },
        shape_prior: args.shape_prior,
        level_prior: 1.0,
    };
    let mut stored = Ok(());
    let gammas = learn(&corpus, &settings, earlier.as_ref(), &mut bar(), |gammas, sweep| {
        eprintln!("sweep {}: mean log likelihood {:.4}", sweep.number, sweep.log_likelihood);
        if stored.is_ok() {
            stored = write_table(gammas, &args.out);
        }
    })?;
    stored?;
    write_table(&gammas, &args.out)?;
    println!("{} shapes learned, written to {}", gammas.tree().shapes().len(), args.out.display());
    Ok(())
}

fn run_report(args: &ReportArgs) -> Result<()> {
    let from_file = args.table.as_deref().map(read_table).transpose()?;
    let gammas = from_file.as_ref().unwrap_or_else(|| Gammas::embedded(args.size));
    print_levels(gammas);
    let corpus = Corpus::open(&args.data, &args.collections)?;
    let (all, by_phase) = predict(&corpus, gammas, args.games, &mut bar())?;
    println!("\n{} shapes; {} games, {} positions", gammas.tree().shapes().len(), all.games, all.positions);
    println!("{:<24} {:>9} {:>7} {:>7} {:>7} {:>7} {:>9}", "", "positions", "first", "in 5", "in 10", "in 20", "log p");
    let print = |name: &str, p: &Prediction| {
        let share = |places| 100.0 * p.within(places);
        let (first, five, ten, twenty) = (share(1), share(5), share(10), share(20));
        println!(
            "{name:<24} {:>9} {first:>6.2}% {five:>6.2}% {ten:>6.2}% {twenty:>6.2}% {:>9.4}",
            p.positions,
            p.log_likelihood()
        );
    };
    print("all", &all);
    for (name, phase) in ["opening (to 8 % filled)", "to 22 %", "to 45 %", "the rest"].iter().zip(&by_phase) {
        print(name, phase);
    }
    Ok(())
}

fn run_shapes(args: &ShapesArgs) -> Result<()> {
    let corpus = Corpus::open(&args.data, &args.collections)?;
    let rows = count_shapes(&corpus, args.games, &mut bar())?;
    println!("{:<24} {:>7} {:>9} {:>9} {:>8}", "around the last 2 moves", "to play", "seen", "played", "share");
    for row in rows {
        let share = 100.0 * row.played as f64 / row.seen as f64;
        let to_play = if row.as_x { "X" } else { "O" };
        println!("{:<24} {to_play:>7} {:>9} {:>9} {share:>7.2}%", row.name, row.seen, row.played);
    }
    Ok(())
}

fn print_levels(gammas: &Gammas) {
    println!("{:<36} {:>9} {:>9} {:>9} {:>9}", "gamma in each phase", "opening", "", "", "end");
    for (class, names) in LEVELS.iter().enumerate() {
        for (level, name) in names.iter().enumerate() {
            print!("{name:<36}");
            gammas.level_gammas().iter().for_each(|phase| print!(" {:>9.3}", phase[class][level]));
            println!();
        }
        println!();
    }
}

fn read_table(path: &Path) -> Result<Gammas> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Gammas::from_bytes(&bytes).with_context(|| format!("{} is no table of weights", path.display()))
}

/// Written beside its place and then moved there: an interruption leaves the old table or the new one.
fn write_table(gammas: &Gammas, path: &Path) -> Result<()> {
    let beside = path.with_extension("part");
    let written = std::fs::write(&beside, gammas.to_bytes()).and_then(|()| std::fs::rename(&beside, path));
    written.with_context(|| format!("cannot write {}", path.display()))
}
