//! What a position should have been told: the labels of one image, seen as the net sees it.

use jigo_board::{Color, Move, Symmetry};
use jigo_net::architecture::POLICY_STEPS;
use jigo_records::{Outcome, Sample};

use crate::positions::{move_at, place_of};
use crate::teach::Lesson;

/// Labels of one image, already laid over the board by the image's symmetry.
#[derive(Clone, Debug, Default)]
pub struct Target {
    pub to_move_is_black: bool,
    /// Places of the next moves: row by row, one past the last point for a pass.
    pub moves: [Option<usize>; POLICY_STEPS],
    /// Instead of the first move, the chance that each place deserves. Empty if nobody said.
    pub policy: Vec<f32>,
    /// How much the first move counts; reinforcement sets it to the result.
    pub move_weight: f32,
    /// Places the first move was not chosen from, so that it says nothing about them. Self-play bars some, records none.
    pub barred: Vec<usize>,
    pub value: ValueTarget,
    /// For each point, the chance that the side to move owns it: 1, 0, or a half where nobody does. Empty if unknown.
    pub ownership: Vec<f32>,
}

/// What is known about the result, in Black's terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueTarget {
    /// The game's komi and whether Black won at it.
    pub winner: Option<(f32, bool)>,
    /// Black's area minus White's: then the winner at every komi is known.
    pub black_margin: Option<f32>,
    /// What a teacher thinks.
    pub rates: Vec<TaughtRate>,
}

/// Black's chance to win at a komi, and how much it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaughtRate {
    pub komi: f32,
    pub black_rate: f32,
    pub weight: f32,
}

/// The even komi counts this much beside a win rate that was asked for.
const EVEN_WEIGHT: f32 = 0.5;
/// So many deviations from even this much doubt is left: b6c96, told the komi, leaves 6 in 100 one deviation from even. Only a
/// fence around what the answers leave open.
const FAR: f32 = 2.0;
const FAR_RATE: f32 = 0.007;
const FAR_WEIGHT: f32 = 0.15;

impl Target {
    pub fn of(sample: &Sample, symmetry: Symmetry) -> Target {
        let size = sample.board.size();
        Target {
            to_move_is_black: sample.to_move == Color::Black,
            moves: sample.next.map(|mv| mv.map(|mv| place(mv, symmetry, size))),
            policy: Vec::new(),
            move_weight: 1.0,
            barred: Vec::new(),
            value: ValueTarget {
                winner: sample.outcome.winner.map(|winner| (sample.outcome.komi, winner == Color::Black)),
                black_margin: sample.outcome.black_margin,
                rates: Vec::new(),
            },
            ownership: ownership(&sample.outcome, sample, symmetry),
        }
    }

    /// All that a teacher said about a position.
    pub fn of_lesson(lesson: &Lesson, symmetry: Symmetry) -> Target {
        let (size, label) = (usize::from(lesson.exercise.size), &lesson.label);
        let black = lesson.to_move() == Color::Black;
        let seen_at = |at: usize| move_at(at as u16, size).map_or(0, |mv| place(mv, symmetry, size));
        let mut policy = vec![0.0; size * size + 1];
        label.policy().for_each(|(at, chance)| policy[seen_at(at)] = chance);
        let mut ownership = vec![0.5; size * size];
        for (at, owned) in label.black_ownership().enumerate() {
            ownership[seen_at(at)] = (1.0 + if black { owned } else { -owned }) / 2.0;
        }
        Target {
            to_move_is_black: black,
            moves: [label.first().map(seen_at), None, None],
            policy,
            move_weight: 1.0,
            barred: Vec::new(),
            value: ValueTarget { rates: taught_rates(lesson), ..ValueTarget::default() },
            ownership,
        }
    }
}

/// The answers themselves, the komi that would be even, and far from it hardly any doubt.
fn taught_rates(lesson: &Lesson) -> Vec<TaughtRate> {
    let label = &lesson.label;
    let rate = |komi, black_rate, weight| TaughtRate { komi, black_rate, weight };
    let far = FAR * label.spread;
    let derived = [
        rate(label.even_komi, 0.5, EVEN_WEIGHT),
        rate(label.even_komi - far, 1.0 - FAR_RATE, FAR_WEIGHT),
        rate(label.even_komi + far, FAR_RATE, FAR_WEIGHT),
    ];
    // Without a spread there is no far.
    let derived = derived.into_iter().take(if label.spread > 0.0 { 3 } else { 1 });
    label.win_rates().map(|(komi, black_rate)| rate(komi, black_rate, 1.0)).chain(derived).collect()
}

/// Where a move stands among the outputs of the policy, on a board laid out so.
pub fn place(mv: Move, symmetry: Symmetry, size: usize) -> usize {
    place_of(symmetry.apply_move(mv, size), size).into()
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
