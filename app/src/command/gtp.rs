//! `jigo gtp`: the engine for other programs.

use std::io::{BufReader, ErrorKind, stdin, stdout};

use jigo_gtp::{Session, serve};

use crate::game_options::GameOptions;

#[derive(clap::Args)]
#[command(after_help = list_of_commands())]
pub struct Args {
    #[command(flatten)]
    game: GameOptions,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    let mut session = Session::new(args.game.new_engine()?);
    match serve(&mut session, BufReader::new(stdin()), &mut stdout().lock()) {
        // Nobody is left to hear the rest, which is how many programs say goodbye.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

fn list_of_commands() -> String {
    let rows = jigo_gtp::commands().map(|command| format!("  {:22}{}\n", command.name, command.help));
    format!("Commands:\n{}", rows.collect::<String>())
}
