//! Which chains a ladder decides, and by which moves.

use jigo_board::{Board, Color, Point};
use jigo_tactics::{Reader, is_ladder, ladder_move};

/// What a ladder says about one chain.
pub enum Ladder {
    /// An enemy chain that the side to move catches by this move.
    Catches(Point),
    /// A chain of the side to move, in atari, that gets away, beginning with its last liberty.
    Escapes(Point),
    /// A chain of the side to move, in atari, that does not.
    Lost,
    /// A chain of the side to move that the opponent could catch next.
    Threatened,
}

/// Every chain of the board that a ladder is about, by its head.
pub fn ladders(board: &Board, me: Color, reader: &mut Reader, mut found: impl FnMut(Point, Ladder)) {
    for chain in board.chain_heads() {
        let mine = board.color_at(chain) == Some(me);
        match (board.liberty_count(chain), mine) {
            (1, true) => match board.only_liberty(chain) {
                Some(liberty) if !is_ladder(board, chain, reader) => found(chain, Ladder::Escapes(liberty)),
                _ => found(chain, Ladder::Lost),
            },
            (2, true) if is_ladder(board, chain, reader) => found(chain, Ladder::Threatened),
            (2, false) => {
                if let Some(catch) = ladder_move(board, chain, reader) {
                    found(chain, Ladder::Catches(catch));
                }
            }
            _ => {}
        }
    }
}
