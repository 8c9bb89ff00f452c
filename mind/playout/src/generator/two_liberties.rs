//! The last move left a chain with two liberties: its own is put in atari, ours is helped (Pachi 3.2).

use jigo_tactics::{MoveList, attack_two_liberties, defend_two_liberties};

use crate::simulation::Simulation;

#[inline]
pub fn propose(simulation: &Simulation, moves: &mut MoveList) {
    let (board, color) = (&simulation.board, simulation.to_move);
    if let Some(last) = simulation.last_point(1) {
        attack_two_liberties(board, last, moves);
        for stone in board.stones_beside_with(last, color, 2..=2) {
            defend_two_liberties(board, stone, moves);
        }
    } else if simulation.has_no_past() {
        // Any chain may be the last move's or beside it.
        for head in board.chain_heads() {
            match board.color_at(head) == Some(color) {
                true => defend_two_liberties(board, head, moves),
                false => attack_two_liberties(board, head, moves),
            }
        }
    }
}
