//! `jigo train disputes`: what to ask a teacher next.

use std::path::PathBuf;

use jigo_train::positions::{disputes, write_disputes};
use jigo_train::teach::read_lessons;

use super::teach::net;

#[derive(clap::Args)]
pub struct DisputesArgs {
    /// The file of positions to add to
    file: PathBuf,
    /// Journals of a teacher's answers
    #[arg(required = true)]
    journals: Vec<PathBuf>,
    /// The student; the embedded net if none is given
    #[arg(long)]
    net: Option<PathBuf>,
    /// Positions to add at most
    #[arg(long, default_value_t = 5000)]
    most: usize,
}

pub fn run(args: DisputesArgs) -> anyhow::Result<()> {
    let (lessons, _) = read_lessons(&args.journals)?;
    let exercises = disputes(&net(args.net.as_deref())?, &lessons, args.most);
    println!("{} positions from {} answers", exercises.len(), lessons.len());
    Ok(write_disputes(&args.file, exercises)?)
}
