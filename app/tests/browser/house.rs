//! The program under test: `jigo web` as a process with a folder of its own.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

pub struct House {
    process: Child,
    _output: BufReader<ChildStdout>,
    folder: tempfile::TempDir,
    address: String,
}

impl House {
    pub fn open() -> House {
        House::open_with(|_| {})
    }

    /// With something in its folder already.
    pub fn open_with(fill: impl FnOnce(&std::path::Path)) -> House {
        let folder = tempfile::tempdir().unwrap();
        fill(folder.path());
        let (process, output, address) = start(&folder, "0");
        House { process, _output: output, folder, address }
    }

    /// `http://127.0.0.1:PORT/`
    pub fn address(&self) -> &str {
        &self.address
    }

    /// As a power cut: no chance to save anything.
    pub fn crash(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// After a crash, at the same address.
    pub fn come_back(&mut self) {
        let port = self.address.trim_end_matches('/').rsplit(':').next().unwrap();
        let (process, output, address) = start(&self.folder, port);
        assert_eq!(address, self.address);
        (self.process, self._output) = (process, output);
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn start(folder: &tempfile::TempDir, port: &str) -> (Child, BufReader<ChildStdout>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    // One thread and one seed: what the engine thinks of a bad move is the same every time.
    command.args(["web", "--no-open", "--seed", "4", "--threads", "1", "--port", port, "--data"]).arg(folder.path());
    let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let address = line.split_whitespace().find(|word| word.starts_with("http://"));
    let address = address.unwrap_or_else(|| panic!("no address in {line:?}")).to_owned();
    (process, output, address)
}
