//! Clusters of real processes on hosts of their own: whatever happens to workers, the game goes on, moves are in time, and
//! every simulation of every worker that lived is counted once.

mod doors;
// A browser does more than this test asks of it.
#[allow(dead_code)]
#[path = "../browser/driver.rs"]
mod driver;
mod games;
mod hostile;
mod hosts;
mod lab;
mod member;
mod router;
mod security;
#[path = "../skipped/mod.rs"]
mod skipped;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hosts::{Gtp, Hosts, Process, text, wait_for};
use serde_json::Value;

/// Where the coordinator is.
const COORDINATOR: &str = "10.77.0.1:7460";
/// Seconds for each move.
const PERIOD: u64 = 10;

/// Nodes of one search by one worker: moves, visits, wins, score.
type Nodes = BTreeMap<Vec<u64>, (u64, u64, i64)>;

struct Faults {
    hosts: Hosts,
    folder: tempfile::TempDir,
    secret: String,
}

impl Faults {
    fn new(test: &str) -> Option<Faults> {
        let hosts = Hosts::new(test)?;
        let folder = tempfile::tempdir().expect("a folder for the test");
        let secret = folder.path().join("secret");
        hosts::secret(&secret, "jigo:open sesame\n");
        Some(Faults { hosts, secret: text(&secret).to_string(), folder })
    }

    fn log(&self, host: usize) -> std::path::PathBuf {
        self.folder.path().join(format!("worker{host}.log"))
    }

    /// A worker on a new host that finds the coordinator by itself.
    fn worker(&mut self) -> Process {
        let host = self.hosts.add();
        let log = self.log(host);
        let arguments = ["worker", "--cluster", "faults", "--password-file", &self.secret, "--searches", text(&log)];
        self.hosts.start(host, &[&arguments[..], &["--net", "none", "--threads", "1", "--nice", "0"]].concat())
    }

    fn coordinator(&self) -> Gtp {
        let arguments = ["gtp", "--cluster", "faults", "--listen", COORDINATOR, "--password-file", &self.secret];
        let search = ["--size", "9", "--net", "none", "--threads", "1"];
        Gtp::start(self.hosts.jigo(0, &[&arguments[..], &search].concat()))
    }

    fn ask(&self, format: &str) -> Option<Value> {
        let arguments = ["cluster", "status", "--cluster", "faults", "--connect", COORDINATOR, format];
        let output = self.hosts.run(0, &[&arguments[..], &["--password-file", &self.secret]].concat());
        serde_json::from_slice(&output.stdout).ok()
    }

    fn workers_here(&self) -> usize {
        let status = self.ask("--json").unwrap_or_default();
        status["workers"].as_array().map_or(0, |all| all.iter().filter(|w| w["is_alive"] == true).count())
    }

    /// What the coordinator says each worker found in each search.
    fn ledger(&self) -> BTreeMap<(u64, u64), Nodes> {
        let mut ledger: BTreeMap<(u64, u64), Nodes> = BTreeMap::new();
        for row in self.ask("--ledger").and_then(|rows| rows.as_array().cloned()).unwrap_or_default() {
            let key = (row[1].as_u64().unwrap(), row[0].as_u64().unwrap());
            ledger.entry(key).or_default().insert(moves(&row[2]), (number(&row[3]), number(&row[4]), score(&row[5])));
        }
        ledger
    }
}

/// What a worker itself says; if it took up a search again, its last word.
fn read_log(path: &Path) -> BTreeMap<(u64, u64), Nodes> {
    let log = std::fs::read_to_string(path).unwrap_or_default();
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("a whole line");
        let node = |n: &Value| (moves(&n[0]), (number(&n[1]), number(&n[2]), score(&n[3])));
        let nodes = line["nodes"].as_array().expect("nodes").iter().map(node).collect();
        ((number(&line["worker"]), number(&line["search"])), nodes)
    };
    log.lines().map(line).filter(|(_, nodes): &(_, Nodes)| !nodes.is_empty()).collect()
}

fn moves(value: &Value) -> Vec<u64> {
    value.as_array().expect("moves").iter().map(number).collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn score(value: &Value) -> i64 {
    value.as_i64().expect("a number")
}

#[test]
fn workers_die_freeze_are_cut_off_and_join_while_the_game_goes_on() {
    let Some(mut cluster) = Faults::new("faults") else { return };
    let mut workers: Vec<Process> = (0..4).map(|_| cluster.worker()).collect();
    let mut gtp = cluster.coordinator();
    gtp.ask(&format!("time_settings 0 {PERIOD} 1"));
    wait_for("four workers", || (cluster.workers_here() == 4).then_some(()));

    let colors = ["b", "w"];
    for (number, color) in colors.iter().cycle().take(5).enumerate() {
        let asked = Instant::now();
        gtp.send(&format!("genmove {color}"));
        // All are in the search before something happens to them.
        wait_for("a search", || cluster.ask("--json").filter(|status| status["is_searching"] == true));
        match number {
            0 => workers[0].signal("KILL"),
            1 => workers[1].signal("STOP"),
            2 => {
                cluster.hosts.plug(3, false);
                workers.push(cluster.worker());
            }
            3 => {
                workers[1].signal("CONT");
                cluster.hosts.plug(3, true);
            }
            _ => {}
        }
        let answer = gtp.answer();
        assert!(asked.elapsed() < Duration::from_secs(PERIOD), "move {number} came after {:?}", asked.elapsed());
        assert_ne!(answer, "resign", "nobody is so far behind so early");
    }
    wait_for("everybody back", || (cluster.workers_here() == 4).then_some(()));

    // Host 1 was killed; all others are accounted for to the last simulation, in every search they took part in.
    let logs = || (2..=5).flat_map(|host| read_log(&cluster.log(host))).collect::<BTreeMap<_, _>>();
    wait_for("the last word of every worker", || {
        let (ledger, logs) = (cluster.ledger(), logs());
        logs.iter().all(|(key, nodes)| ledger.get(key) == Some(nodes)).then_some(())
    });
    let simulations: u64 = logs().values().map(|nodes| nodes[&vec![]].0).sum();
    assert!(logs().len() >= 10 && simulations > 1000, "{} searches, {simulations} simulations", logs().len());
    let status = cluster.ask("--json").expect("a status");
    eprintln!("{simulations} simulations of workers, traffic {}", status["traffic"]);
    gtp.quit();
}

#[test]
fn hosts_beyond_this_one_need_a_secret() {
    let output = Command::new(env!("CARGO_BIN_EXE_jigo"))
        .args(["gtp", "--cluster", "bare", "--listen", "0.0.0.0:7460", "--net", "none"])
        .stdin(Stdio::null())
        .output()
        .expect("jigo starts");
    assert!(!output.status.success());
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains("--password-file") && complaint.lines().count() == 1, "{complaint}");
}
