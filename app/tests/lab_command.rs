//! `jigo lab` as a user runs it: tiny games of our own program, a report, and what was played stays played.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");

fn lab(arguments: &[&str]) -> Output {
    Command::new(JIGO).arg("lab").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a small experiment and gives the journal of each of its matches.
fn run(out: &Path, games: &str) -> BTreeMap<String, String> {
    let out_text = out.to_string_lossy();
    let small = ["--size", "5", "--playouts", "4", "--against", "self", "--games", games, "--out", &out_text];
    let output = lab(&[&["criticality"], &small[..]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.contains("c = 1.1 after 192 visits") && table.contains("+69 ± 32"), "{table}");
    // Neither has its visits in a search of four.
    let same = "c = 1.1 after 2000 visits and c = 1.1 after 192 visits played the same games move for move";
    assert!(table.contains(same), "{table}");
    let folders = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let journal = |path: &Path| fs::read_to_string(path.join("games.jsonl")).unwrap();
    folders.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), journal(&path))).collect()
}

#[test]
fn finished_games_are_not_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let first = run(folder.path(), "2");
    assert_eq!(first.len(), 2, "two variants meet the baseline: {:?}", first.keys());
    assert!(first.values().all(|journal| journal.lines().count() == 2));

    assert_eq!(run(folder.path(), "2"), first);

    for (name, longer) in run(folder.path(), "4") {
        assert_eq!(longer.lines().count(), 4);
        assert!(longer.starts_with(&first[&name]), "{name}: the first two games were played again");
    }
    assert!(fs::read_to_string(folder.path().join("report.md")).unwrap().contains("| 4 |"));
    assert!(fs::read_to_string(folder.path().join("plot.svg")).unwrap().starts_with("<svg"));
}

#[test]
fn experiments_are_listed_and_mistakes_are_told() {
    let list = text(&lab(&["--list"]).stdout);
    for name in ["komi-even", "playouts", "random-generators", "net-cross", "value-nets", "connections"] {
        assert!(list.lines().any(|line| line.starts_with(name)), "{name} is missing in\n{list}");
    }
    let complaint = |arguments: &[&str]| text(&lab(arguments).stderr);
    assert_eq!(complaint(&["perpetuum"]), "jigo: there is no experiment \"perpetuum\"; `jigo lab --list` shows all\n");
    assert_eq!(complaint(&["priors", "--games", "0"]), "jigo: an experiment needs at least one game\n");
    assert_eq!(complaint(&["priors", "--playouts", "0"]), "jigo: a move needs at least one playout\n");
    let length = "jigo: a soak takes half a minute at least and a year at most\n";
    assert_eq!(complaint(&["soak", "--minutes", "0"]), length);
    assert_eq!(complaint(&["soak", "--hours", "nan"]), length);
    assert_eq!(complaint(&["value-nets"]), "jigo: this experiment measures nets on game records: --data is missing\n");
}
