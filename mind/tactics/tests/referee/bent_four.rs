//! Is a group that looks like seki a bent four in the corner, and therefore dead (or a ko, where the rules play it out)?
//!
//! The stones inside hold three of four points bent around the corner, the space has one point more, and the owner of the walls has no
//! safe move inside. Once the fourth point is filled the ko has begun.

use jigo_board::{Board, Color, Point};
use jigo_tactics::{Eyespace, bent_fours, is_bad_self_atari};

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
