//! What lies around a point, ring by ring, seen by the player to move and in one canonical orientation.
//!
//! A shape is the 3x3 neighbourhood with its stones in atari, then rings of growing distance. Distance is
//! that of Coulom (2007): |dx| + |dy| + max(|dx|, |dy|), which grows diamonds with round corners. Of the
//! eight orientations the one with the smallest codes counts, inner rings first: so the canonical form
//! of a small shape is always the beginning of the canonical form of a larger one, and shapes form a tree.

use jigo_board::{Board, Color, MAX_SIZE, Neighbourhood, Point};

use crate::three_by_three::neighbours_in_atari;

/// The largest ring reaches this far along a line.
const MARGIN: usize = 6;
const STRIDE: usize = MAX_SIZE + 2 * MARGIN;
/// Rings beyond the 3x3 neighbourhood: distances 4 to 12.
pub const RINGS: usize = 9;
const FIRST_RING: usize = 4;
const MAX_RING_POINTS: usize = 16;
const SYMMETRIES: usize = 8;

pub const fn distance(dx: isize, dy: isize) -> usize {
    let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
    dx + dy + if dx > dy { dx } else { dy }
}

/// The distance of two points of the board.
pub fn distance_between(a: Point, b: Point) -> usize {
    let along = |x: usize, y: usize| x as isize - y as isize;
    distance(along(a.col(), b.col()), along(a.row(), b.row()))
}

/// Optional transposition first, then optional flips, as in [`jigo_board::Symmetry`].
const fn apply(symmetry: usize, (mut dx, mut dy): (isize, isize)) -> (isize, isize) {
    if symmetry & 4 != 0 {
        (dx, dy) = (dy, dx);
    }
    if symmetry & 1 != 0 {
        dx = -dx;
    }
    if symmetry & 2 != 0 {
        dy = -dy;
    }
    (dx, dy)
}

/// The points of one ring, in an order of which only the permanence matters.
#[derive(Clone, Copy)]
struct Ring {
    points: usize,
    /// Steps in the padded grid, for each symmetry.
    steps: [[i16; MAX_RING_POINTS]; SYMMETRIES],
}

static RING_TABLE: [Ring; RINGS] = {
    let mut rings = [Ring { points: 0, steps: [[0; MAX_RING_POINTS]; SYMMETRIES] }; RINGS];
    let reach = MARGIN as isize;
    let (mut dy, mut dx) = (-reach, -reach);
    while dy <= reach {
        let at = distance(dx, dy);
        if at >= FIRST_RING && at < FIRST_RING + RINGS {
            let ring = &mut rings[at - FIRST_RING];
            let mut symmetry = 0;
            while symmetry < SYMMETRIES {
                let (x, y) = apply(symmetry, (dx, dy));
                ring.steps[symmetry][ring.points] = (y * STRIDE as isize + x) as i16;
                symmetry += 1;
            }
            ring.points += 1;
        }
        dx += 1;
        if dx > reach {
            (dx, dy) = (-reach, dy + 1);
        }
    }
    rings
};

/// Where each direction of [`Point::around`] comes from under each symmetry.
const DIRECTIONS: [[usize; 8]; SYMMETRIES] = {
    const STEPS: [(isize, isize); 8] = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];
    let mut table = [[0; 8]; SYMMETRIES];
    let mut i = 0;
    while i < SYMMETRIES * 8 * 8 {
        let (symmetry, direction, from) = (i / 64, i / 8 % 8, i % 8);
        let (x, y) = apply(symmetry, STEPS[direction]);
        if x == STEPS[from].0 && y == STEPS[from].1 {
            table[symmetry][direction] = from;
        }
        i += 1;
    }
    table
};

/// Orientations in which everything seen so far looks the same, one bit for each symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orientations(u8);

impl Orientations {
    const ALL: Orientations = Orientations(0xFF);

    fn iter(self) -> impl Iterator<Item = usize> {
        (0..SYMMETRIES).filter(move |symmetry| self.0 >> symmetry & 1 != 0)
    }

    /// The smallest code, and the orientations that have it.
    fn smallest(self, mut code_of: impl FnMut(usize) -> u32) -> (u32, Orientations) {
        let mut best = (u32::MAX, 0);
        for symmetry in self.iter() {
            let code = code_of(symmetry);
            if code < best.0 {
                best = (code, 0);
            }
            if code == best.0 {
                best.1 |= 1 << symmetry;
            }
        }
        (best.0, Orientations(best.1))
    }
}

/// The canonical code of a 3x3 neighbourhood as the player to move sees it (own stones black): sixteen bits of cells
/// and four of stones in atari.
pub fn canonical_core(own: Neighbourhood, ataris: u16) -> (u32, Orientations) {
    Orientations::ALL.smallest(|symmetry| {
        let from = &DIRECTIONS[symmetry];
        let cells = (0..8).fold(0, |code, d| code | (own.cell(from[d]) as u32) << (2 * d));
        (0..4).fold(cells, |code, d| code | u32::from(ataris >> from[d] & 1) << (16 + d))
    })
}

/// The whole board with a broad margin, as the player to move sees it: 1 is own, 2 is the opponent's.
pub struct Surroundings {
    cells: [u8; STRIDE * STRIDE],
}

/// A place in [`Surroundings`].
#[derive(Clone, Copy)]
pub struct Place(usize);

impl Surroundings {
    pub fn of(board: &Board, to_play: Color) -> Surroundings {
        const EDGE: u8 = 3;
        let mut surroundings = Surroundings { cells: [EDGE; STRIDE * STRIDE] };
        for point in board.points() {
            surroundings.cells[Surroundings::place(point).0] = match board.color_at(point) {
                None => 0,
                Some(color) if color == to_play => 1,
                Some(_) => 2,
            };
        }
        surroundings
    }

    #[inline]
    pub fn place(point: Point) -> Place {
        Place((point.row() + MARGIN) * STRIDE + point.col() + MARGIN)
    }

    #[inline]
    fn ring_code(&self, place: Place, ring: &Ring, symmetry: usize) -> u32 {
        let steps = &ring.steps[symmetry][..ring.points];
        steps.iter().enumerate().fold(0, |code, (i, &step)| {
            let cell = self.cells[(place.0 as isize + step as isize) as usize];
            code | u32::from(cell) << (2 * i)
        })
    }

    /// The canonical code of a ring, given the orientations that the inner rings left open.
    #[inline]
    pub fn canonical_ring(&self, place: Place, ring: usize, open: Orientations) -> (u32, Orientations) {
        let ring = &RING_TABLE[ring];
        let first = open.0.trailing_zeros() as usize;
        let code = self.ring_code(place, ring, first);
        let only_one = open.0.count_ones() == 1;
        if code == 0 || only_one {
            return (code, open); // an empty ring looks the same from everywhere
        }
        open.smallest(|symmetry| self.ring_code(place, ring, symmetry))
    }
}

/// The 3x3 neighbourhood as `to_play` sees it, with the neighbours in atari.
#[inline]
pub fn core(board: &Board, to_play: Color, point: Point) -> (Neighbourhood, u16) {
    let around = board.around(point);
    let own = match to_play {
        Color::Black => around,
        Color::White => around.swapped_colors(),
    };
    (own, neighbours_in_atari(board, point))
}

/// The codes of a point's whole surroundings: the 3x3 core, then every ring outward.
pub fn canonical_codes(board: &Board, to_play: Color, point: Point) -> [u32; RINGS + 1] {
    let (own, ataris) = core(board, to_play, point);
    let surroundings = Surroundings::of(board, to_play);
    let mut codes = [0; RINGS + 1];
    let mut open;
    (codes[0], open) = canonical_core(own, ataris);
    for ring in 0..RINGS {
        (codes[ring + 1], open) = surroundings.canonical_ring(Surroundings::place(point), ring, open);
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Rng, Symmetry, random_game::random_point};

    #[test]
    fn rings_hold_the_points_of_their_distance() {
        assert_eq!(RING_TABLE.map(|ring| ring.points), [4, 8, 8, 8, 12, 12, 12, 16, 16]);
        for ring in &RING_TABLE {
            for steps in ring.steps {
                let mut steps = steps[..ring.points].to_vec();
                steps.sort();
                steps.dedup();
                assert_eq!(steps.len(), ring.points, "a symmetry permutes the ring");
            }
        }
    }

    #[test]
    fn codes_do_not_depend_on_orientation_or_colour() {
        let mut rng = Rng::new(5);
        for size in [5, 9, 19] {
            let mut board = Board::new(size);
            let mut color = Color::Black;
            for _ in 0..size * size / 2 {
                let Some(point) = random_point(&board, color, &mut rng) else { break };
                board.play(color, point);
                color = color.opponent();
            }
            let stones: Vec<_> = board.points().filter_map(|p| Some((board.color_at(p)?, p))).collect();
            for symmetry in Symmetry::all() {
                let turn = |stones: &[(Color, Point)], swap: bool| {
                    let turned = stones
                        .iter()
                        .map(|&(c, p)| (if swap { c.opponent() } else { c }, symmetry.apply(p, size)))
                        .collect::<Vec<_>>();
                    Board::with_stones(size, turned).unwrap()
                };
                let (turned, swapped) = (turn(&stones, false), turn(&stones, true));
                for &point in board.empties() {
                    let expected = canonical_codes(&board, color, point);
                    let there = symmetry.apply(point, size);
                    assert_eq!(expected, canonical_codes(&turned, color, there));
                    assert_eq!(expected, canonical_codes(&swapped, color.opponent(), there));
                }
            }
        }
    }
}
