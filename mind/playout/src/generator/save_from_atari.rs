//! Save chains that the last move put in atari: run, or take a neighbour (Pachi 3.2; Go Intellect VI, generator 2).

use jigo_board::Point;
use jigo_tactics::{MoveList, escape_atari, is_too_many_places_to_connect};

use crate::playout::Tools;
use crate::simulation::Simulation;

#[inline]
pub fn propose(simulation: &mut Simulation, tools: &mut Tools, moves: &mut MoveList) {
    let (board, color) = (&simulation.board, simulation.to_move);
    if let Some(last) = simulation.last_point(1) {
        for stone in board.stones_beside_with(last, color, 1..=1) {
            save(simulation, stone, tools, moves);
        }
    } else if simulation.has_no_past() {
        // Any atari may be the last move's.
        let mut ours = MoveList::new();
        ours.extend(board.chain_heads().filter(|&head| board.color_at(head) == Some(color) && board.in_atari(head)));
        for &stone in ours.as_slice() {
            save(simulation, stone, tools, moves);
        }
    }
}

#[inline]
fn save(simulation: &mut Simulation, stone: Point, tools: &mut Tools, moves: &mut MoveList) {
    let (board, color) = (&mut simulation.board, simulation.to_move);
    escape_atari(board, color, stone, &mut tools.trail, moves);
    if tools.parameters.too_many_connections
        && let Some(liberty) = board.only_liberty(stone)
        && moves.contains(liberty)
        && is_too_many_places_to_connect(board, color, liberty)
    {
        moves.retain(|point| point != liberty);
    }
}
