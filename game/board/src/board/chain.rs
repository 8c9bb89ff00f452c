//! What a chain knows of itself.

use crate::point::Point;
use crate::point_set::PointSet;

/// A chain's liberties and size, kept at its head. One cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    pub liberties: PointSet,
    /// The number of liberties in the low half, the sum of their indices in the high half: one addition
    /// keeps both. With one liberty the sum is the liberty.
    tally: u32,
    pub stones: u16,
}

const _: () = assert!(size_of::<Chain>() == 64);

impl Chain {
    pub const NONE: Chain = Chain { liberties: PointSet::EMPTY, tally: 0, stones: 0 };

    /// What one liberty adds to the tally.
    #[inline(always)]
    fn tally_of(point: Point) -> u32 {
        (point.index() as u32) << 16 | 1
    }

    #[inline(always)]
    pub fn count(&self) -> u16 {
        self.tally as u16
    }

    /// Modulo 2^16, which is enough to name the last one or the other of two.
    #[inline(always)]
    pub fn sum(&self) -> u16 {
        (self.tally >> 16) as u16
    }

    /// Nobody can predict the condition, so arithmetic is cheaper than a branch; likewise below.
    #[inline(always)]
    pub fn add_liberty_if(&mut self, condition: bool, point: Point) {
        let fresh = u32::from(self.liberties.insert_if(condition, point));
        self.tally = self.tally.wrapping_add(fresh * Self::tally_of(point));
    }

    #[inline(always)]
    pub fn remove_liberty(&mut self, point: Point) {
        let present = u32::from(self.liberties.remove(point));
        self.tally = self.tally.wrapping_sub(present * Self::tally_of(point));
    }

    #[inline(always)]
    pub fn absorb(&mut self, other: &Chain) {
        let shared = self.liberties.intersection(&other.liberties);
        self.tally = self.tally.wrapping_add(other.tally);
        for point in shared.iter() {
            self.tally = self.tally.wrapping_sub(Self::tally_of(point));
        }
        self.liberties = self.liberties.union(&other.liberties);
        self.stones += other.stones;
    }
}
