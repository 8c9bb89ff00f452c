//! Random keys for position hashes.

use crate::color::Color;
use crate::point::{GRID, Point};
use crate::rng::Rng;

static KEYS: [[u64; GRID]; 2] = {
    let mut rng = Rng::new(0x6A69_676F);
    let mut keys = [[0; GRID]; 2];
    let mut i = 0;
    while i < 2 * GRID {
        keys[i / GRID][i % GRID] = rng.next_u64();
        i += 1;
    }
    keys
};

#[inline(always)]
pub(crate) fn key(color: Color, point: Point) -> u64 {
    KEYS[color.index()][point.index()]
}
