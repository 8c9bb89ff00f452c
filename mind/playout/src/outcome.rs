//! How a simulation ended: who owns each point, and the score.

use jigo_board::{Board, Cell, Color, Count, GRID, Point};

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

/// The end of a simulation. After a playout that is area, with every stone alive, since playouts play until dead stones are gone; after
/// two passes it is a count by the rules.
#[derive(Clone)]
pub struct Outcome {
    owners: [Owner; GRID],
    /// Black's points minus White's, without komi: by area after a playout, by the rules after two passes.
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

    /// Takes over a count by the rules of the game.
    pub fn take(&mut self, board: &Board, count: &Count, black_score: f32) {
        board.points().for_each(|point| self.owners[point.index()] = Owner::Both);
        for color in Color::BOTH {
            let area = count.stones[color.index()].union(&count.territory[color.index()]);
            area.iter().for_each(|point| self.owners[point.index()] = Owner::from(color));
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
