//! The command line as people expect it: help, versions, completions, manual pages, logs, and an output that is closed early.

use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

fn jigo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    jigo(arguments).output().unwrap()
}

fn said(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn complaint(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn commands_are_grouped_by_what_they_are_for() {
    let help = said(&["--help"]);
    let place = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text} is not in\n{help}"));
    assert!(place("Play and study:") < place("  play "));
    assert!(place("  play ") < place("For other programs:") && place("For other programs:") < place("  gtp "));
    assert!(place("  gtp ") < place("Measuring:") && place("Measuring:") < place("  bench "));
    assert!(place("  bench ") < place("Making:") && place("Making:") < place("  train "));
    assert!(place("  train ") < place("--log <FILE>"));
}

#[test]
fn the_version_names_the_commit_and_the_instructions_in_use() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(said(&["-V"]), format!("jigo {version}\n"));
    let long = said(&["--version"]);
    assert!(long.starts_with(&format!("jigo {version} (")) && long.contains("net kernel "), "{long}");
}

#[test]
fn shells_can_complete_the_command_line() {
    for (shell, part) in [
        ("bash", "_jigo()"),
        ("zsh", "#compdef jigo"),
        ("fish", "complete -c jigo"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let script = said(&["completions", shell]);
        assert!(script.contains(part) && script.contains("analysis"), "{shell}: {script}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    said(&["man", pages.to_str().unwrap()]);
    let page = |name: &str| std::fs::read_to_string(pages.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(page("jigo.1").contains(".TH jigo 1"));
    assert!(!pages.join("jigo-handed-player.1").exists(), "nobody calls it by hand");
    assert!(page("jigo-gtp.1").contains("\\-\\-playouts"));
    assert!(page("jigo-bench-search.1").contains(".TH jigo-bench-search 1"));
}

#[test]
fn an_output_that_is_closed_early_is_no_mistake() {
    for arguments in [&["config"][..], &["--help"], &["completions", "bash"], &["gtp", "--help"]] {
        let mut process = jigo(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(process.stdout.take());
        let output = process.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}");
    }
}

#[test]
fn a_benchmark_alone_gives_advice() {
    let told = said(&["bench", "--seconds", "0.01"]);
    assert!(told.lines().last().unwrap().starts_with("For this machine: --threads "), "{told}");
    assert!(complaint(&["bench", "--seconds", "-1"]).contains("it is a number from 0.01 to 600"));
    assert!(complaint(&["bench", "--net", "no/such.net"]).contains("no/such.net"));
}

#[test]
fn a_misspelt_parameter_or_preset_is_answered_with_the_nearest() {
    let told = complaint(&["gtp", "--set", "engine.lagg=1"]);
    assert_eq!(told, "jigo: there is no parameter named \"engine.lagg\"; did you mean engine.lag?\n");
    assert!(complaint(&["gtp", "--preset", "pahci"]).ends_with("; did you mean pachi?\n"));
}

#[test]
fn the_board_says_which_port_is_taken_and_knows_localhost() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let told =
        complaint(&["web", "--bind", "localhost", "--port", &port, "--no-open", "--data", data, "--net", "none"]);
    let wanted = format!("jigo: port {port} of 127.0.0.1 is taken by another program; --port 0 takes any free one\n");
    assert_eq!(told, wanted);
    assert!(complaint(&["web", "--bind", "no such place"]).contains("neither an address nor the name of one"));
}

#[test]
fn a_log_tells_what_was_asked_and_answered_only_when_it_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jigo.log");
    let log = file.to_str().unwrap();
    let script = folder.path().join("script.gtp");
    std::fs::write(&script, "7 komi 5.5\ngenmove b\nquit\n").unwrap();
    let gtp = |more: &[&str]| {
        let mut command = jigo(&["gtp", "--size", "5", "--playouts", "10", "--threads", "1", "--net", "none"]);
        command.args(more).env_remove("JIGO_LOG").stdin(std::fs::File::open(&script).unwrap());
        command
    };
    let output = gtp(&[]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "without a wish there is no log");

    assert!(gtp(&["--log", log]).output().unwrap().status.success());
    let text = std::fs::read_to_string(&file).unwrap();
    for part in ["< 7 komi 5.5", "> =7", "< genmove b", "win rate ", "playouts=10", "< quit"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }

    let output = gtp(&[]).env("JIGO_LOG", "debug").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("< 7 komi 5.5"), "standard error, where no file is named");
    let output = gtp(&[]).env("JIGO_LOG", "loud").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("jigo: JIGO_LOG is off, error, warn,"));
}
