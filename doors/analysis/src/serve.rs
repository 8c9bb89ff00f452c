//! The service at a pair of streams.

use std::io::{BufRead, ErrorKind, Read, Result, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::service::AnalysisService;

/// Longer lines are refused without being kept. A long game with many turns needs less than a tenth of it.
pub const LONGEST_LINE: usize = 1 << 20;

/// What to do with unanswered queries when the input ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtEnd {
    FinishQueries,
    DropQueries,
}

type HangUp = Box<dyn Fn() + Send + Sync>;

/// Answers line by line until the input ends, then as told. An output that fails ends it as well.
pub fn serve(
    service: &AnalysisService,
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
    at_end: AtEnd,
) -> Result<()> {
    let output = Arc::new(Mutex::new((output, None)));
    let writer = output.clone();
    let hang_up: Arc<OnceLock<HangUp>> = Arc::default();
    let nobody_reads = hang_up.clone();
    let client = service.client(move |line| {
        let mut held = writer.lock().unwrap_or_else(PoisonError::into_inner);
        let (output, failure) = &mut *held;
        if failure.is_none() {
            *failure = writeln!(output, "{line}").and_then(|()| output.flush()).err();
            // A client that is gone must not keep us thinking for hours.
            if failure.is_some()
                && let Some(hang_up) = nobody_reads.get()
            {
                hang_up();
            }
        }
    });
    let _ = hang_up.set(Box::new(client.hang_up()));
    let failure = || output.lock().unwrap_or_else(PoisonError::into_inner).1.take();
    while let Some(line) = read_line(&mut input)? {
        match line {
            Line::Text(text) => client.line(&String::from_utf8_lossy(&text)),
            Line::TooLong => client.refuse_overlong_line(),
        }
        if let Some(error) = failure() {
            return Err(error);
        }
    }
    if at_end == AtEnd::FinishQueries {
        client.wait();
    }
    failure().map_or(Ok(()), Err)
}

enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// The next line; an overlong one is read to its end but not kept.
fn read_line(input: &mut impl BufRead) -> Result<Option<Line>> {
    let mut line = Vec::new();
    let read = input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if read > LONGEST_LINE {
        skip_line(input)?;
        return Ok(Some(Line::TooLong));
    }
    Ok(Some(Line::Text(line)))
}

fn skip_line(input: &mut impl BufRead) -> Result<()> {
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = available.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(());
        }
    }
}
