//! Hours of random traffic and random kills against all doors at once. Afterwards: is everything there that was acknowledged, did every
//! question get its answer, has nothing grown?
//!
//! Each program has a [`Process`](process::Process) and a visitor of its own thread, which knows what it was promised ([`gtp`], [`analysis`],
//! [`web`], [`tabs`], [`cluster`]). [`plan`] says who is killed when, [`watch`] looks at memory, [`report`] tells. Everything is on
//! loopback, and drawn from one seed; only what the machine does in between is not.

mod account;
mod analysis;
mod cluster;
mod gtp;
mod plan;
mod process;
mod report;
mod tabs;
mod watch;
mod web;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use jigo_arena::journal::write_whole;
use jigo_arena::seed::random_part;

use account::{Account, SoakJournal};
use plan::Plan;
use process::Process;
pub use report::SoakReport;
use watch::{Usage, UsageHistory};

use crate::guardian::Guardian;
use crate::run::LabError;

/// Nothing takes nearly as long, even on a crowded machine, unless it is broken.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often the plan is looked at, and memory at most.
const TICK: Duration = Duration::from_millis(250);
/// Looks at memory in the whole soak.
const SAMPLES: u32 = 400;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Soak {
    pub length: Duration,
    pub seed: u64,
    pub folder: PathBuf,
    /// Can the program have workers?
    pub with_cluster: bool,
}

/// From when to when visitors come.
struct Hours {
    begun: Instant,
    end: Instant,
}

impl Hours {
    fn are_over(&self) -> bool {
        Instant::now() >= self.end
    }
}

/// Small trees, so that all programs fit into a small machine; one thread each. What nets said fills its memory long before the
/// quiet time, so that whatever still rises then is growth.
const SMALL: [&str; 6] = ["--threads", "1", "--set", "search.tree_megabytes=32", "--set", "search.net_cache=2"];
const WORKERS: [&str; 2] = ["worker-1", "worker-2"];

type Visit<'a> = Box<dyn FnOnce(&mut Account) + Send + 'a>;

/// `tell` hears how much of the time is over.
pub fn soak(soak: &Soak, tell: &mut dyn FnMut(Duration)) -> Result<SoakReport, LabError> {
    let impossible = |what: &str, error: std::io::Error| LabError::Soak(format!("{what}: {error}"));
    if !watch::can_watch() {
        return Err(LabError::Soak("a soak looks at processes in /proc, which this system does not have".to_owned()));
    }
    let folder = fresh(&soak.folder)?;
    let journal = SoakJournal::create(&folder).map_err(|error| impossible("the journal cannot be written", error))?;
    let guardian = Guardian::start().map_err(|error| impossible("sh cannot be started", error))?;

    let cluster = format!("soak-{}", std::process::id());
    let seed = soak.seed.to_string();
    let data = folder.join("web").to_string_lossy().into_owned();
    let process = |name, words: &[&[&str]]| Process::new(name, &words.concat(), &folder, &guardian);
    let playing = ["--rules", gtp::RULES, "--seed", &seed];
    let mut processes = vec![
        process("web", &[&["web", "--no-open", "--port", "0", "--seed", &seed, "--data", &data], &SMALL]),
        process("gtp", &[&["gtp", "--playouts", "50"], &playing, &SMALL]),
        process("analysis", &[&["analysis", "--workers", "2", "--seed", &seed], &SMALL]),
    ];
    if soak.with_cluster {
        let member = ["--cluster", &cluster, "--net", "none"];
        processes.push(process("coordinator", &[&["gtp"], &member, &playing, &SMALL]));
        for name in WORKERS {
            processes.push(process(
                name,
                &[&["worker", "--name", name, "--games", "0", "--nice", "0"], &member, &["--threads", "1"]],
            ));
        }
    }

    let begun = Instant::now();
    let hours = Hours { begun, end: begun + soak.length };
    let mut plan = Plan::draw(soak.seed, processes.len(), soak.length);
    let mut records: Vec<UsageHistory> = processes.iter().map(|_| UsageHistory::default()).collect();
    let mut kills = vec![0; processes.len()];
    let (address, all_done) = (web::Address::default(), AtomicBool::new(false));
    let rng = |visitor: &str| random_part(soak.seed, visitor, 0);

    let mut visits: Vec<(&'static str, Visit)> = vec![
        ("web", Box::new(|account| web::visit(&processes[0], &address, rng("web"), &hours, account))),
        ("tabs", Box::new(|account| tabs::visit(&processes[0], &address, rng("tabs"), &hours, account))),
        ("gtp", Box::new(|account| gtp::visit(&processes[1], gtp::ALONE, rng("gtp"), &hours, account))),
        ("analysis", Box::new(|account| analysis::visit(&processes[2], rng("analysis"), &hours, account))),
    ];
    if let Some((coordinator, workers)) = processes[3..].split_first() {
        let visit = |account: &mut Account| {
            cluster::visit(&cluster, coordinator, workers.len(), rng("coordinator"), &hours, account);
            all_done.store(true, Ordering::Release);
        };
        visits.push(("coordinator", Box::new(visit)));
        for worker in workers {
            visits.push((worker.name, Box::new(|account| cluster::keep(worker, account, &all_done))));
        }
    }

    let accounts: Vec<Account> = thread::scope(|scope| {
        let journal = &journal;
        let mut visitors = Vec::new();
        for (name, visit) in visits {
            visitors.push(scope.spawn(move || {
                let mut account = Account::new(name, journal);
                visit(&mut account);
                account
            }));
        }
        let mut next_sample = Duration::ZERO;
        // Visitors that have all found enough leave nothing to watch.
        while !hours.are_over() && visitors.iter().any(|visitor| !visitor.is_finished()) {
            let now = hours.begun.elapsed();
            for process in plan.due(now) {
                if processes[process].kill() {
                    journal.note(processes[process].name, "killed");
                    kills[process] += 1;
                }
            }
            if now >= next_sample {
                next_sample = now + soak.length / SAMPLES;
                for (process, record) in processes.iter().zip(&mut records) {
                    let sample = process.present().and_then(|(life, pid)| Some((life, Usage::take(pid, now)?)));
                    sample.into_iter().for_each(|(life, sample)| record.add(life, sample));
                }
            }
            tell(now);
            thread::sleep(TICK);
        }
        let broken = |_| {
            let mut account = Account::new("soak", journal);
            account.fault("a visitor panicked, and what it knew is gone");
            account
        };
        visitors.into_iter().map(|visitor| visitor.join().unwrap_or_else(broken)).collect()
    });

    let report = SoakReport::new(soak, &plan, &processes, &records, &kills, &accounts);
    write_whole(&folder.join("report.md"), report.text())?;
    Ok(report)
}

/// A soak wants a folder that nothing is in, since it looks for what it was promised there.
fn fresh(folder: &Path) -> Result<PathBuf, LabError> {
    let failed = |error: std::io::Error| LabError::Soak(format!("{} cannot be made: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    if fs::read_dir(folder).map_err(failed)?.next().is_some() {
        return Err(LabError::Soak(format!("{} is not empty; name another folder with --out", folder.display())));
    }
    folder.canonicalize().map_err(failed)
}
