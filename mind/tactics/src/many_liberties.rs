//! Chains with three or four liberties: a simplified version of the two-liberty rules (001 sec 3.2).
//!
//! Attack: take the liberty that the chain would gain most from. Defend: extend to where we gain, or take a liberty of a
//! neighbour that has fewer than we have.

use crate::liberties_after::liberties_after;
use crate::move_list::MoveList;
use crate::self_atari::is_bad_self_atari;
use jigo_board::{Board, Color, Point};

/// With more liberties a chain is nobody's concern here.
const MOST: usize = 4;

/// The opponent's moves against the chain of `stone`, which has three or four liberties: the liberties at which it would
/// gain most.
#[inline]
pub fn attack_many_liberties(board: &Board, stone: Point, moves: &mut MoveList) {
    let Some(owner) = board.color_at(stone) else { return };
    if (3..=MOST).contains(&board.liberty_count(stone)) {
        take_best_liberties(board, owner, stone, moves);
    }
}

/// Helps the chain of `stone`, which has three or four liberties: extends to where it gains at least one, or reduces a
/// neighbour that is shorter of liberties.
#[inline]
pub fn defend_many_liberties(board: &Board, stone: Point, moves: &mut MoveList) {
    let Some(color) = board.color_at(stone) else { return };
    let now = board.liberty_count(stone);
    if !(3..=MOST).contains(&now) {
        return;
    }
    for liberty in board.liberties(stone) {
        if board.is_legal(color, liberty) && liberties_after(board, color, liberty).len() > now {
            moves.push(liberty);
        }
    }
    let enemy = color.opponent();
    for own in board.stones(stone) {
        if board.around(own).neighbours_of(enemy) == 0 {
            continue;
        }
        for neighbour in own.neighbours() {
            if board.color_at(neighbour) == Some(enemy) && (2..now).contains(&board.liberty_count(neighbour)) {
                take_best_liberties(board, enemy, neighbour, moves);
            }
        }
    }
}

/// The attacker's safe moves on the liberties of a chain of `owner` which, played by the owner, would give most.
fn take_best_liberties(board: &Board, owner: Color, stone: Point, moves: &mut MoveList) {
    let attacker = owner.opponent();
    let mut best = 0;
    let mut found = MoveList::new();
    for liberty in board.liberties(stone) {
        if !board.is_legal(attacker, liberty) || is_bad_self_atari(board, attacker, liberty) {
            continue;
        }
        let gain = liberties_after(board, owner, liberty).len();
        if gain > best {
            best = gain;
            found.clear();
        }
        if gain == best {
            found.push(liberty);
        }
    }
    for &point in found.as_slice() {
        moves.push(point);
    }
}
