//! The program itself, and the end of the conversation.

use cpu_time::ProcessTime;

use super::Run::Once;
use super::{Command, DONE, commands, find};
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "protocol_version", help: "the version of GTP spoken here", run: Once(protocol_version) },
    Command { name: "name", help: "the name of the program", run: Once(name) },
    Command { name: "version", help: "the version of the program", run: Once(version) },
    Command { name: "known_command", help: "COMMAND: true if there is such a command", run: Once(known_command) },
    Command { name: "list_commands", help: "every command, one a line", run: Once(list_commands) },
    Command { name: "cputime", help: "processor seconds used so far by all threads", run: Once(processor_seconds) },
    Command { name: "quit", help: "end the session", run: Once(quit) },
];

fn protocol_version(_: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    Ok("2".to_owned())
}

fn name(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    Ok(session.introduction.name.clone())
}

fn version(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    Ok(session.introduction.version.clone())
}

fn known_command(_: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let is_known = arguments.optional_word().is_some_and(|name| find(name).is_some());
    Ok(is_known.to_string())
}

fn list_commands(_: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    Ok(commands().map(|command| command.name).collect::<Vec<_>>().join("\n"))
}

pub(super) fn processor_seconds(_: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    let used = ProcessTime::try_now().map_err(|_| Failure::NoProcessorTime)?.as_duration();
    Ok(format!("{:.3}", used.as_secs_f64()))
}

fn quit(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    session.is_over = true;
    DONE
}
