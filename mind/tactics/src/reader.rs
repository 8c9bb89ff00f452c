//! The scratch memory of reading: a board to play on and a trail to come back by.

use jigo_board::{Board, Color, MAX_SIZE, Point, Trail};

/// Plays out sequences on its own copy of a position. Make one per thread and reuse it: a question then costs a copy of
/// the board but no allocation.
pub struct Reader {
    pub(crate) board: Board,
    trail: Trail,
    /// Positions looked at since the question was asked.
    pub(crate) nodes: u32,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader::new()
    }
}

impl Reader {
    pub fn new() -> Reader {
        Reader { board: Board::new(MAX_SIZE), trail: Trail::new(), nodes: 0 }
    }

    /// Starts a new question in this position.
    pub(crate) fn look_at(&mut self, board: &Board) {
        self.board.copy_from(board);
        self.nodes = 0;
    }

    /// Plays a move, answers a question in the new position, and takes the move back.
    #[inline]
    pub(crate) fn after<T>(&mut self, color: Color, point: Point, question: impl FnOnce(&mut Reader) -> T) -> T {
        let mark = self.trail.mark();
        self.board.play_recorded(color, point, &mut self.trail);
        self.nodes += 1;
        let answer = question(self);
        self.board.undo_to(mark, &mut self.trail);
        answer
    }
}
