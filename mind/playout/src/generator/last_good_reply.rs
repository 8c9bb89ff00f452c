//! The answer to the opponent's last move that won a playout before (002 sec VI, generator 6).

use jigo_tactics::MoveList;

use crate::playout::Tools;
use crate::simulation::Simulation;

#[inline]
pub fn propose(simulation: &Simulation, tools: &Tools, moves: &mut MoveList) {
    if let Some(last) = simulation.last_point(1)
        && let Some(reply) = tools.replies.reply(simulation.to_move, last)
    {
        moves.push(reply);
    }
}
