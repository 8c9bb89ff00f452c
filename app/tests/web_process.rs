//! `jigo web` as a process: its address, who may have its folder, slow and guessing strangers, and games that outlive the most sudden
//! end and a full disk.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

struct Web {
    process: Child,
    address: String,
}

/// Nothing here takes nearly as long, unless it is broken.
const PATIENCE: Duration = Duration::from_secs(90);
/// Who looks without a pause takes the processor from those it waits for.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

impl Web {
    fn start(data: &Path) -> Web {
        Web::start_with(data, &["--port", "0"])
    }

    fn start_with(data: &Path, options: &[&str]) -> Web {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
        command.args(["web", "--no-open", "--net", "none", "--threads", "1"]).args(options).arg("--data").arg(data);
        Web::of(command)
    }

    fn of(mut command: Command) -> Web {
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("no address in {said:?}")).to_owned();
        Web { process, address }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The whole answer to a request, head and all.
    fn answer(&self, method: &str, path: &str, body: &Value) -> String {
        let body = body.to_string();
        let mut stream = self.connect();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len(),
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn status(&self, path: &str) -> String {
        self.answer("GET", path, &Value::Null).split(' ').nth(1).unwrap().to_owned()
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.answer(method, path, body);
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    /// A game for two people on this board, or whatever the answer is.
    fn begin(&self) -> Value {
        self.ask("POST", "/api/games", &json!({"type": "new", "size": 19, "color": "both"}))
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

/// A server that does not begin; one that does is ended.
fn jigo(arguments: &[&str], data: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    command.arg("web").args(arguments).arg("--data").arg(data).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let until = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            child.kill().unwrap();
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
    child.wait_with_output().unwrap()
}

fn one_line(bytes: &[u8]) -> String {
    let said = String::from_utf8(bytes.to_vec()).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

#[test]
fn an_address_that_is_taken_is_one_sentence() {
    let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let web = Web::start(data.path());
    let port = web.address.rsplit(':').next().unwrap();
    let output = jigo(&["--no-open", "--port", port], other.path());
    let said = one_line(&output.stderr);
    assert!(!output.status.success() && said.contains("is taken by another program"), "{said}");
}

#[test]
fn one_folder_has_one_server_and_the_second_leads_to_it() {
    let data = tempfile::tempdir().unwrap();
    let web = Web::start(data.path());
    let second = jigo(&["--no-open"], data.path());
    assert!(second.status.success());
    assert!(one_line(&second.stdout).contains(&format!("open already at http://{}/", web.address)));
    let elsewhere = jigo(&["--no-open", "--port", "0"], data.path());
    let said = one_line(&elsewhere.stderr);
    assert!(!elsewhere.status.success() && said.contains(&web.address) && said.contains("--data"), "{said}");
    // However the first one ends, the folder is free again.
    drop(web);
    assert_eq!(Web::start(data.path()).status("/"), "200");
}

#[test]
fn slow_strangers_keep_nobody_out_and_do_not_stay() {
    let data = tempfile::tempdir().unwrap();
    let web = Web::start(data.path());
    let begun = |words: &str| {
        let mut stream = web.connect();
        stream.write_all(words.as_bytes()).unwrap();
        stream
    };
    let mut slow: Vec<TcpStream> = (0..400).map(|_| begun("GET / HTTP/1.1\r\nHost: sl")).collect();
    assert_eq!(web.status("/"), "200");
    assert!(web.begin()["id"].is_string());
    let host = format!("Host: {}\r\n", web.address);
    let body =
        format!("POST /api/games HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{{");
    let kept = format!("GET /api/info HTTP/1.1\r\n{host}\r\n");
    // A head that does not end, a body that does not come, and a connection kept for nothing are all closed in the end.
    let mut last = vec![slow.pop().unwrap(), begun(&body), begun(&kept)];
    for stream in &mut last {
        let mut answer = Vec::new();
        // Closed or reset; only a read that waits in vain would be wrong.
        let ended = stream.read_to_end(&mut answer);
        assert!(ended.is_ok() || ended.is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset));
    }
    assert_eq!(web.status("/"), "200");
}

#[test]
fn tokens_are_not_empty_and_not_guessed() {
    let data = tempfile::tempdir().unwrap();
    let empty = jigo(&["--no-open", "--port", "0", "--token", ""], data.path());
    assert!(!empty.status.success() && one_line(&empty.stderr).contains("empty token"));
    let web = Web::start_with(data.path(), &["--port", "0", "--token", "sesame"]);
    assert_eq!(web.status("/api/info"), "401");
    assert_eq!(web.status("/api/info?token=sesame"), "200");
    let guesses: Vec<String> = (0..40).map(|n| web.status(&format!("/api/info?token=sesam{n}"))).collect();
    assert_eq!((guesses[0].as_str(), guesses[39].as_str()), ("401", "429"));
    // Otherwise the one answer that differs would be the token.
    assert_eq!(web.status("/api/info?token=sesame"), "429");
}

#[cfg(unix)]
#[test]
fn strange_files_among_the_games_harm_only_themselves() {
    let data = tempfile::tempdir().unwrap();
    let games = data.path().join("games");
    std::fs::create_dir_all(games.join("folder.sgf")).unwrap();
    std::fs::write(games.join("foreign.sgf"), [0xff, 0x00, 0xfe]).unwrap();
    std::fs::write(games.join("half.sgf.new"), "(;SZ[9").unwrap();
    std::fs::write(games.join("good.sgf"), "(;SZ[9]GN[good];B[ee])").unwrap();
    std::os::unix::fs::symlink("nowhere", games.join("lost.sgf")).unwrap();
    assert!(Command::new("mkfifo").arg(games.join("pipe.sgf")).status().unwrap().success());
    let web = Web::start(data.path());
    let listed = web.ask("GET", "/api/games", &Value::Null);
    assert_eq!((listed["games"].as_array().unwrap().len(), &listed["games"][0]["name"]), (1, &json!("good")));
    assert_eq!(web.ask("GET", "/api/games/pipe", &Value::Null)["code"], "storage");
    assert!(web.begin()["id"].is_string());
    assert!(!games.join("half.sgf.new").exists());
}

/// A limit on the length of files is as good as a full disk: the record of a long game finds no room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_move() {
    let data = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -S -f 2; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_jigo"), "web"]);
    command.args(["--no-open", "--port", "0", "--net", "none", "--threads", "1", "--data"]).arg(data.path());
    let web = Web::of(command);
    let id = web.begin()["id"].as_str().unwrap().to_owned();
    let game = format!("/api/games/{id}");
    let vertices = (1..=19).flat_map(|row| "ABCDEFGHJKLMNOPQRST".chars().map(move |column| format!("{column}{row}")));
    // Every other point of the board, so that nothing is ever taken.
    let mut vertices = vertices.step_by(2);
    let mut played = 0;
    let refused = loop {
        let answer =
            web.ask("POST", &format!("{game}/messages"), &json!({"type": "play", "move": vertices.next().unwrap()}));
        played += 1;
        if answer["type"] == "error" {
            break answer;
        }
    };
    assert_eq!(refused["code"], "storage");
    let shown = web.ask("GET", &game, &Value::Null);
    assert_eq!((&shown["position"]["number"], &shown["storage"]["failed"]), (&json!(played), &json!(true)));

    let process = rustix::process::Pid::from_child(&web.process);
    let unlimited = rustix::process::Rlimit { current: None, maximum: None };
    rustix::process::prlimit(Some(process), rustix::process::Resource::Fsize, unlimited).unwrap();
    // Nobody asks for it: the server tries again by itself.
    let until = Instant::now() + PATIENCE;
    while web.ask("GET", &game, &Value::Null)["storage"]["failed"] == true {
        assert!(Instant::now() < until, "it is never saved");
    }
    drop(web);
    let web = Web::start(data.path());
    assert_eq!(web.ask("GET", &game, &Value::Null)["position"]["number"], played);
}
