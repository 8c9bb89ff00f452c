//! 3x3 shapes on the eight points around one of the last moves (Pachi 3.2; Go Intellect VI, generators 4 and 7).

use jigo_tactics::MoveList;

use crate::playout::Tools;
use crate::simulation::Simulation;

/// Around the move `back` moves ago.
#[inline]
pub fn propose(simulation: &Simulation, back: usize, tools: &Tools, moves: &mut MoveList) {
    let Some(centre) = simulation.last_point(back) else { return };
    tools.shapes.matches_around(&simulation.board, simulation.to_move, centre, |point| moves.push(point));
}
