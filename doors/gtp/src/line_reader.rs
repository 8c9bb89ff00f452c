//! Lines of bounded length: whatever arrives, memory does not grow with it.

use std::io::{BufRead, ErrorKind, Result};

/// Longer lines are refused; the longest sensible one, a full `set_position`, has less than 3 KB.
pub const LONGEST_LINE: usize = 1 << 20;

/// Enough of an overlong line to find its id.
const KEPT_OF_OVERLONG: usize = 64;

#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Without its line feed.
    Text(Vec<u8>),
    /// The beginning of a line that was too long.
    TooLong(Vec<u8>),
}

/// The next line, or none at the end of the input. A last line needs no line feed.
pub fn read_line(input: &mut impl BufRead) -> Result<Option<Line>> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    let mut has_begun = false;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        has_begun |= !available.is_empty();
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        if line.len() + part.len() > LONGEST_LINE {
            is_too_long = true;
        }
        if is_too_long {
            line.truncate(KEPT_OF_OVERLONG);
            line.extend_from_slice(&part[..part.len().min(KEPT_OF_OVERLONG - line.len())]);
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() || used == 0 {
            break;
        }
    }
    let whole = if is_too_long { Line::TooLong(line) } else { Line::Text(line) };
    Ok(has_begun.then_some(whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read, repeat};

    fn lines(mut input: impl BufRead) -> Vec<Line> {
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.into())
    }

    #[test]
    fn lines_end_at_line_feeds_or_at_the_end() {
        assert_eq!(lines(&b"one\r\n\ntwo\nthree"[..]), [text("one\r"), text(""), text("two"), text("three")]);
        assert_eq!(lines(&b""[..]), []);
        assert_eq!(lines(&b"one\n"[..]), [text("one")]);
    }

    #[test]
    fn a_small_buffer_makes_no_difference() {
        assert_eq!(lines(BufReader::with_capacity(2, &b"one\ntwo\n"[..])), [text("one"), text("two")]);
    }

    #[test]
    fn an_overlong_line_is_cut_and_the_next_is_whole() {
        let long = b"12 play ".chain(repeat(b'x').take(3 * LONGEST_LINE as u64)).chain(&b"\nname\n"[..]);
        let lines = lines(BufReader::new(long));
        assert_eq!(lines[1..], [text("name")]);
        let Line::TooLong(start) = &lines[0] else { panic!("the line fits") };
        assert!(start.starts_with(b"12 play x") && start.len() <= KEPT_OF_OVERLONG);
    }

    #[test]
    fn the_longest_line_still_fits() {
        let longest = repeat(b'x').take(LONGEST_LINE as u64);
        assert!(matches!(&lines(BufReader::new(longest))[..], [Line::Text(line)] if line.len() == LONGEST_LINE));
    }
}
