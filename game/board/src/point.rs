//! Points of the board and moves.
//!
//! All sizes share one grid of stride 20: nineteen columns and one column of edge, which serves as the
//! right edge of one row and the left edge of the next. A point therefore means the same on every
//! size, and its neighbours are constant offsets.

/// The largest board we play on; the storage of every room follows from this one constant.
pub const MAX_SIZE: usize = 19;
pub const MIN_SIZE: usize = 2;
/// Points on the largest board.
pub const MAX_POINTS: usize = MAX_SIZE * MAX_SIZE;
pub(crate) const STRIDE: usize = MAX_SIZE + 1;
/// Length of an array indexed by [`Point::index`]. The grid needs 422 places; the next power of two lets the
/// compiler see that a masked index is always inside, so no access pays for a bounds check.
pub const GRID: usize = 512;
/// Places of the grid that can hold a point or its edge.
pub(crate) const USED: usize = STRIDE * (MAX_SIZE + 2) + ORIGIN;
/// Column 0 stands this far into its row, so that even the corner's diagonal has an index above zero.
const ORIGIN: usize = 2;

/// One intersection. Column 0 is the left, row 0 the top, as in SGF.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// Panics only on coordinates outside the largest board: callers check input first.
    #[inline]
    pub const fn new(col: usize, row: usize) -> Point {
        assert!(col < MAX_SIZE && row < MAX_SIZE);
        Point::from_index((row + 1) * STRIDE + ORIGIN + col)
    }

    /// The point with this [`Point::index`].
    #[inline(always)]
    pub const fn from_index(index: usize) -> Point {
        Point(index as u16)
    }

    /// The place of this point in an array of [`GRID`] elements.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & (GRID - 1)
    }

    #[inline]
    pub const fn col(self) -> usize {
        (self.index() - ORIGIN) % STRIDE
    }

    #[inline]
    pub const fn row(self) -> usize {
        (self.index() - ORIGIN) / STRIDE - 1
    }

    #[inline(always)]
    pub(crate) const fn offset(self, by: isize) -> Point {
        Point::from_index((self.index() as isize + by) as usize)
    }

    /// Up, right, down, left. On the first line some of these lie on the edge.
    #[inline(always)]
    pub const fn neighbours(self) -> [Point; 4] {
        [self.offset(AROUND[0]), self.offset(AROUND[1]), self.offset(AROUND[2]), self.offset(AROUND[3])]
    }

    /// The eight points around this one: the four neighbours, then up-right, down-right, down-left, up-left.
    #[inline(always)]
    pub fn around(self) -> [Point; 8] {
        AROUND.map(|by| self.offset(by))
    }

    /// Distance to the nearest edge: 0 on the first line.
    #[inline]
    pub fn line(self, size: usize) -> usize {
        let (col, row) = (self.col(), self.row());
        col.min(row).min(size - 1 - col).min(size - 1 - row)
    }

    /// Reads a GTP vertex such as `D4` (there is no column I, rows count from the bottom).
    pub fn parse(text: &str, size: usize) -> Option<Point> {
        let mut chars = text.chars();
        let letter = chars.next()?.to_ascii_uppercase();
        let col = COLUMNS.find(letter)?;
        let digits = chars.as_str();
        if digits.is_empty() || digits.len() > 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let number: usize = digits.parse().ok()?;
        (col < size && (1..=size).contains(&number)).then(|| Point::new(col, size - number))
    }

    /// The GTP vertex of this point on a board of this size.
    pub fn vertex(self, size: usize) -> String {
        let letter = COLUMNS.as_bytes()[self.col()] as char;
        format!("{letter}{}", size - self.row())
    }
}

impl std::fmt::Debug for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.index() < ORIGIN + STRIDE || self.col() == MAX_SIZE || self.row() == MAX_SIZE {
            write!(f, "edge")
        } else {
            write!(f, "(col {}, row {})", self.col(), self.row())
        }
    }
}

/// GTP's column letters; I is left out.
pub const COLUMNS: &str = "ABCDEFGHJKLMNOPQRST";

const _: () = assert!(USED <= GRID);

const S: isize = STRIDE as isize;
/// Offsets of the eight surrounding points, each ring clockwise so that turning the board a quarter
/// is a rotation within each half.
pub(crate) const AROUND: [isize; 8] = [-S, 1, S, -1, -S + 1, S + 1, S - 1, -S - 1];

/// A move: a stone on a point, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    Pass,
    Play(Point),
}

impl Move {
    #[inline]
    pub fn point(self) -> Option<Point> {
        match self {
            Move::Play(point) => Some(point),
            Move::Pass => None,
        }
    }

    /// Reads a GTP vertex or `pass`, in any case.
    pub fn parse(text: &str, size: usize) -> Option<Move> {
        if text.eq_ignore_ascii_case("pass") { Some(Move::Pass) } else { Point::parse(text, size).map(Move::Play) }
    }

    pub fn vertex(self, size: usize) -> String {
        match self {
            Move::Play(point) => point.vertex(size),
            Move::Pass => "pass".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_skip_the_letter_i_and_count_from_the_bottom() {
        assert_eq!(Point::parse("A1", 19), Some(Point::new(0, 18)));
        assert_eq!(Point::parse("j9", 9), Some(Point::new(8, 0)));
        assert_eq!(Point::new(8, 8).vertex(9), "J1");
        for bad in ["I5", "A0", "A20", "T1", "K1", "A+1", "A", "", "AA1", "A01x", "é1", "pass"] {
            assert_eq!(Point::parse(bad, 9), None, "{bad}");
        }
        assert_eq!(Move::parse("PaSs", 9), Some(Move::Pass));
    }

    #[test]
    fn every_vertex_of_every_size_reads_back() {
        for size in MIN_SIZE..=MAX_SIZE {
            for row in 0..size {
                for col in 0..size {
                    let point = Point::new(col, row);
                    assert_eq!((point.col(), point.row()), (col, row));
                    assert_eq!(Point::parse(&point.vertex(size), size), Some(point));
                }
            }
        }
    }
}
