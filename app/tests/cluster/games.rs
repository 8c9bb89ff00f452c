//! Games handed to workers: each is played and counted once, though a worker dies.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use jigo_cluster::{ClusterLink, JobServer, LinkOptions};
use jigo_train::teach::read_lessons;
use serde_json::Value;

use crate::hosts::{PATIENCE, Process, lines, on_this_host, text, this_host, wait_for};

const NET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../mind/net/weights/default.safetensors");
const KATAGO_NET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../mind/katago/tests/data/tiny-v10-relu.bin.gz");

fn jigo(arguments: &[&str]) -> Child {
    let mut command = on_this_host(arguments);
    command.stderr(Stdio::piped()).spawn().expect("jigo starts")
}

pub struct Worker {
    pub process: Process,
    said: Receiver<String>,
}

impl Worker {
    pub fn start(cluster: &str) -> Worker {
        Worker::start_with(cluster, &[])
    }

    pub fn start_with(cluster: &str, more: &[&str]) -> Worker {
        let arguments = ["worker", "--cluster", cluster, "--net", "none", "--nice", "0"];
        Worker::of(on_this_host(&[&arguments[..], more].concat()))
    }

    pub fn of(mut command: Command) -> Worker {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("jigo starts");
        let said = lines(child.stderr.take().expect("piped"));
        Worker { process: Process::new(child), said }
    }

    /// What it says until its end.
    pub fn everything(self) -> Vec<String> {
        self.said.iter().collect()
    }

    /// The next line that it says with this word in it.
    pub fn says(&mut self, word: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let line = self.said.recv_timeout(until.saturating_duration_since(Instant::now()));
            let line = line.unwrap_or_else(|_| panic!("the worker never said {word:?}"));
            if line.contains(word) {
                return line;
            }
        }
    }

    /// What it says first after its greeting.
    pub fn first_news(&mut self) -> String {
        self.says("waiting for the cluster");
        self.says("")
    }

    /// Dies as soon as it has begun to play.
    fn die_playing(self) {
        self.die_when_it("plays");
    }

    fn die_when_it(mut self, word: &str) {
        self.says(word);
        self.process.signal("KILL");
    }
}

/// Positions of a few small games.
fn write_positions(folder: &Path) {
    let record = "(;GM[1]SZ[5]KM[7]RE[B+R];B[cc];W[bb];B[cb];W[bc])";
    std::fs::write(folder.join("a.sgf"), record).expect("a record");
    let words = ["train", "positions", "positions", "--data", ".", "--files", ".sgf", "--sizes", "5"];
    let mut command = on_this_host(&[&words[..], &["--count", "100", "--seed", "1", "--workers", "1"]].concat());
    assert!(command.current_dir(folder).status().expect("jigo starts").success());
}

#[test]
fn questions_are_answered_by_workers_as_on_one_machine_though_one_dies() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    write_positions(folder.path());
    for (number, teacher) in [&[KATAGO_NET][..], &[NET, "--visits", "3"]].into_iter().enumerate() {
        let cluster = format!("questions-{number}-{}", std::process::id());
        let path = |name: &str| folder.path().join(format!("{name}-{number}"));
        let ask = |journal: &str, more: &[&str]| {
            let positions = folder.path().join("positions");
            let journal = path(journal);
            let words = [&["train", "teach", text(&positions), text(&journal), "--teacher"], teacher, more].concat();
            Process::new(jigo(&words))
        };
        let mut elsewhere = ask("elsewhere", &["--cluster", &cluster]);
        // Alone at first: beside another it might get no question at all.
        Worker::start(&cluster).die_when_it("answers");
        let _other = Worker::start(&cluster);
        wait_for("all answers", || elsewhere.has_ended().then_some(()));
        let mut here = ask("here", &[]);
        wait_for("all answers", || here.has_ended().then_some(()));
        let lessons = |journal: &str| {
            let (mut lessons, teachers) = read_lessons(&[path(journal)]).expect("a journal");
            lessons.sort_by_key(|lesson| lesson.exercise.fingerprint());
            (lessons, teachers)
        };
        let (told, teachers) = lessons("elsewhere");
        assert!(told.len() >= 50, "{} answers", told.len());
        assert_eq!((told, teachers), lessons("here"));
    }
}

#[test]
fn games_of_a_match_are_played_by_workers_once_each_though_one_dies() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let cluster = format!("games-{}", std::process::id());
    let player = "jigo gtp --net none --threads 1 --playouts 30 --seed {seed}";
    let with = |net: &str| player.replace("--net none", &format!("--net {net}"));
    let (one, other) =
        (format!("one={} --set search.criticality=0.5", with(KATAGO_NET)), format!("other={}", with(NET)));
    let opening = folder.path().join("opening.sgf");
    std::fs::write(&opening, "(;SZ[5];B[cc];W[bb])").expect("an opening");
    let out = folder.path().join("match");
    let games = ["--size", "5", "--games", "6", "--out", text(&out), "--cluster", &cluster];
    let begin = ["match", "-p", &one, "-p", &other, "--openings", text(&opening)];
    let mut arena = Process::new(jigo(&[&begin[..], &games[..]].concat()));
    // Alone at first: beside another it might get no game at all.
    Worker::start(&cluster).die_playing();
    let _other = Worker::start(&cluster);
    wait_for("the end of the match", || arena.has_ended().then_some(()));
    let journal = std::fs::read_to_string(out.join("games.jsonl")).unwrap_or_default();
    let game = |line| serde_json::from_str::<Value>(line).expect("a record")["game"].as_u64();
    let mut played: Vec<_> = journal.lines().map(game).collect();
    played.sort();
    assert_eq!(played, (0..6).map(Some).collect::<Vec<_>>());
    // The opening and the nets travelled: none of them is looked for on a worker.
    let record = std::fs::read_to_string(out.join("games/00005.sgf")).expect("a record");
    assert!(record.contains(";B[cc]") && record.contains("search.criticality=0.5"), "{record}");
    assert!(journal.lines().all(|line| !line.contains("forfeit")), "{journal}");
}

#[test]
fn a_worker_of_another_version_says_why_it_gets_no_jobs() {
    let cluster = format!("versions-{}", std::process::id());
    let link = Arc::new(ClusterLink::open(&LinkOptions::new(&cluster, this_host())).expect("a cluster"));
    let server = JobServer::open(link, "the day after tomorrow").expect("a server");
    server.put(0, "a job".into());
    let said = Worker::start(&cluster).says("refused");
    let ours = env!("CARGO_PKG_VERSION");
    assert_eq!(
        said,
        format!("jigo worker: refused, the worker has version {ours:?}, the jobs are for \"the day after tomorrow\"")
    );
}

/// Trains a little on games of the net with itself, and gives the weights that came of it.
fn train(run: &Path, cluster: &[&str], meanwhile: impl FnOnce()) -> Vec<u8> {
    let games = ["train", "value", "--from", NET, "--run", text(run), "--size", "7", "--games", "96"];
    let learning = ["--steps", "2", "--batch", "8", "--workers", "1"];
    let mut training = Process::new(jigo(&[&games[..], &learning, cluster].concat()));
    meanwhile();
    wait_for("the end of the training", || training.has_ended().then_some(()));
    // The head of the file has notes in any order.
    let file = std::fs::read(run.join("net.safetensors")).expect("a net");
    let head = u64::from_le_bytes(*file.first_chunk().expect("a whole file"));
    file[8 + head as usize..].to_vec()
}

#[test]
fn self_play_by_workers_teaches_the_same_as_here_though_one_dies() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let cluster = format!("lessons-{}", std::process::id());
    let mut worker = None;
    let elsewhere = train(&folder.path().join("elsewhere"), &["--cluster", &cluster], || {
        Worker::start(&cluster).die_playing();
        worker = Some(Worker::start(&cluster));
    });
    let here = train(&folder.path().join("here"), &[], || {});
    assert!(elsewhere == here, "every game counts once, in its order, whoever played it");
}
