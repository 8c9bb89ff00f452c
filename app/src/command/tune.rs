//! `jigo tune`: better parameters by playing games.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use jigo_arena::{CommandLine, MatchBar, MatchSpec, PlayerSpec, RunOptions, run_match};
use jigo_engine::Parameters;
use jigo_lab::tune::{
    ArenaGames, Contest, MethodKind, TuneParameter, TuneProgress, TuneSpec, read_tune_spec, run_tuning, set_words,
};

use crate::match_options::MatchOptions;

const EXAMPLES: &str = "\
Examples:
  jigo tune --parameter search.criticality --engine 'jigo gtp --playouts 1000' --size 9 --games 2000 -j 2
  jigo tune --method hill-climbing --opponent 'gnugo --mode gtp' --parameter search.expand_at=2:1:16:1
  jigo tune --resume runs/tune

Methods: spsa plays settings against each other; hill-climbing and genetic play one opponent, who should be about as
strong as the program itself. Values reach the program as --set NAME=VALUE.

The folder of a tuning holds tune.json (these settings), trials.jsonl (one line per game), a plot of each parameter, and
verification-after-N/ (a match of the best values against the present ones). An interrupted tuning is carried on by the
same command, or by --resume.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A parameter by its name, or any number of the program with its range; may be given several times
    #[arg(short, long = "parameter", value_name = "NAME[=START:MIN:MAX:STEP]", required_unless_present = "resume")]
    parameters: Vec<String>,

    /// Carry on the tuning in this folder with its own settings
    #[arg(long, value_name = "DIR", conflicts_with_all = ["parameters", "out"])]
    resume: Option<PathBuf>,

    /// Where the tuning is kept
    #[arg(short, long, value_name = "DIR", default_value = "runs/tune")]
    out: PathBuf,

    /// How to search
    #[arg(short, long, value_enum, default_value_t = MethodName::Spsa)]
    method: MethodName,

    /// Command line of the program to tune
    #[arg(short, long, value_name = "COMMAND", default_value = "jigo gtp --playouts 1000 --threads 1")]
    engine: String,

    /// Command line of the opponent [default: the program itself with its present values]
    #[arg(long, value_name = "COMMAND")]
    opponent: Option<String>,

    /// Games of the tuning [default: 1000]
    #[arg(short = 'n', long, value_name = "N")]
    games: Option<u64>,

    /// Games of the final match between the best and the present values; 0 for none
    #[arg(long, value_name = "N", default_value_t = 200)]
    verify: u64,

    /// Games played at the same time, where the method allows it
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = crate::side_by_side::read)]
    jobs: usize,

    #[command(flatten)]
    options: MatchOptions,
}

const DEFAULT_GAMES: u64 = 1000;

#[derive(Clone, Copy, clap::ValueEnum)]
enum MethodName {
    Spsa,
    HillClimbing,
    Genetic,
}

pub fn run(args: Args) -> Result<()> {
    let (mut spec, folder) = match &args.resume {
        Some(folder) => (read_tune_spec(folder)?, folder.clone()),
        None => (args.spec()?, args.out.clone()),
    };
    if let Some(games) = args.games {
        spec.games = games;
    }
    ensure!(spec.games > 0, "a tuning needs at least one game");

    let games = ArenaGames::new(spec.arena.clone(), &spec.parameters);
    let bar = tuning_bar();
    let show = &mut |progress: &TuneProgress| show(&bar, &spec.parameters, progress);
    let result = run_tuning(&spec, &folder, &games, args.jobs, show)?;
    bar.finish_and_clear();
    println!("{} games; the best values found:", result.trials.len());
    for (parameter, value) in spec.parameters.iter().zip(&result.best) {
        println!("  {} = {value} (was {})", parameter.name, parameter.start);
    }
    if args.verify > 0 {
        let contest = Contest { setting: result.best, against: None };
        verify(&spec, games.players(&contest), &folder, args.verify, args.jobs)?;
    }
    println!("Kept in {}", folder.display());
    Ok(())
}

impl Args {
    fn spec(&self) -> Result<TuneSpec> {
        let parameters = self.parameters.iter().map(|text| read_parameter(text)).collect::<Result<Vec<_>>>()?;
        let engine = CommandLine::parse(&self.engine)?;
        let opponent = self.opponent.as_deref().map(CommandLine::parse).transpose()?;
        let players = vec![
            PlayerSpec { name: "tuned".to_string(), command: engine.clone() },
            PlayerSpec { name: "opponent".to_string(), command: opponent.unwrap_or(engine) },
        ];
        let arena = self.options.spec(players)?;
        let games = self.games.unwrap_or(DEFAULT_GAMES);
        let method = match self.method {
            MethodName::Spsa => MethodKind::Spsa,
            MethodName::HillClimbing => MethodKind::HillClimbing,
            MethodName::Genetic => MethodKind::Genetic,
        };
        Ok(TuneSpec { method, parameters, games, horizon: games, seed: self.options.seed, arena })
    }
}

/// A row of the engine's table by its name, or a parameter of any program with its own range.
fn read_parameter(text: &str) -> Result<TuneParameter> {
    if text.contains('=') {
        return Ok(TuneParameter::parse(text)?);
    }
    let row = Parameters::table().find(|row| row.name == text).with_context(|| {
        let tunable: Vec<&str> = Parameters::table().filter(|row| row.range.is_some()).map(|row| row.name).collect();
        format!("there is no parameter named {text:?}; those with a range are {}", tunable.join(", "))
    })?;
    Ok(TuneParameter::from_table(row, &Parameters::default().get(row.name).unwrap_or_default())?)
}

/// The best values against the present ones: what the tuning was good for.
fn verify(spec: &TuneSpec, tuned: MatchSpec, folder: &Path, games: u64, jobs: usize) -> Result<()> {
    let start: Vec<f64> = spec.parameters.iter().map(|parameter| parameter.start).collect();
    let mut verification = tuned;
    verification.games = games;
    // Other openings and seeds than those the values were found with.
    verification.seed = spec.seed.wrapping_add(1);
    verification.players[1] = PlayerSpec {
        name: "before".to_string(),
        command: spec.arena.players[0].command.with_words(&set_words(&spec.parameters, &start)),
    };
    // A longer tuning finds other values, and they deserve a match of their own.
    let options = RunOptions { folder: folder.join(format!("verification-after-{}", spec.games)), jobs };
    let mut bar = MatchBar::default();
    let result = run_match(&verification, &options, &mut |progress| bar.show(progress));
    bar.finish();
    print!("\n{}", result?.summary());
    Ok(())
}

fn tuning_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games  {msg}  {per_sec}, {eta} left")
        .expect("the template is a constant");
    ProgressBar::no_length().with_style(style)
}

fn show(bar: &ProgressBar, parameters: &[TuneParameter], progress: &TuneProgress) {
    bar.set_length(progress.total);
    bar.set_position(progress.games);
    let values = parameters.iter().zip(progress.present);
    let told: Vec<String> = values.map(|(parameter, value)| format!("{}={value:.4}", parameter.name)).collect();
    bar.set_message(told.join(" "));
    if bar.is_hidden() && progress.games.is_multiple_of(progress.total.div_ceil(20)) {
        eprintln!("{}/{} games  {}", progress.games, progress.total, told.join(" "));
    }
}
