//! A line taken apart, as section 3.1 of the GTP 2 draft prescribes.

use std::fmt;

/// One command as it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedLine {
    /// The number before the command, kept as text since it is only ever echoed.
    pub id: Option<String>,
    /// Empty if there was nothing but an id.
    pub command: String,
    pub arguments: Vec<String>,
}

impl fmt::Display for ParsedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.id.iter().chain([&self.command]).chain(&self.arguments);
        f.write_str(&words.map(String::as_str).collect::<Vec<_>>().join(" "))
    }
}

/// Reads a line; nothing comes of blank lines and comments. Bytes that are no UTF-8 become replacement characters.
pub fn parse(line: &[u8]) -> Option<ParsedLine> {
    let line: String = String::from_utf8_lossy(line)
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .take_while(|&c| c != '#')
        .collect();
    let mut words = line.split_whitespace().map(str::to_owned).peekable();
    words.peek()?;
    let id = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let command = words.next().unwrap_or_default();
    Some(ParsedLine { id, command, arguments: words.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(Option<String>, String, String)> {
        parse(line.as_bytes()).map(|line| (line.id, line.command, line.arguments.join("|")))
    }

    fn taken_apart(id: &str, command: &str, arguments: &str) -> Option<(Option<String>, String, String)> {
        let id = (!id.is_empty()).then(|| id.to_owned());
        Some((id, command.to_owned(), arguments.to_owned()))
    }

    #[test]
    fn ids_commands_and_arguments_are_told_apart() {
        assert_eq!(read("play b D4\n"), taken_apart("", "play", "b|D4"));
        assert_eq!(read("17 play b D4\n"), taken_apart("17", "play", "b|D4"));
        assert_eq!(read("  008\tplay \t b  D4  \r\n"), taken_apart("008", "play", "b|D4"));
        assert_eq!(read("99999999999999999999999 name"), taken_apart("99999999999999999999999", "name", ""));
    }

    #[test]
    fn an_id_alone_is_a_line_without_a_command() {
        assert_eq!(read("5\n"), taken_apart("5", "", ""));
    }

    #[test]
    fn a_word_with_more_than_digits_is_a_command() {
        for word in ["-1", "+5", "1.5", "2x", "٣"] {
            assert_eq!(read(word), taken_apart("", word, ""));
        }
    }

    #[test]
    fn blank_lines_and_comments_are_nothing() {
        for line in ["", "\n", "\r\n", " \t \n", "# a comment", "   # play b D4", "\u{7}\u{1}"] {
            assert_eq!(read(line), None, "{line:?}");
        }
        assert_eq!(read("name # who?"), taken_apart("", "name", ""));
        assert_eq!(read("komi 6.5#7.5"), taken_apart("", "komi", "6.5"));
    }

    #[test]
    fn control_characters_vanish_and_tabs_are_spaces() {
        assert_eq!(read("pl\u{0}ay\u{8} b\tD\u{7f}4\r"), taken_apart("", "play", "b|D4"));
    }

    #[test]
    fn bytes_that_are_no_text_still_make_a_line() {
        let line = parse(b"pl\xffay b").unwrap();
        assert_eq!(line.command, "pl\u{fffd}ay");
    }
}
