//! `jigo config`: a configuration file with everything in it.

use anyhow::Context;
use jigo_engine::Preset;

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
        print!("{}", config::preset_file(Preset::named(&name)?));
    } else {
        print!("{}", config::default_file());
    }
    Ok(())
}
