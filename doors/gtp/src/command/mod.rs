//! Every command in one table. A new command is one row in its family's file, and a script in `tests/scripts` or a line of a
//! client's conversation in `tests/clients`.

mod about;
mod analyze;
mod benchmark;
mod gogui;
mod gomill;
mod handicap;
mod kata_parameters;
mod leela_zero;
mod nets;
mod pictures;
mod play;
mod position;
mod raw_net;
mod record;
mod rules;
mod score;
mod servers;
mod time;
mod tuning;

pub(crate) use play::spell;

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::session::Session;
use crate::stream::ReplyStream;

pub struct Command {
    pub name: &'static str,
    /// Arguments and meaning in one line.
    pub help: &'static str,
    pub(crate) run: Run,
}

/// How a command is carried out. Contract: an error leaves the session as it was.
pub(crate) enum Run {
    /// Answered when it is done.
    Once(fn(&mut Session, &mut Arguments) -> Result<String, Failure>),
    /// Answered row by row; what it returns is said last. It fails only before the stream begins.
    Streaming(fn(&mut Session, &mut Arguments, &mut ReplyStream) -> Result<String, Failure>),
}

/// The family about the program itself comes first, since some clients expect `protocol_version` at the top.
const FAMILIES: &[&[Command]] = &[
    about::COMMANDS,
    position::COMMANDS,
    play::COMMANDS,
    handicap::COMMANDS,
    time::COMMANDS,
    score::COMMANDS,
    rules::COMMANDS,
    record::COMMANDS,
    servers::COMMANDS,
    analyze::COMMANDS,
    raw_net::COMMANDS,
    nets::COMMANDS,
    kata_parameters::COMMANDS,
    benchmark::COMMANDS,
    leela_zero::COMMANDS,
    gogui::COMMANDS,
    pictures::COMMANDS,
    gomill::COMMANDS,
    tuning::COMMANDS,
];

/// All commands, in the order of `list_commands`.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    FAMILIES.iter().copied().flatten()
}

/// A command by its name, listed or not.
pub(crate) fn find(name: &str) -> Option<&'static Command> {
    commands().chain(analyze::UNLISTED).find(|command| command.name == name)
}

/// What a command without a result says.
const DONE: Result<String, Failure> = Ok(String::new());
