//! `jigo bench search`.

use std::sync::atomic::AtomicBool;

use jigo_playout::{BenchPosition, Outcome, Playout, Simulation, bench_positions};
use jigo_search::{Limits, Parameters, SearchRequest, Searcher, TreeSearcher, fingerprint};

use super::speed::{Speed, measure_process};

#[derive(clap::Args)]
pub struct Args {
    /// Searches to measure of each position and number of threads
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

/// Simulations of one search, on 9x9 and on 19x19.
const SMALL_SEARCH: usize = 4000;
const LARGE_SEARCH: usize = 1500;

pub fn run(args: Args) -> anyhow::Result<()> {
    let mut parameters = Parameters::default();
    // Every search shall run to its end.
    parameters.search.stop_when_settled = false;
    println!("Searches from scratch without a net; simulations per second of processor time, times the threads:");
    println!(
        "{:<20} {:>7} {:>11} {:>11} {:>11} {:>15} {:>8}",
        "", "threads", "best", "median", "playouts", "share of those", "nodes"
    );
    for start in bench_positions() {
        let simulations = if start.size > 11 { LARGE_SEARCH } else { SMALL_SEARCH };
        let bare = measure_playouts(&start, &parameters, simulations, args.rounds);
        for threads in [1, 2] {
            let searcher = TreeSearcher::new(parameters.clone(), None, threads, 1);
            let (speed, nodes) = measure_search(&start, searcher, simulations, args.rounds);
            println!(
                "{:<20} {threads:>7} {:>9.0}/s {:>9.0}/s {:>9.0}/s {:>15.2} {nodes:>8}",
                start.name,
                speed.best * threads as f64,
                speed.median * threads as f64,
                bare.best,
                speed.best * threads as f64 / bare.best
            );
        }
    }
    println!("fingerprint {:016x}", fingerprint());
    Ok(())
}

/// Playouts from the same position without a tree, one thread: what a search could reach at best.
fn measure_playouts(start: &BenchPosition, parameters: &Parameters, playouts: usize, rounds: usize) -> Speed {
    let position = start.position();
    let mut playout = Playout::new(&parameters.playout, start.size, 1);
    let mut simulation = Simulation::new();
    let mut outcome = Outcome::default();
    measure_process(rounds, || {
        for _ in 0..playouts {
            simulation.restart(&position);
            playout.run(&mut simulation, 0.0, &mut outcome);
        }
        playouts
    })
}

/// Searches of a position, each from scratch, and the nodes of the last one.
pub fn measure_search(
    start: &BenchPosition,
    mut searcher: TreeSearcher,
    simulations: usize,
    rounds: usize,
) -> (Speed, usize) {
    let game = start.game();
    let stop = AtomicBool::new(false);
    let limits = Limits { playouts: Some(simulations as u64), visits: None, time: None };
    let request = SearchRequest::new(&game, game.to_move(), limits, &stop);
    let mut nodes = 0;
    let speed = measure_process(rounds, || {
        searcher.clear();
        let report = searcher.search(&request, None);
        nodes = report.nodes;
        report.playouts as usize
    });
    (speed, nodes)
}
