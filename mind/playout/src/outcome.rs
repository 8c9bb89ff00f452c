//! How a simulation ended: who owns each point, and the score.

use jigo_board::{Board, Cell, Color, Count, GRID, Point, PointSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(i8)]
pub enum Owner {
    White = -1,
    /// Shared or nobody's: counts half for each (Evaluation value 2).
    #[default]
    Both = 0,
    Black = 1,
}

impl Owner {
    #[inline]
    pub fn is(self, color: Color) -> bool {
        self == Owner::from(color)
    }
}

impl From<Color> for Owner {
    #[inline]
    fn from(color: Color) -> Owner {
        match color {
            Color::Black => Owner::Black,
            Color::White => Owner::White,
        }
    }
}

/// The end of a simulation, area scored with every stone alive: playouts play until dead stones are gone.
#[derive(Clone)]
pub struct Outcome {
    owners: [Owner; GRID],
    /// Black's points minus White's, without komi.
    pub black_score: f32,
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome { owners: [Owner::Both; GRID], black_score: 0.0 }
    }
}

impl Outcome {
    /// Counts a final position, reusing this outcome's memory.
    pub fn count(&mut self, board: &Board) {
        let mut black_lead = 0;
        for point in board.points() {
            let owner = match board.cell(point) {
                Cell::Black => Owner::Black,
                Cell::White => Owner::White,
                _ => {
                    let around = board.around(point);
                    if around.is_surrounded_by(Color::Black) {
                        Owner::Black
                    } else if around.is_surrounded_by(Color::White) {
                        Owner::White
                    } else {
                        Owner::Both
                    }
                }
            };
            self.owners[point.index()] = owner;
            black_lead += owner as i32;
        }
        self.black_score = black_lead as f32;
    }

    /// Counts a position in which play stopped by agreement-free rules: every stone counts as alive, and a region belongs to
    /// the only colour that touches it.
    pub fn count_as_it_stands(&mut self, board: &Board) {
        let count = Count::new(board, &PointSet::EMPTY);
        self.owners.fill(Owner::Both);
        for color in Color::BOTH {
            let area = count.stones[color.index()].union(&count.territory[color.index()]);
            area.iter().for_each(|point| self.owners[point.index()] = Owner::from(color));
        }
        self.black_score = board.points().map(|point| self.owner(point) as i32).sum::<i32>() as f32;
    }

    /// Takes over what somebody expects who did not play on: the owners for certain enough, and the score.
    pub fn expect(&mut self, board: &Board, black_score: f32, black_ownership: impl Fn(Point) -> f32) {
        for point in board.points() {
            self.owners[point.index()] = match black_ownership(point) {
                owned if owned > 0.5 => Owner::Black,
                owned if owned < -0.5 => Owner::White,
                _ => Owner::Both,
            };
        }
        self.black_score = black_score;
    }

    #[inline]
    pub fn owner(&self, point: Point) -> Owner {
        self.owners[point.index()]
    }

    /// The share of a win for Black at this komi: 1, 0, or a half for a drawn game.
    #[inline]
    pub fn black_value(&self, komi: f32) -> f32 {
        let lead = self.black_score - komi;
        if lead > 0.0 {
            1.0
        } else if lead < 0.0 {
            0.0
        } else {
            0.5
        }
    }
}
