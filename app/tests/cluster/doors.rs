//! The other doors coordinate too: the board in the browser and the analysis service.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::driver::Browser;
use crate::hosts::{Process, on_this_host, text, wait_for};

/// Enough for a look.
const VISITS: u64 = 2000;
/// As many as may be asked for; such a search ends with the test.
const ENDLESS_VISITS: u64 = 2_000_000;

fn worker(cluster: &str) -> Process {
    let engine = ["--net", "none", "--threads", "1", "--nice", "0", "--name", "attic"];
    let arguments = [&["worker", "--cluster", cluster], &engine[..]].concat();
    Process::new(on_this_host(&arguments).spawn().expect("a worker starts"))
}

struct Web {
    _process: Process,
    _output: BufReader<ChildStdout>,
    address: String,
}

impl Web {
    fn start(cluster: &str, data: &str) -> Web {
        let arguments = ["web", "--no-open", "--port", "0", "--data", data, "--net", "none", "--threads", "1"];
        let mut command = on_this_host(&[&arguments[..], &["--cluster", cluster]].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("jigo web starts");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let mut said = String::new();
        output.read_line(&mut said).expect("a line");
        let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
        Web { address: address.to_string(), _process: Process::new(child), _output: output }
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close", self.address);
        let kind = format!("Content-Type: application/json\r\nContent-Length: {}", body.len());
        let mut stream = TcpStream::connect(&self.address).expect("the door is open");
        stream.write_all(format!("{head}\r\n{kind}\r\n\r\n{body}").as_bytes()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    /// The only machine, once it is as is waited for.
    fn machine(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        wait_for(what, || {
            let cluster = self.ask("GET", "/api/cluster", &Value::Null);
            cluster["machines"].get(0).filter(|machine| is_so(machine)).cloned()
        })
    }
}

#[test]
fn the_board_in_the_browser_thinks_with_its_workers_and_shows_them() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let cluster = format!("web-{}", std::process::id());
    let web = Web::start(&cluster, text(folder.path()));
    assert_eq!(web.ask("GET", "/api/info", &Value::Null)["cluster"], true);
    let worker = worker(&cluster);
    let machine = web.machine("a worker in sight", |machine| machine["state"] == "here");
    assert_eq!((&machine["name"], &machine["threads"], &machine["playouts"]), (&json!("attic"), &json!(1), &json!(0)));

    let id = web.ask("POST", "/api/games", &json!({"type": "new", "size": 9, "color": "both"}))["id"].clone();
    let messages = format!("/api/games/{}/messages", id.as_str().expect("a game"));
    web.ask("POST", &messages, &json!({"type": "analyse", "on": true, "visits": ENDLESS_VISITS}));
    web.machine("a worker that thinks along", |machine| machine["playouts"].as_u64() > Some(0));
    if let Some(browser) = Browser::start(1200, 800) {
        browser.open(&format!("http://{}/", web.address));
        let button = "document.querySelector('[data-command=cluster]')";
        browser.wait(&format!("{button} && !{button}.hidden"));
        browser.press("w");
        browser.wait("document.querySelector('.machines [data-state=here]').innerText.includes('attic')");
    }
    worker.signal("KILL");
    web.machine("a worker that is gone", |machine| machine["state"] == "gone");
}

#[test]
fn the_analysis_service_thinks_with_its_workers() {
    let cluster = format!("analysis-{}", std::process::id());
    let arguments = ["analysis", "--cluster", &cluster, "--net", "none", "--threads", "1", "--workers", "1"];
    let mut command = on_this_host(&arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let mut service = command.spawn().expect("jigo analysis starts");
    let (mut input, output) = (service.stdin.take().expect("piped"), service.stdout.take().expect("piped"));
    let (_service, mut output) = (Process::new(service), BufReader::new(output));
    let mut visits = |id: &str| {
        let board =
            json!({"id": id, "maxVisits": VISITS, "rules": "chinese", "boardXSize": 9, "boardYSize": 9, "moves": []});
        writeln!(input, "{board}").and_then(|()| input.flush()).expect("the service listens");
        let mut line = String::new();
        output.read_line(&mut line).expect("an answer");
        let answer: Value = serde_json::from_str(&line).expect("JSON");
        answer["rootInfo"]["visits"].as_u64().unwrap_or_else(|| panic!("{answer}"))
    };
    assert!(visits("alone") >= VISITS);

    let _worker = worker(&cluster);
    let of_worker = |name: &str| {
        let arguments = ["cluster", "status", "--cluster", &cluster, "--json"];
        let output = on_this_host(&arguments).stdout(Stdio::piped()).output().expect("jigo cluster starts");
        let status: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        status["workers"].get(0).map(|worker| worker[name].clone())
    };
    wait_for("a worker", || (of_worker("is_alive")? == true).then_some(()));
    // One search may be over before the worker hears of it.
    wait_for("the worker's share", || {
        assert!(visits("together") >= VISITS);
        (of_worker("playouts")?.as_u64() > Some(0)).then_some(())
    });
}
