//! `jigo cluster`: look after a cluster.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, ensure};
use jigo_cluster::{Hub, ask, ask_status};

use crate::cluster_options::LinkArgs;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Show the workers of a cluster, their speed, lag and traffic
    Status(StatusArgs),
    /// Let members in several networks meet here
    Hub(MembersArgs),
    /// Print a pass for workers, made of the password: its owner works, and neither coordinates nor hands out games
    Pass(MembersArgs),
}

#[derive(clap::Args)]
struct StatusArgs {
    /// The cluster to ask
    #[arg(long, value_name = "NAME", default_value = "jigo")]
    cluster: String,

    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,

    /// Print what each machine contributed to each node of the last searches, as JSON
    #[arg(long, conflicts_with = "json")]
    ledger: bool,

    /// Keep a page for a browser up to date in this file
    #[arg(long, value_name = "FILE", requires = "every", conflicts_with_all = ["json", "ledger"])]
    page: Option<PathBuf>,

    /// Ask again every so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    every: Option<u64>,

    #[command(flatten)]
    link: LinkArgs,
}

#[derive(clap::Args)]
struct MembersArgs {
    /// The cluster it is about
    #[arg(long, value_name = "NAME", default_value = "jigo")]
    cluster: String,

    #[command(flatten)]
    link: LinkArgs,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    match args.command {
        Command::Status(args) => status(args),
        Command::Pass(args) => {
            println!("{}", args.link.options(&args.cluster)?.worker_pass()?);
            Ok(())
        }
        Command::Hub(args) => {
            let _hub = Hub::open(&args.link.options(&args.cluster)?)?;
            eprintln!("jigo cluster hub: open for the cluster {:?}", args.cluster);
            loop {
                std::thread::park();
            }
        }
    }
}

fn status(args: StatusArgs) -> anyhow::Result<()> {
    let options = args.link.options(&args.cluster)?;
    loop {
        if let Some(page) = &args.page {
            let pages: Vec<String> = ask_status(&options)?.iter().map(|status| status.page()).collect();
            std::fs::write(page, pages.concat()).with_context(|| format!("{} cannot be written", page.display()))?;
        }
        let answers = if args.ledger {
            ask(&options, "ledger")?
        } else if args.json {
            ask(&options, "status")?
        } else {
            ask_status(&options)?.iter().map(|status| status.table()).collect()
        };
        ensure!(!answers.is_empty(), "no coordinator of the cluster {:?} answers", args.cluster);
        answers.iter().for_each(|answer| println!("{answer}"));
        match args.every {
            Some(seconds) => std::thread::sleep(Duration::from_secs(seconds)),
            None => return Ok(()),
        }
    }
}
