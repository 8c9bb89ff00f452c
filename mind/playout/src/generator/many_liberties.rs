//! The last move left a chain with three or four liberties: attack its own, help ours (Pachi 3.2).

use jigo_tactics::{MoveList, attack_many_liberties, defend_many_liberties};

use crate::simulation::Simulation;

#[inline]
pub fn propose(simulation: &Simulation, moves: &mut MoveList) {
    let Some(last) = simulation.last_point(1) else { return };
    let (board, color) = (&simulation.board, simulation.to_move);
    attack_many_liberties(board, last, moves);
    for stone in board.stones_beside_with(last, color, 3..=4) {
        defend_many_liberties(board, stone, moves);
    }
}
