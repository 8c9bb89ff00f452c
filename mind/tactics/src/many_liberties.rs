//! Chains with three or four liberties: a simplified version of the two-liberty rules (Pachi 3.2).
//!
//! ```text
//! . X X X .   Attack: Black at a, where White's chain would gain most. Defend: White at a too, or at another liberty
//! . X O X .   that gains; or White takes a liberty of a neighbouring black chain that has fewer than White has.
//! . . O . .
//! . . a . .
//! ```

use crate::atari::for_each_enemy_beside;
use crate::liberties_after::liberties_after_up_to;
use crate::move_list::MoveList;
use crate::self_atari::is_bad_self_atari;
use jigo_board::{Board, Color, Point};

/// With more liberties a chain is nobody's concern here.
const MOST: usize = 4;

/// The opponent's moves against the chain of `stone`, which has three or four liberties: the liberties at which it
/// would gain most.
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
        if board.is_legal(color, liberty) && liberties_after_up_to(board, color, liberty, now + 1, None) > now {
            moves.push(liberty);
        }
    }
    let enemy = color.opponent();
    let mut weaker = MoveList::new();
    for_each_enemy_beside(board, color, stone, |neighbour| {
        if (2..now).contains(&board.liberty_count(neighbour)) {
            weaker.push(board.chain(neighbour));
        }
    });
    for &neighbour in weaker.as_slice() {
        take_best_liberties(board, enemy, neighbour, moves);
    }
}

/// By a plain extension a chain of four liberties comes to six at most; what connects to others or captures counts as this much.
const MOST_GAIN: usize = 7;

/// The attacker's safe moves on the liberties of a chain of `owner` which, played by the owner, would give it most; of
/// equal ones those that leave the attacker most.
fn take_best_liberties(board: &Board, owner: Color, stone: Point, moves: &mut MoveList) {
    let attacker = owner.opponent();
    let mut best = (0, 0);
    let mut found = MoveList::new();
    for liberty in board.liberties(stone) {
        if !board.is_legal(attacker, liberty) || is_bad_self_atari(board, attacker, liberty) {
            continue;
        }
        let gain = liberties_after_up_to(board, owner, liberty, MOST_GAIN, None);
        let own = liberties_after_up_to(board, attacker, liberty, MOST_GAIN, None);
        if (gain, own) > best {
            best = (gain, own);
            found.clear();
        }
        if (gain, own) == best {
            found.push(liberty);
        }
    }
    for &point in found.as_slice() {
        moves.push(point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::two_liberties::tests::check;

    #[test]
    fn the_attack_takes_the_way_out() {
        // Down is the open side.
        check(&[".XXX...", ".XOX...", "..O....", "..a...."], "C6", attack_many_liberties);
        // A friend is near.
        check(&["..X....", "..OaO.."], "C6", attack_many_liberties);
    }

    #[test]
    fn the_attack_does_not_give_stones_away() {
        // The open points inside are White's eyes.
        check(&[".O.Oa..", "OOOOX..", "XXXXX.."], "B7", attack_many_liberties);
    }

    #[test]
    fn the_defence_goes_where_liberties_are_gained() {
        check(&[".XXX...", ".XOX...", ".aOa...", "..a...."], "C6", defend_many_liberties);
        check(&["X..X...", ".aOX...", "..aX..."], "C6", defend_many_liberties);
    }

    #[test]
    fn or_takes_a_liberty_of_a_weaker_neighbour() {
        // White has four liberties, Black's two stones inside only two.
        check(&["XX.....", "OOaOO..", "..XXX.."], "A6", defend_many_liberties);
    }

    #[test]
    fn other_liberty_counts_are_left_alone() {
        check(&[".......", ".XOX...", "..X...."], "C6", attack_many_liberties);
        check(&[".......", ".......", "..OO..."], "C5", attack_many_liberties);
        check(&[".......", ".XOX...", "..X...."], "C6", defend_many_liberties);
        check(&[".......", ".......", "..OO..."], "C5", defend_many_liberties);
    }
}
