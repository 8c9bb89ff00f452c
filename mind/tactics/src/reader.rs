//! The scratch memory of reading: a board to play on and a trail to come back by.

use jigo_board::{Board, Color, MAX_SIZE, Point, Trail};

/// Lets those ask who hold a position they cannot change: sequences are played out on a copy. Make one per thread and
/// reuse it: a question then costs a copy of the board but no allocation.
pub struct Reader {
    board: Board,
    trail: Trail,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader::new()
    }
}

impl Reader {
    pub fn new() -> Reader {
        Reader { board: Board::new(MAX_SIZE), trail: Trail::new() }
    }

    /// A copy of this position to read on, and the trail to do it with.
    pub fn copy_of(&mut self, board: &Board) -> (&mut Board, &mut Trail) {
        self.board.copy_from(board);
        (&mut self.board, &mut self.trail)
    }

    /// Starts a new question in this position.
    pub(crate) fn look_at(&mut self, board: &Board) -> Reading<'_> {
        let (board, trail) = self.copy_of(board);
        Reading::new(board, trail)
    }
}

/// One question that is being read out. The board is left as it was found.
pub(crate) struct Reading<'a> {
    pub board: &'a mut Board,
    trail: &'a mut Trail,
    /// Positions looked at since the question was asked.
    pub nodes: u32,
}

impl<'a> Reading<'a> {
    pub fn new(board: &'a mut Board, trail: &'a mut Trail) -> Reading<'a> {
        Reading { board, trail, nodes: 0 }
    }

    /// Plays a move, answers a question in the new position, and takes the move back.
    #[inline]
    pub fn after<T>(&mut self, color: Color, point: Point, question: impl FnOnce(&mut Reading<'a>) -> T) -> T {
        let mark = self.trail.mark();
        self.board.play_recorded(color, point, self.trail);
        self.nodes += 1;
        let answer = question(self);
        self.board.undo_to(mark, self.trail);
        answer
    }
}
