//! The `jigo` binary: one file per subcommand under `command/`, each with its own `Args` and `run`.

use clap::Parser;

#[derive(Parser)]
#[command(name = "jigo", version, about = "Jigo plays and reviews Go on an ordinary computer")]
struct Cli {}

fn main() -> anyhow::Result<()> {
    Cli::parse();
    Ok(())
}
