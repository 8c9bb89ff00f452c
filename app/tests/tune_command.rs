//! `jigo tune` as a user runs it, on a program that plays at random whatever its parameters are.

use std::path::Path;
use std::process::{Command, Output};

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");

fn tune(arguments: &[&str]) -> Output {
    Command::new(JIGO).arg("tune").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The fake program reads a seed and a file it may hold open; what comes after is for the tuner.
fn engine() -> String {
    let path = Path::new(JIGO).with_file_name("examples").join("fake-player");
    format!("{} random {{seed}} /dev/null", path.display())
}

#[test]
fn every_method_plays_resumes_and_is_verified() {
    for method in ["spsa", "hill-climbing", "genetic"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("tuning");
        let out = out.to_str().unwrap();
        let (engine, parameter) = (engine(), "made.up=5:0:9:1");
        let output = tune(&[
            "-p", parameter, "--engine", &engine, "-m", method, "-s", "5", "-n", "8", "--verify", "4", "-j", "2", "-o",
            out,
        ]);
        let told = text(&output.stdout);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(told.contains("8 games; the best values found:") && told.contains("made.up = "), "{told}");
        assert!(told.contains("4 games on 5x5") && told.contains("tuned against before"), "{told}");
        let trials = std::fs::read_to_string(Path::new(out).join("trials.jsonl")).unwrap();
        assert_eq!(trials.lines().count(), 8);
        assert!(Path::new(out).join("made.up.svg").exists());

        let longer = tune(&["--resume", out, "-n", "10", "--verify", "0"]);
        assert!(text(&longer.stdout).contains("10 games; the best values found:"), "{}", text(&longer.stderr));
    }
}

#[test]
fn parameters_come_from_the_engines_table() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("tuning");
    let out = out.to_str().unwrap();
    let output =
        tune(&["-p", "search.expand_at", "--engine", &engine(), "-s", "5", "-n", "2", "--verify", "0", "-o", out]);
    assert!(text(&output.stdout).contains("search.expand_at = "), "{}", text(&output.stderr));
    let unknown = text(&tune(&["-p", "search.luck", "-o", out]).stderr);
    assert!(unknown.starts_with("jigo: there is no parameter named \"search.luck\"; those with a range are engine."));
    for room in ["engine.resign_below", "search.criticality", "prior.net", "playout."] {
        assert!(unknown.contains(room), "{room} cannot be tuned: {unknown}");
    }
}
