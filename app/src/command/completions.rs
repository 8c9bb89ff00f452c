//! `jigo completions`: what a shell needs to complete Jigo's command line.

use std::io::stdout;

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::Cli;

#[derive(clap::Args)]
#[command(after_help = "\
bash:        jigo completions bash > ~/.local/share/bash-completion/completions/jigo
zsh:         jigo completions zsh > ~/.zfunc/_jigo   (with fpath+=~/.zfunc before compinit)
fish:        jigo completions fish > ~/.config/fish/completions/jigo.fish
PowerShell:  jigo completions powershell >> $PROFILE")]
pub struct Args {
    /// The shell that completes
    shell: Shell,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "jigo", &mut script);
    Ok(std::io::Write::write_all(&mut stdout(), &script)?)
}
