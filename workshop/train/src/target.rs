//! What a position should have been told: the labels of one image, seen as the net sees it.

use jigo_board::{Color, Move, Symmetry};
use jigo_net::architecture::POLICY_STEPS;
use jigo_records::{Outcome, Sample};

/// Labels of one image, already laid over the board by the image's symmetry.
#[derive(Clone, Debug, Default)]
pub struct Target {
    pub to_move_is_black: bool,
    /// Places of the next moves: row by row, one past the last point for a pass.
    pub moves: [Option<usize>; POLICY_STEPS],
    /// How much the first move counts; reinforcement sets it to the result.
    pub move_weight: f32,
    /// Places the first move was not chosen from, so that it says nothing about them. Self-play bars some, records none.
    pub barred: Vec<usize>,
    pub value: ValueTarget,
    /// For each point, the chance that the side to move owns it: 1, 0, or a half where nobody does. Empty if unknown.
    pub ownership: Vec<f32>,
}

/// What is known about the result, in Black's terms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ValueTarget {
    /// The game's komi and whether Black won at it.
    pub winner: Option<(f32, bool)>,
    /// Black's area minus White's: then the winner at every komi is known.
    pub black_margin: Option<f32>,
}

impl Target {
    pub fn of(sample: &Sample, symmetry: Symmetry) -> Target {
        let size = sample.board.size();
        Target {
            to_move_is_black: sample.to_move == Color::Black,
            moves: sample.next.map(|mv| mv.map(|mv| place(mv, symmetry, size))),
            move_weight: 1.0,
            barred: Vec::new(),
            value: ValueTarget {
                winner: sample.outcome.winner.map(|winner| (sample.outcome.komi, winner == Color::Black)),
                black_margin: sample.outcome.black_margin,
            },
            ownership: ownership(&sample.outcome, sample, symmetry),
        }
    }
}

/// Where a move stands among the outputs of the policy.
pub fn place(mv: Move, symmetry: Symmetry, size: usize) -> usize {
    match symmetry.apply_move(mv, size) {
        Move::Play(point) => point.row() * size + point.col(),
        Move::Pass => size * size,
    }
}

fn ownership(outcome: &Outcome, sample: &Sample, symmetry: Symmetry) -> Vec<f32> {
    let Some(owners) = &outcome.ownership else { return Vec::new() };
    let size = sample.board.size();
    let (mine, theirs) = match sample.to_move {
        Color::Black => (&owners.black, &owners.white),
        Color::White => (&owners.white, &owners.black),
    };
    let mut chances = vec![0.5; size * size];
    for point in sample.board.points() {
        let seen = symmetry.apply(point, size);
        let chance = &mut chances[seen.row() * size + seen.col()];
        if mine.contains(point) {
            *chance = 1.0;
        } else if theirs.contains(point) {
            *chance = 0.0;
        }
    }
    chances
}
