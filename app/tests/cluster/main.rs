//! Clusters of real processes on hosts of their own: whatever happens to workers, the game goes on, moves by the clock come
//! though somebody is missing, and every simulation of every worker that lived is counted once. How late a move may be is
//! asked where time is what the test says it is (`doors/cluster/tests/simulated`), and by the soak.

mod doors;
// A browser does more than this test asks of it.
#[allow(dead_code)]
#[path = "../browser/driver.rs"]
mod driver;
mod games;
mod hostile;
mod hosts;
mod lab;
mod lender;
mod member;
mod router;
mod security;
#[path = "../skipped/mod.rs"]
mod skipped;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use hosts::{ENDLESS, Gtp, Hosts, Process, text, wait_for};
use serde_json::Value;

/// Where the coordinator is.
const COORDINATOR: &str = "10.77.0.1:7460";
/// Two seconds for each move.
const BY_THE_CLOCK: &str = "time_settings 0 2 1";

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
        let engine = ["--net", "none", "--threads", "1", "--nice", "0", "--name", &host.to_string()];
        self.hosts.start(host, &[&arguments[..], &engine].concat())
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

    /// Waits until the workers of exactly these hosts are there, and, if one is going on, in the present search.
    fn wait_until_here(&self, hosts: &[usize]) {
        let expected: BTreeSet<String> = hosts.iter().map(usize::to_string).collect();
        wait_for(&format!("workers {hosts:?}"), || {
            let status = self.ask("--json")?;
            let takes_part = |worker: &&Value| {
                worker["is_alive"] == true
                    && (status["is_searching"] == false || worker["playouts_per_second"].as_f64() > Some(0.0))
            };
            let here = status["workers"].as_array()?.iter().filter(takes_part);
            (here.filter_map(|worker| worker["name"].as_str().map(str::to_string)).collect::<BTreeSet<_>>() == expected)
                .then_some(())
        });
    }

    /// The same in a search that lasts until it is interrupted.
    fn wait_until_searching(&self, hosts: &[usize]) {
        wait_for("a search", || self.ask("--json").filter(|status| status["is_searching"] == true));
        self.wait_until_here(hosts);
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
    cluster.wait_until_here(&[1, 2, 3, 4]);
    let begin = |gtp: &mut Gtp, color: &str| {
        gtp.ask(ENDLESS);
        gtp.send(&format!("genmove {color}"));
    };
    let play_by_the_clock = |gtp: &mut Gtp, color: &str| {
        gtp.ask(BY_THE_CLOCK);
        gtp.ask(&format!("genmove {color}"))
    };

    // One is killed: the others go on.
    begin(&mut gtp, "b");
    cluster.wait_until_searching(&[1, 2, 3, 4]);
    workers[0].signal("KILL");
    cluster.wait_until_searching(&[2, 3, 4]);
    let mut moves = vec![gtp.interrupt()];

    // One freezes: the move comes at once, before anybody can know, and by the clock as well.
    begin(&mut gtp, "w");
    cluster.wait_until_searching(&[2, 3, 4]);
    workers[1].signal("STOP");
    moves.push(gtp.interrupt());
    moves.push(play_by_the_clock(&mut gtp, "b"));

    // One is cut off, and a new one comes in the middle of the search.
    begin(&mut gtp, "w");
    cluster.wait_until_searching(&[3, 4]);
    cluster.hosts.plug(3, false);
    workers.push(cluster.worker());
    cluster.wait_until_searching(&[4, 5]);
    moves.push(gtp.interrupt());
    moves.push(play_by_the_clock(&mut gtp, "b"));

    // Both are back, in the middle of a search again.
    begin(&mut gtp, "w");
    cluster.wait_until_searching(&[4, 5]);
    workers[1].signal("CONT");
    cluster.hosts.plug(3, true);
    cluster.wait_until_searching(&[2, 3, 4, 5]);
    moves.push(gtp.interrupt());
    moves.push(play_by_the_clock(&mut gtp, "b"));
    assert!(!moves.contains(&"resign".to_string()), "nobody is so far behind so early: {moves:?}");

    // Host 1 was killed; all others are accounted for to the last simulation, in every search they took part in, and they were
    // seen in twelve.
    let logs = || (2..=5).flat_map(|host| read_log(&cluster.log(host))).collect::<BTreeMap<_, _>>();
    let logs = wait_for("the last word of every worker", || {
        let (ledger, logs) = (cluster.ledger(), logs());
        let is_complete = logs.len() >= 12 && logs.iter().all(|(key, nodes)| ledger.get(key) == Some(nodes));
        is_complete.then_some(logs)
    });
    let simulations: u64 = logs.values().map(|nodes| nodes[&vec![]].0).sum();
    let status = wait_for("a status", || cluster.ask("--json"));
    eprintln!("{} accounts, {simulations} simulations of workers, traffic {}", logs.len(), status["traffic"]);

    // Another game: nothing that was said about the last one is kept.
    gtp.ask("clear_board");
    play_by_the_clock(&mut gtp, "b");
    let kept = wait_for("a ledger of the new game", || Some(cluster.ledger()).filter(|ledger| !ledger.is_empty()));
    assert_eq!(kept.keys().filter(|key| logs.contains_key(key)).count(), 0, "{:?}", kept.keys());
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
