//! Is a one-point eye true, false, or does that depend on who plays first?
//!
//! ```text
//! true           false          whoever plays a first     (the top line is the edge)
//! ---------      ---------      ---------
//! . X . X .      . X . X .      . X . X .
//! . X X X .      . X X O .      . X X a .
//! ```
//!
//! The cheap test, [`jigo_board::Neighbourhood::is_eye_of`], counts enemy stones on the diagonals; playouts use that
//! one. The careful test here also asks whether the enemy can hold a diagonal at all, and knows that an eye whose
//! neighbours hang together in another way needs no diagonals.

use crate::liberties_after::liberties_after;
use jigo_board::{Board, Cell, Color, Point, PointSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eye {
    /// An eye even if the opponent plays first.
    True,
    /// An eye if its owner plays first.
    Unsettled,
    /// Will have to be filled to save the stones around it.
    False,
}

/// What kind of eye the empty `point` is for `color`; none if it is not surrounded.
pub fn eye_kind(board: &Board, color: Color, point: Point) -> Option<Eye> {
    if !board.is_empty(point) || !board.around(point).is_surrounded_by(color) {
        return None;
    }
    if hangs_together(board, color, point) {
        return Some(Eye::True);
    }
    let diagonals = point.diagonals();
    let at_edge = diagonals.iter().any(|&d| board.cell(d) == Cell::Edge);
    let mut spare = if at_edge { 0i32 } else { 1 };
    let mut contested = 0;
    for diagonal in diagonals {
        match Diagonal::of(board, color, diagonal) {
            Diagonal::Held => {}
            Diagonal::Contested => contested += 1,
            Diagonal::Lost => spare -= 1,
        }
    }
    // Contested diagonals are taken in turn.
    let lost_if_they_start = (contested + 1) / 2;
    let lost_if_we_start = contested / 2;
    Some(if lost_if_they_start <= spare {
        Eye::True
    } else if lost_if_we_start <= spare {
        Eye::Unsettled
    } else {
        Eye::False
    })
}

/// Are the stones around the eye one chain, or chains that share another eye (a two-headed dragon)?
fn hangs_together(board: &Board, color: Color, eye: Point) -> bool {
    let mut stones = eye.neighbours().into_iter().filter(|&n| board.color_at(n) == Some(color));
    let Some(first) = stones.next() else { return false };
    let mut one_chain = true;
    let mut shared: PointSet = *board.liberty_set(first);
    for stone in stones {
        one_chain &= board.chain(stone) == board.chain(first);
        shared = shared.intersection(board.liberty_set(stone));
    }
    shared.remove(eye);
    one_chain || shared.iter().any(|p| board.around(p).is_surrounded_by(color))
}

/// Who holds the diagonal of an eye.
enum Diagonal {
    Held,
    Contested,
    Lost,
}

impl Diagonal {
    fn of(board: &Board, color: Color, point: Point) -> Diagonal {
        let enemy = color.opponent();
        match board.cell(point) {
            Cell::Edge => Diagonal::Held,
            Cell::Empty if is_closed_to(board, enemy, point) => Diagonal::Held,
            Cell::Empty => Diagonal::Contested,
            cell if cell == color.cell() => Diagonal::Held,
            _ => match board.only_liberty(point) {
                Some(liberty) if is_closed_to(board, enemy, liberty) => Diagonal::Held,
                Some(_) => Diagonal::Contested,
                None => Diagonal::Lost,
            },
        }
    }
}

/// Would a stone of `color` here be taken at once?
fn is_closed_to(board: &Board, color: Color, point: Point) -> bool {
    !board.is_legal(color, point) || liberties_after(board, color, point).len() < 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    /// Black's point `e` and what it is; White's must be the same with the colours exchanged.
    fn check(text: &str, expected: Option<Eye>) {
        let d = Diagram::parse(text).unwrap();
        assert_eq!(eye_kind(&d.board, Color::Black, d.point('e')), expected, "{text}");
        let swapped: String = text
            .chars()
            .map(|c| {
                if c == 'X' {
                    'O'
                } else if c == 'O' {
                    'X'
                } else {
                    c
                }
            })
            .collect();
        let d = Diagram::parse(&swapped).unwrap();
        assert_eq!(eye_kind(&d.board, Color::White, d.point('e')), expected, "swapped {text}");
    }

    #[test]
    fn in_the_middle_one_lost_diagonal_is_harmless_and_two_are_not() {
        check(". . . . .\n . X X X .\n . X e X .\n . X X X .\n . . . . .", Some(Eye::True));
        check(". O O O .\n O O X X .\n . X e X .\n . X X X .\n . . . . .", Some(Eye::True));
        check(". O O . .\n O O X . X\n . X e X .\n . X X O O\n . . O O .", Some(Eye::False));
        check(". O O O .\n O O X O O\n O X e X O\n . X X X .\n . . . . .", Some(Eye::False));
        check(". O O O .\n O O X O O\n O X e X O\n O O X O O\n . O O O .", Some(Eye::False));
    }

    #[test]
    fn in_the_middle_open_diagonals_are_shared_out() {
        check(". O O . .\n O O X . .\n . X e X .\n X X X X .\n . . X . .", Some(Eye::Unsettled));
        check(". O O . .\n O O X . .\n O X e X .\n . . X X .\n . . . X .", Some(Eye::False));
        check(". O O . .\n O O X . .\n O X e X .\n . X X X .\n . X . X .", Some(Eye::Unsettled));
        // Nothing lost yet: of two open ones we get one, of four the opponent gets two.
        check(". . . . .\n . . X . .\n . X e X .\n . X X X .\n . . . . .", Some(Eye::True));
        check(". . . . .\n . . X . .\n . X e X .\n . . X X .\n . . . . .", Some(Eye::Unsettled));
        check(". . . . .\n . . X . .\n . X e X .\n . . X . .\n . . . . .", Some(Eye::False));
    }

    #[test]
    fn at_the_edge_one_lost_diagonal_is_enough() {
        check(". X e X .\n . X X X .\n . . . . .\n . . . . .\n . . . . .", Some(Eye::True));
        check("O X e X .\n O O X . .\n O O O . .\n . . . . .\n . . . . .", Some(Eye::False));
        check("O X e X .\n O . X X .\n O . . . .\n . . . . .\n . . . . .", Some(Eye::Unsettled));
        check("X X e X .\n X X X . .\n . . . . .\n . . . . .\n . . . . .", Some(Eye::Unsettled));
        // The enemy would be in atari on the open diagonal.
        check("X X e X .\n X X X . .\n . . X X .\n . . . X .\n . . . . .", Some(Eye::True));
        check(". X e X .\n . . X . .\n . . . . .\n . . . . .\n . . . . .", Some(Eye::False));
    }

    #[test]
    fn in_the_corner_the_one_diagonal_decides() {
        check("e X . . .\n X X . . .\n . . . . .\n . . . . .\n . . . . .", Some(Eye::True));
        check("e X . . .\n X O O . .\n . O . . .\n . . . . .\n . . . . .", Some(Eye::False));
        check("e X . . .\n X . . . .\n . . . . .\n . . . . .\n . . . . .", Some(Eye::Unsettled));
    }

    #[test]
    fn an_enemy_on_the_diagonal_that_can_be_taken_is_only_a_contest() {
        check("e X . . .\n X O X . .\n X . . . .\n . . . . .\n . . . . .", Some(Eye::Unsettled));
        // It cannot even run: the diagonal is ours.
        check("e X X . .\n X O . X .\n X X X . .\n . . . . .\n . . . . .", Some(Eye::True));
    }

    #[test]
    fn a_diagonal_where_the_enemy_would_be_taken_is_held() {
        check("e X X . .\n X . X . .\n . X X . .\n . . . . .\n . . . . .", Some(Eye::True));
        check("e X . . .\n X . X . .\n . X . . .\n . . . . .\n . . . . .", Some(Eye::True));
    }

    #[test]
    fn chains_that_share_another_eye_need_no_diagonals() {
        check(
            "
            . . . . . . .
            . . . . . . .
            X X X X X X X
            e X O O O X .
            X O O . O O X
            X O O O O O X
            X X X X X X X",
            Some(Eye::True),
        );
        check(
            "
            . . . . . . .
            . . . . . . .
            X X X X X X O
            e X O O O X .
            X O . . O O X
            X O O O O O X
            X X X X X X X",
            Some(Eye::False),
        );
    }

    #[test]
    fn only_a_surrounded_empty_point_is_an_eye() {
        check(". X . . .\n X e . . .\n . X . . .\n . . . . .\n . . . . .", None);
        check(". X . . .\n X e O . .\n . X . . .\n . . . . .\n . . . . .", None);
        let d = Diagram::parse(". X .\n X X X\n . X .").unwrap();
        assert_eq!(eye_kind(&d.board, Color::Black, Point::new(1, 1)), None);
    }

    #[test]
    fn the_cheap_test_agrees_where_nothing_is_contested() {
        let position = "
            . X O . O X .
            X X O O O X X
            O O X X X O O
            . X X . X X .
            X X O X O X X
            . X O O O X .
            X X . O . X X";
        let board = Board::parse_diagram(position).unwrap();
        for color in Color::BOTH {
            for &point in board.empties() {
                let cheap = board.around(point).is_eye_of(color);
                let careful = eye_kind(&board, color, point) == Some(Eye::True);
                assert!(!cheap || careful, "{color} at {point:?}");
            }
        }
    }
}
