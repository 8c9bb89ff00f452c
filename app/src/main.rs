//! The `jigo` binary: one file per subcommand under `command/`, each with its own `Args` and `run`.

mod command;
mod game_options;
mod progress;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use command::{gtp, matches, patterns};

#[derive(Parser)]
#[command(name = "jigo", version, about = "Jigo plays and reviews Go on an ordinary computer")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Speak the Go Text Protocol on standard input and output, for use by other programs
    Gtp(gtp::Args),
    /// Play a match between GTP programs and say what its result proves
    Match(Box<matches::Args>),
    /// Learn the weights of shapes and features from games, or report what they foresee
    Patterns(patterns::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Gtp(args) => gtp::run(args),
        Command::Match(args) => matches::run(*args),
        Command::Patterns(args) => patterns::run(args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("jigo: {error:#}");
            ExitCode::FAILURE
        }
    }
}
