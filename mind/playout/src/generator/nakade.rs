//! The vital point of an eyespace beside the last move (Pachi 3.2).

use jigo_tactics::{MoveList, nakade_point};

use crate::simulation::Simulation;

/// The last move may have closed an eyespace of its own side, or made one by capturing stones of ours: both lie beside it.
#[inline]
pub fn propose(simulation: &Simulation, moves: &mut MoveList) {
    let Some(last) = simulation.last_point(1) else { return };
    let board = &simulation.board;
    for empty in board.empties_beside(last) {
        moves.extend(nakade_point(board, empty, simulation.to_move));
    }
}
