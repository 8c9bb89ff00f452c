//! What a game's end teaches about every position of it.

use jigo_board::{Board, Color, PointSet};

use crate::record::{Counting, Record};

/// Who owned each point when the game was over.
#[derive(Clone, Debug, PartialEq)]
pub struct Ownership {
    pub black: PointSet,
    pub white: PointSet,
}

/// The labels of a game. Whatever is not known is absent, and costs nothing in training.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub komi: f32,
    /// The winner at the game's komi.
    pub winner: Option<Color>,
    /// Black's area minus White's, without komi: decides the winner at every komi.
    pub black_margin: Option<f32>,
    pub ownership: Option<Ownership>,
}

impl Outcome {
    /// The labels of a record whose final position is `end`.
    pub fn of(record: &Record, end: &Board) -> Outcome {
        let komi = record.komi;
        let score = record.result.score().map(|score| score.lead_of(Color::Black));
        let mut outcome =
            Outcome { komi, winner: record.result.winner_on_the_board(), black_margin: None, ownership: None };
        match &record.counting {
            Counting::ResultOnly => {}
            Counting::AreaResult => outcome.black_margin = score.map(|score| score + komi),
            Counting::AllAlive => {
                // Only a counted game was played to its end; and a count that disagrees with the result was not this one.
                if let Some(score) = score {
                    let (ownership, margin) = count(end, &PointSet::EMPTY);
                    if (margin - komi - score).abs() < 0.25 {
                        outcome.black_margin = Some(margin);
                        outcome.ownership = Some(ownership);
                    }
                }
            }
            Counting::Dead { black_margin, stones } => {
                let (ownership, margin) = count(end, &stones.iter().copied().collect());
                outcome.black_margin = Some(*black_margin);
                if margin == *black_margin {
                    outcome.ownership = Some(ownership);
                }
            }
        }
        outcome
    }
}

/// Ownership by area, and Black's margin.
fn count(board: &Board, dead: &PointSet) -> (Ownership, f32) {
    let count = jigo_board::Count::new(board, dead);
    let owned = |color: Color| count.stones[color.index()].union(&count.territory[color.index()]);
    let ownership = Ownership { black: owned(Color::Black), white: owned(Color::White) };
    let margin = ownership.black.len() as f32 - ownership.white.len() as f32;
    (ownership, margin)
}
