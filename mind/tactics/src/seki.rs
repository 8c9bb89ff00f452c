//! Seki: two chains locked together, and whoever fills the shared liberty dies.
//!
//! ```text
//! a X X X a O X   The three black stones in the corner and White's chain around them share the liberties a. Neither
//! O O O O O O X   can fill one: the other would take on the second. (Taking four in a row gives White two eyes. Were
//! X X X X X X X   they a dead shape, Black would fill, kill, and it would be no seki.)
//! ```
//!
//! Two neighbouring enemies that share a liberty are in seki if nobody can safely play on any liberty of the other:
//! not on a shared one and not in an eye.

use crate::self_atari::is_bad_self_atari;
use jigo_board::{Board, Color, Point};

/// Chains with more liberties than this are still racing.
const MOST_LIBERTIES: usize = 3;

/// Would a stone of `color` at `point` fill the shared liberty of a seki that holds a chain of `color`?
pub fn breaks_seki(board: &Board, color: Color, point: Point) -> bool {
    let around = board.around(point);
    let enemy = color.opponent();
    if around.neighbours_of(color) == 0 || around.neighbours_of(enemy) == 0 {
        return false;
    }
    let beside = |wanted: Color| {
        let stones = point.neighbours().into_iter();
        stones.filter(move |&n| board.color_at(n) == Some(wanted) && board.liberty_count(n) <= MOST_LIBERTIES)
    };
    beside(color).any(|ours| beside(enemy).any(|theirs| is_seki(board, ours, theirs)))
}

/// Are these two chains of different colours in seki with each other?
pub fn is_seki(board: &Board, one: Point, other: Point) -> bool {
    let few = |stone: Point| (2..=MOST_LIBERTIES).contains(&board.liberty_count(stone));
    few(one)
        && few(other)
        && !board.liberty_set(one).intersection(board.liberty_set(other)).is_empty()
        && cannot_approach(board, one, other)
        && cannot_approach(board, other, one)
}

/// Is every liberty of `prey` closed to the colour of `hunter`?
fn cannot_approach(board: &Board, hunter: Point, prey: Point) -> bool {
    let Some(color) = board.color_at(hunter) else { return false };
    let closed = |liberty: Point| !board.is_legal(color, liberty) || is_bad_self_atari(board, color, liberty);
    board.liberties(prey).all(closed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Fate, fate};
    use jigo_board::{Diagram, PointSet};

    /// Both colours break a seki at the points `s` and nowhere else.
    fn check(text: &str) {
        let d = Diagram::parse(text).unwrap();
        for &point in d.board.empties() {
            for color in Color::BOTH {
                let expected = d.points('s').contains(&point);
                assert_eq!(breaks_seki(&d.board, color, point), expected, "{color} at {point:?} in {text}");
            }
        }
        for shared in d.points('s') {
            for stone in shared.neighbours().into_iter().filter(|&n| d.board.color_at(n).is_some()) {
                assert!(lives(&d, stone), "{stone:?} must live in {text}");
            }
        }
    }

    /// Reads it out: on the shared liberties, the liberties of both chains, and inside the smaller one.
    fn lives(d: &Diagram, stone: Point) -> bool {
        let mut points: PointSet = d.points('s').into_iter().collect();
        for chain in d.points('s').into_iter().flat_map(|s| s.neighbours()).filter(|&n| d.board.color_at(n).is_some()) {
            points = points.union(d.board.liberty_set(chain));
            if d.board.chain_size(chain) <= 4 {
                points.extend(d.board.stones(chain));
            }
        }
        fate(&d.board, stone, &points, 1_000_000) == Some(Fate::Alive)
    }

    #[test]
    fn a_living_shape_inside_with_two_shared_liberties() {
        check(
            "
            s X X X s O X
            O O O O O O X
            X X X X X X X
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .",
        );
        check(
            "
            s X O O O X .
            O X X s O X .
            O O O O O X .
            X X X X X X .
            . . . . . . .
            . . . . . . .
            . . . . . . .",
        );
        // The same in the other colours, away from the edge.
        check(
            "
            . O O O O O O O .
            O O X X X X X O O
            O X X s O s X X O
            O X X X O X X X O
            O O X X O X X O O
            . O X X X X X O .
            . O O O O O O O .
            . . . . . . . . .
            . . . . . . . . .",
        );
    }

    #[test]
    fn an_eye_each_and_one_shared_liberty() {
        check(
            "
            . X s O . O X
            X X O O O O X
            O O O X X X X
            X X X X . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .",
        );
    }

    #[test]
    fn a_dead_shape_inside_is_no_seki() {
        // Black makes three in a row and White has one eye.
        check(
            "
            . X X . O X .
            O O O O O X .
            X X X X X X .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .",
        );
    }

    #[test]
    fn with_liberties_outside_it_is_a_race() {
        check(
            "
            . X X X . O .
            O O O O O O X
            X X X X X X X
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .",
        );
        check(
            "
            . X . O . . X
            X X O O O O X
            O O O X X X X
            X X X X . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .",
        );
    }

    #[test]
    fn two_eyes_are_no_seki() {
        check(
            "
            . X . O . O .
            X X O O O O O
            O O O . O X X
            X X X O O X .
            . . X X X X .
            . . . . . . .
            . . . . . . .",
        );
    }
}
