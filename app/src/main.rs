//! The `jigo` binary: one file per subcommand under `command/`, each with its own `Args` and `run`.

mod broken_pipe;
mod browser;
#[cfg(feature = "cluster")]
mod cluster_options;
mod command;
mod config;
mod engine_options;
mod fingerprint;
mod game_options;
#[cfg(feature = "cluster")]
mod handed;
mod help;
mod installed_nets;
mod judging_options;
mod katago_arguments;
mod log;
mod match_options;
mod nearest;
mod nets;
mod places;
mod playout_options;
mod progress;
mod side_by_side;
#[cfg(unix)]
mod soak_options;
mod terminal_game;
mod version;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use command::{
    analysis, bench, check, completions, config as config_command, evaluate, gtp, joseki, lab, man, matches, net,
    patterns, play, review, suite, train, tune, web,
};

#[derive(Parser)]
#[command(
    name = "jigo",
    version,
    long_version = version::LONG_VERSION.as_str(),
    about = "Jigo plays and reviews Go on an ordinary computer",
    args_conflicts_with_subcommands = true
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// Write a log of what is done to the end of this file; JIGO_LOG=info, debug or trace says how much
    #[arg(long, global = true, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Without a subcommand the board opens in the browser.
    #[command(flatten)]
    web: web::Args,
}

#[derive(Subcommand)]
enum Command {
    /// Play and study in the browser (the same as no subcommand)
    Web(web::Args),
    /// Play against Jigo in the terminal
    Play(play::Args),
    /// Analyse positions for programs that speak KataGo's JSON analysis protocol
    Analysis(analysis::Args),
    /// Measure how fast each part is, and print a fingerprint of what it computes
    Bench(bench::Args),
    /// Speak the Go Text Protocol on standard input and output, for use by other programs
    Gtp(gtp::Args),
    /// Print a configuration file with every setting in it
    Config(config_command::Args),
    /// Say whether everything Jigo needs is there
    Check(check::Args),
    /// Print what a shell needs to complete Jigo's command line
    Completions(completions::Args),
    /// Write manual pages
    Man(man::Args),
    /// Build the table of corner openings from games, or look into it
    Joseki(joseki::Args),
    /// Play a match between GTP programs and say what its result proves
    Match(Box<matches::Args>),
    /// Find better parameters by playing games
    Tune(Box<tune::Args>),
    /// Run an experiment of the papers and show their figures beside ours
    Lab(Box<lab::Args>),
    /// Learn the weights of shapes and features from games, or report what they foresee
    Patterns(patterns::Args),
    /// Look at nets, measure them, keep them
    Net(net::Args),
    /// Examine whole games: an annotated record and a page to read for each
    Review(review::Args),
    /// Show what playouts think of a position, and what misleads them
    Evaluate(evaluate::Args),
    /// Say what share of positions with known statuses the playouts judge right
    Suite(suite::Args),
    /// Teach a net
    Train(train::Args),
    /// Lend this machine to a cluster: it thinks along with jigo gtp --cluster
    #[cfg(feature = "cluster")]
    Worker(Box<command::worker::Args>),
    /// Look after a cluster: its status, hubs between networks, passes for workers
    #[cfg(feature = "cluster")]
    Cluster(command::cluster::Args),
    #[cfg(feature = "cluster")]
    #[command(hide = true)]
    HandedPlayer(command::handed_player::Args),
    #[cfg(feature = "cluster")]
    #[command(hide = true)]
    HandedTeacher(command::handed_teacher::Args),
}

fn main() -> ExitCode {
    broken_pipe::end_in_peace();
    jigo_arena::call_ourselves("jigo");
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if broken_pipe::is_cause_of(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("jigo: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> anyhow::Result<()> {
    let words = katago_arguments::translate(std::env::args_os().collect())?;
    let told = help::grouped(Cli::command()).get_matches_from(words);
    let Cli { command, log, web } = Cli::from_arg_matches(&told).unwrap_or_else(|error| error.exit());
    log::start(log.as_deref())?;
    run(command.unwrap_or(Command::Web(web)))
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Web(args) => web::run(args),
        Command::Play(args) => play::run(args),
        Command::Analysis(args) => analysis::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Gtp(args) => gtp::run(args),
        Command::Config(args) => config_command::run(args),
        Command::Check(args) => check::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
        Command::Joseki(args) => joseki::run(args),
        Command::Match(args) => matches::run(*args),
        Command::Tune(args) => tune::run(*args),
        Command::Lab(args) => lab::run(*args),
        Command::Patterns(args) => patterns::run(args),
        Command::Net(args) => net::run(args),
        Command::Review(args) => review::run(args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Suite(args) => suite::run(args),
        Command::Train(args) => train::run(args),
        #[cfg(feature = "cluster")]
        Command::Worker(args) => command::worker::run(*args),
        #[cfg(feature = "cluster")]
        Command::Cluster(args) => command::cluster::run(args),
        #[cfg(feature = "cluster")]
        Command::HandedPlayer(args) => command::handed_player::run(args),
        #[cfg(feature = "cluster")]
        Command::HandedTeacher(args) => command::handed_teacher::run(args),
    }
}
