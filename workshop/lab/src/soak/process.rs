//! The programs of a soak: of each, one life follows another, and none outlives us.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::guardian::Guardian;

/// How long a program whose output has ended may take to be gone.
const GRACE: Duration = Duration::from_secs(20);
/// Answers that wait for us; whoever sends more waits for us too.
const MOST_LINES: usize = 10_000;

/// One program, through all its lives.
pub struct Process<'a> {
    pub name: &'static str,
    program: PathBuf,
    words: Vec<String>,
    folder: &'a Path,
    guardian: &'a Guardian,
    life: Mutex<Life>,
}

#[derive(Default)]
struct Life {
    child: Option<Child>,
    number: u32,
    killed: bool,
}

/// Why a program is no longer there.
#[derive(Debug)]
pub enum End {
    /// We killed it.
    Planned,
    Unplanned(String),
}

impl<'a> Process<'a> {
    /// A life of this very program, begun with these words.
    pub fn new(name: &'static str, words: &[&str], folder: &'a Path, guardian: &'a Guardian) -> Process<'a> {
        let program = jigo_arena::locate("jigo");
        let words = words.iter().map(|&word| word.to_owned()).collect();
        Process { name, program, words, folder, guardian, life: Mutex::default() }
    }

    /// Where its standard error goes, of all its lives.
    pub fn errors(&self) -> PathBuf {
        self.folder.join(format!("{}.stderr", self.name))
    }

    /// A command line of jigo that knows the same secrets and dies with us.
    pub fn jigo(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env("XDG_DATA_HOME", self.folder.join("home"));
        self.guardian.adopt(&mut command);
        command
    }

    /// The next life. The one before is killed, if it still runs.
    pub fn start(&self) -> Result<Talk, String> {
        let mut life = self.life();
        end(&mut life.child);
        let failed = |error: std::io::Error| format!("{} cannot be started: {error}", self.program.display());
        let errors = File::options().append(true).create(true).open(self.errors()).map_err(failed)?;
        let mut command = self.jigo();
        command.args(&self.words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
        let mut child = command.spawn().map_err(failed)?;
        let talk = Talk::new(child.stdin.take(), child.stdout.take());
        *life = Life { child: Some(child), number: life.number + 1, killed: false };
        Ok(talk)
    }

    /// As the plan wants it: at once, and without a word before.
    pub fn kill(&self) -> bool {
        let mut life = self.life();
        let is_there = life.child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)));
        if is_there && !life.killed {
            life.killed = true;
            let _ = life.child.as_mut().map(Child::kill);
            return true;
        }
        false
    }

    /// What the system calls the present life, and how manyeth it is.
    pub fn present(&self) -> Option<(u32, u32)> {
        let life = self.life();
        life.child.as_ref().filter(|_| !life.killed).map(|child| (life.number, child.id()))
    }

    pub fn lives(&self) -> u32 {
        self.life().number
    }

    /// Asked when it has fallen silent: did we kill it, or what else happened?
    pub fn end(&self) -> End {
        let asked = Instant::now();
        loop {
            let mut life = self.life();
            if life.killed {
                end(&mut life.child);
                return End::Planned;
            }
            match life.child.as_mut().map(Child::try_wait) {
                Some(Ok(Some(status))) => return End::Unplanned(format!("it ended by itself ({status})")),
                None => return End::Unplanned("it never began".to_owned()),
                _ if asked.elapsed() > GRACE => return End::Unplanned("it went silent without ending".to_owned()),
                _ => drop(life),
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Has anything happened to this life that would explain a broken connection?
    pub fn is_past(&self, number: u32) -> bool {
        let life = self.life();
        life.number != number || life.killed
    }

    /// Waits until it has left of itself, in good order.
    pub fn leaves(&self) -> Result<(), String> {
        match self.end() {
            End::Planned => Ok(()),
            End::Unplanned(_) => {
                let status = self.life().child.as_mut().and_then(|child| child.try_wait().ok().flatten());
                match status {
                    Some(status) if status.success() => Ok(()),
                    Some(status) => Err(format!("it left with {status}")),
                    None => Err("it did not leave when asked to".to_owned()),
                }
            }
        }
    }

    fn life(&self) -> MutexGuard<'_, Life> {
        self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        end(&mut self.life().child);
    }
}

fn end(child: &mut Option<Child>) {
    if let Some(mut child) = child.take() {
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Lines to and from a program. Its output is read by a thread, so that we never wait for ever.
pub struct Talk {
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    Ended,
    Late,
}

impl Talk {
    fn new(input: Option<ChildStdin>, output: Option<ChildStdout>) -> Talk {
        let (send, lines) = sync_channel(MOST_LINES);
        if let Some(output) = output {
            thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut line = Vec::new();
                while matches!(output.read_until(b'\n', &mut line), Ok(1..)) {
                    let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
                    if send.send(text).is_err() {
                        return;
                    }
                    line.clear();
                }
            });
        }
        Talk { input, lines }
    }

    pub fn say(&mut self, line: &[u8]) -> Result<(), Silence> {
        let input = self.input.as_mut().ok_or(Silence::Ended)?;
        let sent = input.write_all(line).and_then(|()| input.write_all(b"\n")).and_then(|()| input.flush());
        sent.map_err(|_| Silence::Ended)
    }

    pub fn line(&mut self, within: Duration) -> Result<String, Silence> {
        self.lines.recv_timeout(within).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Late,
            RecvTimeoutError::Disconnected => Silence::Ended,
        })
    }

    /// Nothing more will be said.
    pub fn close(&mut self) {
        self.input = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As when we are killed: nobody says goodbye, the guardian's input just ends.
    #[test]
    fn what_was_adopted_ends_with_the_guardian() {
        let guardian = Guardian::start().unwrap();
        let mut command = Command::new("sleep");
        guardian.adopt(command.arg("1000"));
        let mut child = command.spawn().unwrap();
        drop(guardian);
        assert!(!child.wait().unwrap().success());
    }
}
