//! Bent four in the corner: a group that looks like seki and is dead (or a ko, where the rules play it out).
//!
//! ```text
//! | a X X O X   White cannot play a or b. Black can at any time: a stone at a, White takes the bent four, and Black
//! | X b O O X   plays inside again for a ko that only White can lose. Black removes the ko threats first.
//! | O O O X X
//! ```
//!
//! The stones inside hold three of four points bent around the corner, the space has one point more, and the owner of
//! the walls has no safe move inside. Once the fourth point is filled the ko has begun.

use crate::eyespace::Eyespace;
use crate::self_atari::is_bad_self_atari;
use jigo_board::{Board, Color, Point, Symmetry};

/// Is the space around `inside` a bent four in the corner that `attacker` holds against its enclosing opponent?
pub fn is_bent_four_in_the_corner(board: &Board, attacker: Color, inside: Point) -> bool {
    let owner = attacker.opponent();
    let Some(space) = Eyespace::enclosed_by(board, owner, inside) else { return false };
    let closed = |p: &Point| !board.is_empty(*p) || !board.is_legal(owner, *p) || is_bad_self_atari(board, owner, *p);
    space.points().iter().all(closed) && bent_fours(board.size()).any(|four| is_held(board, attacker, &space, four))
}

/// Does the attacker hold three of these four points and nothing else of the space, with just one more point empty, and
/// would that one make no dead shape either?
fn is_held(board: &Board, attacker: Color, space: &Eyespace, four: [Point; 4]) -> bool {
    let points = space.points();
    let held = |p: &Point| board.color_at(*p) == Some(attacker);
    let Some(&beside) = points.iter().find(|p| !four.contains(p)) else { return false };
    let with_beside = Eyespace::of(four.into_iter().filter(held).chain([beside]));
    points.len() == 5
        && board.is_empty(beside)
        && four.iter().all(|p| space.contains(*p))
        && four.iter().filter(|p| held(p)).count() == 3
        && with_beside.is_some_and(|shape| !shape.is_dead_shape())
}

/// Do these points have the shape of a bent four in a corner?
pub(crate) fn has_bent_four_shape(size: usize, shape: &Eyespace) -> bool {
    shape.points().len() == 4 && bent_fours(size).any(|four| four.iter().all(|p| shape.contains(*p)))
}

/// The eight bent fours of a board: three points along one edge from the corner and one along the other.
fn bent_fours(size: usize) -> impl Iterator<Item = [Point; 4]> {
    let four = [(0, 0), (1, 0), (2, 0), (0, 1)];
    Symmetry::all()
        .filter(move |_| size > 3)
        .map(move |symmetry| four.map(|(col, row)| symmetry.apply(Point::new(col, row), size)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    /// Black's answer at the first `a`, in all eight symmetries and with the colours exchanged.
    fn check(text: &str, expected: bool) {
        let d = Diagram::parse(text).unwrap();
        let size = d.board.size();
        for symmetry in Symmetry::all() {
            for swap in [false, true] {
                let turn = |p: Point| symmetry.apply(p, size);
                let color = |c: Color| if swap { c.opponent() } else { c };
                let stones = d.board.points().filter_map(|p| d.board.color_at(p).map(|c| (color(c), turn(p))));
                let board = Board::with_stones(size, stones).unwrap();
                let inside = turn(d.points('a')[0]);
                assert_eq!(is_bent_four_in_the_corner(&board, color(Color::Black), inside), expected, "{board}");
            }
        }
    }

    #[test]
    fn three_of_four_around_the_corner() {
        check(
            "
            a X X O X .
            X a O O X .
            O O O X X .
            X X X X . .
            . . . . . .
            . . . . . .",
            true,
        );
    }

    #[test]
    fn where_a_dead_shape_can_be_made_no_ko_is_needed() {
        check(
            "
            X X X O X .
            a a O O X .
            O O O X X .
            X X X X . .
            . . . . . .
            . . . . . .",
            false,
        );
    }

    #[test]
    fn once_the_four_stones_stand_it_is_a_ko() {
        check(
            "
            X X X O X .
            X a O O X .
            O O O X X .
            X X X X . .
            . . . . . .
            . . . . . .",
            false,
        );
    }

    #[test]
    fn with_a_safe_move_inside_it_is_alive() {
        // White still has liberties outside and takes the stones.
        check(
            "
            a X X O X .
            X a O O . .
            O O O . X .
            X X X X . .
            . . . . . .
            . . . . . .",
            false,
        );
    }

    #[test]
    fn other_shapes_are_not_bent_four() {
        check(
            "
            a X X X O X
            O O O a O X
            O O O O O X
            X X X X X X
            . . . . . .
            . . . . . .",
            false,
        );
        check(
            "
            a X O X . .
            a O O X . .
            O O X X . .
            X X X . . .
            . . . . . .
            . . . . . .",
            false,
        );
        // Away from the corner four bent points are two eyes.
        check(
            "
            O O O O O X
            O a X X O X
            O X a O O X
            O O O O X X
            X X X X X .
            . . . . . .",
            false,
        );
    }
}
