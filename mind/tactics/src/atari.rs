//! Chains in atari: where to take them, how to save them.
//!
//! ```text
//! . O .      The black chain in the middle is saved by extending to a, or by taking the white stone at its
//! O X a      left at b if that stone is in atari itself.
//! b O .
//! ```

use crate::ladder::is_caught_after_extending;
use crate::liberties_after::liberties_after;
use crate::move_list::MoveList;
use crate::reader::Reader;
use crate::self_atari::is_bad_self_atari;
use jigo_board::{Board, Color, Point};

/// The opponent's move that takes the chain of `stone`, if it is in atari and the move is legal and loses nothing.
#[inline]
pub fn capture_chain(board: &Board, stone: Point, moves: &mut MoveList) {
    let (Some(owner), Some(liberty)) = (board.color_at(stone), board.only_liberty(stone)) else { return };
    push_capture(board, owner.opponent(), liberty, moves);
}

/// The moves that take a neighbouring enemy chain in atari.
#[inline]
pub fn captures_beside(board: &Board, stone: Point, moves: &mut MoveList) {
    let Some(color) = board.color_at(stone) else { return };
    let enemy = color.opponent();
    for own in board.stones(stone) {
        if board.around(own).neighbours_of(enemy) == 0 {
            continue;
        }
        for neighbour in own.neighbours() {
            if board.color_at(neighbour) == Some(enemy)
                && let Some(liberty) = board.only_liberty(neighbour)
            {
                push_capture(board, color, liberty, moves);
            }
        }
    }
}

/// Saves the chain of `stone`, in atari, for its owner: takes a neighbour, or extends to where it is neither in atari
/// again nor in a ladder that works.
#[inline]
pub fn escape_atari(board: &Board, color: Color, stone: Point, reader: &mut Reader, moves: &mut MoveList) {
    let Some(liberty) = board.only_liberty(stone) else { return };
    captures_beside(board, stone, moves);
    if moves.contains(liberty) || !board.is_legal(color, liberty) {
        return;
    }
    let saved = match liberties_after(board, color, liberty).len() {
        0 | 1 => false,
        2 => !is_caught_after_extending(board, color, liberty, reader),
        _ => true,
    };
    if saved {
        moves.push(liberty);
    }
}

#[inline]
fn push_capture(board: &Board, color: Color, liberty: Point, moves: &mut MoveList) {
    if board.is_legal(color, liberty) && !is_bad_self_atari(board, color, liberty) {
        moves.push(liberty);
    }
}
