//! Ten thousand malformed and hostile lines: an error each, nothing dies, nothing grows.

use std::io::Read;

use crate::test_client::{TestClient, service};
use jigo_analysis::{AtEnd, LONGEST_LINE, serve};
use jigo_board::Rng;
use serde_json::{Value, json};

const LINES: usize = 10_000;

/// A query that a client could send.
fn sound_query() -> Value {
    json!({
        "id": "q", "moves": [["B", "C3"], ["W", "C4"]], "initialStones": [["B", "A1"]], "rules": "chinese",
        "komi": 7.5, "boardXSize": 5, "boardYSize": 5, "maxVisits": 1, "analyzeTurns": [0, 1], "priority": 3,
        "includeOwnership": true, "overrideSettings": {"maxTime": 0.01},
        "avoidMoves": [{"player": "B", "moves": ["C5"], "untilDepth": 1}],
    })
}

/// Values that tend to upset programs; none is right for any field that [`break_field`] puts it in.
fn nasty_value(rng: &mut Rng) -> Value {
    let deep = |n| (0..n).fold(json!(0), |inner, _| json!([inner]));
    match rng.below(14) {
        0 => json!({"": {}}),
        1 => json!(-1e300),
        2 => json!(0.3),
        3 => json!(u64::MAX),
        4 => json!(i64::MIN),
        5 => json!("\u{0}\u{202E}💥"),
        6 => json!("x".repeat(5000)),
        7 => json!([[]]),
        8 => json!([["B"]]),
        9 => json!([["B", "C3", "D4"]]),
        10 => json!([[1, 2]]),
        11 => json!(vec![json!(["B", "C3"]); 5000]),
        12 => deep(100),
        _ => json!([{"player": "G"}]),
    }
}

/// A sound query with one field spoilt or missing.
fn break_field(rng: &mut Rng) -> String {
    let mut query = sound_query();
    let fields =
        ["id", "moves", "initialStones", "rules", "komi", "boardXSize", "boardYSize", "analyzeTurns", "maxVisits"];
    let more = ["priority", "includeOwnership", "overrideSettings", "avoidMoves", "action", "initialPlayer"];
    let field = [&fields[..], &more[..]].concat()[rng.below(fields.len() + more.len())];
    query[field] = match (field, rng.below(3)) {
        ("id" | "moves" | "rules" | "boardXSize" | "boardYSize", 0) => Value::Null,
        // Any text is an id, and an object of unknown settings is worth a warning only.
        ("id" | "overrideSettings", _) => json!([nasty_value(rng)]),
        _ => nasty_value(rng),
    };
    query.to_string()
}

/// A sound query with bytes changed until it is no JSON any more.
fn break_text(rng: &mut Rng) -> String {
    let mut bytes = sound_query().to_string().into_bytes();
    loop {
        let at = rng.below(bytes.len());
        match rng.below(3) {
            0 => bytes[at] = rng.below(256) as u8,
            1 => bytes.truncate(at.max(1)),
            _ => bytes.insert(at, b'{'),
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if !text.trim().is_empty() && serde_json::from_str::<Value>(&text).is_err() {
            return text;
        }
    }
}

fn hostile_line(rng: &mut Rng) -> String {
    match rng.below(8) {
        0 => "[".repeat(1 + rng.below(100_000)),
        1 => ["null", "7", "\"text\"", "[]", "[{}]", "{}", "{\"id\":7}", "true"][rng.below(8)].to_string(),
        2 | 3 => break_text(rng),
        4 => r#"{"id":"a","action":"terminate","terminateId":{}}"#.to_string(),
        _ => break_field(rng),
    }
}

#[test]
fn ten_thousand_hostile_lines_get_an_error_each() {
    let service = service(2);
    let client = TestClient::at(&service);
    let mut rng = Rng::new(6);
    for _ in 0..LINES {
        let line = hostile_line(&mut rng);
        client.client.line(&line);
        let answers = client.all_answers();
        let beginning: String = line.chars().take(300).collect();
        assert_eq!(answers.len(), 1, "{beginning}");
        let text = answers[0]["error"].as_str().unwrap_or_else(|| panic!("{beginning} gives {}", answers[0]));
        assert!(text.len() < 300, "what was sent is not sent back: {text}");
    }
    client.ask(&sound_query());
    assert_eq!(client.all_answers().len(), 2, "sound queries are answered as ever");
}

#[test]
fn a_flood_of_queries_is_refused_when_too_many_wait() {
    let service = service(1);
    let client = TestClient::at(&service);
    let mut query = sound_query();
    query["maxVisits"] = json!(1_000_000_000);
    query["overrideSettings"] = json!({});
    // Spaces weigh like anything else: what counts is how long the line was.
    let line = format!("{query}{}", " ".repeat(LONGEST_LINE / 2));
    for _ in 0..1000 {
        client.client.line(&line);
    }
    client.ask(&json!({"id": "t", "action": "terminate_all"}));
    let answers = client.all_answers();
    let refused = answers.iter().filter(|answer| answer["error"].as_str().is_some_and(|e| e.contains("too many")));
    assert!(refused.count() > 800, "no more than 64 MB may wait");
    client.ask(&sound_query());
    assert_eq!(client.all_answers().len(), 2, "afterwards there is room again");
}

#[test]
fn endless_lines_and_wild_bytes_do_not_end_the_conversation() {
    let long = std::io::repeat(b'[').take(5 * LONGEST_LINE as u64);
    let wild: Vec<u8> = (0..2000).map(|i| (i * 7 % 256) as u8).filter(|&byte| byte != b'\n').collect();
    let rest = format!("\n{}\n\r\n\n{{\"id\":\"v\",\"action\":\"query_version\"}}", sound_query());
    let input = long.chain(&b"\n"[..]).chain(&wild[..]).chain(rest.as_bytes());
    let output = Collected::default();
    serve(&service(1), std::io::BufReader::new(input), output.clone(), AtEnd::FinishQueries).unwrap();
    let lines = output.lines();
    assert_eq!(lines.iter().filter(|line| line.get("error").is_some()).count(), 2);
    assert_eq!(lines.iter().filter(|line| line["id"] == "q").count(), 2);
    assert!(lines.iter().any(|line| line["version"].is_string()), "the last line needs no line feed");
}

/// What was written, readable afterwards.
#[derive(Clone, Default)]
struct Collected(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl Collected {
    fn lines(&self) -> Vec<Value> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl std::io::Write for Collected {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
