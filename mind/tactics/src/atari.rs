//! Chains in atari: where to take them, how to save them.
//!
//! ```text
//! . O . .   The black stone is saved by extending to a if that gains liberties. A white stone beside it that is in
//! O X a .   atari itself, such as the left one with Black at b, can be taken instead.
//! b O . .
//! ```

use crate::ladder::is_caught_after_extending;
use crate::liberties_after::liberties_after_up_to;
use crate::move_list::MoveList;
use crate::reader::Reading;
use crate::self_atari::is_bad_self_atari;
use jigo_board::{Board, Color, Point, Trail};

/// The opponent's move that takes the chain of `stone`, if it is in atari and the move is legal and loses nothing.
#[inline]
pub fn capture_chain(board: &Board, stone: Point, moves: &mut MoveList) {
    if let Some(owner) = board.color_at(stone) {
        push_capture(board, owner.opponent(), stone, moves);
    }
}

/// The moves that take a neighbouring enemy chain in atari and lose nothing.
#[inline]
pub fn captures_beside(board: &Board, stone: Point, moves: &mut MoveList) {
    let Some(color) = board.color_at(stone) else { return };
    for_each_enemy_beside(board, color, stone, |enemy| push_capture(board, color, enemy, moves));
}

/// Calls with a stone of every enemy chain beside this chain of `color`, of some more than once.
#[inline]
pub(crate) fn for_each_enemy_beside(board: &Board, color: Color, stone: Point, mut found: impl FnMut(Point)) {
    for own in board.stones(stone) {
        board.stones_beside(own, color.opponent()).for_each(&mut found);
    }
}

/// Saves the chain of `stone`, in atari, for its owner: takes a neighbour, or extends to where it is neither in atari
/// again nor in a ladder that works. Ladders are read on the board itself, which is the same again afterwards.
#[inline]
pub fn escape_atari(board: &mut Board, color: Color, stone: Point, trail: &mut Trail, moves: &mut MoveList) {
    let Some(liberty) = board.only_liberty(stone) else { return };
    captures_beside(board, stone, moves);
    if moves.contains(liberty) || !board.is_legal(color, liberty) {
        return;
    }
    let saved = match liberties_after_up_to(board, color, liberty, 3, None) {
        0 | 1 => false,
        2 => !is_caught_after_extending(Reading::new(board, trail), color, liberty),
        _ => true,
    };
    if saved {
        moves.push(liberty);
    }
}

/// Takes this enemy chain if it is in atari and that loses nothing.
#[inline]
pub(crate) fn push_capture(board: &Board, color: Color, enemy: Point, moves: &mut MoveList) {
    if let Some(liberty) = board.only_liberty(enemy)
        && !moves.contains(liberty)
        && is_sound(board, color, liberty)
    {
        moves.push(liberty);
    }
}

#[inline]
fn is_sound(board: &Board, color: Color, point: Point) -> bool {
    board.is_legal(color, point) && !is_bad_self_atari(board, color, point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    /// The moves `ask` finds for the chain at `vertex` must be the points named `a`.
    fn check(text: &str, vertex: &str, ask: impl Fn(&Board, Point, &mut MoveList)) {
        let d = Diagram::parse(text).unwrap();
        let stone = Point::parse(vertex, d.board.size()).unwrap();
        let mut moves = MoveList::new();
        ask(&d.board, stone, &mut moves);
        let mut found = moves.as_slice().to_vec();
        found.sort();
        assert_eq!(found, d.points('a'), "{vertex} in {text}");
    }

    fn captures(text: &str, vertex: &str) {
        check(text, vertex, capture_chain);
    }

    fn escapes(text: &str, vertex: &str) {
        check(text, vertex, |board, stone, moves| {
            let color = board.color_at(stone).unwrap();
            escape_atari(&mut board.clone(), color, stone, &mut Trail::new(), moves);
        });
    }

    #[test]
    fn a_chain_in_atari_is_taken_at_its_last_liberty() {
        captures(". . . . .\n . X . . .\n X O a . .\n . X . . .\n . . . . .", "B3");
        captures(". . . . .\n . X X . .\n X O O X .\n . X a . .\n . . . . .", "C3");
        captures("O a . . .\n X . . . .\n . . . . .\n . . . . .\n . . . . .", "A5");
        // In the corner and along the edge.
        captures("O X . . .\n O X . . .\n a . . . .\n . . . . .\n . . . . .", "A5");
        captures(". . . . .\n . . . . .\n . . . . .\n . X X X .\n X O O O a", "C1");
        captures("O O X . .\n a O X . .\n X X . . .\n . . . . .\n . . . . .", "B4");
        // Two liberties: nothing to take.
        captures(". . . . .\n . X . . .\n X O . . .\n . . . . .\n . . . . .", "B3");
    }

    #[test]
    fn a_lone_stone_is_not_taken_into_a_snapback() {
        // White would take one and lose three at the same place.
        captures(
            "
            X O O . X O .
            . X X X O O .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .",
            "E7",
        );
        // Unless that frees another chain in atari.
        captures(
            "
            X O O a X O .
            . X X X O X .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .",
            "E7",
        );
    }

    #[test]
    fn a_ko_just_taken_is_not_taken_back() {
        let d = Diagram::parse(". X O . .\n X a X O .\n . X O . .\n . . . . .\n . . . . .").unwrap();
        let ko = d.point('a');
        let mut board = d.board;
        board.play(Color::White, ko);
        let mut moves = MoveList::new();
        capture_chain(&board, ko, &mut moves);
        assert!(moves.is_empty());
        board.pass();
        capture_chain(&board, ko, &mut moves);
        assert_eq!(moves.as_slice(), [Point::new(2, 1)]);
    }

    #[test]
    fn extending_saves_where_it_gains_liberties() {
        escapes(". . . . .\n . X . . .\n X O a . .\n . X . . .\n . . . . .", "B3");
        // Into the open from the edge.
        escapes(". . . . .\n . . . . .\n . . a . .\n . X O X .\n . . X . .", "C2");
        // Straight into the wall: no liberty gained.
        escapes(". . . . .\n . X X . .\n X O . X .\n . X X . .\n . . . . .", "B3");
        // Connecting to a friend outside.
        escapes(". . . . .\n . X X O .\n X O a O .\n . X X . .\n . . . . .", "B3");
        // The friend is short of liberties too.
        escapes(". . X X .\n . X X O X\n X O . O X\n . X X . X\n . . . . .", "B3");
        // Along the edge each stone gains one liberty and loses one.
        escapes("O . . . .\n X . . . .\n . . . . .\n . . . . .\n . . . . .", "A5");
        escapes("X O . . .\n X X . . .\n . . . . .\n . . . . .\n . . . . .", "B5");
    }

    #[test]
    fn taking_a_neighbour_saves() {
        escapes(
            "
            . . . . .
            X X X O .
            . O O X a
            X X X O .
            . . . . .",
            "B3",
        );
        escapes(
            "
            . . O . .
            . O X a .
            X X O . X
            . X X X .
            . . . . .",
            "C3",
        );
    }

    #[test]
    fn the_last_liberty_may_capture() {
        escapes(
            "
            . . . . .
            . . X O .
            . X O X O
            . X a X O
            . . X O .",
            "C3",
        );
    }

    #[test]
    fn a_working_ladder_is_not_run_into() {
        escapes(
            "
            . . . . . . . . .
            . . X . . . . . .
            . X O X . . . . .
            . X . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .",
            "C7",
        );
        escapes(
            "
            . . . . . . . . .
            . . X . . . . . .
            . X O X . . . . .
            . X a . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . O . .
            . . . . . . . . .
            . . . . . . . . .",
            "C7",
        );
    }
}
