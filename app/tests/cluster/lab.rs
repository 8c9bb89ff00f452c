//! Rows of the lab that have several machines.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::games::Worker;
use crate::hosts::{Process, on_this_host, text, wait_for};

/// More than one machine sees before the other has begun.
const PLAYOUTS: &str = "20000";

#[test]
fn who_waits_for_a_worker_has_it_in_the_first_search() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let (cluster, log) = (format!("wait-{}", std::process::id()), folder.path().join("searches"));
    let search = ["--net", "none", "--threads", "1", "--cluster-rule", "total", "--playouts", PLAYOUTS];
    let words = [&["gtp", "--cluster", &cluster, "--cluster-wait", "1"], &search[..]].concat();
    let mut coordinator = on_this_host(&words).stdin(Stdio::piped()).spawn().expect("jigo starts");
    let mut input = coordinator.stdin.take().expect("piped");
    input.write_all(b"boardsize 9\ngenmove b\nquit\n").expect("somebody reads");
    let mut coordinator = Process::new(coordinator);

    let mut worker = Worker::start_with(&cluster, &["--threads", "1", "--searches", text(&log)]);
    worker.says("joined");
    wait_for("the end of a game of one move", || coordinator.has_ended().then_some(()));
    wait_for("the worker's account of its search", || {
        let searches = fs::read_to_string(&log).unwrap_or_default();
        (searches.lines().count() == 1).then_some(())
    });
}

#[test]
fn the_lab_brings_the_machines_of_a_row() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let seed = std::process::id().to_string();
    let small = ["--size", "5", "--playouts", "20", "--against", "self", "--games", "2", "--rows", "2 machines"];
    let words = [&["lab", "machines", "--seed", &seed, "--out", text(folder.path())], &small[..]].concat();
    assert!(on_this_host(&words).status().expect("jigo starts").success());
    let journal = fs::read_to_string(folder.path().join("2_machines_against_baseline/games.jsonl")).expect("a journal");
    assert_eq!(journal.lines().count(), 2);
    assert!(!journal.contains("forfeit"), "{journal}");
}
