//! Hosts on one machine: network namespaces, each joined by a cable of its own to a bridge in the first.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use jigo_cluster::Security;
use tempfile::TempDir;

use crate::skipped::skipped;

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");

/// How long anything may take to happen on a machine that is busy with other tests.
pub const PATIENCE: Duration = Duration::from_secs(180);
/// Who looks without a pause takes the processor from those it waits for.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

pub struct Hosts {
    name: String,
    count: usize,
}

impl Hosts {
    /// The first host, where the bridge is; none if this machine does not let us make hosts.
    pub fn new(test: &str) -> Option<Hosts> {
        let mut hosts = Hosts { name: format!("jigo-{test}-{}", std::process::id()), count: 0 };
        let host = hosts.host(0);
        let steps: &[&[&str]] = &[
            &["netns", "add", &host],
            &["-n", &host, "link", "set", "lo", "up"],
            &["-n", &host, "link", "add", "br0", "type", "bridge"],
            &["-n", &host, "addr", "add", "10.77.0.1/24", "dev", "br0"],
            &["-n", &host, "link", "set", "br0", "up"],
        ];
        if !steps.iter().all(|step| ip(step)) {
            skipped("hosts are network namespaces, which needs root and the program ip");
            return None;
        }
        hosts.count = 1;
        Some(hosts)
    }

    pub fn host(&self, number: usize) -> String {
        format!("{}-{number}", self.name)
    }

    /// One more host, with a cable to the bridge.
    pub fn add(&mut self) -> usize {
        let number = self.count;
        let (first, host) = (self.host(0), self.host(number));
        let (cable, address) = (format!("cable{number}"), format!("10.77.0.{}/24", 1 + number));
        let steps: &[&[&str]] = &[
            &["netns", "add", &host],
            &["-n", &host, "link", "set", "lo", "up"],
            &["-n", &first, "link", "add", &cable, "type", "veth", "peer", "name", "eth0", "netns", &host],
            &["-n", &first, "link", "set", &cable, "master", "br0", "up"],
            &["-n", &host, "addr", "add", &address, "dev", "eth0"],
            &["-n", &host, "link", "set", "eth0", "up"],
            &["-n", &host, "route", "add", "224.0.0.0/4", "dev", "eth0"],
        ];
        assert!(steps.iter().all(|step| ip(step)), "host {number} could not be made");
        self.count += 1;
        number
    }

    pub fn plug(&self, number: usize, is_in: bool) {
        let (first, cable) = (self.host(0), format!("cable{number}"));
        assert!(ip(&["-n", &first, "link", "set", &cable, if is_in { "up" } else { "down" }]));
    }

    /// A command line of jigo, to be run on this host.
    pub fn jigo(&self, number: usize, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.host(number), JIGO]).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.env("XDG_DATA_HOME", home());
        command
    }

    pub fn start(&self, number: usize, arguments: &[impl AsRef<OsStr>]) -> Process {
        let mut command = self.jigo(number, arguments);
        Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("ip netns exec works"))
    }

    pub fn run(&self, number: usize, arguments: &[impl AsRef<OsStr>]) -> Output {
        self.jigo(number, arguments).output().expect("ip netns exec works")
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for number in 0..self.count {
            ip(&["netns", "del", &self.host(number)]);
        }
    }
}

/// Where the processes of one test run keep their secret.
fn home() -> &'static Path {
    static HOME: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder for the tests"));
    HOME.path()
}

/// How members in this process prove themselves to those.
pub fn this_host() -> Security {
    Security::ThisHost(home().join("jigo/cluster.secret"))
}

/// A command line of jigo on the host that we are on.
pub fn on_this_host(arguments: &[&str]) -> Command {
    let mut command = Command::new(JIGO);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("XDG_DATA_HOME", home());
    command
}

fn ip(arguments: &[&str]) -> bool {
    let quiet = Command::new("ip").args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// Ends with the test, whatever happens. `ip netns exec` becomes the program it runs, so this is jigo itself.
pub struct Process(Child);

impl Process {
    pub fn new(child: Child) -> Process {
        Process(child)
    }

    pub fn id(&self) -> u32 {
        self.0.id()
    }

    pub fn has_ended(&mut self) -> bool {
        self.0.try_wait().is_ok_and(|status| status.is_some())
    }

    pub fn signal(&self, signal: &str) {
        let done = Command::new("kill").args([&format!("-{signal}"), &self.0.id().to_string()]).status();
        assert!(done.is_ok_and(|status| status.success()), "kill -{signal}");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Lines as they come, so that whoever waits for one can lose patience.
pub fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (tell, said) = channel();
    std::thread::spawn(move || BufReader::new(from).lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
    said
}

/// Time for a move that ends when the test interrupts it, and not before.
pub const ENDLESS: &str = "time_settings 0 86400 1";

/// A coordinator that speaks GTP.
pub struct Gtp {
    process: Process,
    input: ChildStdin,
    output: Receiver<String>,
}

impl Gtp {
    pub fn start(mut command: Command) -> Gtp {
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::inherit()).spawn().expect("jigo gtp starts");
        let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        Gtp { process: Process(child), input, output: lines(output) }
    }

    pub fn send(&mut self, command: &str) {
        writeln!(self.input, "{command}").and_then(|()| self.input.flush()).expect("the coordinator listens");
    }

    /// The answer to the oldest command that has none.
    pub fn answer(&mut self) -> String {
        let mut answer = String::new();
        loop {
            let line = self.output.recv_timeout(PATIENCE).expect("an answer of the coordinator");
            if line.trim().is_empty() && !answer.is_empty() {
                assert!(answer.starts_with('='), "{answer}");
                return answer[1..].trim().to_string();
            }
            answer += &line;
            answer.push('\n');
        }
    }

    /// What it plays when it is interrupted in a search that it is seen to be in.
    pub fn interrupt(&mut self) -> String {
        self.send("# interrupt");
        self.answer()
    }

    pub fn ask(&mut self, command: &str) -> String {
        self.send(command);
        self.answer()
    }

    pub fn quit(mut self) {
        self.send("quit");
        self.process.0.wait().ok();
    }
}

/// What a program says that does not do what it is told, and ends.
pub fn complaint(mut command: Command) -> String {
    let mut child = command.stderr(Stdio::piped()).spawn().expect("jigo starts");
    let mut told = child.stderr.take().expect("piped");
    let mut process = Process(child);
    wait_for("its end", || process.has_ended().then_some(()));
    assert!(process.0.wait().is_ok_and(|status| !status.success()), "it did what it was told");
    let mut complaint = String::new();
    told.read_to_string(&mut complaint).expect("text");
    complaint
}

/// Asks until the answer is good.
pub fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < until, "{what} never happened");
        std::thread::sleep(BETWEEN_LOOKS);
    }
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("folders of tests have plain names")
}

/// A file with a secret that only its owner reads.
pub fn secret(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a secret");
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("a secret of our own");
}
