//! Save chains that the last move put in atari: run, or take a neighbour (001 sec 3.2; 002 sec VI, generator 2).

use jigo_tactics::{MoveList, escape_atari, is_too_many_places_to_connect};

use crate::playout::Tools;
use crate::simulation::Simulation;

#[inline]
pub fn propose(simulation: &mut Simulation, tools: &mut Tools, moves: &mut MoveList) {
    let Some(last) = simulation.last_point(1) else { return };
    let (board, color) = (&mut simulation.board, simulation.to_move);
    for stone in board.stones_beside_with(last, color, 1..=1) {
        escape_atari(board, color, stone, &mut tools.trail, moves);
        if tools.parameters.too_many_connections
            && let Some(liberty) = board.only_liberty(stone)
            && moves.contains(liberty)
            && is_too_many_places_to_connect(board, color, liberty)
        {
            moves.retain(|point| point != liberty);
        }
    }
}
