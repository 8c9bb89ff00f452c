//! The loop: one thread reads, this one answers.

use std::io::{BufRead, Error, Result, Write};
use std::sync::mpsc::{Receiver, RecvError, sync_channel};
use std::thread;
use std::time::Duration;

use tracing::{debug, trace};

use crate::arguments::Arguments;
use crate::command::{Run, find};
use crate::failure::Failure;
use crate::input::{Attention, Input, read_input};
use crate::line_reader::LONGEST_LINE;
use crate::parse::ParsedLine;
use crate::reply::Reply;
use crate::session::Session;
use crate::stream::{Part, ReplyStream};

/// Lines that may wait for their turn; with more than these the other side has to wait as well.
const WAITING_LINES: usize = 16;

/// A script's lines are there at once, even on a busy machine; whoever changes their mind takes longer.
const SCRIPT_GRACE: Duration = Duration::from_millis(50);

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
    let (sender, lines) = sync_channel(WAITING_LINES);
    let attention = Attention::new(session.engine().stop_flag(), grace);
    let told = attention.clone();
    thread::Builder::new().name("gtp-reader".into()).spawn(move || read_input(input, &told, &sender))?;
    while let Ok(line) = next_line(session, &lines, &attention) {
        attention.begin();
        let delivered = match line {
            Input::Line(line) => answer(session, line, &attention, output),
            Input::Nothing => Ok(()),
            Input::TooLong(id) => deliver(&too_long(id), output),
        };
        attention.finish();
        delivered?;
        if session.is_over() {
            break;
        }
    }
    Ok(())
}

/// The next line; while there is none the engine may think on the opponent's time.
fn next_line(
    session: &mut Session,
    lines: &Receiver<Input>,
    attention: &Attention,
) -> std::result::Result<Input, RecvError> {
    if session.engine().wants_to_ponder() && attention.is_idle() {
        session.engine.ponder(attention.heard());
    }
    lines.recv()
}

/// Answers one line, row by row if it is a long one.
fn answer(session: &mut Session, line: ParsedLine, attention: &Attention, output: &mut impl Write) -> Result<()> {
    debug!("< {line}");
    let mut lost: Option<Error> = None;
    let mut has_begun = false;
    let mut write_part = |part: Part| {
        if lost.is_none() {
            let written = match part {
                Part::Beginning => writeln!(output, "={}", line.id.as_deref().unwrap_or_default()),
                Part::Row(row) => {
                    trace!("> {row}");
                    writeln!(output, "{row}")
                }
            };
            has_begun = true;
            lost = written.and_then(|()| output.flush()).err();
        }
        if lost.is_some() {
            attention.give_up();
        }
    };
    let outcome = carry_out(session, &line, &mut ReplyStream::new(&mut write_part, attention.heard()));
    if let Some(error) = lost {
        return Err(error);
    }
    match outcome {
        Ok(last_row) if has_begun => {
            debug!("> {last_row}");
            let end = if last_row.is_empty() { "\n" } else { "\n\n" };
            write!(output, "{last_row}{end}")?;
            output.flush()
        }
        outcome => deliver(&Reply { id: line.id, outcome }, output),
    }
}

/// Hands a line to its command: rows go to the stream while it thinks, and what is still to be said in the end comes back.
pub(crate) fn carry_out(
    session: &mut Session,
    line: &ParsedLine,
    stream: &mut ReplyStream,
) -> std::result::Result<String, Failure> {
    let arguments = &mut Arguments::new(&line.arguments);
    match find(&line.command).ok_or(Failure::UnknownCommand)?.run {
        Run::Once(handler) => handler(session, arguments),
        Run::Streaming(handler) => handler(session, arguments, stream),
    }
}

fn deliver(reply: &Reply, output: &mut impl Write) -> Result<()> {
    let text = reply.to_string();
    debug!("> {}", text.trim_end());
    output.write_all(text.as_bytes())?;
    output.flush()
}

fn too_long(id: Option<String>) -> Reply {
    Reply { id, outcome: Err(Failure::Syntax(format!("the line is longer than {LONGEST_LINE} bytes"))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Game, Move, Rules};
    use jigo_engine::{Engine, Progress, SearchReport};
    use jigo_search::{MoveReport, RandomMover, SearchRequest, Searcher};
    use std::io::{BufReader, Cursor, Read};
    use std::sync::mpsc::{Sender, channel};

    fn session(searcher: impl Searcher + 'static) -> Session {
        Session::new(Engine::new(Game::new(9, Rules::default()), Box::new(searcher), 1))
    }

    fn talk(input: impl Into<Vec<u8>>) -> String {
        let mut output = Vec::new();
        serve(&mut session(RandomMover::new(1)), Cursor::new(input.into()), &mut output).unwrap();
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

    impl Searcher for Endless {
        fn search(&mut self, request: &SearchRequest<'_>, _: Option<Progress<'_>>) -> SearchReport {
            // Only the first search is waited for.
            let _ = self.begun.send(());
            while !request.stop.load(std::sync::atomic::Ordering::Relaxed) {
                thread::yield_now();
            }
            let mut report = SearchReport::new(request.to_move, 7.5);
            report.moves.push(MoveReport::new(Move::Pass, 1, request.to_move, 0.5));
            report
        }
    }

    /// Says its first words at once and the rest when the thinker has begun.
    struct Impatient {
        words: Vec<&'static str>,
        begun: Option<Receiver<()>>,
        has_said: bool,
    }

    impl Read for Impatient {
        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            if std::mem::replace(&mut self.has_said, true)
                && let Some(begun) = self.begun.take()
            {
                begun.recv().unwrap();
            }
            let word = self.words.pop().unwrap_or_default();
            buffer[..word.len()].copy_from_slice(word.as_bytes());
            Ok(word.len())
        }
    }

    fn interrupted(words: &[&'static str]) -> String {
        let (sender, begun) = channel();
        let words = words.iter().rev().copied().collect();
        let input = BufReader::new(Impatient { words, begun: Some(begun), has_said: false });
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

    #[test]
    fn an_interrupting_comment_ends_a_thought_and_not_the_session() {
        let said = interrupted(&["1 genmove b\n", "# interrupt\n", "2 name\n"]);
        assert_eq!(said, "=1 pass\n\n=2 Jigo\n\n");
    }

    #[test]
    fn quit_ends_the_thoughts_of_all_lines_before_it() {
        let said = interrupted(&["1 genmove b\n", "2 genmove w\n3 name\n4 quit\n"]);
        assert_eq!(said, "=1 pass\n\n=2 pass\n\n=3 Jigo\n\n=4\n\n");
    }
}
