//! The referee itself, where everybody knows the answer.

mod referee;

use jigo_board::{Board, Color, Point};
use referee::exact::{Fate, fate};

/// The fate of the top left stone of White, with moves on the upper two rows.
fn fate_of_white(text: &str) -> Fate {
    let board = Board::parse_diagram(text).unwrap();
    let stone = board.points().find(|&p| board.color_at(p) == Some(Color::White)).unwrap();
    let upper = board.points().filter(|p| p.row() < 2).collect();
    fate(&board, stone, &upper, 1_000_000).unwrap()
}

#[test]
fn spaces_along_the_edge() {
    let with_row = |row: &str| fate_of_white(&format!("{row}\nOOOOOX\nXXXXXX\n......\n......\n......"));
    assert_eq!(with_row(".O..OX"), Fate::Alive);
    assert_eq!(with_row("....OX"), Fate::Alive);
    assert_eq!(with_row("...OOX"), Fate::Unsettled);
    assert_eq!(with_row("..OOOX"), Fate::Dead);
    assert_eq!(with_row(".X.OOX"), Fate::Dead);
    assert_eq!(with_row(".X..OX"), Fate::Unsettled);
    assert_eq!(with_row("XX..OX"), Fate::Unsettled);
    assert_eq!(with_row(".OX.OX"), Fate::Alive);
}

#[test]
fn a_false_eye_is_no_ko() {
    // Black takes the stone that closes the eye at C6; White can take back again and again but never end it.
    let false_eye = "
        . O . O X .
        O O O X X .
        X X X X . .
        . . . . . .
        . . . . . .
        . . . . . .";
    assert_eq!(fate_of_white(false_eye), Fate::Dead);
}

#[test]
fn six_in_the_corner_depend_on_the_outside_liberties() {
    let with_rows = |a: &str, b: &str| fate_of_white(&format!("{a}\n{b}\nOOOOXX\nXXXXXX\n......\n......"));
    assert_eq!(with_rows("...OXX", "...OXX"), Fate::Unsettled);
    assert_eq!(with_rows("...OXX", "...O.X"), Fate::Ko);
    assert_eq!(with_rows("...O.X", "...O.X"), Fate::Alive);
}

#[test]
fn too_large_a_question_has_no_answer() {
    let board = Board::with_stones(9, [(Color::White, Point::new(4, 4))]).unwrap();
    let everywhere = board.points().collect();
    assert_eq!(fate(&board, Point::new(4, 4), &everywhere, 1000), None);
}
