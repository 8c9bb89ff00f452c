//! `jigo bench` alone: how many simulations a second this machine makes, and which options suit it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use jigo_katago::KataNet;
use jigo_net::{Backend, Net};
use jigo_playout::bench_positions;
use jigo_search::{Limits, Parameters, SearchRequest, Searcher, TimeBudget, TreeSearcher};

use crate::engine_options::{EMBEDDED, FAST, load_net};

#[derive(clap::Args)]
pub struct Advice {
    /// Also try the net in this file; may be given several times
    #[arg(long = "net", value_name = "FILE|NAME")]
    nets: Vec<String>,

    /// Seconds for each search
    #[arg(long, default_value_t = 2.0, allow_negative_numbers = true, value_parser = seconds)]
    seconds: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|seconds| (0.01..=600.0).contains(seconds)).ok_or("it is a number from 0.01 to 600".into())
}

/// More threads are worth their heat if they make the search faster by this much.
const WORTH_MORE_THREADS: f64 = 1.05;
/// A move of three seconds should see at least so many positions: a rule of thumb, not a measurement.
const LEAST_RATE: f64 = 100.0 / 3.0;

pub fn run(args: Advice) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut nets: Vec<(String, Arc<dyn Backend>)> =
        vec![(FAST.to_string(), Net::embedded()), (EMBEDDED.to_string(), KataNet::embedded())];
    for file in &args.nets {
        nets.push((file.clone(), load_net(file)?));
    }
    println!("Simulations per second in a middle game on 19x19, by the clock on the wall:");
    println!("{:<32} {:>7} {:>12}", "net", "threads", "");
    let mut advice: Option<(String, usize)> = None;
    for (name, net) in &nets {
        let mut best = (1, 0.0);
        for threads in thread_counts(cores) {
            let rate = measure(net, threads, args.seconds);
            println!("{name:<32} {threads:>7} {rate:>10.0}/s");
            if rate > best.1 * WORTH_MORE_THREADS {
                best = (threads, rate);
            }
        }
        // Later nets were named by somebody who thinks them better.
        if advice.is_none() || best.1 >= LEAST_RATE {
            advice = Some((name.clone(), best.0));
        }
    }
    if let Some((net, threads)) = advice {
        let net = if net == EMBEDDED { String::new() } else { format!(" --net {net}") };
        println!("For this machine: --threads {threads}{net}");
    }
    Ok(())
}

/// One, two, four and so on up to all cores.
fn thread_counts(cores: usize) -> Vec<usize> {
    let mut counts: Vec<usize> =
        std::iter::successors(Some(1), |count| Some(2 * count)).take_while(|&count| count < cores).collect();
    counts.push(cores);
    counts
}

fn measure(net: &Arc<dyn Backend>, threads: usize, seconds: f64) -> f64 {
    let mut parameters = Parameters::default();
    // Every search shall run to its end.
    parameters.search.stop_when_settled = false;
    let start = bench_positions().into_iter().last().expect("there are positions to measure with");
    let game = start.game();
    let time = Duration::from_secs_f64(seconds);
    let limits = Limits { playouts: None, visits: None, time: Some(TimeBudget { desired: time, maximum: time }) };
    let stop = AtomicBool::new(false);
    let mut searcher = TreeSearcher::new(parameters, Some(Arc::clone(net)), threads, 1);
    let report = searcher.search(&SearchRequest::new(&game, game.to_move(), limits, &stop), None);
    report.playouts as f64 / report.elapsed.as_secs_f64().max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cores_are_tried_and_powers_of_two_before() {
        assert_eq!(thread_counts(1), [1]);
        assert_eq!(thread_counts(6), [1, 2, 4, 6]);
        assert_eq!(thread_counts(8), [1, 2, 4, 8]);
    }
}
