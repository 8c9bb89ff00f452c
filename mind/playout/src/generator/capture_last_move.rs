//! Take the chain of the last move if it stands in atari (001 sec 3.2; 002 sec VI, generator 1).

use jigo_tactics::{MoveList, capture_chain};

use crate::simulation::Simulation;

#[inline]
pub fn propose(simulation: &Simulation, moves: &mut MoveList) {
    if let Some(last) = simulation.last_point(1)
        && simulation.board.color_at(last).is_some()
    {
        capture_chain(&simulation.board, last, moves);
    }
}
