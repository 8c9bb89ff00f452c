//! Where handicap stones stand (GTP 2, section 4.1.1), and when they may be placed.

use std::cmp::Reverse;
use std::fmt;

use crate::board::Board;
use crate::game::Game;
use crate::point::Point;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandicapError {
    BoardNotEmpty,
    /// Too few stones, too many for the board, or two on one point.
    Invalid,
}

impl fmt::Display for HandicapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HandicapError::BoardNotEmpty => "board not empty",
            HandicapError::Invalid => "invalid handicap",
        })
    }
}

impl std::error::Error for HandicapError {}

/// Every one of these places its stones on an empty board before the first move, or leaves the game as it was.
impl Game {
    /// Black's stones on the star points, as GTP fixes them.
    pub fn place_fixed_handicap(&mut self, stones: usize) -> Result<Vec<Point>, HandicapError> {
        self.begin_with(fixed_handicap(self.size(), stones))
    }

    /// Black's stones on good points, as many as the board has room for.
    pub fn place_free_handicap(&mut self, stones: usize) -> Result<Vec<Point>, HandicapError> {
        self.begin_with(free_handicap(self.size(), stones))
    }

    /// Black's stones where somebody else likes them: two or more, and not the whole board.
    pub fn set_free_handicap(&mut self, points: Vec<Point>) -> Result<(), HandicapError> {
        let is_possible = (2..self.board().area()).contains(&points.len());
        self.begin_with(is_possible.then_some(points)).map(|_| ())
    }

    fn begin_with(&mut self, points: Option<Vec<Point>>) -> Result<Vec<Point>, HandicapError> {
        let board = self.board();
        if !self.is_at_start() || board.empties().len() < board.area() {
            return Err(HandicapError::BoardNotEmpty);
        }
        let points = points.ok_or(HandicapError::Invalid)?;
        self.place_handicap(&points).map_err(|_| HandicapError::Invalid)?;
        Ok(points)
    }
}

/// Star points in GTP's order of handicap: corners by opposites, then sides, then the centre.
struct Stars {
    corners: [Point; 4],
    /// Left, right, bottom, top; only odd sizes from nine have them.
    sides: Option<[Point; 4]>,
    centre: Option<Point>,
}

fn stars(size: usize) -> Option<Stars> {
    if size < 7 {
        return None;
    }
    let near = if size < 13 { 2 } else { 3 };
    let (far, middle) = (size - 1 - near, size / 2);
    let p = Point::new;
    let odd = size % 2 == 1 && size >= 9;
    Some(Stars {
        corners: [p(near, far), p(far, near), p(near, near), p(far, far)],
        sides: odd.then(|| [p(near, middle), p(far, middle), p(middle, far), p(middle, near)]),
        centre: odd.then(|| p(middle, middle)),
    })
}

/// The star points a board of this size is drawn with.
pub fn star_points(size: usize) -> Vec<Point> {
    let Some(stars) = stars(size) else { return Vec::new() };
    let sides = stars.sides.filter(|_| size >= 15);
    stars.corners.into_iter().chain(sides.into_iter().flatten()).chain(stars.centre).collect()
}

/// The largest fixed handicap on a board of this size; 0 if there is none.
pub fn max_fixed_handicap(size: usize) -> usize {
    match stars(size) {
        None => 0,
        Some(stars) if stars.sides.is_none() => 4,
        Some(_) => 9,
    }
}

/// The points of a fixed handicap, or none if this size has no such handicap.
pub fn fixed_handicap(size: usize, stones: usize) -> Option<Vec<Point>> {
    if !(2..=max_fixed_handicap(size)).contains(&stones) {
        return None;
    }
    let Stars { corners, sides, centre } = stars(size)?;
    let mut points: Vec<Point> = corners.into_iter().take(stones).collect();
    if let (Some(sides), Some(centre)) = (sides, centre) {
        points.extend(sides.into_iter().take(stones.saturating_sub(4) / 2 * 2));
        if stones >= 5 && stones % 2 == 1 {
            points.push(centre);
        }
    }
    Some(points)
}

/// Good points for this many stones: the star points as far as they go, then one by one the emptiest spot of the board,
/// the third line or higher before the edge. None if the board is too small for so many.
pub fn free_handicap(size: usize, stones: usize) -> Option<Vec<Point>> {
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
        let next = free.min_by_key(|&point| Reverse((height(point), room(point))))?;
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
    use crate::{Color, Move, PointSet, Rules};

    fn vertices(size: usize, stones: usize) -> String {
        let points = fixed_handicap(size, stones).unwrap();
        points.iter().map(|p| p.vertex(size)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn fixed_handicap_follows_gtp() {
        assert_eq!(vertices(19, 2), "D4 Q16");
        assert_eq!(vertices(19, 5), "D4 Q16 D16 Q4 K10");
        assert_eq!(vertices(19, 6), "D4 Q16 D16 Q4 D10 Q10");
        assert_eq!(vertices(19, 9), "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
        assert_eq!(vertices(9, 3), "C3 G7 C7");
        assert_eq!(vertices(8, 4), "C3 F6 C6 F3");
    }

    #[test]
    fn impossible_handicaps_are_refused() {
        for (size, stones) in [(19, 1), (19, 10), (6, 2), (7, 5), (10, 5), (5, 0)] {
            assert_eq!(fixed_handicap(size, stones), None, "{stones} on {size}");
        }
    }

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

    #[test]
    fn handicap_needs_an_empty_board() {
        let mut game = Game::new(9, Rules::default());
        assert_eq!(game.place_fixed_handicap(10), Err(HandicapError::Invalid));
        assert_eq!(game.set_free_handicap(vec![Point::new(2, 2); 2]), Err(HandicapError::Invalid));
        game.play(Color::Black, Move::Pass).unwrap();
        assert_eq!(game.place_free_handicap(2), Err(HandicapError::BoardNotEmpty));
        game.undo();
        assert_eq!(game.place_free_handicap(2).map(|points| points.len()), Ok(2));
        assert_eq!(game.to_move(), Color::White);
    }
}
