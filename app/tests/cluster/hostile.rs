//! Members who mean harm: what a worker never does, whoever asks.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use jigo_cluster::{ClusterLink, JobServer, LinkOptions, Security};
use serde_json::{Value, json};

use crate::games::Worker;
use crate::hosts::{Gtp, Process, complaint, on_this_host, secret, text, this_host, wait_for};

fn server(cluster: &str) -> JobServer {
    let link = Arc::new(ClusterLink::open(&LinkOptions::new(cluster, this_host())).expect("a cluster"));
    JobServer::open(link, env!("CARGO_PKG_VERSION")).expect("a server")
}

/// A game as `jigo match` hands it out.
pub fn game(player: Value) -> Value {
    let named = |name: &str| json!({"name": name, "shown": "jigo gtp", "player": player});
    json!({"Game": {
        "game": 0, "players": [named("a"), named("b")], "pairings": "RoundRobin", "colors": "Swapped",
        "size": 9, "rules": "chinese", "komi": 7.5, "handicap": 0, "opening": [], "time": "none",
        "limits": {"lag": 0.25, "stall": 300.0, "start": 60.0, "max_moves": 243, "agreement": null},
        "referee": "Players", "seed": 1,
    }})
}

pub fn plain_player() -> Value {
    player(json!([]))
}

fn player(settings: Value) -> Value {
    json!({"playouts": 20, "level": null, "threads": 1, "seed": 1, "net": "None", "settings": settings})
}

#[test]
fn nothing_in_a_job_is_ever_run_opened_or_looked_up() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let trace = folder.path().join("trace");
    let cluster = format!("hostile-{}", std::process::id());
    let server = server(&cluster);
    let _worker = Worker::start(&cluster);

    // What workers once believed: a text that is ours beside words that are not.
    let words = ["sh".to_string(), "-c".to_string(), format!("touch {}", trace.display())];
    let command = json!({"text": "jigo gtp", "words": words});
    let named = |name: &str| json!({"name": name, "command": command});
    let spec = json!({
        "players": [named("a"), named("b")], "games": 1, "pairings": "RoundRobin", "colors": "Swapped", "size": 9,
        "rules": "chinese", "komi": 7.5, "handicap": 0, "openings": "EmptyBoard", "time": "none",
        "limits": {"lag": 0.25, "stall": 300.0, "start": 60.0, "max_moves": 243, "agreement": null},
        "referee": "Players", "sprt": null, "seed": 1,
    });
    let old = json!({"Game": {"spec": spec, "game": 0}});
    // Words smuggled into each text of a game as it is today.
    let mut shown = game(plain_player());
    shown["Game"]["players"][0]["shown"] = json!(words.join(" "));
    let mut extra = game(plain_player());
    extra["Game"]["players"][0]["words"] = json!(words);
    let mut path = game(plain_player());
    path["Game"]["openings"] = json!({"Files": {"files": [folder.path()], "plies": null}});
    let mut net = game(plain_player());
    net["Game"]["players"][0]["player"]["net"] = json!({"File": trace});
    let greedy = game(player(json!([["search.tree_megabytes", "60000"]])));
    let unknown = game(player(json!([["--listen", "0.0.0.0:1"]])));
    let jobs = [&old, &extra, &path, &net, &greedy, &unknown, &shown];
    for (number, job) in jobs.iter().enumerate() {
        server.put(number as u64, job.to_string());
    }
    let mut results: Vec<_> = std::iter::from_fn(|| server.next()).collect();
    results.sort();
    let refused: Vec<String> = results.iter().filter_map(|(_, result)| result.clone().err()).collect();
    assert_eq!(refused.len(), jobs.len() - 1, "{results:?}");
    assert!(refused[..4].iter().all(|reason| reason.starts_with("not a job: ")), "{refused:?}");
    assert!(refused[4].contains("60032 MB") && refused[5].contains("no parameter named"), "{refused:?}");
    // The last one is a game, with a strange text in its record and nothing else.
    let played = results[6].1.clone().expect("a game");
    assert!(played.contains("touch") && !trace.exists(), "{played}");
}

#[test]
fn players_are_bound_and_die_with_their_worker() {
    let cluster = format!("bound-{}", std::process::id());
    let server = server(&cluster);
    let mut endless = plain_player();
    endless["playouts"] = json!(100_000_000);
    server.put(0, game(endless).to_string());
    let mut worker = Worker::start(&cluster);
    worker.says("plays");
    let players = wait_for("two players that think", || {
        let players = children(worker.process.id());
        (players.len() == 2 && players.iter().all(|&player| is_bound(player))).then_some(players)
    });
    // The input of one of them does not end with the worker: we hold it too.
    let _held = File::options().write(true).open(format!("/proc/{}/fd/0", players[0])).expect("its input");
    worker.process.signal("KILL");
    wait_for("the end of the players", || players.iter().all(|&player| has_ended(player)).then_some(()));
}

/// Processes that this one has started.
fn children(parent: u32) -> Vec<u32> {
    let listed = Command::new("ps").args(["-o", "pid=", "--ppid", &parent.to_string()]).stdin(Stdio::null()).output();
    let listed = String::from_utf8(listed.expect("ps").stdout).expect("numbers");
    listed.split_whitespace().filter_map(|pid| pid.parse().ok()).collect()
}

/// Memory within what a worker lends by default, and no file.
fn is_bound(process: u32) -> bool {
    let limits = std::fs::read_to_string(format!("/proc/{process}/limits")).unwrap_or_default();
    let limit = |name: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    limit("Max data size").is_some_and(|bytes| bytes < 4 << 30)
        && limit("Max cpu time").is_some()
        && limit("Max file size") == Some(0)
}

fn has_ended(process: u32) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(process.to_string()).join("status"));
    // A corpse that nobody has buried yet is dead all the same.
    status.map_or(true, |status| status.lines().any(|line| line.starts_with("State:") && line.contains('Z')))
}

#[test]
fn a_match_with_other_programs_is_not_handed_out() {
    let cluster = format!("others-{}", std::process::id());
    for other in ["sh -c id", "jigo web", "jigo gtp --gtp-name x", "jigo gtp --cluster y", "jigo gtp --no-such"] {
        let players = ["match", "-p", "a=jigo gtp --playouts 5", "-p", &format!("b={other}")];
        let command = on_this_host(&[&players[..], &["--size", "5", "--cluster", &cluster]].concat());
        let complaint = complaint(command);
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.contains("workers play with jigo gtp and its settings only"), "{complaint}");
    }
}

#[test]
fn a_stranger_who_keeps_a_meeting_place_is_neither_joined_nor_obeyed() {
    let cluster = format!("meeting-{}", std::process::id());
    let place = free_address();
    // A router that knows no secret, and somebody there who hands out jobs to everybody.
    let mut hub = on_this_host(&["cluster", "hub", "--cluster", &cluster, "--open-network", "--listen", &place]);
    let _hub = Process::new(hub.spawn().expect("a hub"));
    let security = Security::OpenNetwork;
    let options = LinkOptions { connect: vec![place.clone()], ..LinkOptions::new(&cluster, security) };
    let link = Arc::new(wait_for("the meeting place", || ClusterLink::open(&options).ok()));
    let stranger = JobServer::open(link, env!("CARGO_PKG_VERSION")).expect("somebody with jobs");
    stranger.put(0, game(plain_player()).to_string());

    // Either guard turns it away: the link's password, or the proof that nobody there can give.
    let mut worker = Worker::start_with(&cluster, &["--connect", &place]);
    let first = worker.first_news();
    assert!(first.contains("does not let us in") || first.contains("a stranger is at"), "{first}");
    worker.process.signal("KILL");
    let said = worker.everything();
    assert!(!said.iter().any(|line| line.contains("plays") || line.contains("joined")), "{said:?}");
}

/// Links that somebody keeps half open, more than a door lets wait by default.
const CROWD: usize = 300;

#[test]
fn a_crowd_of_half_open_links_keeps_no_rightful_worker_out() {
    let cluster = format!("crowd-{}", std::process::id());
    let place = free_address();
    let mut coordinator =
        on_this_host(&["gtp", "--cluster", &cluster, "--listen", &place, "--net", "none", "--threads", "1"]);
    coordinator.stdout(Stdio::piped());
    let mut gtp = Gtp::start(coordinator);
    gtp.ask("name");
    let (is_over, at_the_door) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let over = RaisedAtEnd(&is_over);
        for _ in 0..CROWD {
            scope.spawn(|| {
                // Whoever is sent away is back at once.
                while !is_over.load(Relaxed) {
                    let Ok(link) = TcpStream::connect(&place) else { continue };
                    at_the_door.fetch_add(1, Relaxed);
                    wait_until_sent_away(&link, &is_over);
                }
            });
        }
        wait_for("the crowd", || (at_the_door.load(Relaxed) >= CROWD).then_some(()));
        // At a door for a hundred the first attempt would fail and be told; later ones get in by luck.
        let first = Worker::start_with(&cluster, &["--connect", &place]).first_news();
        assert!(first.contains("joined"), "{first}");
        drop(over);
    });
    gtp.ask("genmove b");
    gtp.quit();
}

#[test]
fn a_full_door_is_told_from_a_wrong_password() {
    // As a place does that has no room for one more at its door.
    let door = TcpListener::bind("127.0.0.1:0").expect("a port");
    let place = door.local_addr().expect("an address").to_string();
    std::thread::spawn(move || door.incoming().for_each(drop));
    let cluster = format!("full-{}", std::process::id());
    let first = Worker::start_with(&cluster, &["--connect", &place]).first_news();
    assert!(first.contains("closes the door at once"), "{first}");
}

/// The crowd goes when the test ends, however it ends.
struct RaisedAtEnd<'a>(&'a AtomicBool);

impl Drop for RaisedAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Says nothing until the other side has had enough, or all is over.
fn wait_until_sent_away(mut link: &TcpStream, is_over: &AtomicBool) {
    link.set_read_timeout(Some(Duration::from_millis(200))).expect("a socket");
    let is_waiting = |read: std::io::Result<usize>| read.is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
    while !is_over.load(Relaxed) && is_waiting(link.read(&mut [0])) {}
}

#[test]
fn a_worker_with_a_pass_works_and_its_owner_gives_no_orders() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let (password, pass) = (folder.path().join("password"), folder.path().join("pass"));
    secret(&password, "open sesame\n");
    let cluster = format!("pass-{}", std::process::id());
    let place = free_address();
    let mut command = on_this_host(&["cluster", "pass", "--cluster", &cluster, "--password-file", text(&password)]);
    let printed = command.stdout(Stdio::piped()).output().expect("jigo starts");
    secret(&pass, &String::from_utf8_lossy(&printed.stdout));

    // With the pass nobody hands out games or coordinates.
    let guest = Security::Password(pass.clone());
    let options = LinkOptions { connect: vec![place.clone()], ..LinkOptions::new(&cluster, guest) };
    let refused = ClusterLink::open(&options).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("good for working only"), "{refused}");

    // With it one works for those who know the password.
    let owner = Security::Password(password);
    let options = LinkOptions { listen: vec![place.clone()], ..LinkOptions::new(&cluster, owner) };
    let link = Arc::new(ClusterLink::open(&options).expect("a cluster"));
    let server = JobServer::open(link, env!("CARGO_PKG_VERSION")).expect("a server");
    server.put(0, game(plain_player()).to_string());
    let _worker = Worker::start_with(&cluster, &["--connect", &place, "--password-file", text(&pass)]);
    let (_, played) = server.next().expect("a result");
    assert!(played.is_ok(), "{played:?}");
}

/// An address of this host that nobody uses.
pub fn free_address() -> String {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    free.local_addr().expect("an address").to_string()
}

#[test]
fn another_user_of_this_host_gets_nothing() {
    let cluster = format!("neighbour-{}", std::process::id());
    let folder = tempfile::tempdir().expect("the home of another user");
    let _server = server(&cluster);
    let arguments = ["worker", "--cluster", &cluster, "--net", "none", "--nice", "0"];
    let mut command = on_this_host(&arguments);
    command.env("XDG_DATA_HOME", folder.path());
    let mut neighbour = Worker::of(command);
    let said = neighbour.says("password");
    assert!(said.contains("does not let us in") && said.contains("trying again"), "{said}");
}
