//! What a move changed, so that reading can take it back.

use crate::board::Chain;
use crate::color::Color;
use crate::point::Point;

/// One thing that a move changed, with its old value; a stone was put down or taken off.
pub(crate) enum Change {
    Stone(Color, Point),
    Head(Point, Point),
    Next(Point, Point),
    Chain(Point, Chain),
    EmptyTaken(Point, u16),
    EmptyAdded,
    KoAndLost(Option<Point>, Color, [u32; 2]),
}

/// Moves played with [`crate::Board::play_recorded`], newest last. Reuse one trail: it keeps its memory.
#[derive(Default)]
pub struct Trail(Vec<Change>);

impl Trail {
    pub fn new() -> Trail {
        Trail::default()
    }

    /// Where we are now; give it to [`crate::Board::undo_to`] to come back here.
    #[inline]
    pub fn mark(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn pop(&mut self) -> Change {
        self.0.pop().expect("undo_to stops at its mark")
    }
}

/// Either a trail, or nothing: playouts never undo and pay nothing for it.
pub(crate) trait Record {
    fn note(&mut self, change: impl FnOnce() -> Change);
}

impl Record for () {
    #[inline(always)]
    fn note(&mut self, _: impl FnOnce() -> Change) {}
}

impl Record for Trail {
    #[inline]
    fn note(&mut self, change: impl FnOnce() -> Change) {
        self.0.push(change());
    }
}
