//! `jigo patterns` and `jigo joseki` as a user runs them, on a dozen made-up games that begin alike.

use std::path::Path;
use std::process::{Command, Output};

fn jigo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jigo")).args(arguments).output().unwrap()
}

fn told(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn complaint(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).trim_end().to_string()
}

fn data() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").to_str().unwrap().to_string()
}

#[test]
fn weights_are_learned_carried_on_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("gammas.bin");
    let table = table.to_str().unwrap();
    let data = data();
    let games = ["--data", &data, "--collections", "made-up"];
    let learn = ["patterns", "learn", "--out", table, "--support", "3", "--one-in", "2", "--sweeps", "2"];
    let first = told(&jigo(&[&learn[..], &games].concat()));
    assert!(first.contains("shapes learned"), "{first}");
    let learned = std::fs::read(table).unwrap();

    // The same games and the same seed give the same table.
    told(&jigo(&[&learn[..], &games].concat()));
    assert_eq!(std::fs::read(table).unwrap(), learned);

    told(&jigo(&[&learn[..], &games, &["--from", table]].concat()));
    assert_ne!(std::fs::read(table).unwrap(), learned, "it went on learning");

    let report = told(&jigo(&[&["patterns", "report", "--table", table][..], &games].concat()));
    assert!(report.contains("12 games") && report.contains("takes the stone just played"), "{report}");
    let shapes = told(&jigo(&[&["patterns", "shapes"][..], &games].concat()));
    assert!(shapes.contains("no shape"), "{shapes}");
}

#[test]
fn joseki_are_built_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("joseki.bin");
    let table = table.to_str().unwrap();
    let data = data();
    let build = ["joseki", "build", "--data", &data, "--collections", "made-up", "--out", table, "--support", "6"];
    assert!(told(&jigo(&[&build[..], &["--move-support", "4"]].concat())).contains("positions"));
    // In these games every approach is answered by the knight's move; the board is turned here.
    let shown = told(&jigo(&["joseki", "show", "--table", table, "D4", "Q16", "D16", "Q4", "C14"]));
    assert!(shown.contains("top left: F17 100 %; answered at once 100 %"), "{shown}");
    let odd = told(&jigo(&["joseki", "show", "--table", table, "A1"]));
    assert!(odd.contains("bottom left: unknown"), "{odd}");
    let embedded = told(&jigo(&["joseki", "show", "Q16", "R14"]));
    assert!(embedded.contains("O17"), "{embedded}");
}

#[test]
fn mistakes_get_one_clear_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    assert_eq!(
        complaint(&jigo(&["joseki", "build", "--data", path])),
        format!("jigo: there is no tygem-train*.tsv.xz in {path}")
    );
    let damaged = folder.path().join("damaged.bin");
    std::fs::write(&damaged, b"jigo-gammas").unwrap();
    let damaged = damaged.to_str().unwrap();
    assert_eq!(
        complaint(&jigo(&["patterns", "report", "--data", path, "--table", damaged])),
        format!("jigo: {damaged} is no table of weights: the table's checksum is wrong")
    );
    assert_eq!(complaint(&jigo(&["joseki", "show", "Z9"])), "jigo: \"Z9\" is no move on a 19x19 board");
    assert_eq!(complaint(&jigo(&["joseki", "show", "Q16", "Q16"])), "jigo: white cannot play Q16");
}
