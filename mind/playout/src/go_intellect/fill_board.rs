//! A random point in the open: empty with nothing on the eight points around it (Go Intellect VI, generator 9; Chaslot et al.
//! 2010). Spreads the first moves of a playout over the board.

use jigo_tactics::MoveList;

use crate::playout::Tools;
use crate::simulation::Simulation;

const TRIES: usize = 4;

#[inline]
pub fn propose(simulation: &Simulation, tools: &mut Tools, moves: &mut MoveList) {
    let board = &simulation.board;
    for _ in 0..TRIES {
        let Some(point) = tools.rng.pick(board.empties()) else { return };
        if board.around(point).is_open() {
            return moves.push(point);
        }
    }
}
