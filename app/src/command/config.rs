//! `jigo config`: a configuration file with everything in it.

use anyhow::Context;

use crate::engine_options::preset_named;
use crate::{config, places};

#[derive(clap::Args)]
pub struct Args {
    /// Say where Jigo looks for the file instead
    #[arg(long)]
    path: bool,

    /// Only what this preset sets, each value with its source: pachi, baudis, go-intellect, cgi or jigo
    #[arg(long, value_name = "NAME", conflicts_with = "path")]
    preset: Option<String>,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    if args.path {
        let path = places::config_file().context("there is no configuration folder: your home folder is not known")?;
        println!("{}", path.display());
    } else if let Some(name) = args.preset {
        print!("{}", config::preset_file(preset_named(&name)?));
    } else {
        print!("{}", config::default_file());
    }
    Ok(())
}
