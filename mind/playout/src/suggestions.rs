//! What the playout policy would consider anywhere on the board: prior knowledge for new tree nodes (Pachi 3.1).
//!
//! Playouts look beside the last move only, for speed; a new node is worth a look at every chain.

use jigo_board::{Board, Color, Point};
use jigo_patterns::three_by_three::ThreeByThree;
use jigo_tactics::{
    MoveList, Reader, attack_many_liberties, attack_two_liberties, capture_chain, defend_many_liberties,
    defend_two_liberties, escape_atari,
};

/// How strongly a move is suggested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    Full,
    /// Moves about chains of three and four liberties count half (Pachi 3.1).
    Half,
}

/// Calls `suggest` for every move that some heuristic of the policy likes; a move may come several times.
pub fn suggestions(board: &Board, color: Color, reader: &mut Reader, mut suggest: impl FnMut(Point, Urgency)) {
    let mut moves = MoveList::new();
    for head in board.chain_heads() {
        let mine = board.color_at(head) == Some(color);
        moves.clear();
        let urgency = match (board.liberty_count(head), mine) {
            (1, true) => {
                let (copy, trail) = reader.copy_of(board);
                escape_atari(copy, color, head, trail, &mut moves);
                Urgency::Full
            }
            (1, false) => {
                capture_chain(board, head, &mut moves);
                Urgency::Full
            }
            (2, true) => {
                defend_two_liberties(board, head, &mut moves);
                Urgency::Full
            }
            (2, false) => {
                attack_two_liberties(board, head, &mut moves);
                Urgency::Full
            }
            (_, true) => {
                defend_many_liberties(board, head, &mut moves);
                Urgency::Half
            }
            (_, false) => {
                attack_many_liberties(board, head, &mut moves);
                Urgency::Half
            }
        };
        for &point in moves.as_slice() {
            suggest(point, urgency);
        }
    }
    let shapes = ThreeByThree::get();
    for &point in board.empties() {
        if shapes.matches(board, color, point) {
            suggest(point, Urgency::Full);
        }
    }
}
