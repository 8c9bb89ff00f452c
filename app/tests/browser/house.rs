//! The program under test: `jigo web` as a process with a folder of its own.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The home of the one whose folder it is, inside of it.
const HOME: &str = "home";

pub struct House {
    process: Child,
    /// More of the command line.
    options: Vec<&'static str>,
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
        House::start(folder, Vec::new())
    }

    /// Of an engine that plays games to their end instead of asking a net.
    pub fn without_net() -> House {
        House::start(tempfile::tempdir().unwrap(), vec!["--net", "none"])
    }

    fn start(folder: tempfile::TempDir, options: Vec<&'static str>) -> House {
        let (process, output, address) = start(&folder, "0", &options);
        House { process, options, _output: output, folder, address }
    }

    /// Of one who keeps a net that knows people.
    pub fn with_nets() -> House {
        House::open_with(|folder| {
            let nets = folder.join(HOME).join("jigo/nets");
            std::fs::create_dir_all(&nets).unwrap();
            let tiny = concat!(env!("CARGO_MANIFEST_DIR"), "/../mind/katago/tests/data/tiny-v15-meta.bin.gz");
            std::fs::copy(tiny, nets.join("tiny-people.bin.gz")).unwrap();
        })
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
        let (process, output, address) = start(&self.folder, port, &self.options);
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

fn start(folder: &tempfile::TempDir, port: &str, options: &[&str]) -> (Child, BufReader<ChildStdout>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
    // One thread and one seed: what the engine thinks of a bad move is the same every time.
    command
        .args(["web", "--no-open", "--seed", "4", "--threads", "1", "--port", port, "--data"])
        .arg(folder.path())
        .args(options);
    // Whoever runs the tests may keep nets of their own.
    command.env("XDG_DATA_HOME", folder.path().join(HOME));
    let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(process.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let address = line.split_whitespace().find(|word| word.starts_with("http://"));
    let address = address.unwrap_or_else(|| panic!("no address in {line:?}")).to_owned();
    (process, output, address)
}
