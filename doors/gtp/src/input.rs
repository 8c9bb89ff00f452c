//! The thread that reads, and what it tells the one that answers.

use std::io::BufRead;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jigo_engine::StopFlag;

use crate::line_reader::{Line, read_line};
use crate::parse::{ParsedLine, parse};

/// A line of the input, understood.
pub enum Input {
    Line(ParsedLine),
    /// A blank line or a comment: no answer, but it ends an analysis.
    Nothing,
    /// A line that was too long, with its id.
    TooLong(Option<String>),
}

/// GoGui's way to ask for an early answer: a comment, so that programs that do not know it are not disturbed.
const INTERRUPT: &[u8] = b"# interrupt";

/// Reads the input until it ends and passes it on. An input that fails is treated like one that ends.
pub fn read_input(mut input: impl BufRead, attention: &Attention, sender: &SyncSender<Input>) {
    while let Ok(Some(line)) = read_line(&mut input) {
        attention.line_came();
        let input = match line {
            Line::TooLong(beginning) => Input::TooLong(parse(&beginning).and_then(|line| line.id)),
            Line::Text(text) => {
                if text.trim_ascii() == INTERRUPT {
                    attention.interrupt();
                }
                parse(&text).map_or(Input::Nothing, Input::Line)
            }
        };
        if matches!(&input, Input::Line(line) if line.command == "quit") {
            attention.goodbye();
        }
        if sender.send(input).is_err() {
            return;
        }
    }
    attention.close();
    attention.goodbye();
}

/// What both threads know about each other. Whatever depends on the other thread happens under the lock, so no flag is raised
/// for a command that has ended already, or lowered for a line that has just come.
#[derive(Clone)]
pub struct Attention {
    state: Arc<Mutex<State>>,
    /// Ends whatever thought is going on.
    stop: StopFlag,
    /// Raised with every line and at the end: whoever analyses or ponders stops.
    heard: StopFlag,
    /// Lines that come within this time after a command began belong to a script, which wants its commands finished.
    grace: Duration,
}

#[derive(Default)]
struct State {
    /// Lines read but not answered yet, the one at work included.
    unanswered: usize,
    running_since: Option<Instant>,
    /// Has somebody said something in the middle of the running command?
    is_attended: bool,
    is_leaving: bool,
    is_closed: bool,
}

impl Attention {
    pub fn new(stop: StopFlag, grace: Duration) -> Attention {
        Attention { state: Arc::default(), stop, heard: StopFlag::default(), grace }
    }

    pub fn heard(&self) -> &StopFlag {
        &self.heard
    }

    /// Work on the next line begins.
    pub fn begin(&self) {
        self.update(|state| {
            state.running_since = Some(Instant::now());
            state.is_attended = false;
            if !state.is_leaving {
                self.stop.lower();
            }
            self.raise_if_more_than(1, state);
        });
    }

    pub fn finish(&self) {
        self.update(|state| {
            state.unanswered -= 1;
            state.running_since = None;
        });
    }

    /// Nothing is at work. Is nothing waiting either?
    pub fn is_idle(&self) -> bool {
        self.update(|state| self.raise_if_more_than(0, state));
        !self.heard.is_raised()
    }

    fn raise_if_more_than(&self, known: usize, state: &State) {
        if state.unanswered > known || state.is_closed { self.heard.raise() } else { self.heard.lower() }
    }

    /// Nobody is left to hear an answer.
    pub fn give_up(&self) {
        self.stop.raise();
        self.heard.raise();
    }

    fn line_came(&self) {
        self.update(|state| {
            state.unanswered += 1;
            self.notice(state);
        });
    }

    fn close(&self) {
        self.update(|state| {
            state.is_closed = true;
            self.notice(state);
        });
    }

    fn notice(&self, state: &mut State) {
        state.is_attended |= state.running_since.is_some_and(|since| since.elapsed() >= self.grace);
        self.heard.raise();
    }

    /// Ends the running command early, if there is one.
    fn interrupt(&self) {
        self.update(|state| {
            if state.running_since.is_some() {
                self.stop.raise();
            }
        });
    }

    /// The other side leaves: unless it is a script, all that is still to be answered is answered in haste.
    fn goodbye(&self) {
        self.update(|state| {
            if state.is_attended {
                state.is_leaving = true;
                self.stop.raise();
            }
        });
    }

    fn update<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
