//! The stored conversation in KataGo's analysis protocol is held with the program, and has everything that docs/katago.md promises.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn conversation() -> String {
    std::fs::read_to_string(here("tests/data/katago_analysis.txt")).unwrap()
}

fn matches(pattern: &Value, said: &Value) -> bool {
    match (pattern, said) {
        (Value::String(any), said) if any == "N" => said.is_number(),
        (Value::String(any), said) if any == "T" => said.is_string(),
        // What is null is not said.
        (Value::Object(pattern), said) => pattern.iter().all(|(name, wanted)| matches(wanted, &said[name])),
        (Value::Array(pattern), Value::Array(said)) => {
            let rest = pattern.last().is_some_and(|last| last == "...");
            let beginning = &pattern[..pattern.len() - usize::from(rest)];
            let long_enough = if rest { said.len() >= beginning.len() } else { said.len() == beginning.len() };
            long_enough && beginning.iter().zip(said).all(|(wanted, said)| matches(wanted, said))
        }
        (pattern, said) => pattern == said,
    }
}

#[test]
fn the_stored_conversation_is_held() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.arg("analysis").arg("--net").arg(here("../mind/katago/tests/data/tiny-v15-meta.bin.gz"));
    command.args(["--workers", "1", "--threads", "1", "--seed", "1", "--set", "search.tree_megabytes=8"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut answers = BufReader::new(output).lines().map(|line| line.expect("the program talks"));
    for line in conversation().lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(query) = line.strip_prefix("> ") {
            writeln!(input, "{query}").unwrap();
            continue;
        }
        let said = answers.next().unwrap_or_else(|| panic!("nothing came where this was awaited: {line}"));
        let (pattern, answer) = (serde_json::from_str(line).expect(line), serde_json::from_str(&said).expect(&said));
        assert!(matches(&pattern, &answer), "awaited: {line}\nsaid: {said}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
    assert_eq!(answers.collect::<Vec<_>>(), Vec::<String>::new(), "nobody asked for these");
}

#[test]
fn everything_in_the_table_is_in_the_conversation() {
    let page = std::fs::read_to_string(here("../docs/katago.md")).unwrap();
    let tables = page.split("## JSON analysis").nth(1).unwrap().split("\n## ").next().unwrap();
    let conversation = conversation();
    let rows = tables.lines().filter_map(|line| line.strip_prefix("| `"));
    let promised = rows.filter_map(|row| row.split_once(" | ")).filter(|(_, here)| !here.starts_with("no |"));
    let mut looked_for = 0;
    for (names, _) in promised {
        for name in names.split('`').step_by(2) {
            assert!(conversation.contains(&format!("\"{name}\"")), "{name} is promised and never asked for");
            looked_for += 1;
        }
    }
    assert!(looked_for > 60, "the tables are read: {looked_for}");
}
