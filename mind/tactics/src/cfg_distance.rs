//! How far is a point from a move, if all stones of a chain share one fate? (common-fate-graph distance)
//!
//! ```text
//! . X X X X .      From a to b takes two steps, not three: one onto the chain, one off it at the other end.
//! . a . . b .
//! ```
//!
//! A step to or from an empty point costs one; stepping to a stone of another chain costs one; within a chain steps are
//! free. Priors at tree expansion ask for small distances only, so the walk stops at a given maximum.

use jigo_board::{Board, Cell, GRID, MAX_POINTS, Point};

/// The distances from one point, kept for reuse.
pub struct CommonFateDistance {
    steps: [u8; GRID],
}

impl Default for CommonFateDistance {
    fn default() -> CommonFateDistance {
        CommonFateDistance::new()
    }
}

impl CommonFateDistance {
    /// What [`CommonFateDistance::to`] says of points beyond the maximum.
    pub const FAR: u8 = u8::MAX;

    pub const fn new() -> CommonFateDistance {
        CommonFateDistance { steps: [Self::FAR; GRID] }
    }

    #[inline]
    pub fn to(&self, point: Point) -> u8 {
        self.steps[point.index()]
    }

    /// Measures from `origin` to all points at most `max` steps away.
    pub fn measure(&mut self, board: &Board, origin: Point, max: u8) {
        self.steps.fill(Self::FAR);
        let mut queue = [origin; MAX_POINTS];
        let mut len = 0;
        self.reach(board, origin, 0, &mut queue, &mut len);
        let mut next = 0;
        while next < len {
            let point = queue[next];
            next += 1;
            let step = self.to(point) + 1;
            if step > max {
                break; // the queue is in order of distance
            }
            for neighbour in point.neighbours() {
                if board.cell(neighbour) != Cell::Edge && self.to(neighbour) == Self::FAR {
                    self.reach(board, neighbour, step, &mut queue, &mut len);
                }
            }
        }
    }

    /// Marks a point, and with a stone all of its chain.
    fn reach(&mut self, board: &Board, point: Point, step: u8, queue: &mut [Point; MAX_POINTS], len: &mut usize) {
        let mut mark = |p: Point| {
            self.steps[p.index()] = step;
            queue[*len] = p;
            *len += 1;
        };
        if board.is_empty(point) {
            mark(point);
        } else {
            board.stones(point).for_each(mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    /// Letters are the distances from `a`: `b` is one step away, `c` two; `x` is far.
    fn check(text: &str, max: u8) {
        let d = Diagram::parse(text).unwrap();
        let mut distance = CommonFateDistance::new();
        distance.measure(&d.board, d.point('a'), max);
        for step in 0..=9u8 {
            for point in d.points((b'a' + step) as char) {
                assert_eq!(distance.to(point), step, "to {point:?} in {text}");
            }
        }
        for point in d.points('x') {
            assert_eq!(distance.to(point), CommonFateDistance::FAR, "to {point:?} in {text}");
        }
    }

    #[test]
    fn on_an_empty_board_it_counts_steps() {
        check("abcd\nbcdx\ncdxx\ndxxx", 3);
        check("cbcd\nbabc\ncbcd\ndcde", 9);
        check("xbxx\nbabx\nxbxx\nxxxx", 1);
    }

    #[test]
    fn a_chain_is_one_step_long() {
        check(
            "
            c X X X X X c d
            b a b c c c d e
            c b c d d d e f
            d c d e e e f g
            e d e f f f g h
            f e f g g g h i
            g f g h h h i j
            . . . . . . . .",
            9,
        );
        check(
            "
            x X X X X X x x
            b a b x x x x x
            x b x x x x x x
            x x x x x x x x
            x x x x x x x x
            x x x x x x x x
            x x x x x x x x
            x x x x x x x x",
            1,
        );
    }

    #[test]
    fn a_gap_and_a_change_of_colour_cost_a_step() {
        check(
            "
            a X X c X X
            b c c d e e
            c d d e f f
            d e e f g g
            e f f g h h
            f g g h i i",
            9,
        );
        check(
            "
            a X O O O d
            b c d d d e
            c d e e e f
            d e f f f g
            e f g g g h
            f g h h h i",
            9,
        );
    }

    #[test]
    fn from_a_stone_the_whole_chain_is_near() {
        let d = Diagram::parse("XXXX\nbbbb\ncccc\ndddd").unwrap();
        let mut distance = CommonFateDistance::new();
        distance.measure(&d.board, Point::new(0, 0), 3);
        assert_eq!(distance.to(Point::new(3, 0)), 0);
        for (step, name) in [(1, 'b'), (2, 'c'), (3, 'd')] {
            assert!(d.points(name).iter().all(|&p| distance.to(p) == step));
        }
        // Measuring again forgets the old distances.
        distance.measure(&d.board, Point::new(0, 3), 1);
        assert_eq!(distance.to(Point::new(3, 0)), CommonFateDistance::FAR);
    }
}
