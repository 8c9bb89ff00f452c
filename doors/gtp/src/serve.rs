//! The loop: one thread hears, this one answers.

use std::io::{BufRead, Result, Write};
use std::sync::mpsc::{Receiver, RecvError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use jigo_engine::StopFlag;

use crate::failure::Failure;
use crate::line_reader::{LONGEST_LINE, Line, read_line};
use crate::parse::parse;
use crate::reply::Reply;
use crate::session::Session;

/// Lines that may wait for their turn; with more than these the other side has to wait as well.
const WAITING_LINES: usize = 16;

/// A goodbye that comes this soon after a command belongs to a script, which wants its command finished.
const SCRIPT_GRACE: Duration = Duration::from_millis(200);

/// Answers line by line until `quit`, the end of the input, or the first reply that cannot be delivered.
///
/// The input is read on a thread of its own, so that `quit` or a closed input can end a long thought. That thread may
/// outlive this call, waiting for a line that never comes.
pub fn serve(session: &mut Session, input: impl BufRead + Send + 'static, output: &mut impl Write) -> Result<()> {
    serve_with_grace(session, input, output, SCRIPT_GRACE)
}

fn serve_with_grace(
    session: &mut Session,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
    grace: Duration,
) -> Result<()> {
    let (sender, receiver) = sync_channel(WAITING_LINES);
    let queue = Queue::default();
    let heard = StopFlag::default();
    let ear = Ear { queue: queue.clone(), sender, stop: session.engine().stop_flag(), heard: heard.clone(), grace };
    thread::Builder::new().name("gtp-reader".into()).spawn(move || ear.listen(input))?;
    answer(session, &receiver, &queue, &heard, output)
}

fn answer(
    session: &mut Session,
    lines: &Receiver<Line>,
    queue: &Queue,
    heard: &StopFlag,
    output: &mut impl Write,
) -> Result<()> {
    while let Ok(line) = next_line(session, lines, heard) {
        queue.begin();
        let reply = match line {
            Line::Text(text) => session.respond(&text),
            Line::TooLong(beginning) => Some(refuse(&beginning)),
        };
        queue.finish();
        if let Some(reply) = reply {
            write!(output, "{reply}")?;
            output.flush()?;
        }
        if session.is_over() {
            break;
        }
    }
    Ok(())
}

/// The next line; while there is none the engine may think on the opponent's time.
fn next_line(session: &mut Session, lines: &Receiver<Line>, heard: &StopFlag) -> std::result::Result<Line, RecvError> {
    if session.engine().wants_to_ponder() {
        // Lowered before looking: a line that comes after the look raises it again, and the pondering ends at once.
        heard.lower();
        match lines.try_recv() {
            Ok(line) => return Ok(line),
            Err(TryRecvError::Empty) => session.engine.ponder(heard),
            Err(TryRecvError::Disconnected) => {}
        }
    }
    lines.recv()
}

fn refuse(beginning_of_line: &[u8]) -> Reply {
    let id = parse(beginning_of_line).and_then(|request| request.id);
    Reply { id, outcome: Err(Failure::Syntax(format!("the line is longer than {LONGEST_LINE} bytes"))) }
}

/// The thread that hears.
struct Ear {
    queue: Queue,
    sender: SyncSender<Line>,
    stop: StopFlag,
    /// Raised with every line and at the end: whoever ponders stops.
    heard: StopFlag,
    grace: Duration,
}

impl Ear {
    /// An input that fails is treated like one that ends.
    fn listen(self, mut input: impl BufRead) {
        while let Ok(Some(line)) = read_line(&mut input) {
            if is_goodbye(&line) {
                self.interrupt();
            }
            self.queue.add();
            self.heard.raise();
            if self.sender.send(line).is_err() {
                return;
            }
        }
        self.heard.raise();
        self.interrupt();
    }

    /// Ends the running command early if the other side can no longer be waiting for more than it.
    fn interrupt(&self) {
        if self.queue.only_command_runs_since().is_some_and(|since| since.elapsed() >= self.grace) {
            self.stop.raise();
        }
    }
}

fn is_goodbye(line: &Line) -> bool {
    matches!(line, Line::Text(text) if parse(text).is_some_and(|request| request.command == "quit"))
}

/// How many lines were heard but not answered yet, and when the first of them began to be worked on.
#[derive(Clone, Default)]
struct Queue(Arc<Mutex<(usize, Option<Instant>)>>);

impl Queue {
    fn add(&self) {
        self.update(|(unanswered, _)| *unanswered += 1);
    }

    fn begin(&self) {
        self.update(|(_, since)| *since = Some(Instant::now()));
    }

    fn finish(&self) {
        self.update(|(unanswered, since)| {
            *unanswered -= 1;
            *since = None;
        });
    }

    fn only_command_runs_since(&self) -> Option<Instant> {
        self.update(|(unanswered, since)| since.filter(|_| *unanswered == 1))
    }

    fn update<T>(&self, change: impl FnOnce(&mut (usize, Option<Instant>)) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Color, Game, Move, Rules};
    use jigo_engine::{Engine, Progress, RandomThinker, Thinker, Thought, TimeBudget};
    use std::io::{BufReader, Cursor, Read};
    use std::sync::mpsc::{Sender, channel};

    fn session(thinker: impl Thinker + 'static) -> Session {
        Session::new(Engine::new(Game::new(9, Rules::default()), Box::new(thinker), 1))
    }

    fn talk(input: impl Into<Vec<u8>>) -> String {
        let mut output = Vec::new();
        serve(&mut session(RandomThinker::new(1)), Cursor::new(input.into()), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn every_line_is_answered_in_order_until_quit() {
        assert_eq!(talk("1 name\r\n\n# hello\n2 quit\n3 name\n"), "=1 Jigo\n\n=2\n\n");
    }

    #[test]
    fn the_end_of_the_input_ends_the_session() {
        assert_eq!(talk("name"), "= Jigo\n\n");
        assert_eq!(talk(""), "");
    }

    #[test]
    fn an_overlong_line_is_refused_with_its_id() {
        let long = format!("7 play b {}\n8 name\n", "D4 ".repeat(LONGEST_LINE));
        assert_eq!(talk(long), "?7 syntax error: the line is longer than 1048576 bytes\n\n=8 Jigo\n\n");
    }

    #[test]
    fn more_lines_than_may_wait_are_all_answered() {
        assert_eq!(talk("name\n".repeat(10 * WAITING_LINES)), "= Jigo\n\n".repeat(10 * WAITING_LINES));
    }

    /// Thinks until told to stop, and says so when it begins.
    struct Endless {
        begun: Sender<()>,
    }

    impl Thinker for Endless {
        fn think(
            &mut self,
            _: &Game,
            _: Color,
            _: Option<TimeBudget>,
            stop: &StopFlag,
            _: Option<Progress<'_>>,
        ) -> Thought {
            self.begun.send(()).unwrap();
            while !stop.is_raised() {
                thread::yield_now();
            }
            Thought { best: Move::Pass, win_rate: None, report: None }
        }
    }

    /// Says its first words at once and the rest when the thinker has begun.
    struct Impatient {
        words: Vec<&'static str>,
        begun: Receiver<()>,
    }

    impl Read for Impatient {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            if self.words.len() < 2 {
                let _ = self.begun.recv();
            }
            let word = self.words.pop().unwrap_or_default();
            buffer[..word.len()].copy_from_slice(word.as_bytes());
            Ok(word.len())
        }
    }

    fn interrupted(words: &[&'static str]) -> String {
        let (sender, begun) = channel();
        let words = words.iter().rev().copied().collect();
        let input = BufReader::new(Impatient { words, begun });
        let mut output = Vec::new();
        serve_with_grace(&mut session(Endless { begun: sender }), input, &mut output, Duration::ZERO).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn quit_ends_a_long_thought() {
        assert_eq!(interrupted(&["1 genmove b\n", "2 quit\n"]), "=1 pass\n\n=2\n\n");
    }

    #[test]
    fn a_closed_input_ends_a_long_thought() {
        assert_eq!(interrupted(&["1 genmove b\n", ""]), "=1 pass\n\n");
    }
}
