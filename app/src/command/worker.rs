//! `jigo worker`: lends this machine to a cluster.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use jigo_cluster::wire::move_code;
use jigo_cluster::{Event, SearchLog, Work, work};
use jigo_search::{Parameters, TreeSearcher};
use tracing::{debug, info};

use crate::cluster_options::{LinkArgs, passport};
use crate::engine_options::MachineOptions;
use crate::handed::JobRunner;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  jigo worker                                        on this host, for jigo gtp --cluster jigo
  jigo worker --cluster home --password-file secret  on a LAN; finds the coordinator by itself
  jigo worker --cluster far --connect hub.example:7460 --tls-ca ca.pem --tls-cert me.pem --tls-key me.key

docs/cluster.md has the whole story.")]
pub struct Args {
    /// The cluster to work for
    #[arg(long, value_name = "NAME", default_value = "jigo")]
    cluster: String,

    /// What this machine is called in the status view; by default its host name
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,

    /// Priority, from 19 (only what others leave over) to 0 (like any program)
    #[arg(long, value_name = "N", default_value_t = 19, value_parser = clap::value_parser!(u8).range(0..=19))]
    nice: u8,

    /// Games of jigo match --cluster, or batches of jigo train --cluster, played at the same time; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=256))]
    games: u16,

    /// Memory of each player of such a game, for its tree and what its net said
    #[arg(long, value_name = "MEGABYTES", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(64..))]
    game_memory: u32,

    /// Memory for searching together with others, whatever a coordinator wishes
    #[arg(long, value_name = "MEGABYTES", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(64..))]
    search_memory: u32,

    /// Write what was found in each search to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    searches: Option<PathBuf>,

    #[command(flatten)]
    machine: MachineOptions,

    #[command(flatten)]
    link: LinkArgs,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    #[cfg(unix)]
    rustix::process::nice(args.nice.into()).context("the priority cannot be lowered")?;
    let options = args.link.options(&args.cluster)?;
    let (net, threads, seed) = (args.machine.net()?, args.machine.threads(), args.machine.seed());
    let mut searches = match &args.searches {
        Some(path) => Some(File::create(path).with_context(|| format!("{} cannot be written", path.display()))?),
        None => None,
    };
    let runner = JobRunner::new(args.game_memory);
    let job = Work {
        name: args.name.unwrap_or_else(host_name),
        passport: passport(net.as_deref()),
        threads: threads as u16,
        searcher: Box::new(move |wish| TreeSearcher::new(within(args.search_memory, wish), net.clone(), threads, seed)),
        job: Arc::new(move |job, fetch| runner.run(job, fetch)),
        slots: args.games,
    };
    eprintln!("jigo worker: waiting for the cluster {:?}", args.cluster);
    let never = AtomicBool::new(false);
    work(&options, &job, &never, &mut |event| {
        tell(&event);
        if let (Event::Searched(found), Some(file)) = (event, &mut searches)
            && writeln!(file, "{}", search_line(found)).is_err()
        {
            eprintln!("jigo worker: what was found cannot be written down");
        }
    })?;
    Ok(())
}

/// For the person who lends the machine, and for the log.
fn tell(event: &Event<'_>) {
    let news = match event {
        Event::Waiting(reason, 1) => format!("{reason}; trying again and again"),
        Event::Waiting(reason, tries) => format!("{reason}; tried {tries} times"),
        Event::Joined => "joined the cluster".to_string(),
        Event::Refused(reason) => format!("refused, {reason}"),
        Event::Declined(reason) => format!("cannot take part in this search: {reason}"),
        Event::Searched(found) => {
            debug!(worker = found.worker, search = found.search, nodes = found.nodes.len(), "searched");
            return;
        }
    };
    info!("{news}");
    eprintln!("jigo worker: {news}");
}

/// What a coordinator wishes, with no more memory than this.
fn within(megabytes: u32, mut wish: Parameters) -> Parameters {
    let search = &mut wish.search;
    search.net_cache = search.net_cache.min(megabytes / 4);
    search.tree_megabytes = search.tree_megabytes.min(megabytes - search.net_cache);
    wish
}

/// One search as a line of JSON: worker, search, and for each node its moves (0 is a pass), visits, wins and score.
fn search_line(found: &SearchLog) -> String {
    let node = |(path, counts): &(jigo_search::Path, jigo_search::Counts)| {
        let moves: Vec<String> = path.moves().iter().map(|&mv| move_code(mv).to_string()).collect();
        format!("[[{}],{},{},{}]", moves.join(","), counts.visits, counts.wins, counts.black_score)
    };
    let nodes: Vec<String> = found.nodes.iter().map(node).collect();
    format!("{{\"worker\":{},\"search\":{},\"nodes\":[{}]}}", found.worker, found.search, nodes.join(","))
}

fn host_name() -> String {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    return "worker".to_string();
}
