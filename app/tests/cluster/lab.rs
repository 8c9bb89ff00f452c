//! Rows of the lab that have several machines.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::games::Worker;
use crate::hosts::{ENDLESS, Gtp, on_this_host, text, wait_for};

#[test]
fn who_waits_for_a_worker_has_it_in_the_first_search() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let (cluster, log) = (format!("wait-{}", std::process::id()), folder.path().join("searches"));
    let search = ["--net", "none", "--threads", "1", "--size", "9"];
    let words = [&["gtp", "--cluster", &cluster, "--cluster-wait", "1"], &search[..]].concat();
    let mut coordinator = on_this_host(&words);
    coordinator.stdout(Stdio::piped());
    let mut gtp = Gtp::start(coordinator);
    gtp.send(ENDLESS);
    gtp.send("genmove b");
    let status = || {
        let asked =
            on_this_host(&["cluster", "status", "--cluster", &cluster, "--json"]).stdout(Stdio::piped()).output();
        serde_json::from_slice::<Value>(&asked.expect("jigo starts").stdout).ok()
    };
    let alone = wait_for("a coordinator", status);
    assert_eq!((&alone["is_searching"], &alone["workers"]), (&json!(false), &json!([])), "it waits");

    let mut worker = Worker::start_with(&cluster, &["--threads", "1", "--searches", text(&log)]);
    worker.says("joined");
    wait_for("the worker's share", || (status()?["workers"][0]["playouts"].as_u64() > Some(0)).then_some(()));
    gtp.answer();
    gtp.interrupt();
    gtp.quit();
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
