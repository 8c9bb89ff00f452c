//! Does a move fill a liberty of its own side for nothing?
//!
//! ```text
//! -----------
//! X X X a O .   Black's three stones and White race for each other. Black at a takes away a liberty of his own, and
//! O O O O O .   White's wall has plenty: the race is a move shorter.
//! . . . . . .
//! ```
//!
//! In races and sekis such moves decide everything, and random players make them as often as any other. With an eye at
//! hand, or many liberties, they are harmless: dame must be filled by somebody.

use jigo_board::{Board, Color, Point};

/// Chains with more liberties can spare one.
const SHORT: usize = 3;

/// Would `color` at `point` only shorten a chain of its own: no air, no capture or atari, no other chain to connect with,
/// and no eye that the chain could fall back on?
#[inline]
pub fn wastes_liberty(board: &Board, color: Color, point: Point) -> bool {
    if board.around(point).has_empty_neighbour() {
        return false;
    }
    let mut friends = board.stones_beside(point, color);
    let Some(friend) = friends.next() else { return false };
    board.liberty_count(friend) <= SHORT
        && friends.all(|other| board.chain(other) == board.chain(friend))
        && board.stones_beside_with(point, color.opponent(), 1..=2).next().is_none()
        && !board.liberties(friend).any(|p| board.around(p).is_eye_of(color))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    /// Black wastes a liberty at the points `w` and at none of the points `n`; White sees the same with colours exchanged.
    fn check(text: &str) {
        for (color, d) in Diagram::parse_for_both(text).unwrap() {
            assert!(!d.points('w').is_empty() || !d.points('n').is_empty());
            for (name, expected) in [('w', true), ('n', false)] {
                for point in d.points(name) {
                    assert_eq!(
                        wastes_liberty(&d.board, color, point),
                        expected,
                        "{color}: {name} at {point:?} in {text}"
                    );
                }
            }
        }
    }

    #[test]
    fn outside_and_shared_liberties_of_a_short_chain() {
        check("wXXwOOO\nOXwOO..\nOOOO...\n.......\n.......\n.......\n.......");
    }

    #[test]
    fn not_where_there_is_air_or_plenty_of_liberties() {
        check("wXXn...\nOXwOO..\nOOO....\n.......\n.......\n.......\n.......");
        check("XXXXnOO\nX.X.XOO\n.......\n.......\n.......\n.......\n.......");
    }

    #[test]
    fn not_where_something_is_gained() {
        // Atari.
        check("nOX....\nXXX....\n.......\n.......\n.......\n.......\n.......");
        check("XXnOX..\nOOXOX..\nO.XXX..\nOOO....\n.......\n.......\n.......");
        // A connection.
        check("XXnXX.O\nOOOOOOO\n.......\n.......\n.......\n.......\n.......");
    }

    #[test]
    fn not_with_an_eye_at_hand() {
        check(".XnOO..\nXXOO...\nOOO....\n.......\n.......\n.......\n.......");
    }
}
