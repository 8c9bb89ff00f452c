//! `jigo analysis` as other programs see it: a process with pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take to happen on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(120);

/// A thought of years that tells nothing before its end.
const LONG: &str =
    r#"{"id":"long","moves":[],"rules":"chinese","boardXSize":9,"boardYSize":9,"maxVisits":1000000000000}"#;

#[cfg(unix)]
#[test]
fn the_program_ends_with_its_client_in_the_middle_of_a_long_query() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.args(["analysis", "--net", "none", "--threads", "1", "--workers", "1"]);
    command.args(["--set", "search.tree_megabytes=8"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    writeln!(input, "{LONG}\n{{\"id\":\"version\",\"action\":\"query_version\"}}").unwrap();
    let mut output = BufReader::new(output);
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.contains("\"version\""), "{line}");
    // The client is gone: both streams are closed.
    drop((input, output));
    let until = Instant::now() + PATIENCE;
    let ended = loop {
        match child.try_wait().unwrap() {
            Some(status) => break Some(status),
            None if Instant::now() > until => break None,
            None => std::thread::yield_now(),
        }
    };
    child.kill().ok();
    assert!(ended.is_some_and(|status| status.success()), "{ended:?}");
}
