//! The small space that one colour encloses: the points and what shape they make.
//!
//! ```text
//! X X X X      The three empty points are an eyespace of Black; a white stone on one of them would
//! X . . X      belong to it too, for if Black takes the stone the point is space again.
//! X X . X
//! . X X X
//! ```

use jigo_board::{Board, Color, Point};

/// The largest eyespace with a vital point has six points; one more is kept for the liberty that a dead shape of six
/// leaves open.
const LARGEST: usize = 7;

/// Connected points without stones of the owner, closed in by the owner's stones and the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eyespace {
    len: usize,
    /// Filled up with the first point.
    points: [Point; LARGEST],
}

impl Eyespace {
    /// The eyespace of `owner` that contains `inside`, unless it has more than seven points.
    #[inline]
    pub fn enclosed_by(board: &Board, owner: Color, inside: Point) -> Option<Eyespace> {
        let mut space = Eyespace { len: 1, points: [inside; LARGEST] };
        let mut next = 0;
        while next < space.len {
            for neighbour in board.room_beside(space.points[next], owner) {
                if space.contains(neighbour) {
                    continue;
                }
                if space.len == LARGEST {
                    return None;
                }
                space.points[space.len] = neighbour;
                space.len += 1;
            }
            next += 1;
        }
        Some(space)
    }

    /// A shape of given points, or none if there are none or too many.
    #[inline]
    pub fn of(points: impl IntoIterator<Item = Point>) -> Option<Eyespace> {
        let mut points = points.into_iter();
        let mut space = Eyespace { len: 1, points: [points.next()?; LARGEST] };
        for point in points {
            if space.len == LARGEST {
                return None;
            }
            space.points[space.len] = point;
            space.len += 1;
        }
        Some(space)
    }

    #[inline]
    pub fn points(&self) -> &[Point] {
        &self.points[..self.len]
    }

    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        // Unused places repeat the first point, so all can be compared alike.
        self.points.iter().fold(false, |found, &p| found | (p == point))
    }

    /// How many of a point's neighbours belong to the space.
    #[inline]
    fn degree(&self, point: Point) -> usize {
        point.neighbours().iter().filter(|&&n| self.contains(n)).count()
    }

    /// The point that decides whether the space gives one eye or two, if there is just one such point: the middle of
    /// three, of the pyramid four, of the bulky and the crossed five and of the rabbity six. Smaller spaces and the
    /// square four are one eye whoever plays; all other shapes are two eyes.
    pub fn vital_point(&self) -> Option<Point> {
        if !(3..=6).contains(&self.len) {
            return None;
        }
        let centre = self.points().iter().copied().max_by_key(|&p| self.degree(p))?;
        let links: usize = self.points().iter().map(|&p| self.degree(p)).sum::<usize>() / 2;
        let killable = match (self.len, self.degree(centre), links) {
            (3, 2, 2) => true, // straight or bent three
            (4, 3, 3) => true, // pyramid four
            (5, 3, 5) => true, // bulky five: a square and one more
            (5, 4, 4) => true, // crossed five
            (6, 4, 6) => true, // rabbity six: a cross and one of its corners
            _ => false,
        };
        killable.then_some(centre)
    }

    /// Does the space, emptied and with the opponent to move, give one eye only?
    pub fn is_dead_shape(&self) -> bool {
        let is_square = || self.len == 4 && self.points().iter().all(|&p| self.degree(p) == 2);
        self.len < 3 || is_square() || self.vital_point().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    /// The shape made by the points `a` of a diagram without stones.
    fn shape(text: &str) -> Eyespace {
        Eyespace::of(Diagram::parse(text).unwrap().points('a')).unwrap()
    }

    #[test]
    fn dead_shapes_and_living_shapes() {
        let dead = [
            "a..\n...\n...",
            "aa.\n...\n...",
            "aaa\n...\n...",
            "aa.\na..\n...",
            "aaa\n.a.\n...",
            "aa.\naa.\n...",
            "aa.\naaa\n...",
            ".a.\naaa\n.a.",
            ".aa\naaa\n.a.",
        ];
        for text in dead {
            assert!(shape(text).is_dead_shape(), "{text}");
        }
        let alive = [
            "aaaa\n....\n....\n....",
            "aaa\na..\n...",
            "aa.\n.aa\n...",
            "aaaaa\n.....\n.....\n.....\n.....",
            "aaaa\n.a..\n....\n....",
            "aaa\na..\na..",
            "aaa\n.a.\n.a.",
            "aaa\naaa\n...",
            "aaaa\naa..\n....\n....",
            "aaaa\n.aa.\n....\n....",
            ".a..\naaaa\n.a..\n....",
        ];
        for text in alive {
            assert!(!shape(text).is_dead_shape(), "{text}");
        }
    }

    #[test]
    fn a_space_is_found_with_the_enemy_stones_in_it() {
        let d = Diagram::parse(
            "
            . X . . .
            O X . . .
            a X . . .
            X X . . .
            . . . . .",
        )
        .unwrap();
        let space = Eyespace::enclosed_by(&d.board, Color::Black, d.point('a')).unwrap();
        assert_eq!(space.points().len(), 3);
        assert_eq!(space.vital_point(), Some(Point::new(0, 1)));
        assert_eq!(Eyespace::enclosed_by(&d.board, Color::White, d.point('a')), None);
    }

    #[test]
    fn an_open_space_is_none() {
        let board = Board::new(9);
        assert_eq!(Eyespace::enclosed_by(&board, Color::Black, Point::new(4, 4)), None);
    }
}
