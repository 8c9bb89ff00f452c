//! What lies around a point, ring by ring, seen by the player to move and in one canonical orientation.
//!
//! A shape is the 3x3 neighbourhood with its stones in atari, then rings of growing distance. Distance is
//! that of Coulom (2007): |dx| + |dy| + max(|dx|, |dy|), which grows diamonds with round corners. Of the
//! eight orientations the one with the smallest codes counts, inner rings first: so the canonical form
//! of a small shape is always the beginning of the canonical form of a larger one, and shapes form a tree.
//!
//! The cells of a ring stand in its code clockwise, so that turning the board rotates the code and a mirror
//! reverses it: the cells are read once for all eight orientations.

use jigo_board::{Board, Color, MAX_SIZE, Neighbourhood, Point};

use crate::three_by_three::neighbours_in_atari;

/// The largest ring reaches this far along a line.
const MARGIN: usize = 6;
const STRIDE: usize = MAX_SIZE + 2 * MARGIN;
/// Rings beyond the 3x3 neighbourhood: distances 4 to 12.
pub const RINGS: usize = 9;
const FIRST_RING: usize = 4;
const MAX_RING_POINTS: usize = 16;

pub const fn distance(dx: isize, dy: isize) -> usize {
    let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
    dx + dy + if dx > dy { dx } else { dy }
}

/// The distance of two points of the board.
pub fn distance_between(a: Point, b: Point) -> usize {
    let along = |x: usize, y: usize| x as isize - y as isize;
    distance(along(a.col(), b.col()), along(a.row(), b.row()))
}

/// A circle of cells, two bits each.
#[derive(Clone, Copy)]
struct Circle {
    points: u32,
    /// Does the first cell lie straight above the middle? Then a mirror keeps it in place.
    starts_above: bool,
}

impl Circle {
    #[inline(always)]
    fn rotate(self, code: u32, points: u32) -> u32 {
        let all = u32::MAX >> (32 - 2 * self.points);
        let by = 2 * (points % self.points);
        if by == 0 { code } else { (code >> by | code << (2 * self.points - by)) & all }
    }

    /// The code of the same cells with the board mirrored, left and right exchanged.
    #[inline(always)]
    fn mirror(self, code: u32) -> u32 {
        let backward = code.reverse_bits() >> (32 - 2 * self.points);
        let reversed = (backward & 0x5555_5555) << 1 | backward >> 1 & 0x5555_5555;
        if self.starts_above { self.rotate(reversed, self.points - 1) } else { reversed }
    }

    /// The code with the board laid in another orientation: mirrored from the fifth on, and turned.
    #[inline(always)]
    fn lay(self, code: u32, orientation: u32) -> u32 {
        let code = if orientation < 4 { code } else { self.mirror(code) };
        self.rotate(code, orientation % 4 * (self.points / 4))
    }
}

#[derive(Clone, Copy)]
struct Ring {
    circle: Circle,
    /// Steps to its points in the padded grid.
    steps: [i16; MAX_RING_POINTS],
}

static RING_TABLE: [Ring; RINGS] = {
    let mut rings = [Ring { circle: Circle { points: 0, starts_above: false }, steps: [0; MAX_RING_POINTS] }; RINGS];
    let mut ring = 0;
    while ring < RINGS {
        rings[ring] = ring_at(FIRST_RING + ring);
        ring += 1;
    }
    rings
};

/// Walks the points of a distance clockwise from above: first the right upper quarter, then the same quarter
/// turned three times.
const fn ring_at(at: usize) -> Ring {
    let mut ring = Ring { circle: Circle { points: 0, starts_above: false }, steps: [0; MAX_RING_POINTS] };
    let reach = MARGIN as isize;
    let mut quarter = [(0, 0); MAX_RING_POINTS / 4];
    let mut found = 0;
    let mut dx = 0;
    while dx <= reach {
        // A column of the quarter holds at most one point, since the distance grows with |dy|.
        let mut dy = -reach;
        while dy < 0 {
            if distance(dx, dy) == at {
                quarter[found] = (dx, dy);
                found += 1;
            }
            dy += 1;
        }
        dx += 1;
    }
    ring.circle.points = 4 * found as u32;
    ring.circle.starts_above = quarter[0].0 == 0;
    let mut i = 0;
    while i < 4 * found {
        let (mut x, mut y) = quarter[i % found];
        let mut turns = i / found;
        while turns > 0 {
            (x, y) = (-y, x);
            turns -= 1;
        }
        ring.steps[i] = (y * STRIDE as isize + x) as i16;
        i += 1;
    }
    ring
}

/// Orientations in which everything seen so far looks the same, one bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orientations(u8);

impl Orientations {
    const ALL: Orientations = Orientations(0xFF);

    /// The smallest code, and the orientations that have it.
    #[inline]
    fn smallest(self, mut code_in: impl FnMut(u32) -> u32) -> (u32, Orientations) {
        let mut best = (u32::MAX, 0);
        for orientation in (0..8).filter(|orientation| self.0 >> orientation & 1 != 0) {
            let code = code_in(orientation);
            if code < best.0 {
                best = (code, 0);
            }
            if code == best.0 {
                best.1 |= 1 << orientation;
            }
        }
        (best.0, Orientations(best.1))
    }
}

/// The canonical code of a 3x3 neighbourhood as the player to move sees it (own stones black): sixteen bits of cells
/// and four of stones in atari.
pub fn canonical_core(own: Neighbourhood, ataris: u16) -> (u32, Orientations) {
    const NEIGHBOURS: Circle = Circle { points: 4, starts_above: true };
    const DIAGONALS: Circle = Circle { points: 4, starts_above: false };
    let (neighbours, diagonals) = (u32::from(own.0 & 0xFF), u32::from(own.0 >> 8));
    // The neighbours in atari as a circle of their own, one bit in two.
    let spread = (0..4).fold(0, |circle, d| circle | u32::from(ataris >> d & 1) << (2 * d));
    let gather = |circle: u32| (0..4).fold(0, |set, d| set | (circle >> (2 * d) & 1) << d);
    Orientations::ALL.smallest(|orientation| {
        let cells = NEIGHBOURS.lay(neighbours, orientation) | DIAGONALS.lay(diagonals, orientation) << 8;
        cells | gather(NEIGHBOURS.lay(spread, orientation)) << 16
    })
}

/// The whole board with a broad margin, as the player to move sees it: 1 is own, 2 is the opponent's.
pub struct Surroundings {
    cells: [u8; STRIDE * STRIDE],
}

/// Where a point is in [`Surroundings`].
#[derive(Clone, Copy)]
pub struct PaddedIndex(usize);

impl Surroundings {
    pub fn of(board: &Board, to_play: Color) -> Surroundings {
        const EDGE: u8 = 3;
        let mut surroundings = Surroundings { cells: [EDGE; STRIDE * STRIDE] };
        for row in 0..board.size() {
            for col in 0..board.size() {
                let point = Point::new(col, row);
                surroundings.cells[Surroundings::padded(point).0] = match board.color_at(point) {
                    None => 0,
                    Some(color) if color == to_play => 1,
                    Some(_) => 2,
                };
            }
        }
        surroundings
    }

    #[inline]
    pub fn padded(point: Point) -> PaddedIndex {
        PaddedIndex((point.row() + MARGIN) * STRIDE + point.col() + MARGIN)
    }

    /// The canonical code of a ring, given the orientations that the inner rings left open.
    #[inline]
    pub fn canonical_ring(&self, at: PaddedIndex, ring: usize, open: Orientations) -> (u32, Orientations) {
        let Ring { circle, steps } = &RING_TABLE[ring];
        let mut code = 0;
        for (i, &step) in steps[..circle.points as usize].iter().enumerate() {
            code |= u32::from(self.cells[(at.0 as isize + step as isize) as usize]) << (2 * i);
        }
        if code == 0 {
            return (code, open); // an empty ring looks the same from everywhere
        }
        if open.0.is_power_of_two() {
            return (circle.lay(code, open.0.trailing_zeros()), open);
        }
        open.smallest(|orientation| circle.lay(code, orientation))
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
        (codes[ring + 1], open) = surroundings.canonical_ring(Surroundings::padded(point), ring, open);
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Rng, Symmetry, random_game::random_point};

    #[test]
    fn rings_hold_the_points_of_their_distance_clockwise() {
        assert_eq!(RING_TABLE.map(|ring| ring.circle.points), [4, 8, 8, 8, 12, 12, 12, 16, 16]);
        for (at, ring) in (FIRST_RING..).zip(&RING_TABLE) {
            let angles: Vec<f64> = ring.steps[..ring.circle.points as usize]
                .iter()
                .map(|&step| {
                    let shifted = isize::from(step) + (MARGIN * STRIDE + MARGIN) as isize;
                    let (x, y) =
                        (shifted % STRIDE as isize - MARGIN as isize, shifted / STRIDE as isize - MARGIN as isize);
                    assert_eq!(distance(x, y), at);
                    (x as f64).atan2(-y as f64).rem_euclid(std::f64::consts::TAU)
                })
                .collect();
            assert!(angles.is_sorted_by(|a, b| a < b), "distance {at}: {angles:?}");
            assert_eq!(ring.circle.starts_above, angles[0] == 0.0);
        }
    }

    #[test]
    fn a_stone_shows_in_its_ring_and_nowhere_else() {
        let middle = Point::new(9, 9);
        for there in Board::new(19).points().filter(|&there| distance_between(middle, there) >= FIRST_RING) {
            let board = Board::with_stones(19, [(Color::Black, there)]).unwrap();
            let ring = distance_between(middle, there) - FIRST_RING + 1;
            for (at, code) in canonical_codes(&board, Color::Black, middle).into_iter().enumerate() {
                assert_eq!(code.count_ones(), u32::from(at == ring), "{there:?}, ring {at}");
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
