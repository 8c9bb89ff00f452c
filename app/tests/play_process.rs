//! `jigo play`: a game in the terminal.

use std::io::Write;
use std::process::{Command, Stdio};

fn play(arguments: &[&str], typed: &str) -> (String, bool) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.arg("play").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut jigo = command.spawn().unwrap();
    jigo.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = jigo.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.success())
}

#[test]
fn a_game_begins_and_ends_with_the_input() {
    let (said, well) = play(&["--playouts", "20"], "Q16\n");
    assert!(well && said.lines().any(|row| row.starts_with("16") && row.contains('X')), "{said}");
    assert!(said.contains("Jigo is thinking ... and plays ") && said.ends_with("Goodbye.\n"), "{said}");
}

#[test]
fn a_saved_game_is_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    let path = file.to_str().unwrap();
    let options = ["--size", "5", "--playouts", "5", "--net", "none"];
    let (said, well) = play(&options, &format!("C3\nsave {path}\n"));
    assert!(well && said.contains("Saved."), "{said}");
    let (said, well) = play(&["--load", path, "--playouts", "5", "--net", "none"], "quit\n");
    assert!(well && said.contains("Move 3, black > "), "{said}");
    assert!(!play(&["--load", "no/such.sgf"], "").1);
}

#[test]
fn options_choose_the_game() {
    let options = ["--size", "9", "--handicap", "2", "--color", "white", "--rules", "japanese"];
    let (said, well) = play(&options, "quit\n");
    assert!(well && said.starts_with("You are white (O). Rules japanese, komi 0.5.\n"), "{said}");
}
