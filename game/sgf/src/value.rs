//! One value between brackets, kept exactly as it stood in the file.
//!
//! Escapes are resolved only when somebody asks, because what `\:` or a line break means depends on the type of the
//! property, and the types of unknown properties are unknown. That is also why they survive a round trip untouched.

use std::fmt;

/// The raw text of a property value: every `]` in it is escaped and no escape is left unfinished at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Value(Box<str>);

impl Value {
    /// A value that reads back as `text`.
    pub fn from_text(text: &str) -> Value {
        Value(escape(text, &['\\', ']']).into())
    }

    /// A value of two parts, written `first:second`.
    pub fn composed(first: &str, second: &str) -> Value {
        let special = ['\\', ']', ':'];
        Value(format!("{}:{}", escape(first, &special), escape(second, &special)).into())
    }

    /// The parser has found where the value ends, so it vouches for the escapes.
    pub(crate) fn from_raw(raw: &str) -> Value {
        Value(raw.into())
    }

    /// The value as it is written between the brackets.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// Read as the type Text: escapes resolved, soft line breaks gone, hard ones `\n`, other white space a space.
    pub fn text(&self) -> String {
        unescape(&self.0, "\n")
    }

    /// Read as the type SimpleText: as [`Value::text`], but on one line and trimmed.
    pub fn simple_text(&self) -> String {
        unescape(&self.0, " ").trim().to_owned()
    }

    /// The two parts of a composed value, or `None` where no unescaped colon parts them.
    pub fn split(&self) -> Option<(Value, Value)> {
        let mut escaped = false;
        let colon = self.0.find(|character| {
            let parts = character == ':' && !escaped;
            escaped = character == '\\' && !escaped;
            parts
        })?;
        Some((Value::from_raw(&self.0[..colon]), Value::from_raw(&self.0[colon + 1..])))
    }
}

impl fmt::Display for Value {
    /// The value with its brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.0)
    }
}

fn escape(text: &str, special: &[char]) -> String {
    let mut raw = String::with_capacity(text.len());
    for character in text.chars() {
        if special.contains(&character) {
            raw.push('\\');
        }
        raw.push(character);
    }
    raw
}

fn unescape(raw: &str, hard_line_break: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut characters = raw.chars().peekable();
    let mut escaped = false;
    while let Some(character) = characters.next() {
        match character {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '\n' | '\r' => {
                // CRLF and LFCR are one line break.
                let partner = if character == '\n' { '\r' } else { '\n' };
                characters.next_if_eq(&partner);
                if !escaped {
                    text.push_str(hard_line_break);
                }
            }
            _ if character.is_ascii_whitespace() || character == '\u{b}' => text.push(' '),
            _ => text.push(character),
        }
        escaped = false;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_resolved_and_soft_line_breaks_vanish() {
        let value = Value::from_raw("a\\]b\\\\c\\:d\\\ne\\\r\nf\r\ng\th\\\ti\\x");
        assert_eq!(value.text(), "a]b\\c:def\ng h ix");
        assert_eq!(value.simple_text(), "a]b\\c:def g h ix");
    }

    #[test]
    fn any_text_comes_back_from_its_value() {
        for text in ["", "]", "\\", "\\]", "a:b", "two\nlines", "trailing \\", "碁 ] \\ 바둑"] {
            assert_eq!(Value::from_text(text).text(), text);
        }
    }

    #[test]
    fn composed_values_part_at_the_first_unescaped_colon() {
        let value = Value::composed("a:b\\", "c:]d");
        assert_eq!(value.raw(), "a\\:b\\\\:c\\:\\]d");
        let (first, second) = value.split().expect("there is a colon");
        assert_eq!((first.text(), second.text()), ("a:b\\".into(), "c:]d".into()));
        assert_eq!(Value::from_raw("a\\:b").split(), None);
    }
}
