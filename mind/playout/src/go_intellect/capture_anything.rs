//! Take any enemy chain in atari (Go Intellect VI, generator 5). Looks at random places rather than everywhere: a playout
//! that scanned the board before every move would be several times slower.

use jigo_tactics::{MoveList, capture_chain};

use crate::playout::Tools;
use crate::simulation::Simulation;

const LOOKS: usize = 8;

#[inline]
pub fn propose(simulation: &Simulation, tools: &mut Tools, moves: &mut MoveList) {
    let board = &simulation.board;
    let enemy = simulation.to_move.opponent();
    for _ in 0..LOOKS {
        // A chain in atari has an empty point beside it, so empty points are the places to look.
        let Some(empty) = tools.rng.pick(board.empties()) else { return };
        if board.around(empty).neighbours_of(enemy) == 0 {
            continue;
        }
        for neighbour in empty.neighbours() {
            if board.color_at(neighbour) == Some(enemy) && board.in_atari(neighbour) {
                capture_chain(board, neighbour, moves);
            }
        }
    }
}
