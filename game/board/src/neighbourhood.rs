//! The eight cells around a point, in sixteen bits: two bits each, the four neighbours in the low byte
//! and the four diagonals in the high byte, each ring clockwise from up and up-right.

use crate::color::{Cell, Color};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Neighbourhood(pub u16);

const ONES: u16 = 0x5555;
const RING: u16 = 0xFF;

impl Neighbourhood {
    pub fn of(cells: [Cell; 8]) -> Neighbourhood {
        let bits = cells.iter().enumerate().fold(0, |code, (i, &cell)| code | (cell as u16) << (2 * i));
        Neighbourhood(bits)
    }

    /// The cell in one of the eight directions of [`crate::Point::around`].
    #[inline(always)]
    pub fn cell(self, direction: usize) -> Cell {
        Cell::from_bits(self.0 >> (2 * direction))
    }

    /// Seen from a neighbour, the centre lies in the opposite direction: two steps on in its ring.
    #[inline(always)]
    pub(crate) fn toggle_opposite(&mut self, direction: usize, difference: u16) {
        let opposite = (direction & 4) | ((direction + 2) & 3);
        self.0 ^= difference << (2 * opposite);
    }

    #[inline(always)]
    pub fn has_empty_neighbour(self) -> bool {
        (self.0 | self.0 >> 1) & ONES & RING != ONES & RING
    }

    /// The directions (0..4) of the neighbours that are stones of this colour.
    #[inline(always)]
    pub(crate) fn directions_of(self, color: Color) -> Directions {
        Directions(Self::stones(self.0, color) & RING)
    }

    /// The directions (0..4) of the neighbours that are empty.
    #[inline(always)]
    pub(crate) fn empty_directions(self) -> Directions {
        Directions(self.empties() & RING)
    }

    /// The empty ones of the eight cells, as the lower bit of each pair.
    #[inline(always)]
    pub fn empties(self) -> u16 {
        !(self.0 | self.0 >> 1) & ONES
    }

    /// Number of the four neighbours that are empty.
    #[inline(always)]
    pub fn empty_neighbours(self) -> u32 {
        (self.empties() & RING).count_ones()
    }

    /// Is nothing at all around: no stone, no edge?
    #[inline(always)]
    pub fn is_open(self) -> bool {
        self.0 == 0
    }

    /// Number of the four neighbours that are stones of this colour.
    #[inline(always)]
    pub fn neighbours_of(self, color: Color) -> u32 {
        (Self::stones(self.0, color) & RING).count_ones()
    }

    /// Number of the four diagonals that are stones of this colour.
    #[inline(always)]
    pub fn diagonals_of(self, color: Color) -> u32 {
        (Self::stones(self.0, color) & !RING).count_ones()
    }

    /// Are all four neighbours of this colour or edge?
    #[inline(always)]
    pub fn is_surrounded_by(self, color: Color) -> bool {
        let all = (ONES & RING) * color as u16;
        self.0 & all == all
    }

    /// A one-point eye that playouts never fill: surrounded, and not falsified by enemy diagonals
    /// (two in the middle, one at the edge).
    #[inline(always)]
    pub fn is_eye_of(self, color: Color) -> bool {
        if !self.is_surrounded_by(color) {
            return false;
        }
        let diagonals = self.0 >> 8;
        let at_edge = diagonals & (diagonals >> 1) & ONES != 0;
        self.diagonals_of(color.opponent()) + u32::from(at_edge) < 2
    }

    /// The directions (0..4) of the neighbours that are neither stones of `owner` nor edge.
    #[inline(always)]
    pub(crate) fn directions_open_to(self, owner: Color) -> Directions {
        Directions(!(self.0 >> owner.index()) & ONES & RING)
    }

    /// How many of these nine points, the centre and what hangs together with it, are neither stones of `owner` nor edge:
    /// an eyespace of `owner` around the centre has at least as many points.
    #[inline(always)]
    pub fn room_within(self, owner: Color) -> u32 {
        let open = !(self.0 >> owner.index()) & ONES;
        let (sides, corners) = (open & RING, open >> 8);
        // A corner hangs on the side before it or on the one after it.
        let reached = corners & (sides | (sides >> 2 | sides << 6));
        1 + sides.count_ones() + reached.count_ones()
    }

    /// Bit pairs holding just this colour, reduced to their low bit.
    #[inline(always)]
    fn stones(code: u16, color: Color) -> u16 {
        code >> color.index() & !(code >> color.opponent().index()) & ONES
    }

    /// The same cells with the board turned a quarter clockwise.
    pub fn turned(self) -> Neighbourhood {
        let turn = |ring: u16| (ring << 2 | ring >> 6) & RING;
        Neighbourhood(turn(self.0 & RING) | turn(self.0 >> 8) << 8)
    }

    /// The same cells seen in a mirror, left and right exchanged.
    pub fn mirrored(self) -> Neighbourhood {
        Neighbourhood::of([0, 3, 2, 1, 7, 6, 5, 4].map(|direction| self.cell(direction)))
    }

    /// The same cells with the colours exchanged.
    pub fn swapped_colors(self) -> Neighbourhood {
        Neighbourhood((self.0 & ONES) << 1 | (self.0 >> 1) & ONES)
    }
}

/// Some of the four directions, one bit for each at the place it has in a [`Neighbourhood`].
#[derive(Clone, Copy)]
pub(crate) struct Directions(u16);

impl Directions {
    #[inline(always)]
    pub fn of(answers: [bool; 4]) -> Directions {
        let bits = answers.into_iter().enumerate().fold(0, |bits, (i, yes)| bits | u16::from(yes) << (2 * i));
        Directions(bits)
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl std::ops::BitAnd for Directions {
    type Output = Directions;
    #[inline(always)]
    fn bitand(self, other: Directions) -> Directions {
        Directions(self.0 & other.0)
    }
}

impl std::ops::BitOr for Directions {
    type Output = Directions;
    #[inline(always)]
    fn bitor(self, other: Directions) -> Directions {
        Directions(self.0 | other.0)
    }
}

impl std::ops::Not for Directions {
    type Output = Directions;
    #[inline(always)]
    fn not(self) -> Directions {
        Directions(!self.0 & ONES & RING)
    }
}

impl Iterator for Directions {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let direction = self.0.trailing_zeros() as usize / 2;
        self.0 &= self.0 - 1;
        Some(direction)
    }
}
