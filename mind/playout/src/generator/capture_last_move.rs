//! Take the chain of the last move if it stands in atari (Pachi 3.2; Go Intellect VI, generator 1).

use jigo_tactics::{MoveList, capture_chain};

use crate::simulation::Simulation;

#[inline]
pub fn propose(simulation: &Simulation, moves: &mut MoveList) {
    let board = &simulation.board;
    if let Some(last) = simulation.last_point(1) {
        capture_chain(board, last, moves);
    } else if simulation.has_no_past() {
        // Any chain may be the last move's.
        let enemy = simulation.to_move.opponent();
        board.chain_heads().filter(|&head| board.color_at(head) == Some(enemy)).for_each(|head| {
            capture_chain(board, head, moves);
        });
    }
}
