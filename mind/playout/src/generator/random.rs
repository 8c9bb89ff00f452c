//! Uniformly random moves with the eye rule and the self-atari filter (Pachi 3.2).

use jigo_board::{Board, Color, MAX_POINTS, Point};
use jigo_tactics::{MoveList, breaks_seki, is_bad_self_atari, other_liberty};

use crate::playout::Tools;
use crate::simulation::Simulation;

/// May a playout move here at all: legal, and no filling of an own one-point eye?
#[inline]
pub fn is_playable(board: &Board, color: Color, point: Point) -> bool {
    !board.around(point).is_eye_of(color) && board.is_legal(color, point)
}

/// Draws without replacement until a point passes the filter; nothing is left only if a pass is right.
#[inline]
pub fn propose(simulation: &Simulation, tools: &mut Tools, moves: &mut MoveList) {
    let board = &simulation.board;
    let empties = board.empties();
    for _ in 0..QUICK_TRIES.min(empties.len()) {
        let drawn = empties[tools.rng.below(empties.len())];
        if let Some(point) = filtered(simulation, tools, drawn) {
            return moves.push(point);
        }
    }
    let mut left = empties.len();
    let mut urn = [Point::from_index(0); MAX_POINTS];
    urn[..left].copy_from_slice(empties);
    while left > 0 {
        let drawn = tools.rng.below(left);
        if let Some(point) = filtered(simulation, tools, urn[drawn]) {
            return moves.push(point);
        }
        left -= 1;
        urn[drawn] = urn[left];
    }
}

/// Draws before the urn is made: most succeed.
const QUICK_TRIES: usize = 4;

/// The point itself; if it is a bad self-atari, usually the other liberty of the chain instead, or nothing.
#[inline]
pub(crate) fn filtered(simulation: &Simulation, tools: &mut Tools, point: Point) -> Option<Point> {
    let (board, color) = (&simulation.board, simulation.to_move);
    if !is_playable(board, color, point) {
        return None;
    }
    let filter = tools.parameters.self_atari_filter;
    if !is_bad_self_atari(board, color, point) {
        return Some(point);
    }
    // Now and then a bad self-atari is let through, but in a seki even that is too often: sooner or later one breaks it.
    if filter < 1.0 && !tools.rng.chance(filter) && !breaks_seki(board, color, point) {
        return Some(point);
    }
    other_liberty(board, color, point).filter(|&other| is_playable(board, color, other))
}
