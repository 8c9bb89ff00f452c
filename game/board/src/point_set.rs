//! A set of points as bits: liberties of a chain, dead stones, regions.

use crate::point::{Point, USED};

const WORDS: usize = USED.div_ceil(64);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct PointSet([u64; WORDS]);

impl PointSet {
    pub const EMPTY: PointSet = PointSet([0; WORDS]);

    #[inline(always)]
    fn place(point: Point) -> (usize, u64) {
        (point.index() / 64, 1 << (point.index() % 64))
    }

    /// True if the point was not in the set before.
    #[inline(always)]
    pub fn insert(&mut self, point: Point) -> bool {
        let (word, bit) = Self::place(point);
        let fresh = self.0[word] & bit == 0;
        self.0[word] |= bit;
        fresh
    }

    /// As [`PointSet::insert`] if the condition holds, without a branch.
    #[inline(always)]
    pub(crate) fn insert_if(&mut self, condition: bool, point: Point) -> bool {
        let (word, bit) = Self::place(point);
        let bit = bit * u64::from(condition);
        let fresh = bit & !self.0[word] != 0;
        self.0[word] |= bit;
        fresh
    }

    /// True if the point was in the set.
    #[inline(always)]
    pub fn remove(&mut self, point: Point) -> bool {
        let (word, bit) = Self::place(point);
        let present = self.0[word] & bit != 0;
        self.0[word] &= !bit;
        present
    }

    #[inline(always)]
    pub fn contains(&self, point: Point) -> bool {
        let (word, bit) = Self::place(point);
        self.0[word] & bit != 0
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub fn union(&self, other: &PointSet) -> PointSet {
        PointSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    #[inline]
    pub fn intersection(&self, other: &PointSet) -> PointSet {
        PointSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline]
    pub fn difference(&self, other: &PointSet) -> PointSet {
        PointSet(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    pub fn is_subset(&self, other: &PointSet) -> bool {
        self.difference(other).is_empty()
    }

    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// The points from top left to bottom right.
    #[inline]
    pub fn iter(&self) -> Iter {
        Iter { words: self.0, at: 0 }
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        set.extend(points);
        set
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for point in points {
            self.insert(point);
        }
    }
}

impl IntoIterator for &PointSet {
    type Item = Point;
    type IntoIter = Iter;
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

#[derive(Clone)]
pub struct Iter {
    words: [u64; WORDS],
    at: usize,
}

impl Iterator for Iter {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.at < WORDS {
            let word = &mut self.words[self.at];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(Point::from_index(self.at * 64 + bit));
            }
            self.at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_behave_like_sets() {
        let corner = Point::new(0, 0);
        let last = Point::new(18, 18);
        let mut set: PointSet = [corner, last].into_iter().collect();
        assert!(!set.insert(last));
        assert_eq!(set.iter().collect::<Vec<_>>(), [corner, last]);
        assert_eq!(set.len(), 2);
        assert!(set.remove(corner) && !set.remove(corner));
        assert_eq!(set.first(), Some(last));
        assert!(set.is_subset(&set) && !set.is_subset(&PointSet::EMPTY));
    }
}
