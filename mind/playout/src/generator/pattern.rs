//! 3x3 shapes on the eight points around one of the last moves (001 sec 3.2; 002 sec VI, generators 4 and 7).

use jigo_tactics::MoveList;

use crate::playout::Tools;
use crate::simulation::Simulation;

/// Around the move `back` moves ago.
#[inline]
pub fn propose(simulation: &Simulation, back: usize, tools: &Tools, moves: &mut MoveList) {
    let Some(centre) = simulation.last_point(back) else { return };
    tools.shapes.matches_around(&simulation.board, simulation.to_move, centre, |point| moves.push(point));
}
