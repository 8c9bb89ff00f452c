//! Chains with two liberties: which atari is hardest to escape, and what to do before it comes (001 sec 3.2).
//!
//! ```text
//! . . . . .      Black gives atari at a: White can then only run to b, along the edge, and gains one liberty.
//! . a X . .      Atari at b would let White out into the open.
//! . O X . .
//! . b . . .
//! ---------
//! ```

use crate::atari::captures_beside;
use crate::liberties_after::liberties_after;
use crate::move_list::MoveList;
use crate::self_atari::{is_bad_self_atari, is_self_atari};
use jigo_board::{Board, Point};

/// A chain that steps out to this many liberties has escaped an atari.
const FREE: usize = 3;

/// The opponent's ataris on the chain of `stone`, which has two liberties: those after which it gains least by running,
/// and none from which it steps out free.
#[inline]
pub fn attack_two_liberties(board: &Board, stone: Point, moves: &mut MoveList) {
    let (Some(owner), Some([a, b])) = (board.color_at(stone), board.two_liberties(stone)) else { return };
    let attacker = owner.opponent();
    let gain = |atari: Point, run: Point| {
        if !board.is_legal(attacker, atari) || is_bad_self_atari(board, attacker, atari) {
            return FREE;
        }
        liberties_after_atari(board, stone, atari, run)
    };
    let (gain_a, gain_b) = (gain(a, b), gain(b, a));
    let least = gain_a.min(gain_b);
    for (atari, gain) in [(a, gain_a), (b, gain_b)] {
        if gain == least && gain < FREE {
            moves.push(atari);
        }
    }
}

/// What the chain of `stone` has after our atari and its run to the other liberty.
#[inline]
fn liberties_after_atari(board: &Board, stone: Point, atari: Point, run: Point) -> usize {
    let Some(owner) = board.color_at(stone) else { return FREE };
    let mut liberties = liberties_after(board, owner, run);
    liberties.remove(atari);
    liberties.len()
}

/// Helps the chain of `stone`, which has two liberties: takes a neighbour, steps out to at least three liberties, or
/// gives atari to a neighbour that has no more liberties than we do. Nothing if no atari threatens it.
#[inline]
pub fn defend_two_liberties(board: &Board, stone: Point, moves: &mut MoveList) {
    let (Some(color), Some([a, b])) = (board.color_at(stone), board.two_liberties(stone)) else { return };
    if [a, b].iter().all(|&p| board.around(p).is_eye_of(color)) {
        return;
    }
    captures_beside(board, stone, moves);
    for point in [a, b] {
        if board.is_legal(color, point)
            && !board.around(point).is_eye_of(color)
            && liberties_after(board, color, point).len() >= FREE
        {
            moves.push(point);
        }
    }
    let enemy = color.opponent();
    for own in board.stones(stone) {
        if board.around(own).neighbours_of(enemy) == 0 {
            continue;
        }
        for neighbour in own.neighbours() {
            if board.color_at(neighbour) == Some(enemy) && board.liberty_count(neighbour) == 2 {
                attack_two_liberties(board, neighbour, moves);
            }
        }
    }
    moves.retain(|p| !is_self_atari(board, color, p) || !is_bad_self_atari(board, color, p));
}
