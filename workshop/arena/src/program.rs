//! One GTP program as a child process that may die, stall or talk nonsense at any moment.
//!
//! A thread reads its answers, another drains its standard error, and every question has a deadline. After any
//! failure but a refusal the process (with everything it started) is killed: it is never asked again, so answers cannot get out
//! of step with questions. A program whose arena dies sees the end of its input.

use std::collections::{HashSet, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::command_line::locate;

/// Longer lines and answers than any GTP command gives; beyond them a program is talking nonsense.
const LONGEST_LINE: u64 = 1 << 20;
const MOST_LINES: usize = 10_000;
/// Lines of standard error kept to explain a death.
const LAST_WORDS: usize = 5;
/// Time to leave after `quit` (gtp2ogs gives 5 s, the CGOS client 0.5 s), or to become a corpse after closing.
const GRACE: Duration = Duration::from_secs(2);

/// Why a program lost its game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    #[error("could not be started: {0}")]
    NotStarted(String),
    #[error("died during {command} ({ending}){last_words}")]
    Died { command: String, ending: String, last_words: String },
    #[error("gave no answer to {command} within {seconds} s")]
    Stalled { command: String, seconds: String },
    #[error("answered {command} with garbage: {line:?}")]
    Garbage { command: String, line: String },
    #[error("refused {command}: {message}")]
    Refused { command: String, message: String },
    #[error("does not know the command {0}")]
    Unable(&'static str),
    #[error("played the illegal move {0}")]
    IllegalMove(String),
}

pub struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    last_words: Arc<Mutex<VecDeque<String>>>,
    errors_ended: Receiver<()>,
    commands: HashSet<String>,
}

impl Program {
    /// Starts the program and asks which commands it knows.
    pub fn start(words: &[String], deadline: Duration) -> Result<Self, Failure> {
        let mut command = Command::new(locate(&words[0]));
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Its own process group, so that what a wrapper script started can be killed with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let not_started = |error: std::io::Error| Failure::NotStarted(format!("{}: {error}", words[0]));
        let mut child = command.spawn().map_err(not_started)?;
        let (send_line, lines) = sync_channel(MOST_LINES);
        let (send_end, errors_ended) = sync_channel(1);
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let (output, errors, kept) = (child.stdout.take(), child.stderr.take(), Arc::clone(&last_words));
        let mut program =
            Self { input: child.stdin.take(), child, lines, last_words, errors_ended, commands: HashSet::new() };
        if let Some(output) = output {
            thread::Builder::new().spawn(move || forward_lines(output, &send_line)).map_err(not_started)?;
        }
        if let Some(errors) = errors {
            thread::Builder::new().spawn(move || keep_last_words(errors, &kept, send_end)).map_err(not_started)?;
        }
        let listed = program.ask("list_commands", deadline)?;
        program.commands = listed.split_whitespace().map(str::to_string).collect();
        Ok(program)
    }

    pub fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// Sends one command and gives the text of the answer. `Refused` leaves the program usable; after any other
    /// failure it is dead.
    pub fn ask(&mut self, command: &str, deadline: Duration) -> Result<String, Failure> {
        let answer = self.ask_unguarded(command, deadline);
        if let Err(failure) = &answer
            && !matches!(failure, Failure::Refused { .. })
        {
            self.kill();
        }
        answer
    }

    fn ask_unguarded(&mut self, command: &str, deadline: Duration) -> Result<String, Failure> {
        let asked = Instant::now();
        let sent = self.input.as_mut().is_some_and(|input| {
            input.write_all(format!("{command}\n").as_bytes()).and_then(|()| input.flush()).is_ok()
        });
        if !sent {
            return Err(self.death(command));
        }
        let mut answer: Vec<String> = Vec::new();
        loop {
            let left = deadline.saturating_sub(asked.elapsed());
            let line = match self.lines.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Failure::Stalled {
                        command: first_word(command),
                        seconds: format!("{:.1}", deadline.as_secs_f64()),
                    });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.death(command)),
            };
            match (answer.is_empty(), line.is_empty()) {
                (true, true) => {}
                (false, true) => return judge(command, &answer),
                (first, false) => {
                    let starts_answer = line.starts_with('=') || line.starts_with('?');
                    if (first && !starts_answer) || answer.len() == MOST_LINES {
                        return Err(Failure::Garbage {
                            command: first_word(command),
                            line: line.chars().take(80).collect(),
                        });
                    }
                    answer.push(line);
                }
            }
        }
    }

    /// False after any failure but a refusal.
    pub fn is_alive(&self) -> bool {
        self.input.is_some()
    }

    /// Asks the program to leave, and makes sure that it does.
    pub fn quit(mut self) {
        if let Some(mut input) = self.input.take() {
            // A program that is already dead cannot be told; the kill below covers it.
            let _ = input.write_all(b"quit\n");
        }
        self.ended_within(GRACE);
    }

    /// Explains why the output ended.
    fn death(&mut self, command: &str) -> Failure {
        self.input = None;
        let ending = if self.ended_within(GRACE) {
            match self.child.try_wait() {
                Ok(Some(status)) => status.to_string(),
                _ => "unknown status".to_string(),
            }
        } else {
            "closed its output".to_string()
        };
        // Its standard error ends with it, unless something it started holds on to it.
        let _ = self.errors_ended.recv_timeout(GRACE);
        let words = self
            .last_words
            .lock()
            .map_or_else(|_| String::new(), |lines| lines.iter().cloned().collect::<Vec<_>>().join(" / "));
        Failure::Died {
            command: first_word(command),
            ending,
            last_words: if words.is_empty() { words } else { format!(", saying: {words}") },
        }
    }

    fn ended_within(&mut self, time: Duration) -> bool {
        let start = Instant::now();
        loop {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return true;
            }
            if start.elapsed() > time {
                return false;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Kills the process and everything in its group; harmless when it has already ended.
    fn kill(&mut self) {
        self.input = None;
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            // It can only fail if the group is gone, which is what we want.
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Turns the lines of an answer into its text.
fn judge(command: &str, lines: &[String]) -> Result<String, Failure> {
    let text = lines.join("\n");
    let body = text[1..].trim().to_string();
    if text.starts_with('=') {
        return Ok(body);
    }
    Err(Failure::Refused { command: command.to_string(), message: body })
}

/// Sends on every line of the program's output; ends with the output, with nobody listening, or after the beginning of
/// a line too long to be GTP.
fn forward_lines(output: impl Read, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = (&mut output).take(LONGEST_LINE).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let too_long = line.len() as u64 == LONGEST_LINE;
        let text = String::from_utf8_lossy(&line);
        let text: String = text.chars().filter(|c| *c == '\t' || !c.is_control()).collect();
        if lines.send(text.trim_end().to_string()).is_err() || too_long {
            return;
        }
    }
}

fn keep_last_words(errors: impl Read, kept: &Mutex<VecDeque<String>>, ended: SyncSender<()>) {
    let mut errors = BufReader::new(errors);
    loop {
        let mut line = Vec::new();
        let read = (&mut errors).take(LONGEST_LINE).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            let _ = ended.send(());
            return;
        }
        let line = String::from_utf8_lossy(&line).trim().to_string();
        if let Ok(mut kept) = kept.lock()
            && !line.is_empty()
        {
            kept.push_back(line);
            if kept.len() > LAST_WORDS {
                kept.pop_front();
            }
        }
    }
}

fn first_word(command: &str) -> String {
    command.split_whitespace().next().unwrap_or("").to_string()
}
