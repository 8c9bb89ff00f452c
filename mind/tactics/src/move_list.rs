//! A short list of points without duplicates, on the stack: what a tactical question answers with.

use jigo_board::Point;

/// More suggestions than this never help a playout; further ones are dropped.
const CAPACITY: usize = 32;

/// Up to 32 different points, in the order they were found.
#[derive(Clone)]
pub struct MoveList {
    len: usize,
    points: [Point; CAPACITY],
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl MoveList {
    #[inline]
    pub const fn new() -> MoveList {
        MoveList { len: 0, points: [Point::new(0, 0); CAPACITY] }
    }

    /// Adds a point unless it is there already or the list is full.
    #[inline]
    pub fn push(&mut self, point: Point) {
        if self.len < CAPACITY && !self.contains(point) {
            self.points[self.len] = point;
            self.len += 1;
        }
    }

    #[inline]
    #[expect(clippy::manual_contains, reason = "the lists are short; a search made for long ones is slower")]
    pub fn contains(&self, point: Point) -> bool {
        self.as_slice().iter().any(|&other| other == point)
    }

    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn as_slice(&self) -> &[Point] {
        &self.points[..self.len]
    }

    /// Keeps the points for which the question is answered with yes, in their order.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(Point) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            let point = self.points[i];
            if keep(point) {
                self.points[kept] = point;
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl Extend<Point> for MoveList {
    #[inline]
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        points.into_iter().for_each(|point| self.push(point));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_listed_once_and_the_list_never_overflows() {
        let mut list = MoveList::new();
        assert!(list.is_empty());
        for i in 0..100 {
            list.push(Point::new(i % 19, i / 19));
            list.push(Point::new(0, 0));
        }
        assert_eq!(list.len(), CAPACITY);
        assert_eq!(list.as_slice()[1], Point::new(1, 0));
        list.retain(|p| p.col() == 0);
        assert_eq!(list.as_slice(), [Point::new(0, 0), Point::new(0, 1)]);
        list.clear();
        assert!(!list.contains(Point::new(0, 0)));
    }
}
