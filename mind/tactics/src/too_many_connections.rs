//! Would saving a chain in atari leave "too many places to connect"? (004 Algorithm 1)
//!
//! ```text
//! . . O O .      Black at a saves the stone above for a moment only: on the first two lines, with two
//! . O X . .      liberties and neither a hanging connection nor an eye at hand, White gives atari again and
//! . O a . .      everything is lost.
//! ---------
//! ```

use crate::liberties_after::liberties_after;
use jigo_board::{Board, Cell, Color, Point};

/// `liberty` is the last one of a chain of `color`: should it be left alone, since the saved chain would have two
/// liberties on the lowest two lines and nowhere to hold on to?
#[inline]
pub fn is_too_many_places_to_connect(board: &Board, color: Color, liberty: Point) -> bool {
    if liberty.line(board.size()) > 2 {
        return false; // its liberties cannot both be low
    }
    let after = liberties_after(board, color, liberty);
    after.len() == 2 && after.iter().all(|p| p.line(board.size()) <= 1 && !holds(board, color, liberty, p))
}

/// Once `stone` stands, is this liberty an eye or in a hanging connection: closed by our stones and the edge on at least
/// three of its four sides?
fn holds(board: &Board, color: Color, stone: Point, liberty: Point) -> bool {
    let closed = |n: Point| n == stone || board.color_at(n) == Some(color) || board.cell(n) == Cell::Edge;
    liberty.neighbours().into_iter().filter(|&n| closed(n)).count() >= 3
}
