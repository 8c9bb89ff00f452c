//! Would saving a chain in atari leave "too many places to connect"? (Evaluation value Algorithm 1)
//!
//! ```text
//! . . O . .   Black at a saves the stone above for a moment only: on the lowest two lines, with two liberties and
//! . O X O .   neither a hanging connection nor an eye at hand, White gives atari again and everything is lost.
//! . . a . .
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

/// Once `stone` stands, is this liberty an eye or in a hanging connection: closed by our stones and the edge on at
/// least three of its four sides?
fn holds(board: &Board, color: Color, stone: Point, liberty: Point) -> bool {
    let closed = |n: Point| n == stone || board.color_at(n) == Some(color) || board.cell(n) == Cell::Edge;
    liberty.neighbours().into_iter().filter(|&n| closed(n)).count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    /// Black's chain in atari at `y` (yes, leave it) or `n` (no, save it), the position at the bottom of a 7x7 board.
    fn check(rows: &[&str]) {
        let d = Diagram::parse(&(".......\n".repeat(7 - rows.len()) + &rows.join("\n"))).unwrap();
        let (yes, no) = (d.points('y'), d.points('n'));
        assert!(yes.len() + no.len() > 0);
        for (points, expected) in [(yes, true), (no, false)] {
            for point in points {
                let beside = point.neighbours();
                let ours = beside.iter().find(|&&p| d.board.color_at(p) == Some(Color::Black)).unwrap();
                assert_eq!(d.board.only_liberty(*ours), Some(point), "{rows:?}");
                assert_eq!(is_too_many_places_to_connect(&d.board, Color::Black, point), expected, "{rows:?}");
            }
        }
    }

    #[test]
    fn two_low_liberties_and_nothing_to_hold_on_to() {
        check(&["..O....", ".OXO...", "..y...."]);
        check(&["..OO...", ".OXy...", "..O...."]);
    }

    #[test]
    fn a_hanging_connection_or_an_eye_holds() {
        check(&["..O....", ".OXOX..", "..n.X.."]);
        check(&["..O....", "XOXO...", "X.n...."]);
        check(&["OO.....", "XO.....", "n......"]);
    }

    #[test]
    fn more_or_fewer_liberties_are_another_matter() {
        check(&["..O....", ".OXO...", ".On...."]);
        check(&["..O.XX.", ".OXn...", "..O...."]);
    }

    #[test]
    fn higher_up_there_is_room() {
        check(&["..O....", ".OXO...", "..n....", ".......", "......."]);
        check(&["..OO...", ".OXn...", "..O....", ".......", "......."]);
        // One of the two liberties lies on the third line.
        check(&["..O....", ".OXO...", ".On....", ".......", "......."]);
    }
}
