//! As much of the WebDriver protocol as the scenarios need: JSON over HTTP to a chromedriver of our own. (The crates that speak all of
//! it bring an HTTP client, TLS and an async runtime to the tests; this is a page of code.)

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::skipped::skipped;

/// Longest wait for one condition. Only reached when something is wrong; the machine may be busy.
const PATIENCE_MS: u32 = 90_000;

/// How often driver and browser are started before a scenario gives up.
const STARTS: usize = 8;

pub struct Browser {
    driver: Child,
    /// Held open: the driver must not find its output closed.
    _output: BufReader<ChildStdout>,
    port: u16,
    session: String,
}

impl Browser {
    /// A window of this size inside, or None, said aloud, when there is no browser.
    pub fn start(width: u32, height: u32) -> Option<Browser> {
        let chromium = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(program);
        let (Some(chromium), Some(chromedriver)) = (chromium, program("chromedriver")) else {
            skipped("no chromium and chromedriver here, so the board was not tried in a browser");
            return None;
        };
        // Both may fail to start through nobody's fault: a chromedriver asked for any port takes one and may find it taken by a
        // neighbour that starts at the same moment, and then ends without a word; a Chromium may be too slow for its driver.
        let mut started = (0..STARTS).filter_map(|_| Browser::try_to_start(&chromedriver, &chromium));
        let browser = started.next().expect("neither driver nor browser would start");
        browser.resize(width, height);
        Some(browser)
    }

    fn try_to_start(chromedriver: &Path, chromium: &Path) -> Option<Browser> {
        let mut driver =
            Command::new(chromedriver).arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut output = BufReader::new(driver.stdout.take().unwrap());
        let Some(port) = announced_port(&mut output) else {
            let _ = driver.wait();
            return None;
        };
        let mut browser = Browser { driver, _output: output, port, session: String::new() };
        // As root, as in most CI, Chromium runs only without its sandbox; it visits nothing but our own page.
        let arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];
        let capabilities = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "timeouts": {"script": PATIENCE_MS + 10_000},
            "goog:chromeOptions": {"binary": chromium, "args": arguments},
            "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let answer = browser.attempt("POST", "/session", &capabilities).ok()?;
        browser.session = format!("/session/{}", answer["sessionId"].as_str()?);
        Some(browser)
    }

    /// Gives the page this size; one as narrow as a phone also behaves as a phone.
    pub fn resize(&self, width: u32, height: u32) {
        let is_phone = width < 500;
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone});
        self.devtools("Emulation.setDeviceMetricsOverride", metrics);
        self.devtools("Emulation.setTouchEmulationEnabled", json!({"enabled": is_phone}));
    }

    pub fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.command("POST", "/goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    pub fn open(&self, address: &str) {
        self.command("POST", "/url", &json!({"url": address}));
    }

    pub fn reload(&self) {
        self.command("POST", "/refresh", &json!({}));
    }

    /// The value of a JavaScript expression.
    pub fn evaluate(&self, expression: &str) -> Value {
        self.command("POST", "/execute/sync", &json!({"script": format!("return {expression}"), "args": []}))
    }

    /// Waits in the page until the expression holds.
    pub fn wait(&self, condition: &str) {
        let script = format!(
            "const done = arguments[0], end = performance.now() + {PATIENCE_MS};
             const holds = () => {{ try {{ return Boolean({condition}); }} catch {{ return false; }} }};
             (function look() {{
                 if (holds()) done(true);
                 else if (performance.now() > end) done(false);
                 else setTimeout(look, 10);
             }})();"
        );
        let request = json!({"script": script, "args": []});
        let mut held = self.attempt("POST", "/execute/async", &request);
        // A page that is being replaced takes the question with it; the next page is asked again.
        while held.as_ref().is_err_and(|error| error.contains("unloaded") || error.contains("navigat")) {
            held = self.attempt("POST", "/execute/async", &request);
        }
        if held != Ok(json!(true)) {
            let text = self.evaluate("document.body.innerText");
            panic!("never came true: {condition}\nthe page says: {text}\nthe console says: {:?}", self.console());
        }
    }

    pub fn press(&self, key: &str) {
        let strokes = [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})];
        self.command("POST", "/actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": strokes}]}));
    }

    /// Types text into whatever has the focus.
    pub fn write(&self, text: &str) {
        self.devtools("Input.insertText", json!({"text": text}));
    }

    pub fn point_at(&self, (x, y): (i64, i64)) {
        self.pointer("mouse", &[json!({"type": "pointerMove", "duration": 0, "x": x, "y": y})]);
    }

    pub fn click_at(&self, (x, y): (i64, i64), kind: &str) {
        let moves = json!({"type": "pointerMove", "duration": 0, "x": x, "y": y});
        let [down, up] = ["pointerDown", "pointerUp"].map(|kind| json!({"type": kind, "button": 0}));
        self.pointer(kind, &[moves, down, up]);
    }

    fn pointer(&self, kind: &str, actions: &[Value]) {
        let pointer = json!({"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions});
        self.command("POST", "/actions", &json!({"actions": [pointer]}));
    }

    /// Opens a second tab and goes there; returns how to come back.
    pub fn new_tab(&self) -> (String, String) {
        let here = self.command("GET", "/window", &Value::Null).as_str().unwrap().to_owned();
        let tab = self.command("POST", "/window/new", &json!({"type": "tab"}));
        let there = tab["handle"].as_str().unwrap().to_owned();
        self.go_to_tab(&there);
        (here, there)
    }

    pub fn go_to_tab(&self, handle: &str) {
        self.command("POST", "/window", &json!({"handle": handle}));
    }

    /// Errors the page has caused since the last question: exceptions, refused resources, breaches of the content policy.
    pub fn console(&self) -> Vec<String> {
        let entries = self.command("POST", "/se/log", &json!({"type": "browser"}));
        let severe = entries.as_array().unwrap().iter().filter(|entry| entry["level"] == "SEVERE");
        severe.map(|entry| entry["message"].to_string()).collect()
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        self.attempt(method, path, body).unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    /// A command, or what the driver has against it.
    fn attempt(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let path = format!("{}{path}", self.session);
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        let answer: Value = serde_json::from_slice(&response_body(stream)).unwrap();
        let value = &answer["value"];
        if value["error"].is_null() { Ok(value.clone()) } else { Err(value["message"].to_string()) }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ending the session ends Chromium. A scenario that failed in mid-request must still end the driver.
        if !self.session.is_empty() {
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.command("DELETE", "", &Value::Null)));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// "ChromeDriver was started successfully on port 41233."; None if it ended without saying so.
fn announced_port(output: &mut impl BufRead) -> Option<u16> {
    output.lines().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    })
}

fn response_body(stream: TcpStream) -> Vec<u8> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end().to_ascii_lowercase().strip_prefix("content-length:") {
            Some(number) => length = number.trim().parse().unwrap(),
            None if line.trim_end().is_empty() => break,
            None => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    body
}
