//! Every command in one table. A new command is one row in its family's file, and a script in `tests/scripts`.

mod about;
mod handicap;
mod play;
mod position;
mod record;
mod rules;
mod score;
mod time;
mod tuning;

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::session::Session;

pub struct Command {
    pub name: &'static str,
    /// Arguments and meaning in one line.
    pub help: &'static str,
    /// Contract: an error leaves the session as it was.
    pub(crate) run: Handler,
}

pub(crate) type Handler = fn(&mut Session, &mut Arguments) -> Result<String, Failure>;

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
    tuning::COMMANDS,
];

/// All commands, in the order of `list_commands`.
pub fn commands() -> impl Iterator<Item = &'static Command> {
    FAMILIES.iter().copied().flatten()
}

pub(crate) fn find(name: &str) -> Option<&'static Command> {
    commands().find(|command| command.name == name)
}

/// What a command without a result says.
const DONE: Result<String, Failure> = Ok(String::new());
