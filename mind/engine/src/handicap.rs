//! Stones for the weaker player, at the engine's choice.

use jigo_board::handicap::{fixed_handicap, max_fixed_handicap};
use jigo_board::{Board, Point};
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HandicapError {
    #[error("board not empty")]
    BoardNotEmpty,
    #[error("invalid handicap")]
    Invalid,
}

/// Good points for this many stones: the star points as far as they go, then one by one the emptiest spot of the board,
/// the third line or higher before the edge. None if the board is too small for so many.
pub(crate) fn free_handicap(size: usize, stones: usize) -> Option<Vec<Point>> {
    let area = size * size;
    if !(2..area).contains(&stones) {
        return None;
    }
    let fixed = stones.min(max_fixed_handicap(size));
    let mut points = fixed_handicap(size, fixed).unwrap_or_default();
    while points.len() < stones {
        let room = |point: Point| points.iter().map(|&other| distance(point, other)).min().unwrap_or(size);
        let height = |point: Point| point.line(size).min(2);
        let free = Board::new(size).points().filter(|point| !points.contains(point));
        // The first of equals, so that the choice reads from the top left.
        let next = free.min_by_key(|&point| std::cmp::Reverse((height(point), room(point))))?;
        points.push(next);
    }
    Some(points)
}

fn distance(a: Point, b: Point) -> usize {
    a.col().abs_diff(b.col()) + a.row().abs_diff(b.row())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::PointSet;

    #[test]
    fn every_possible_number_of_stones_stands_on_different_points() {
        for size in [2, 3, 6, 7, 9, 10] {
            for stones in 2..size * size {
                let points = free_handicap(size, stones).unwrap();
                assert_eq!(points.iter().copied().collect::<PointSet>().len(), stones, "{stones} on {size}");
            }
        }
    }

    #[test]
    fn star_points_come_first_and_the_edge_last() {
        let ten = free_handicap(19, 10).unwrap();
        assert_eq!(ten[..9], fixed_handicap(19, 9).unwrap());
        assert!(ten[9].line(19) >= 2);
    }

    #[test]
    fn too_few_or_too_many_stones_are_refused() {
        for (size, stones) in [(19, 0), (19, 1), (19, 361), (2, 4)] {
            assert_eq!(free_handicap(size, stones), None);
        }
    }
}
