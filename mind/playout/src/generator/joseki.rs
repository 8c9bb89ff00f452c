//! The usual answer in the quadrant of the last move (Pachi 3.2). Makes openings prettier; only 19x19 has a table.

use jigo_patterns::Joseki;
use jigo_tactics::MoveList;

use crate::playout::Tools;
use crate::simulation::Simulation;

/// With more stones on the board no quadrant is a known position any more, and looking would only cost time.
const LAST_STONE: usize = 80;

#[inline]
pub fn propose(simulation: &Simulation, tools: &mut Tools, moves: &mut MoveList) {
    let board = &simulation.board;
    if board.size() != 19 || board.area() - board.empties().len() > LAST_STONE {
        return;
    }
    let Some(last) = simulation.last_point(1) else { return };
    let Some(answers) = Joseki::embedded().answers(board, simulation.to_move, last) else { return };
    if !tools.rng.chance(answers.urgency) {
        return;
    }
    // One answer, drawn by how often strong players choose it.
    let mut draw = tools.rng.unit();
    for (point, share) in answers.iter() {
        draw -= share;
        if draw < 0.0 {
            return moves.push(point);
        }
    }
}
