//! `jigo handed-teacher`: answers questions about positions that a worker was asked. Workers start it, nobody else.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::PathBuf;

use anyhow::Context;
use jigo_train::positions::Exercise;
use jigo_train::teach::ask;

use super::train::teach::teacher;
use crate::handed::bind;

#[derive(clap::Args)]
pub struct Args {
    /// Where the worker keeps the net it was lent
    #[arg(long, value_name = "FILE")]
    lent_net: PathBuf,

    /// Visits of a search for each answer; without it, one look of the net
    #[arg(long, value_name = "N")]
    visits: Option<u64>,

    /// Memory beside that of the net and its boards
    #[arg(long, value_name = "N")]
    megabytes: u32,
}

/// A line of questions, a line of answers.
pub fn run(args: Args) -> anyhow::Result<()> {
    bind(args.megabytes)?;
    let mut teacher = teacher(&args.lent_net, args.visits)?;
    let mut told = stdout().lock();
    for line in stdin().lock().lines() {
        let exercises: Vec<Exercise> = serde_json::from_str(&line?).context("these are no questions")?;
        let lessons = ask(&exercises.iter().collect::<Vec<_>>(), &mut *teacher);
        serde_json::to_writer(&mut told, &lessons)?;
        writeln!(told)?;
        told.flush()?;
    }
    Ok(())
}
