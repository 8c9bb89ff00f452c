//! `jigo web` as a process: its address, and games that outlive the most sudden end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

struct Web {
    process: Child,
    address: String,
}

impl Web {
    fn start(data: &Path) -> Web {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
        command.args(["--no-open", "--port", "0", "--net", "none", "--threads", "1", "--data"]).arg(data);
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("no address in {said:?}")).to_owned();
        Web { process, address }
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len(),
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        // On Unix this is kill -9.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_killed_program_loses_no_move() {
    let data = tempfile::tempdir().unwrap();
    let web = Web::start(data.path());
    let settings =
        json!({"type": "new", "size": 9, "color": "black", "level": 5, "pace": "instant", "name": "to be killed"});
    let id = web.ask("POST", "/api/games", &settings)["id"].as_str().unwrap().to_owned();
    let game = format!("/api/games/{id}");
    // Asked until the engine has answered: it is our turn again, two moves later.
    let our_turn = |web: &Web| loop {
        let shown = web.ask("GET", &game, &Value::Null);
        if shown["position"]["may_play"] == true {
            return shown["position"].clone();
        }
    };
    for mv in ["E5", "C7", "G3"] {
        our_turn(&web);
        // A point the engine has taken meanwhile is left to it.
        let shown = web.ask("POST", &format!("{game}/messages"), &json!({"type": "play", "move": mv}));
        assert!(shown["position"].is_object() || shown["reason"] == "occupied", "{shown}");
    }
    let before = our_turn(&web);
    drop(web);

    let web = Web::start(data.path());
    let listed = &web.ask("GET", "/api/games", &Value::Null)["games"][0];
    assert_eq!((&listed["id"], &listed["name"]), (&json!(id), &json!("to be killed")));
    let after = web.ask("GET", &game, &Value::Null);
    assert_eq!(after["position"]["stones"], before["stones"]);
    assert_eq!(after["position"]["number"], before["number"]);
    assert_eq!(after["status"]["turn"], "human");
}

#[test]
fn an_address_that_is_taken_is_one_sentence() {
    let data = tempfile::tempdir().unwrap();
    let web = Web::start(data.path());
    let port = web.address.rsplit(':').next().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    let output = command.args(["web", "--no-open", "--port", port, "--data"]).arg(data.path()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.lines().count() == 1 && said.starts_with("jigo: cannot listen"), "{said}");
}
