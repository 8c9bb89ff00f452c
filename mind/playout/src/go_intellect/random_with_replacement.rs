//! As many draws as there are empty points, with replacement, and then a pass (Go Intellect VI, generator 10).

use jigo_tactics::MoveList;

use crate::generator::random::filtered;
use crate::playout::Tools;
use crate::simulation::Simulation;

#[inline]
pub fn propose(simulation: &Simulation, tools: &mut Tools, moves: &mut MoveList) {
    let empties = simulation.board.empties();
    for _ in 0..empties.len() {
        let drawn = empties[tools.rng.below(empties.len())];
        if let Some(point) = filtered(simulation, tools, drawn) {
            return moves.push(point);
        }
    }
}
