//! From what a handler says to what goes over the wire.

use std::fmt;

use crate::failure::Failure;

/// The answer to one request. Displayed, it is the exact text of the protocol, closing blank line included.
#[derive(Debug)]
pub struct Reply {
    pub id: Option<String>,
    pub outcome: Result<String, Failure>,
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, body) = match &self.outcome {
            Ok(body) => ('=', body.clone()),
            Err(failure) => ('?', failure.to_string()),
        };
        write!(f, "{sign}{}", self.id.as_deref().unwrap_or_default())?;
        // A body of several rows begins on a row of its own where it asks for that with a line feed.
        let begins_below = body.starts_with('\n');
        // An empty line would end the reply, so none may stand inside it.
        let mut rows = body.lines().map(str::trim_end).filter(|row| !row.is_empty());
        if let Some(first) = rows.next() {
            write!(f, "{}{first}", if begins_below { '\n' } else { ' ' })?;
        }
        for row in rows {
            write!(f, "\n{row}")?;
        }
        f.write_str("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(id: Option<&str>, outcome: Result<&str, Failure>) -> String {
        Reply { id: id.map(str::to_owned), outcome: outcome.map(str::to_owned) }.to_string()
    }

    #[test]
    fn ids_are_echoed_in_success_and_failure() {
        assert_eq!(text(None, Ok("")), "=\n\n");
        assert_eq!(text(Some("12"), Ok("")), "=12\n\n");
        assert_eq!(text(Some("12"), Ok("D4")), "=12 D4\n\n");
        assert_eq!(text(Some("007"), Err(Failure::UnknownCommand)), "?007 unknown command\n\n");
        assert_eq!(text(None, Err(Failure::UnacceptableSize)), "? unacceptable size\n\n");
    }

    #[test]
    fn no_blank_line_stands_inside_a_reply() {
        assert_eq!(text(None, Ok("a\n\n \nb\n\n")), "= a\nb\n\n");
        assert_eq!(text(None, Ok("\na\nb\n")), "=\na\nb\n\n");
    }
}
