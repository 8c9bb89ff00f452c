//! `jigo bench playout`.

use jigo_parameters::ParameterValue;
use jigo_playout::{Outcome, Playout, PlayoutParameters, PolicyName, Simulation, bench_positions, fingerprint};

use super::speed::measure_process;

#[derive(clap::Args)]
pub struct Args {
    /// Rounds to measure of each position and policy, some fifty milliseconds each
    #[arg(long, default_value_t = 20)]
    rounds: usize,
}

/// Playouts in one round of about fifty milliseconds, on 9x9 and on 19x19.
const SMALL_ROUND: usize = 400;
const LARGE_ROUND: usize = 100;

pub fn run(args: Args) -> anyhow::Result<()> {
    println!("Playouts per second of processor time, one thread:");
    println!("{:<20} {:<13} {:>11} {:>11} {:>13}", "", "policy", "best", "median", "moves/playout");
    for start in bench_positions() {
        let position = start.position();
        let round = if start.size > 11 { LARGE_ROUND } else { SMALL_ROUND };
        for policy in [PolicyName::Pachi, PolicyName::GoIntellect, PolicyName::Random] {
            let parameters = PlayoutParameters { policy, ..Default::default() };
            let mut playout = Playout::new(&parameters, start.size, 1);
            let mut simulation = Simulation::new();
            let mut outcome = Outcome::default();
            let (mut moves, mut playouts) = (0, 0);
            let speed = measure_process(args.rounds, || {
                for _ in 0..round {
                    simulation.restart(&position);
                    playout.run(&mut simulation, 0.0, &mut outcome);
                    moves += simulation.moves().len();
                }
                playouts += round;
                round
            });
            let length = moves as f64 / playouts as f64;
            let (best, median) = (speed.best, speed.median);
            let policy = policy.show();
            println!("{:<20} {policy:<13} {best:>9.0}/s {median:>9.0}/s {length:>13.1}", start.name);
        }
    }
    println!("fingerprint {:016x}", fingerprint());
    Ok(())
}
