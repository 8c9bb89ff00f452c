//! The game a simulation plays: the position now, and the moves that led to it.

use jigo_board::{Board, Color, Move, Point};

use crate::generator::Generator;

/// Where simulations start: a position and what happened just before.
#[derive(Clone)]
pub struct StartPosition {
    pub board: Board,
    pub to_move: Color,
    /// The latest moves of the game, newest last; eight are enough for every generator and net.
    pub recent: Vec<Move>,
}

impl StartPosition {
    pub fn new(board: Board, to_move: Color, recent: Vec<Move>) -> StartPosition {
        StartPosition { board, to_move, recent }
    }
}

/// A move of the simulation and who proposed it, so that tests can ask for the reason and not only the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    pub color: Color,
    pub mv: Move,
    pub by: Generator,
}

/// A ko was taken: where the other side could take back, and at which move of the line.
#[derive(Clone, Copy)]
struct KoTaken {
    back: Point,
    at: usize,
}

pub struct Simulation {
    pub board: Board,
    pub to_move: Color,
    line: Vec<Played>,
    /// How many moves of `line` belong to the game rather than to this simulation.
    start: usize,
    ko: Option<KoTaken>,
}

impl Simulation {
    pub fn new() -> Simulation {
        Simulation { board: Board::new(19), to_move: Color::Black, line: Vec::with_capacity(1200), start: 0, ko: None }
    }

    /// Goes back to the start of all simulations.
    #[inline]
    pub fn restart(&mut self, from: &StartPosition) {
        self.board.copy_from(&from.board);
        self.to_move = from.to_move;
        self.ko = None;
        self.line.clear();
        let mut color = if from.recent.len().is_multiple_of(2) { from.to_move } else { from.to_move.opponent() };
        for &mv in &from.recent {
            self.line.push(Played { color, mv, by: Generator::Given });
            color = color.opponent();
        }
        self.start = self.line.len();
        self.note_ko();
    }

    #[inline]
    pub fn play(&mut self, mv: Move, by: Generator) {
        match mv {
            Move::Play(point) => {
                self.board.play(self.to_move, point);
            }
            Move::Pass => self.board.pass(),
        }
        self.line.push(Played { color: self.to_move, mv, by });
        self.to_move = self.to_move.opponent();
        self.note_ko();
    }

    #[inline]
    fn note_ko(&mut self) {
        if let Some(back) = self.board.ko_point(self.to_move) {
            self.ko = Some(KoTaken { back, at: self.line.len() });
        }
    }

    /// The moves of this simulation, tree and playout, oldest first.
    #[inline]
    pub fn moves(&self) -> &[Played] {
        &self.line[self.start..]
    }

    /// Who was to move when this simulation began.
    pub fn first_to_move(&self) -> Color {
        self.moves().first().map_or(self.to_move, |played| played.color)
    }

    /// The point of the move `back` moves ago: 1 is the last move. None for a pass, or before all moves.
    #[inline]
    pub fn last_point(&self, back: usize) -> Option<Point> {
        self.line.get(self.line.len().wrapping_sub(back))?.mv.point()
    }

    /// Nobody knows what happened before: a position from a diagram, before its first move.
    #[inline]
    pub fn has_no_past(&self) -> bool {
        self.line.is_empty()
    }

    /// The last moves, newest first.
    pub fn recent(&self) -> impl Iterator<Item = Move> + '_ {
        self.line.iter().rev().map(|played| played.mv)
    }

    /// Where a ko taken by the other side at most this many moves ago can be taken back.
    #[inline]
    pub fn ko_to_retake(&self, within: usize) -> Option<Point> {
        let ko = self.ko?;
        let age = self.line.len() - ko.at;
        // The taker moved at `at`; we are to retake only if that was the other side.
        (age < within && age.is_multiple_of(2)).then_some(ko.back)
    }

    #[inline]
    pub fn two_passes(&self) -> bool {
        matches!(self.line[..], [.., Played { mv: Move::Pass, .. }, Played { mv: Move::Pass, .. }])
    }
}

impl Default for Simulation {
    fn default() -> Simulation {
        Simulation::new()
    }
}
