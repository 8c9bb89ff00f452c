//! `jigo config`: a configuration file with everything in it.

use anyhow::Context;

use crate::{config, places};

#[derive(clap::Args)]
pub struct Args {
    /// Say where Jigo looks for the file instead
    #[arg(long)]
    path: bool,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    if args.path {
        let path = places::config_file().context("there is no configuration folder: your home folder is not known")?;
        println!("{}", path.display());
    } else {
        print!("{}", config::default_file());
    }
    Ok(())
}
