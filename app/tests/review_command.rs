//! `jigo review`, `jigo config` and `jigo check` as programs.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const RECORD: &str = "(;GM[1]SZ[5]KM[0.5]RU[Chinese]ZZ[kept];B[cc];W[cb];B[bb];W[db];B[ee])";

fn jigo(home: &Path, arguments: &[&str]) -> Output {
    // Whatever the user has set must not matter here.
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.env("XDG_CONFIG_HOME", home).env("XDG_DATA_HOME", home).current_dir(home);
    command.args(arguments).output().expect("jigo runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn review(home: &Path, arguments: &[&str]) -> Output {
    let visits: &[&str] = if arguments.contains(&"--visits") { &[] } else { &["--visits", "20"] };
    jigo(home, &[&["review", "--net", "none", "--seed", "1"], visits, arguments].concat())
}

#[test]
fn a_folder_is_reviewed_and_a_second_run_finds_everything_done() {
    let home = TempDir::new().unwrap();
    let games = home.path().join("games/deep");
    fs::create_dir_all(&games).unwrap();
    fs::write(games.join("one.sgf"), RECORD).unwrap();
    fs::write(home.path().join("games/two.SGF"), format!("{RECORD}{RECORD}")).unwrap();
    fs::write(home.path().join("games/notes.txt"), "no game").unwrap();
    let first = review(home.path(), &["games", "--out", "out"]);
    assert!(first.status.success(), "{}", text(&first.stderr));
    for name in ["deep/one", "two-1", "two-2"] {
        let place = |kind: &str| home.path().join(format!("out/{name}.review.{kind}"));
        let sgf = fs::read_to_string(place("sgf")).unwrap();
        assert!(sgf.contains("ZZ[kept]") && sgf.contains("SBKV[") && sgf.contains("KT["), "{name}");
        assert!(fs::read_to_string(place("html")).unwrap().contains("The course of the game"));
    }

    let journal = home.path().join("out/deep/one.review.jsonl");
    let known = fs::read_to_string(&journal).unwrap();
    let half: Vec<&str> = known.lines().take(3).collect();
    fs::write(&journal, format!("{}\n{{\"position\":5,", half.join("\n"))).unwrap();
    let again = review(home.path(), &["games/deep/one.sgf", "--out", "out/deep"]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    let kept = fs::read_to_string(&journal).unwrap();
    assert!(kept.starts_with(&half.join("\n")), "what was known is not examined again");
    assert_eq!(kept.matches("\"opinion\":").count(), 6);
}

/// With a net nothing in a review is left to chance.
#[test]
fn another_seed_and_other_threads_find_the_same_mistakes() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("game.sgf"), RECORD).unwrap();
    let reviewed = |seed: &str, threads: &str| {
        let chance = ["review", "game.sgf", "--visits", "30", "--seed", seed, "--threads", threads, "--out", seed];
        let output = jigo(home.path(), &chance);
        assert!(output.status.success(), "{}", text(&output.stderr));
        fs::read_to_string(home.path().join(seed).join("game.review.sgf")).unwrap()
    };
    assert_eq!(reviewed("1", "1"), reviewed("2", "2"));
}

#[test]
fn a_damaged_journal_keeps_what_fits_and_the_rest_is_told() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("a.sgf"), RECORD).unwrap();
    let journal = home.path().join("a.review.jsonl");
    let opinions = || fs::read(&journal).unwrap().windows(10).filter(|part| part == b"\"opinion\":").count();
    assert!(review(home.path(), &["a.sgf"]).status.success());
    assert_eq!(opinions(), 6);

    // The first line is torn, and a byte of the second opinion is none of ours.
    let mut damaged = fs::read(&journal).unwrap().split_off(5);
    let third_line = damaged.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0 + 1;
    damaged[third_line] = 0xFF;
    fs::write(&journal, damaged).unwrap();
    let again = review(home.path(), &["a.sgf"]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    let told = text(&again.stderr);
    assert!(told.contains("a.review.jsonl: left out: 2 lines that cannot be read"), "{told}");
    assert_eq!(opinions(), 7, "one position was examined again");

    // More visits want new opinions; the old ones stay for whoever wants them again.
    let surer = review(home.path(), &["a.sgf", "--visits", "30"]);
    assert!(text(&surer.stderr).contains("6 lines with fewer visits"), "{}", text(&surer.stderr));
    assert_eq!(opinions(), 13);
    assert!(review(home.path(), &["a.sgf"]).status.success());
    assert_eq!(opinions(), 13);
}

#[test]
fn a_bad_record_is_told_in_one_line_and_the_others_are_reviewed() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("a.sgf"), "(;SZ[5];B[aa];W[aa])").unwrap();
    fs::write(home.path().join("b.sgf"), RECORD).unwrap();
    let done = review(home.path(), &["a.sgf", "b.sgf"]);
    assert!(!done.status.success());
    let complaints = text(&done.stderr);
    assert!(complaints.contains("a.sgf: game 1: move 2, white A5, is illegal"), "{complaints}");
    assert!(complaints.contains("1 of 2 records could not be reviewed"), "{complaints}");
    assert!(home.path().join("b.review.html").is_file());
}

#[test]
fn the_configuration_file_counts_less_than_the_command_line() {
    let home = TempDir::new().unwrap();
    fs::create_dir(home.path().join("jigo")).unwrap();
    let own = home.path().join("jigo/jigo.toml");
    let defaults = jigo(home.path(), &["config"]);
    assert!(defaults.status.success() && text(&defaults.stdout).contains("#criticality"));
    assert_eq!(text(&jigo(home.path(), &["config", "--path"]).stdout).trim(), own.to_string_lossy());

    fs::write(&own, "net = \"no-such-file\"\n").unwrap();
    let refused = jigo(home.path(), &["gtp"]);
    assert_eq!(text(&refused.stderr).lines().count(), 1);
    assert!(text(&refused.stderr).contains("no-such-file"));
    assert!(jigo(home.path(), &["gtp", "--net", "none"]).status.success());

    fs::write(home.path().join("other.toml"), "threads = 1\n[engine]\nlag = 99\n").unwrap();
    let refused = jigo(home.path(), &["analysis", "--config", "other.toml"]);
    assert_eq!(text(&refused.stderr), "jigo: other.toml: engine.lag must lie between 0 and 10, 99 does not\n");
}

#[test]
fn check_says_what_is_there_and_what_is_not() {
    let home = TempDir::new().unwrap();
    let small = ["--set", "search.tree_megabytes=8"];
    let sound = jigo(home.path(), &[&["check"], &small[..]].concat());
    let said = text(&sound.stdout);
    assert!(sound.status.success(), "{said}");
    for part in ["no configuration file", "the net works", "fingerprint", "threads", "data can be kept", "Everything"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let broken = jigo(home.path(), &["check", "--net", "no-such-file"]);
    assert!(!broken.status.success() && text(&broken.stdout).contains("PROBLEM"));
}
