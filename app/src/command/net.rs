//! `jigo net`: look at a net, measure it, keep it.

pub mod kept;
mod mix;
mod note;
mod policy_match;
mod rounding;
mod run;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Subcommand;
use indicatif::{ProgressBar, ProgressStyle};
use jigo_katago::{EMBEDDED_CARD, KataNet};
use jigo_net::kernel::Isa;
use jigo_net::kernel::points::{Kernel, Numbers};
use jigo_net::weights::Layout;
use jigo_net::{Backend, EMBEDDED_WEIGHTS, Net, Weights};
use jigo_records::{Library, read_folder};
use jigo_train::checkpoint::read_weights;
use jigo_train::report::{Report, plot_all};

use crate::engine_options::{EMBEDDED, FAST};
use crate::nets::{self, AnyNet};

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Say what a net is and where it comes from
    Info(InfoArgs),
    /// Keep a net among your files, so that --net NAME finds it
    Add(kept::AddArgs),
    /// List the nets you keep: size, looks per second on one thread of this machine, what each is good for
    List,
    /// Write into a net file what people should know about it; `info` prints it
    Note(note::NoteArgs),
    /// Make a net between two of one architecture: what was learnt before and what was learnt after
    Mix(mix::MixArgs),
    /// Measure move prediction, value error, score prediction and calibration on whole games
    Eval(EvalArgs),
    /// Measure what rounding costs a net of KataGo's: what it says in faster arithmetic beside what it says in f32, on positions of games
    Rounding(rounding::RoundingArgs),
    /// Let two nets play each other without search, moves drawn from their policies
    Match(policy_match::MatchArgs),
    /// Run a net on planes from a file with a chosen kernel and tell positions per second of processor time, best and median
    Run(run::RunArgs),
}

#[derive(clap::Args)]
struct InfoArgs {
    /// A net file, ours or KataGo's, or a name of `jigo net list`; the embedded net if none is given
    net: Option<String>,
}

#[derive(clap::Args)]
struct EvalArgs {
    /// A net file, ours or KataGo's, or a name of `jigo net list`; the embedded net if none is given
    net: Option<String>,
    /// Folder with game records (.tsv.xz)
    #[arg(long)]
    data: PathBuf,
    /// Read files whose names contain one of these words
    #[arg(long, value_delimiter = ',', default_value = "tygem-test,nine-cgos-test")]
    files: Vec<String>,
    /// Games of each board size
    #[arg(long, default_value_t = 300)]
    games: usize,
    /// Evaluate every Nth position of a game
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Write plots into this folder
    #[arg(long)]
    plots: Option<PathBuf>,
    /// Kernel for a net of our own: portable, neon, neon-dot, avx2, vnni256, avx512, vnni512, amx or amx-int8 [default: the fastest
    /// this machine has]
    #[arg(long)]
    kernel: Option<Isa>,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    match args.what {
        What::Info(args) => info(&args),
        What::Add(args) => kept::add(&args),
        What::List => kept::list(),
        What::Note(args) => note::run(&args),
        What::Mix(args) => mix::run(&args),
        What::Eval(args) => eval(&args),
        What::Rounding(args) => rounding::run(&args),
        What::Match(args) => policy_match::run(&args),
        What::Run(args) => run::run(&args),
    }
}

fn load(path: Option<&Path>) -> anyhow::Result<Weights> {
    match path {
        Some(path) => Ok(read_weights(path)?),
        None => Ok(Weights::from_bytes(EMBEDDED_WEIGHTS)?),
    }
}

fn info(args: &InfoArgs) -> anyhow::Result<()> {
    let name = args.net.as_deref().unwrap_or(EMBEDDED);
    let file = if [EMBEDDED, FAST].contains(&name) { None } else { Some(nets::find(name)?) };
    let net = match &file {
        Some(file) => Some(AnyNet::read(file)?),
        None if name == EMBEDDED => Some(AnyNet::KataGo(KataNet::embedded())),
        None => None,
    };
    if let Some(AnyNet::KataGo(net)) = net {
        if name == EMBEDDED {
            println!("{}\n", EMBEDDED_CARD.trim_end());
        }
        println!("{}\n{} numbers", net.description(), net.numbers());
        println!("this machine runs it on {}: {}", net.kernel(), reason(net.kernel()));
        println!("{:.1} looks per second on one thread", kept::looks_per_second(net));
        return Ok(());
    }
    let weights = load(file.as_deref())?;
    println!("{}", weights.architecture);
    println!("{} numbers", Layout::new(&weights.architecture).len());
    let mut notes: Vec<_> = weights.notes.iter().collect();
    notes.sort();
    for (name, text) in notes {
        println!("{name}: {text}");
    }
    println!("this machine runs it on {}", Isa::best());
    Ok(())
}

/// Why a net gets this arithmetic: first what it costs in quality (docs/experiments/nets.md has the tables), then what it gains.
fn reason(kernel: Kernel) -> &'static str {
    match kernel.numbers {
        Numbers::Floats => {
            "f32 throughout, as KataGo computes; nothing coarser is faster here without changing what a net says"
        }
        Numbers::Shorts => {
            "products of 16-bit integers, since they keep what a net says (win rates within a tenth of a percent on average, far \
             nearer than two looks from different sides of the board) and are faster than f32, which --exact asks for"
        }
    }
}

fn eval(args: &EvalArgs) -> anyhow::Result<()> {
    let net: Arc<dyn Backend> = match (args.net.as_deref(), args.kernel) {
        (None | Some(EMBEDDED), None) => KataNet::embedded(),
        (Some(FAST), None) => Net::embedded(),
        (Some(wanted), None) => AnyNet::read(&nets::find(wanted)?)?.backend(),
        (wanted, Some(isa)) => {
            let file = wanted.filter(|&name| name != FAST).map(nets::find).transpose()?;
            Arc::new(Net::new(&load(file.as_deref())?, isa))
        }
    };
    let splits = read_folder(&args.data, |name| args.files.iter().any(|part| name.contains(part)))?;
    if let Some(folder) = &args.plots {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    for split in splits {
        // Test files were never learnt from, so both sides of the split serve.
        let mut library = Library::default();
        split.into_games().for_each(|record| library.push(record));
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} games, left {eta_precise}")?;
        let bar = ProgressBar::no_length().with_style(style);
        let report = Report::measure(&net, &library, args.games, args.every.max(1), &bar);
        bar.finish_and_clear();
        println!("{report}");
        if let Some(folder) = &args.plots {
            plot_all(&report, folder)?;
        }
    }
    Ok(())
}
