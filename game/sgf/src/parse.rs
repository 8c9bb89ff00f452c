//! From text to trees: one pass, no recursion, an error with its place.
//!
//! Tolerated, because real files have it: anything outside the games, a file that ends before its parentheses are
//! closed, FF[3] names with lowercase letters, repeated properties, a byte order mark or zero bytes between tokens.
//! Everything else that is not SGF is an error.

use thiserror::Error;

use crate::location::{Location, excerpt};
use crate::tree::{Collection, GameTree, NodeId, Property};
use crate::value::Value;
use crate::write::is_file_header;

/// Of one game: nodes, properties and values together. The largest dictionaries of openings have half of it. A part of two
/// or three letters takes some eighty bytes of memory, so that a forged file could fill many times its size.
const MOST_PARTS: usize = 2_000_000;

/// Why a file is no SGF, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {kind}")]
pub struct SyntaxError {
    pub place: Location,
    pub kind: SyntaxErrorKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SyntaxErrorKind {
    #[error("no SGF game found; a game begins with \"(;\"")]
    NoGame,
    #[error("the file is too large to be a game record")]
    TooLarge,
    #[error("the game has more than {MOST_PARTS} nodes, properties and values")]
    TooManyParts,
    #[error("unexpected {0:?}; a property, \";\", \"(\" or \")\" belongs here")]
    UnexpectedCharacter(char),
    #[error("property {0} has no value in brackets")]
    MissingValue(String),
    #[error("property {0} before the first \";\" of its variation")]
    PropertyOutsideNode(String),
    #[error("the value that begins here is never closed with \"]\"")]
    UnclosedValue,
    #[error("a variation must begin with \";\"")]
    EmptyVariation,
    #[error("a node after the variations of its sequence")]
    NodeAfterVariations,
}

pub(crate) fn collection(text: &str) -> Result<Collection, SyntaxError> {
    match salvage(text)? {
        (_, Some(error)) => Err(error),
        (collection, None) => Ok(collection),
    }
}

/// As [`collection`], but what was read before an error is kept.
pub(crate) fn salvage(text: &str) -> Result<(Collection, Option<SyntaxError>), SyntaxError> {
    let mut cursor = Cursor::new(text);
    // Node numbers and places are 32 bits wide; this bound keeps both from overflowing.
    if u32::try_from(text.len()).is_err() {
        return Err(cursor.error(SyntaxErrorKind::TooLarge));
    }
    let mut games = Vec::new();
    while cursor.skip_to_game() {
        let (tree, error) = game(&mut cursor);
        let has_something = tree.node_count() > 1 || !tree.root().properties.is_empty();
        if has_something || error.is_none() {
            games.push(tree);
        }
        match error {
            Some(error) if games.is_empty() => return Err(error),
            Some(error) => return Ok((Collection { games }, Some(error))),
            None => {}
        }
    }
    let no_game = || Cursor::new(text).error(SyntaxErrorKind::NoGame);
    if games.is_empty() { Err(no_game()) } else { Ok((Collection { games }, None)) }
}

/// Reads one game, or as much of it as there is before an error; the cursor stands before its "(;".
fn game(cursor: &mut Cursor) -> (GameTree, Option<SyntaxError>) {
    let mut tree = GameTree::new();
    cursor.parts = 0;
    let error = nodes(cursor, &mut tree).err();
    tree.root_mut().properties.retain(|property| !is_file_header(property));
    (tree, error)
}

fn nodes(cursor: &mut Cursor, tree: &mut GameTree) -> Result<(), SyntaxError> {
    cursor.advance();
    cursor.skip_blanks();
    cursor.advance();
    let mut current = tree.root_id();
    properties(cursor, tree, current)?;

    // For each open parenthesis the node it began after, to which its end returns; the game's own is not among them.
    let mut branches: Vec<NodeId> = Vec::new();
    // Set while the sequence at hand may no longer grow, since variations of it have been read.
    let mut sequence_ended = false;
    loop {
        cursor.skip_blanks();
        match cursor.peek() {
            None => return Ok(()),
            Some(b';') if sequence_ended => {
                return Err(cursor.error(SyntaxErrorKind::NodeAfterVariations));
            }
            Some(b';') => {
                cursor.advance();
                cursor.count_part()?;
                current = tree.add_child(current);
                properties(cursor, tree, current)?;
            }
            Some(b'(') => {
                cursor.advance();
                cursor.skip_blanks();
                match cursor.peek() {
                    Some(b';') => {}
                    // Cut off right here: the variation that was to follow is simply not there.
                    None => return Ok(()),
                    Some(_) => return Err(cursor.error(SyntaxErrorKind::EmptyVariation)),
                }
                branches.push(current);
                sequence_ended = false;
            }
            Some(b')') => {
                cursor.advance();
                match branches.pop() {
                    Some(node) => current = node,
                    None => return Ok(()),
                }
                sequence_ended = true;
            }
            Some(_) => return Err(unexpected(cursor)),
        }
    }
}

/// Reads the properties of one node, up to what cannot be one.
fn properties(cursor: &mut Cursor, tree: &mut GameTree, node: NodeId) -> Result<(), SyntaxError> {
    loop {
        cursor.skip_blanks();
        let place = cursor.place;
        let Some(identifier) = cursor.take_identifier() else {
            return Ok(());
        };
        cursor.count_part()?;
        let mut values = Vec::new();
        while let Some(value) = next_value(cursor)? {
            cursor.count_part()?;
            values.push(value);
        }
        if values.is_empty() {
            let kind = SyntaxErrorKind::MissingValue(excerpt(&identifier));
            return Err(SyntaxError { place, kind });
        }
        let properties = &mut tree.node_mut(node).properties;
        if properties.is_empty() {
            // Most nodes have one property; the usual growth makes room for four.
            properties.reserve_exact(1);
        }
        properties.push(Property::parsed(identifier, values, place));
    }
}

fn next_value(cursor: &mut Cursor) -> Result<Option<Value>, SyntaxError> {
    cursor.skip_blanks();
    if cursor.peek() != Some(b'[') {
        return Ok(None);
    }
    let opening = cursor.place;
    cursor.advance();
    let start = cursor.offset;
    let mut escaped = false;
    while let Some(byte) = cursor.peek() {
        if byte == b']' && !escaped {
            let value = Value::from_raw(&cursor.text[start..cursor.offset]);
            cursor.advance();
            return Ok(Some(value));
        }
        escaped = byte == b'\\' && !escaped;
        cursor.advance();
    }
    Err(SyntaxError { place: opening, kind: SyntaxErrorKind::UnclosedValue })
}

/// What to say about something that cannot follow a node or a variation.
fn unexpected(cursor: &mut Cursor) -> SyntaxError {
    let place = cursor.place;
    let kind = match (cursor.peek_char(), cursor.take_identifier()) {
        (_, Some(identifier)) => SyntaxErrorKind::PropertyOutsideNode(excerpt(&identifier)),
        (character, None) => SyntaxErrorKind::UnexpectedCharacter(character.unwrap_or(char::REPLACEMENT_CHARACTER)),
    };
    SyntaxError { place, kind }
}

/// A position in the text that knows its line and column at all times.
struct Cursor<'a> {
    text: &'a str,
    offset: usize,
    place: Location,
    /// Of the game being read.
    parts: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, offset: 0, place: Location { line: 1, column: 1 }, parts: 0 }
    }

    fn error(&self, kind: SyntaxErrorKind) -> SyntaxError {
        SyntaxError { place: self.place, kind }
    }

    fn count_part(&mut self) -> Result<(), SyntaxError> {
        self.parts += 1;
        if self.parts > MOST_PARTS { Err(self.error(SyntaxErrorKind::TooManyParts)) } else { Ok(()) }
    }

    /// The next byte. All that matters to SGF is ASCII, and no byte of a longer UTF-8 character is.
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn peek_char(&self) -> Option<char> {
        self.text.get(self.offset..)?.chars().next()
    }

    /// Steps over one byte.
    fn advance(&mut self) {
        let bytes = self.text.as_bytes();
        let Some(&byte) = bytes.get(self.offset) else {
            return;
        };
        self.offset += 1;
        let next = bytes.get(self.offset).copied();
        match byte {
            // CRLF counts as one line break, at its second half.
            b'\r' if next == Some(b'\n') => {}
            b'\n' | b'\r' => {
                self.place.line += 1;
                self.place.column = 1;
            }
            // A character is counted when its last byte is passed.
            _ if next.is_some_and(|next| next & 0xC0 == 0x80) => {}
            _ => self.place.column += 1,
        }
    }

    fn skip_blanks(&mut self) {
        while let Some(character) = self.peek_char()
            && (character.is_whitespace() || matches!(character, '\0' | '\u{feff}'))
        {
            for _ in 0..character.len_utf8() {
                self.advance();
            }
        }
    }

    /// Steps to the next "(;" (blanks may part the two), or to the end and says false.
    fn skip_to_game(&mut self) -> bool {
        while let Some(byte) = self.peek() {
            if byte == b'(' {
                let mut ahead = Cursor { ..*self };
                ahead.advance();
                ahead.skip_blanks();
                if ahead.peek() == Some(b';') {
                    return true;
                }
            }
            self.advance();
        }
        false
    }

    /// An identifier as FF[4] writes it, if one stands here: FF[3] allowed lowercase letters that mean nothing
    /// ("Black", "SiZe"). A name without any capital is somebody's private property and is kept as it is.
    fn take_identifier(&mut self) -> Option<String> {
        let start = self.offset;
        while let Some(byte) = self.peek()
            && (byte.is_ascii_alphanumeric() || byte == b'_')
        {
            self.advance();
        }
        let name = &self.text[start..self.offset];
        if name.is_empty() {
            None
        } else if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Some(name.replace(|letter: char| letter.is_ascii_lowercase(), ""))
        } else {
            Some(name.to_owned())
        }
    }
}
