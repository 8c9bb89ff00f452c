//! Nakade: where must we play inside the opponent's eyespace, so that it never becomes two eyes?
//!
//! ```text
//! O O O O      The middle of three (here a), of the pyramid four, of the bulky and the crossed five and of the
//! O . a O      rabbity six. Other shapes need no move: they are one eye or two whoever plays first.
//! O O . O
//! ```

use crate::eyespace::Eyespace;
use jigo_board::{Board, Cell, Color, Point};

/// The rabbity six is the largest shape with a vital point.
const LARGEST_KILLABLE: u32 = 6;

/// The vital point of the eyespace around `around` that the attacker's opponent encloses. None if the space is open or
/// larger than six, if its shape has no vital point, or if that point is taken.
#[inline]
pub fn nakade_point(board: &Board, around: Point, attacker: Color) -> Option<Point> {
    let owner = attacker.opponent();
    debug_assert!(board.cell(around) != owner.cell() && board.cell(around) != Cell::Edge);
    if board.around(around).room_within(owner) > LARGEST_KILLABLE {
        return None;
    }
    let vital = Eyespace::enclosed_by(board, owner, around)?.vital_point()?;
    board.is_legal(attacker, vital).then_some(vital)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::random_game::random_point;
    use jigo_board::{Diagram, Rng};

    /// The points `a` and `v` are the eyespace and `v` is vital (or there is no `v`): the answer must not depend on
    /// where we ask, nor on the colours.
    fn check(text: &str) {
        for (owner, attacker) in [('X', Color::White), ('O', Color::Black)] {
            let swapped = if owner == 'X' { text.to_string() } else { text.replace('X', "O") };
            let d = Diagram::parse(&swapped).unwrap();
            let vital = d.points('v').first().copied();
            for around in d.points('a').into_iter().chain(vital) {
                assert_eq!(nakade_point(&d.board, around, attacker), vital, "asked at {around:?} in {text}");
            }
        }
    }

    #[test]
    fn the_middle_of_three_is_vital() {
        check("X X X X X\n X a v a X\n X X X X X\n X X X X X\n . X X X X");
        check("X X X X X\n X X a X X\n X X v a X\n X X X X X\n . X X X X");
        check("a v a X X\n X X X X X\n X X X X X\n X X X X X\n . X X X X");
        check("v a X X X\n a X X X X\n X X X X X\n X X X X X\n . X X X X");
    }

    #[test]
    fn the_pyramid_and_the_fives_and_the_rabbity_six_are_killed_in_their_middle() {
        check("X X X X X\n X a v a X\n X X a X X\n X X X X X\n . X X X X");
        check("a v a X X\n X a X X X\n X X X X X\n X X X X X\n . X X X X");
        check("X X X X X\n X a v a X\n X a a X X\n X X X X X\n . X X X X");
        check("a a X X X\n a v X X X\n X a X X X\n X X X X X\n . X X X X");
        check("X a X X X\n a v a X X\n X a X X X\n X X X X X\n . X X X X");
        check("X a a X X\n a v a X X\n X a X X X\n X X X X X\n . X X X X");
        check("X X X X X\n X a a X X\n X a v a X\n X X a X X\n . X X X X");
    }

    #[test]
    fn one_eye_or_two_whoever_plays_first() {
        check("X X X X X\n X a a X X\n X X X X X\n X X X X X\n . X X X X");
        check("X X X X X\n X a a X X\n X a a X X\n X X X X X\n . X X X X");
        check("X X X X X\n a a a a X\n X X X X X\n X X X X X\n . X X X X");
        check("a a a X X\n X X a X X\n X X X X X\n X X X X X\n . X X X X");
        check("a a a X X\n a a a X X\n X X X X X\n X X X X X\n . X X X X");
        check("a a a X X\n X a X X X\n X a X X X\n X X X X X\n . X X X X");
        check("a a a a X\n X a X X X\n X X X X X\n X X X X X\n . X X X X");
    }

    #[test]
    fn larger_and_open_spaces_have_no_vital_point() {
        check("a a a a X\n a a a a X\n X X X X X\n X X X X X\n . X X X X");
        check("a a a a a\n a a a X X\n a X X X X\n a X . X X\n a X X X X");
        check("a a a a a\n a a a a a\n a a X a a\n a a a a a\n a a a a a");
    }

    #[test]
    fn stones_inside_belong_to_the_space() {
        let ask = |text: &str| {
            let d = Diagram::parse(text).unwrap();
            nakade_point(&d.board, d.point('a'), Color::White).map(|p| p.vertex(d.board.size()))
        };
        // Our stone on the rim of a bulky five; the middle is still open.
        let open = "
            O . X . .
            a . X . .
            . X X . .
            X X . . .
            . . . . .";
        assert_eq!(ask(open).as_deref(), Some("A4"));
        // The middle is ours already: nothing left to do.
        let taken = "
            . . X . .
            O a X . .
            . X X . .
            X X . . .
            . . . . .";
        assert_eq!(ask(taken), None);
    }

    #[test]
    fn a_gap_in_the_wall_opens_the_space() {
        // A gap in the wall: the space runs out of it.
        let gap = "
            . a . X . . .
            X X . X . . .
            X X . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        let d = Diagram::parse(gap).unwrap();
        assert_eq!(nakade_point(&d.board, d.point('a'), Color::White), None);
    }

    #[test]
    fn the_quick_look_never_sees_more_room_than_there_is() {
        let mut rng = Rng::new(5);
        let mut closed = 0;
        for _ in 0..60 {
            let mut board = Board::new(7);
            let mut color = Color::Black;
            while let Some(point) = random_point(&board, color, &mut rng) {
                board.play(color, point);
                for &empty in board.empties() {
                    let seen = board.around(empty).room_within(color) as usize;
                    if let Some(space) = Eyespace::enclosed_by(&board, color, empty) {
                        assert!(seen <= space.points().len(), "{empty:?} in\n{board}");
                        closed += 1;
                    }
                }
                color = color.opponent();
            }
        }
        assert!(closed > 1000);
    }
}
