//! The words after a command, read one by one as what they should be. Words nobody asks for are ignored.

use std::str::FromStr;

use jigo_board::{Color, Illegal, MAX_SIZE, Move, Point};

use crate::failure::{Failure, expected};

pub struct Arguments<'a> {
    words: &'a [String],
}

impl<'a> Arguments<'a> {
    pub fn new(words: &'a [String]) -> Arguments<'a> {
        Arguments { words }
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The next word, if there is one.
    pub fn optional_word(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    pub fn word(&mut self, what: &str) -> Result<&'a str, Failure> {
        self.optional_word().ok_or_else(|| expected(what))
    }

    pub fn number<T: FromStr>(&mut self, what: &str) -> Result<T, Failure> {
        self.word(what)?.parse().map_err(|_| expected(what))
    }

    /// All that is left, with single spaces between the words.
    pub fn rest(&mut self) -> String {
        std::mem::take(&mut self.words).join(" ")
    }

    pub fn color(&mut self) -> Result<Color, Failure> {
        Color::parse(self.word("a colour")?).ok_or_else(|| expected("a colour"))
    }

    /// The colour named, or else the one to move.
    pub fn color_or(&mut self, to_move: Color) -> Result<Color, Failure> {
        if self.is_empty() { Ok(to_move) } else { self.color() }
    }

    /// A vertex or `pass`. What would be a vertex on a larger board is an illegal move, not a mistake in writing.
    pub fn mv(&mut self, size: usize) -> Result<Move, Failure> {
        let word = self.word("a vertex")?;
        Move::parse(word, size).ok_or_else(|| match Point::parse(word, MAX_SIZE) {
            Some(_) => Failure::IllegalMove(Illegal::OffBoard),
            None => expected("a vertex"),
        })
    }

    /// A vertex on the board.
    pub fn point(&mut self, size: usize) -> Result<Point, Failure> {
        Point::parse(self.word("a vertex")?, size).ok_or_else(|| expected("a vertex on the board"))
    }
}
