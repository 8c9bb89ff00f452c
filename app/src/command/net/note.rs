//! `jigo net note`: a net's card is written into its file.

use std::path::PathBuf;

use anyhow::bail;
use jigo_net::Weights;
use jigo_net::weights::{DIGEST, Precision};
use jigo_train::checkpoint::{read_weights, write_weights};

#[derive(clap::Args)]
pub struct NoteArgs {
    /// The net file; its numbers stay as they are
    net: PathBuf,
    /// What to say about what; an empty TEXT takes a note away
    #[arg(required = true, value_name = "NAME=TEXT", value_parser = parse_note)]
    notes: Vec<(String, String)>,
}

fn parse_note(text: &str) -> Result<(String, String), String> {
    let (name, text) = text.split_once('=').ok_or_else(|| format!("\"{text}\" is not NAME=TEXT"))?;
    match name.trim() {
        "" => Err("a note needs a name".into()),
        "architecture" => Err("the architecture is what the net is, not a note about it".into()),
        DIGEST => Err("the digest follows from the net".into()),
        name => Ok((name.into(), text.trim().into())),
    }
}

pub fn run(args: &NoteArgs) -> anyhow::Result<()> {
    let mut weights = read_weights(&args.net)?;
    for (name, text) in &args.notes {
        if text.is_empty() {
            if weights.notes.remove(name).is_none() {
                bail!("{} says nothing about {name}", args.net.display());
            }
        } else {
            weights.notes.insert(name.clone(), text.clone());
        }
    }
    let half = Weights::from_bytes(&weights.to_bytes(Precision::Half)?)?;
    let precision = if half.values == weights.values { Precision::Half } else { Precision::Full };
    Ok(write_weights(&args.net, &weights, precision)?)
}
