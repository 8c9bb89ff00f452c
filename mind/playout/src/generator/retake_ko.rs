//! Retake a ko that the opponent took in the last four moves (Pachi 3.2).

use jigo_tactics::MoveList;

use crate::simulation::Simulation;

const LAST_MOVES: usize = 4;

#[inline]
pub fn propose(simulation: &Simulation, moves: &mut MoveList) {
    if let Some(point) = simulation.ko_to_retake(LAST_MOVES)
        && simulation.board.is_legal(simulation.to_move, point)
        && point.neighbours().iter().any(|&n| {
            simulation.board.color_at(n) == Some(simulation.to_move.opponent()) && simulation.board.in_atari(n)
        })
    {
        moves.push(point);
    }
}
