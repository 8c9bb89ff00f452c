//! Jigo where memory is short: what cannot be had is refused in a sentence, and the game goes on.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Memory that a program may map, the smallest that everything here fits into with room to spare.
const KILOBYTES: &str = "1500000";

/// Runs jigo on such a machine, with these lines as its input.
fn jigo(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v \"$0\" && exec \"$@\"", KILOBYTES, env!("CARGO_BIN_EXE_jigo")]).args(arguments);
    // GNU's allocator sets 64 MB of addresses aside for each thread, whenever that first allocates: chance would decide what is left.
    command.env("MALLOC_ARENA_MAX", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The answers of `jigo gtp`, one for each line.
fn answers(arguments: &[&str], lines: &[&str]) -> Vec<String> {
    let arguments = [&["gtp", "--size", "9", "--playouts", "4", "--net", "none"], arguments].concat();
    let output = jigo(&arguments, &(lines.join("\n") + "\n"));
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    let answers: Vec<String> = said.split("\n\n").map(|answer| answer.trim().to_string()).collect();
    assert_eq!(answers.len(), lines.len() + 1, "{said}");
    answers
}

fn is_move(answer: &str) -> bool {
    answer.starts_with("= ") && !answer.contains("resign")
}

#[test]
fn memory_that_is_not_there_is_refused_and_the_old_tree_stays() {
    let said = answers(
        &["--threads", "1"],
        &[
            "genmove b",
            "jigo-set_parameter search.tree_megabytes 60000",
            "jigo-set_parameter search.net_cache 60000",
            "jigo-get_parameter search.tree_megabytes",
            "jigo-set_parameter search.tree_megabytes 64",
            "genmove w",
        ],
    );
    assert_eq!(said[1], "? this machine has no 60032 MB of memory for a search");
    assert_eq!(said[2], "? this machine has no 60512 MB of memory for a search");
    assert_eq!(said[3], "= 512");
    assert_eq!(said[4], "=");
    assert!(is_move(&said[0]) && is_move(&said[5]), "{said:?}");
}

#[test]
fn threads_that_cannot_be_had_are_refused_and_the_others_search() {
    let said = answers(
        &["--threads", "2", "--set", "search.tree_megabytes=64"],
        &["kata-set-param numSearchThreads 1024", "kata-get-param numSearchThreads", "genmove b"],
    );
    assert_eq!(said[0], "? this machine cannot run 1024 threads at once");
    assert_eq!(said[1], "= 2");
    assert!(is_move(&said[2]), "{said:?}");
}

#[test]
fn nobody_works_on_more_threads_than_there_can_be() {
    let commands: [&[&str]; 8] = [
        &["match", "-j"],
        &["tune", "-j"],
        &["lab", "-j"],
        &["patterns", "learn", "--threads"],
        &["train", "sl", "--workers"],
        &["train", "rl", "--workers"],
        &["train", "value", "--workers"],
        &["train", "positions", "--workers"],
    ];
    for command in commands {
        let output = jigo(&[command, &["1024"]].concat(), "");
        let complaint = text(&output.stderr);
        assert!(complaint.contains("this machine cannot run 1024 threads at once"), "{command:?}: {complaint}");
        assert!(!output.status.success() && !complaint.contains("panicked"), "{command:?}: {complaint}");
    }
}

#[test]
fn an_engine_begins_with_what_there_is_and_says_so() {
    let wishes =
        ["gtp", "--net", "none", "--playouts", "4", "--threads", "1024", "--set", "search.tree_megabytes=60000"];
    let output = jigo(&wishes, "jigo-get_parameter search.tree_megabytes\ngenmove b\n");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let megabytes: u32 = said.lines().next().and_then(|line| line.strip_prefix("= ")?.parse().ok()).unwrap();
    assert!((8..1500).contains(&megabytes), "{said}");
    let note = format!("note: this machine has no more than {megabytes} MB for the tree and ");
    assert!(text(&output.stderr).starts_with(&note), "{}", text(&output.stderr));
}

#[test]
fn a_forged_record_of_three_million_nodes_takes_no_more_than_its_share() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("forged.sgf");
    fs::write(&path, "(;B[]".repeat(3_000_000)).unwrap();
    let path = path.to_str().unwrap();
    let complaint = "the game has more than 2000000 nodes, properties and values";
    let said = answers(&["--threads", "1"], &[&format!("loadsgf {path}"), "genmove b"]);
    assert!(said[0].starts_with("? cannot load file: ") && said[0].ends_with(complaint), "{said:?}");
    assert!(is_move(&said[1]));

    let long = home.path().join("long.sgf");
    fs::write(&long, format!("(;SZ[19]{})", ";B[];W[]".repeat(4_000))).unwrap();
    let long = long.to_str().unwrap();
    let few = ["--net", "none", "--threads", "1", "--visits", "2"];
    for (record, complaint) in [(path, complaint), (long, "the record has more than 2000 moves")] {
        let output = jigo(&[&["review", record], &few[..]].concat(), "");
        assert!(text(&output.stderr).contains(complaint), "{}", text(&output.stderr));
    }
}
