//! The thread that hears, and what it tells the one that answers.

use std::io::BufRead;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jigo_engine::StopFlag;

use crate::line_reader::{Line, read_line};
use crate::parse::parse;

/// Reads lines until the input ends and passes them on.
pub struct Ear {
    pub attention: Attention,
    pub sender: SyncSender<Line>,
}

impl Ear {
    /// An input that fails is treated like one that ends.
    pub fn listen(self, mut input: impl BufRead) {
        while let Ok(Some(line)) = read_line(&mut input) {
            self.attention.line_came();
            if is_interrupt(&line) {
                self.attention.interrupt();
            } else if is_goodbye(&line) {
                self.attention.goodbye();
            }
            if self.sender.send(line).is_err() {
                return;
            }
        }
        self.attention.close();
        self.attention.goodbye();
    }
}

/// GoGui's way to ask for an early answer: a comment, so that programs that do not know it are not disturbed.
fn is_interrupt(line: &Line) -> bool {
    matches!(line, Line::Text(text) if text.trim_ascii() == b"# interrupt")
}

fn is_goodbye(line: &Line) -> bool {
    matches!(line, Line::Text(text) if parse(text).is_some_and(|request| request.command == "quit"))
}

/// What both threads know about each other. The flags change only under the lock, so none is raised for a command that
/// has ended already, or lowered for a line that has just come.
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
    /// Lines heard but not answered yet, the one at work included.
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
