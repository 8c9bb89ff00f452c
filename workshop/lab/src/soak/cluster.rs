//! A cluster of three: a coordinator, which is a GTP program like any other, and two workers that die and come back.

use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use jigo_board::Rng;
use serde_json::Value;

use super::account::Account;
use super::process::{End, Process, Silence};
use super::{Hours, PATIENCE, gtp};

/// One second for each move.
const CLOCK: &[&str] = &["time_settings 0 1 1"];

/// The coordinator's visitor. At the end all workers must be back.
pub fn visit(name: &str, process: &Process, workers: usize, rng: Rng, hours: &Hours, account: &mut Account) {
    let everybody_is_back = |account: &mut Account| {
        let asked = Instant::now();
        let mut here = 0;
        while here < workers && asked.elapsed() < PATIENCE {
            here = workers_here(name, process);
        }
        account.checked += workers as u64;
        if here < workers {
            account.fault(format!("{here} of {workers} workers are back after {} s", PATIENCE.as_secs()));
        }
    };
    let options = gtp::VisitOptions { preface: CLOCK, before_quit: &everybody_is_back };
    gtp::visit(process, options, rng, hours, account);
}

fn workers_here(name: &str, process: &Process) -> usize {
    let mut command = process.jigo();
    command.args(["cluster", "status", "--cluster", name, "--json"]).stdin(Stdio::null());
    let Ok(output) = command.output() else { return 0 };
    let status: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    status["workers"].as_array().map_or(0, |all| all.iter().filter(|worker| worker["is_alive"] == true).count())
}

/// Starts a worker again whenever it was killed, until all is done.
pub fn keep(process: &Process, account: &mut Account, all_done: &AtomicBool) {
    while !all_done.load(Ordering::Acquire) && !account.is_full() {
        let mut talk = match process.start() {
            Ok(talk) => talk,
            Err(error) => return account.fault(error),
        };
        // It has nothing to say on its output; when that ends, so has it.
        loop {
            if all_done.load(Ordering::Acquire) {
                return;
            }
            if talk.line(Duration::from_millis(100)) == Err(Silence::Ended) {
                break;
            }
        }
        if let End::Unplanned(how) = process.end() {
            account.fault(how);
            thread::sleep(Duration::from_secs(1));
        }
    }
}
