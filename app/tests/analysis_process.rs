//! `jigo analysis` as other programs see it: a process with pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take to happen on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(120);
/// Who looks without a pause takes the processor from those it waits for.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// A thought of years that tells nothing before its end.
const LONG: &str =
    r#"{"id":"long","moves":[],"rules":"chinese","boardXSize":9,"boardYSize":9,"maxVisits":1000000000000}"#;

fn analysis() -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.args(["analysis", "--net", "none", "--threads", "1", "--workers", "1"]);
    command.args(["--set", "search.tree_megabytes=8"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().unwrap()
}

/// Queries of a hundred positions each, more than may wait.
const QUERIES: usize = 180;

#[test]
fn ending_everything_with_a_full_queue_leaves_the_program_to_talk_with() {
    let mut child = analysis();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    // Nobody reads yet: a client may say all it has to say first.
    let speaker = std::thread::spawn(move || {
        let turns: Vec<String> = (0..100).map(|turn| turn.to_string()).collect();
        let moves: Vec<String> = (0..100).map(|_| r#"["B","pass"]"#.to_string()).collect();
        let many = format!(r#""moves":[{}],"analyzeTurns":[{}]"#, moves.join(","), turns.join(","));
        let padding = " ".repeat(500_000);
        for id in 0..QUERIES {
            let query = LONG.replace("long", &id.to_string()).replace(r#""moves":[]"#, &many);
            writeln!(input, "{query}{padding}").unwrap();
        }
        writeln!(input, r#"{{"id":"end","action":"terminate_all"}}"#).unwrap();
        writeln!(input, r#"{{"id":"version","action":"query_version"}}"#).unwrap();
        input
    });
    let mut lines = BufReader::new(output).lines().map(|line| line.expect("the program talks"));
    let ended = lines.find(|line| line.contains(r#""id":"end""#));
    assert!(ended.is_some(), "the answer to terminate_all is missing");
    let input = speaker.join().unwrap();
    assert!(lines.any(|line| line.contains(r#""version""#)), "and the next question has an answer too");
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn the_program_ends_with_its_client_in_the_middle_of_a_long_query() {
    let mut child = analysis();
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
            None => std::thread::sleep(BETWEEN_LOOKS),
        }
    };
    child.kill().ok();
    assert!(ended.is_some_and(|status| status.success()), "{ended:?}");
}

/// What Ogatak says from its start to its end, by its sources (`engine.js`, `query.js`): KataGo's own command line, a question that only a
/// KataGo for large boards would answer, one thought at a time, and no farewell.
#[test]
fn ogatak_starts_it_as_a_katago_and_leaves_in_the_middle_of_a_thought() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("analysis.cfg");
    std::fs::write(&config, "# KataGo's own\nlogToStderr = false\nnumAnalysisThreads = 1\nnumSearchThreads = 1\n")
        .unwrap();
    let net = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mind/katago/tests/data/tiny-v8-relu.bin.gz");
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.arg("analysis").arg("-config").arg(config).arg("-model").arg(net).arg("-quit-without-waiting");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let lines = BufReader::new(output).lines().map(|line| line.expect("the program talks"));
    let mut answers = lines.map(|line| serde_json::from_str::<serde_json::Value>(&line).expect(&line));
    let query = |id: &str, moves: &str| {
        format!(
            r#"{{"id":"{id}","rules":"Chinese","komi":7.5,"boardXSize":9,"boardYSize":9,"maxVisits":1000000,"reportDuringSearchEvery":0.1,"includeOwnership":true,"includeMovesOwnership":false,"overrideSettings":{{"reportAnalysisWinratesAs":"SIDETOMOVE","wideRootNoise":0.05}},"initialStones":[],"moves":{moves}}}"#
        )
    };
    writeln!(input, r#"{{"id":"query_version","action":"query_version"}}"#).unwrap();
    writeln!(
        input,
        r#"{{"id":"test_bs29","rules":"Chinese","boardXSize":29,"boardYSize":29,"maxVisits":1,"moves":[]}}"#
    )
    .unwrap();
    writeln!(input, "{}", query("node_1:1", "[]")).unwrap();
    let version = answers.find(|answer| answer["id"] == "query_version").unwrap();
    let parts: Vec<u32> = version["version"].as_str().unwrap().split('.').map_while(|part| part.parse().ok()).collect();
    assert!(version["action"] == "query_version" && parts.len() == 3, "{version}");
    let large = answers.find(|answer| answer["id"] == "test_bs29").unwrap();
    assert!(large["error"].is_string(), "boards above 19x19 are refused: {large}");

    let thought = answers.find(|answer| answer["id"] == "node_1:1").unwrap();
    assert!(thought["isDuringSearch"] == true && thought["ownership"].as_array().unwrap().len() == 81, "{thought}");
    for name in ["move", "visits", "winrate", "scoreLead", "order", "pv", "prior", "lcb"] {
        assert!(!thought["moveInfos"][0][name].is_null(), "{name}: {thought}");
    }
    // On to the next move: the thought is ended, and its last answer waited for.
    writeln!(input, r#"{{"id":"stop!node_1:1","action":"terminate","terminateId":"node_1:1"}}"#).unwrap();
    let last = answers.find(|answer| answer["id"] == "node_1:1" && answer["isDuringSearch"] == false);
    assert!(last.is_some());
    writeln!(input, "{}", query("node_2:2", r#"[["B","E5"]]"#)).unwrap();
    let next = answers.find(|answer| answer["id"] == "node_2:2").unwrap();
    assert_eq!((&next["turnNumber"], &next["rootInfo"]["currentPlayer"]), (&1.into(), &"W".into()));
    drop(input);
    assert!(child.wait().unwrap().success(), "it does not think to the millionth visit");
}
