//! Play on a liberty of some chain that has just two, of either colour (Go Intellect VI, generator 8). Looks at random places,
//! as `capture_anything` does and for the same reason.

use jigo_tactics::MoveList;

use crate::playout::Tools;
use crate::simulation::Simulation;

const LOOKS: usize = 4;

#[inline]
pub fn propose(simulation: &Simulation, tools: &mut Tools, moves: &mut MoveList) {
    let board = &simulation.board;
    for _ in 0..LOOKS {
        let Some(empty) = tools.rng.pick(board.empties()) else { return };
        let beside_two = empty.neighbours().iter().any(|&n| board.color_at(n).is_some() && board.liberty_count(n) == 2);
        if beside_two {
            moves.push(empty);
        }
    }
}
