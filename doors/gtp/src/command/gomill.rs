//! What the ringmaster of gomill asks engines about themselves.

use super::Command;
use super::Run::Once;
use super::about::processor_seconds;
use crate::arguments::Arguments;
use crate::asides::summary;
use crate::failure::Failure;
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "gomill-explain_last_move", help: "why the last move was chosen", run: Once(explain_last_move) },
    Command { name: "gomill-describe_engine", help: "the program and how it is tuned", run: Once(describe_engine) },
    Command { name: "gomill-cpu_time", help: "as cputime", run: Once(processor_seconds) },
];

/// Nothing before the first search.
fn explain_last_move(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    let size = session.engine.game().size();
    Ok(session.engine.last_report().map(|report| summary(report, size)).unwrap_or_default())
}

/// Tells only parameters that are not as they come.
fn describe_engine(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    let introduction = &session.introduction;
    let (tuned, default) = (session.engine.parameters(), jigo_engine::Parameters::default());
    let changed = jigo_engine::Parameters::table().filter_map(|row| {
        let value = tuned.get(row.name)?;
        (default.get(row.name).as_ref() != Some(&value)).then(|| format!("\n{} = {value}", row.name))
    });
    Ok(format!("{} {}{}", introduction.name, introduction.version, changed.collect::<String>()))
}
