//! Tests that cannot run here say so where it is seen, and are counted.

use std::fs::OpenOptions;
use std::io::Write;

/// Says that the running test is left out, and why: past the harness, which shows nothing of tests that pass, and in the
/// file that `.ci/run` counts in the end.
pub fn skipped(reason: &str) {
    let thread = std::thread::current();
    let line = format!("{} was skipped: {reason}\n", thread.name().unwrap_or("a test"));
    std::io::stderr().write_all(line.as_bytes()).expect("standard error is open");
    if let Some(path) = std::env::var_os("JIGO_SKIPPED_TESTS") {
        let file = OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the list of skipped tests can be written");
    }
}
