//! The eight symmetries of the board.

use crate::point::{Move, Point};

/// Optional transposition first, then optional flips: the eight ways to lay a board on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    pub const IDENTITY: Symmetry = Symmetry(0);

    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(Symmetry)
    }

    /// Any number names a symmetry; only the lowest three bits count.
    pub fn from_index(index: usize) -> Symmetry {
        Symmetry((index & 7) as u8)
    }

    pub fn index(self) -> usize {
        self.0.into()
    }

    #[inline]
    pub fn apply(self, point: Point, size: usize) -> Point {
        let (mut col, mut row) = (point.col(), point.row());
        if self.0 & 4 != 0 {
            (col, row) = (row, col);
        }
        if self.0 & 1 != 0 {
            col = size - 1 - col;
        }
        if self.0 & 2 != 0 {
            row = size - 1 - row;
        }
        Point::new(col, row)
    }

    pub fn apply_move(self, mv: Move, size: usize) -> Move {
        match mv {
            Move::Play(point) => Move::Play(self.apply(point, size)),
            Move::Pass => Move::Pass,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symmetry_leads_elsewhere() {
        let point = Point::new(1, 2);
        let images: std::collections::HashSet<_> = Symmetry::all().map(|s| s.apply(point, 9)).collect();
        assert_eq!(images.len(), 8);
    }
}
