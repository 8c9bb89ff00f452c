//! `jigo bench net-search`: what cache and batches are worth to a search.

use std::sync::Arc;

use jigo_net::kernel::Isa;
use jigo_net::{EMBEDDED_WEIGHTS, Net, Weights};
use jigo_playout::bench_positions;
use jigo_search::{Parameters, TreeSearcher};

use super::search::measure_search;

#[derive(clap::Args)]
pub struct Args {
    /// Searches to measure of each position, instruction set and way
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Simulations of one search
    #[arg(long, default_value_t = 800)]
    playouts: usize,
}

/// How the threads of a search share the net.
struct Way {
    name: &'static str,
    threads: usize,
    batch: u32,
    /// Megabytes; every search but the first finds its evaluations there.
    cache: u32,
}

const WAYS: [Way; 4] = [
    Way { name: "1 thread", threads: 1, batch: 1, cache: 0 },
    Way { name: "1 thread, cached", threads: 1, batch: 1, cache: 64 },
    Way { name: "16 threads", threads: 16, batch: 1, cache: 0 },
    Way { name: "16 threads, batches", threads: 16, batch: 16, cache: 0 },
];

pub fn run(args: Args) -> anyhow::Result<()> {
    let weights = Weights::from_bytes(EMBEDDED_WEIGHTS)?;
    println!("Searches from scratch with the net; simulations per second of processor time:");
    println!("{:<20} {:>9} {:<20} {:>11} {:>11}", "", "kernel", "", "best", "median");
    for start in bench_positions() {
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            let net = Arc::new(Net::new(&weights, isa));
            for way in &WAYS {
                let (speed, _) = measure_search(&start, searcher(&net, way), args.playouts, args.rounds);
                println!("{:<20} {isa:>9} {:<20} {:>9.0}/s {:>9.0}/s", start.name, way.name, speed.best, speed.median);
            }
        }
    }
    Ok(())
}

fn searcher(net: &Arc<Net>, way: &Way) -> TreeSearcher {
    let mut parameters = Parameters::default();
    // Every search shall run to its end.
    parameters.search.stop_when_settled = false;
    parameters.search.net_batch = way.batch;
    parameters.search.net_cache = way.cache;
    TreeSearcher::new(parameters, Some(net.clone()), way.threads, 1)
}
