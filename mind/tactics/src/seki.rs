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

/// Is this chain in seki with one of its neighbours?
pub fn is_in_seki(board: &Board, chain: Point) -> bool {
    seki_partner(board, chain).is_some()
}

/// A neighbour with which this chain is in seki.
pub fn seki_partner(board: &Board, chain: Point) -> Option<Point> {
    let color = board.color_at(chain)?;
    let mut enemies = board.stones(chain).flat_map(|stone| board.stones_beside(stone, color.opponent()));
    enemies.find(|&enemy| is_seki(board, chain, enemy))
}

/// Are these two chains of different colours in seki with each other?
fn is_seki(board: &Board, one: Point, other: Point) -> bool {
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
