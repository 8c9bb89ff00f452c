//! A log of what the program does, for those who look for a fault. There is none unless it is asked for.

use std::fs::OpenOptions;
use std::io::stderr;
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, ensure};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, fmt};

/// How much is told: a level for all rooms (`debug`), or one for each (`jigo_gtp=trace,jigo_web=info`).
const VARIABLE: &str = "JIGO_LOG";
/// For a log that was asked for without saying how much.
const USUAL_LEVEL: &str = "debug";
/// Our own crates; the libraries below them tell more than anybody wants to read.
const OURS: &str = "jigo";

/// Starts the log: in the file, at its end, or else on standard error; how much, the environment says.
pub fn start(file: Option<&Path>) -> anyhow::Result<()> {
    let wanted = std::env::var(VARIABLE).ok().filter(|text| !text.is_empty());
    if file.is_none() && wanted.is_none() {
        return Ok(());
    }
    let filter = filter(wanted.as_deref().unwrap_or(USUAL_LEVEL))?;
    match file {
        Some(path) => {
            let opened = OpenOptions::new().create(true).append(true).open(path);
            let file = opened.with_context(|| format!("the log {} cannot be written", path.display()))?;
            install(fmt::layer().with_ansi(false).with_writer(Mutex::new(file)).with_filter(filter))
        }
        None => install(fmt::layer().with_ansi(false).with_writer(stderr).with_filter(filter)),
    }
}

fn filter(wanted: &str) -> anyhow::Result<Targets> {
    if let Ok(level) = wanted.parse::<LevelFilter>() {
        return Ok(Targets::new().with_target(OURS, level));
    }
    let told = "is off, error, warn, info, debug or trace, or one of them for each room as in jigo_gtp=trace";
    // A word without a level would be taken for a room.
    ensure!(wanted.split(',').all(|part| part.contains('=')), "{VARIABLE} {told}, not {wanted:?}");
    wanted.parse().with_context(|| format!("{VARIABLE} {told}, not {wanted:?}"))
}

fn install(layer: impl Layer<Registry> + Send + Sync) -> anyhow::Result<()> {
    Registry::default().with(layer).try_init().context("the log was started twice")
}

#[cfg(test)]
mod tests {
    use crate::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_log_means_the_same_to_every_command() {
        for command in Cli::command().get_subcommands() {
            let has_another = command.get_arguments().any(|argument| argument.get_id() == "log");
            assert!(!has_another, "--log of jigo {} is another one", command.get_name());
        }
    }
}
