//! `jigo man`: manual pages, one for each command.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::Cli;

#[derive(clap::Args)]
pub struct Args {
    /// Folder for the pages, such as ~/.local/share/man/man1; it is made if there is none
    folder: PathBuf,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    fs::create_dir_all(&args.folder).with_context(|| format!("{} cannot be made", args.folder.display()))?;
    let mut jigo = Cli::command();
    jigo.build();
    let mut pages = vec![("jigo".to_string(), jigo)];
    while let Some((name, command)) = pages.pop() {
        for part in command.get_subcommands().filter(|part| part.get_name() != "help" && !part.is_hide_set()) {
            pages.push((format!("{name}-{}", part.get_name()), part.clone()));
        }
        let path = args.folder.join(format!("{name}.1"));
        fs::write(&path, page(&name, command)?).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

fn page(name: &str, command: Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).title(name).render(&mut page)?;
    Ok(page)
}
