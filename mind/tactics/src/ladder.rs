//! Does a chain die in a ladder: atari after atari until it is taken?
//!
//! ```text
//! . . X . .   Black gives atari at a; White runs to b with two liberties, Black gives atari again from below, and so
//! . X O a .   on across the board, until the edge, a friend of White on the way (a ladder breaker) or the capture of
//! . X b . .   a chasing stone ends it.
//! . . . . .
//! ```
//!
//! Ataris after which the runner steps out to three liberties are refuted by counting. The others are read out
//! move by move: every atari for the hunter, the extension and every capture of a hunter in atari for the runner.
//! A chain said to be caught therefore is, whatever else it tries. A ko is read as the board stands: who may not take
//! back now does not.

use crate::atari::for_each_enemy_beside;
use crate::liberties_after::liberties_after_up_to;
use crate::move_list::MoveList;
use crate::reader::{Reader, Reading};
use jigo_board::{Board, Color, Point};

/// A ladder across the whole 19x19 board takes 62 positions, nine of ten questions in playouts fewer than 60. What is
/// not settled by then is no plain ladder and counts as an escape.
const MAX_NODES: u32 = 100;

/// With one liberty and its owner to move, or two liberties and the hunter to move: is this chain caught?
/// With more liberties it is not.
pub fn is_ladder(board: &Board, stone: Point, reader: &mut Reader) -> bool {
    match board.liberty_count(stone) {
        1 => is_caught(&mut reader.look_at(board), stone),
        2 => ladder_move(board, stone, reader).is_some(),
        _ => false,
    }
}

/// The atari that catches a chain of two liberties, if one does.
pub fn ladder_move(board: &Board, stone: Point, reader: &mut Reader) -> Option<Point> {
    if board.liberty_count(stone) != 2 || !may_be_caught(board, stone) {
        return None;
    }
    catching_atari(&mut reader.look_at(board), stone)
}

/// Does the hunter's atari at this liberty of a chain of two liberties catch it?
pub fn atari_catches(board: &Board, stone: Point, atari: Point, reader: &mut Reader) -> bool {
    let (Some(runner), Some([a, b])) = (board.color_at(stone), board.two_liberties(stone)) else { return false };
    let run = if atari == a { b } else { a };
    if (atari != a && atari != b) || gain_after_atari(board, stone, atari, run) == FREE {
        return false;
    }
    reader.look_at(board).after(runner.opponent(), atari, |reading| is_caught(reading, stone))
}

/// `color` extends a chain at its last `liberty` to two liberties: is it caught all the same?
pub(crate) fn is_caught_after_extending(mut reading: Reading<'_>, color: Color, liberty: Point) -> bool {
    reading.after(color, liberty, |reading| {
        may_be_caught(reading.board, liberty) && catching_atari(reading, liberty).is_some()
    })
}

/// Quick look: is there an atari after which the runner does not simply step out to three liberties?
fn may_be_caught(board: &Board, stone: Point) -> bool {
    let Some([a, b]) = board.two_liberties(stone) else { return false };
    gain_after_atari(board, stone, a, b) < FREE || gain_after_atari(board, stone, b, a) < FREE
}

/// A runner with this many liberties has escaped.
const FREE: usize = 3;

/// How many liberties, up to three, a chain has after the atari at `atari` and its run to `run`. Three, too, if the
/// atari is forbidden.
fn gain_after_atari(board: &Board, stone: Point, atari: Point, run: Point) -> usize {
    let Some(runner) = board.color_at(stone) else { return FREE };
    if !board.is_legal(runner.opponent(), atari) {
        return FREE;
    }
    // A capture by the atari may take friends away on which the runner's liberties counted: that must be read.
    let takes = atari.neighbours().iter().any(|&n| board.color_at(n) == Some(runner) && board.in_atari(n));
    if takes { FREE - 1 } else { liberties_after_up_to(board, runner, run, FREE, Some(atari)) }
}

/// The runner, in atari, is to move.
fn is_caught(reading: &mut Reading<'_>, stone: Point) -> bool {
    let Some(runner) = reading.board.color_at(stone) else { return true };
    let Some(liberty) = reading.board.only_liberty(stone) else { return false };
    let mut tries = MoveList::new();
    tries.push(liberty);
    for_each_enemy_beside(&*reading.board, runner, stone, |enemy| tries.extend(reading.board.only_liberty(enemy)));
    for &point in tries.as_slice() {
        if reading.nodes >= MAX_NODES {
            return false;
        }
        if reading.board.is_legal(runner, point) && !is_caught_after(reading, runner, stone, point) {
            return false;
        }
    }
    true
}

/// The runner's chain of `stone`, in atari, tries `point`. An extension that takes nothing need not be played to see that
/// it gains one liberty, and is taken, or three, and is free.
fn is_caught_after(reading: &mut Reading<'_>, runner: Color, stone: Point, point: Point) -> bool {
    let board = &*reading.board;
    if board.only_liberty(stone) == Some(point) && !board.captures(runner, point) {
        let gained = liberties_after_up_to(board, runner, point, FREE, None);
        if gained != 2 {
            reading.nodes += 1;
            return gained < 2;
        }
    }
    reading.after(runner, point, |reading| falls_to_next_move(reading, stone))
}

/// The hunter is to move.
fn falls_to_next_move(reading: &mut Reading<'_>, stone: Point) -> bool {
    match reading.board.liberty_count(stone) {
        1 => {
            let (Some(runner), Some(liberty)) = (reading.board.color_at(stone), reading.board.only_liberty(stone))
            else {
                return false;
            };
            reading.board.is_legal(runner.opponent(), liberty)
        }
        2 => catching_atari(reading, stone).is_some(),
        _ => false,
    }
}

/// The hunter is to move against two liberties. The atari that leaves less is tried first, and of two equal ones that
/// which drives the runner to the edge.
fn catching_atari(reading: &mut Reading<'_>, stone: Point) -> Option<Point> {
    let board = &*reading.board;
    let hunter = board.color_at(stone)?.opponent();
    let [a, b] = board.two_liberties(stone)?;
    let mut tries = [(a, b), (b, a)]
        .map(|(atari, run)| (gain_after_atari(board, stone, atari, run), run.line(board.size()), atari));
    if tries[1] < tries[0] {
        tries.swap(0, 1);
    }
    for (gain, _, atari) in tries {
        if gain == FREE || reading.nodes >= MAX_NODES {
            return None;
        }
        if reading.after(hunter, atari, |reading| is_caught(reading, stone)) {
            return Some(atari);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Diagram, Symmetry};

    /// Is the chain at `vertex` caught? The answer must not depend on how the board lies or on the colours.
    fn check(text: &str, vertex: &str, expected: bool) {
        let d = Diagram::parse(text).unwrap();
        let size = d.board.size();
        let stone = Point::parse(vertex, size).unwrap();
        let mut reader = Reader::new();
        for symmetry in Symmetry::all() {
            for swap in [false, true] {
                let turn = |p: Point| symmetry.apply(p, size);
                let color = |c: Color| if swap { c.opponent() } else { c };
                let stones = d.board.points().filter_map(|p| d.board.color_at(p).map(|c| (color(c), turn(p))));
                let board = Board::with_stones(size, stones).unwrap();
                assert_eq!(is_ladder(&board, turn(stone), &mut reader), expected, "{vertex} in {text}");
                if let Some(atari) = ladder_move(&board, turn(stone), &mut reader) {
                    assert!(board.liberties(turn(stone)).any(|p| p == atari));
                    assert!(expected);
                }
            }
        }
    }

    /// The same ladder on 9x9 with some points changed: `(vertex, sign)`.
    fn with(changes: &[(&str, char)]) -> String {
        let mut rows = vec![vec!['.'; 9]; 9];
        for (vertex, sign) in [("C8", 'X'), ("B7", 'X'), ("B6", 'X'), ("C7", 'O')].iter().chain(changes) {
            let point = Point::parse(vertex, 9).unwrap();
            rows[point.row()][point.col()] = *sign;
        }
        rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }

    #[test]
    fn across_the_middle() {
        check(&with(&[]), "C7", true);
        check(&with(&[("D7", 'X')]), "C7", true);
        // Atari from the wrong side: White runs free.
        check(&with(&[("C6", 'X')]), "C7", false);
    }

    #[test]
    fn breakers() {
        for breaker in ["G3", "H2", "H3", "F4", "D4", "E5", "G4", "F3", "D6", "C5"] {
            check(&with(&[(breaker, 'O')]), "C7", false);
            check(&with(&[("D7", 'X'), (breaker, 'O')]), "C7", false);
        }
        // Off the path, or too late on it.
        for friend in ["J1", "A1", "B2", "C3", "J9", "G8", "J5"] {
            check(&with(&[(friend, 'O')]), "C7", true);
        }
        // A stone of the hunter in front of the breaker settles it again.
        check(&with(&[("G3", 'O'), ("F4", 'X')]), "C7", true);
        check(&with(&[("G3", 'O'), ("E4", 'X')]), "C7", true);
    }

    #[test]
    fn along_the_edge() {
        let second_line = |rest: &str| format!(". . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n{rest}");
        check(&second_line(". . X X . . .\n. X O . . . .\n. . . . . . ."), "C2", true);
        check(&second_line(". . X X . . .\n. X O . . . .\n. . . . O . ."), "C2", true);
        check(&second_line(". . X X . . .\n. X O . . . .\n. . . O O . ."), "C2", false);
        check(&second_line(". . X . . . .\n. X O X . . .\n. . . . . . ."), "C2", true);
        check(&second_line(". . X . . . .\n. X O X . . .\n. O . . . . ."), "C2", true);
        check(&second_line(". . X . . . .\n. X O X O . .\n. . . O . . ."), "C2", false);
        // On the first line the runner needs a friend, and near.
        check(&second_line(". . . . . . .\n. . X . . . .\n. X O . . . ."), "C1", true);
        check(&second_line(". . . . . . .\n. . X . . . .\n. X O . . . O"), "C1", true);
        let long = ". . . . . . . . . . . . .\n".repeat(11) + ". X X . . . . . . . . . .\n. X O . . . . . . . . . .";
        check(&long, "C1", true);
        check(&second_line(". . . . . . .\n. . X . . . .\n. X O . . O ."), "C1", false);
        check(&second_line(". . . . . . .\n. . X . . O .\n. X O . . . ."), "C1", false);
    }

    #[test]
    fn a_hunter_in_atari_is_taken() {
        // C8 has one liberty left, at D8.
        check(&with(&[("B8", 'O'), ("C9", 'O')]), "C7", false);
        check(&with(&[("B8", 'O'), ("C9", 'O'), ("D7", 'X')]), "C7", false);
        // Taking it does not help once Black stands at D8.
        check(&with(&[("B8", 'O'), ("C9", 'O'), ("D7", 'X'), ("D8", 'X')]), "C7", true);
        // Running gives atari to B6 and then takes it.
        check(&with(&[("A6", 'O'), ("B5", 'O'), ("A7", 'O'), ("A8", 'O'), ("B8", 'O')]), "C7", false);
    }

    #[test]
    fn chains_with_more_liberties_are_not_in_a_ladder() {
        let open = ". . . . .\n. . X . .\n. . O . .\n. . . . .\n. . . . .";
        check(open, "C3", false);
        let mut reader = Reader::new();
        let board = Board::parse_diagram(open).unwrap();
        assert_eq!(ladder_move(&board, Point::new(2, 2), &mut reader), None);
    }

    #[test]
    fn a_net_is_no_ladder_but_its_ataris_are_read() {
        // White in the net at the right has two liberties and two ways to go; both are closed.
        check(
            "
            . . . . . . .
            . . X X . . .
            . X O . . . .
            . X . . X . .
            . . . X . . .
            . . . . . . .
            . . . . . . .",
            "C5",
            true,
        );
    }

    #[test]
    fn the_ladder_move_is_the_atari_on_the_right_side() {
        let mut reader = Reader::new();
        let board = Board::parse_diagram(&with(&[])).unwrap();
        let prey = Point::parse("C7", 9).unwrap();
        assert_eq!(ladder_move(&board, prey, &mut reader), Point::parse("D7", 9));
        let broken = Board::parse_diagram(&with(&[("G3", 'O')])).unwrap();
        assert_eq!(ladder_move(&broken, prey, &mut reader), None);
    }

    #[test]
    fn across_the_largest_board() {
        let mut stones = vec![];
        for (vertex, color) in [("C18", 'X'), ("B17", 'X'), ("B16", 'X'), ("C17", 'O')] {
            let color = if color == 'X' { Color::Black } else { Color::White };
            stones.push((color, Point::parse(vertex, 19).unwrap()));
        }
        let prey = Point::parse("C17", 19).unwrap();
        let check = |stones: &[(Color, Point)], expected: bool| {
            let board = Board::with_stones(19, stones.iter().copied()).unwrap();
            let mut reader = Reader::new();
            let mut reading = reader.look_at(&board);
            assert_eq!(catching_atari(&mut reading, prey).is_some(), expected);
            assert!(reading.nodes < MAX_NODES, "{} nodes", reading.nodes);
        };
        check(&stones, true);
        stones.push((Color::White, Point::parse("Q4", 19).unwrap()));
        check(&stones, false);
    }
}
