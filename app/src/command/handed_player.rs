//! `jigo handed-player`: one player of a game that a worker plays for somebody else. Workers start it, nobody else.

use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;

use anyhow::Context;
use jigo_gtp::{Session, serve};

use crate::handed::{HandedPlayer, bind};

#[derive(clap::Args)]
pub struct Args {
    /// Who plays, as the worker writes it
    #[arg(long, value_name = "JSON")]
    player: String,

    /// Memory for its tree and cache
    #[arg(long, value_name = "N")]
    megabytes: u32,

    /// Where the worker keeps the net it was lent
    #[arg(long, value_name = "FILE")]
    lent_net: Option<PathBuf>,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    bind(args.megabytes)?;
    let player: HandedPlayer = serde_json::from_str(&args.player).context("this is no player")?;
    let mut session = Session::new(player.engine(args.megabytes, args.lent_net.as_deref())?);
    Ok(serve(&mut session, BufReader::new(stdin()), &mut stdout().lock())?)
}
