//! A second round: where a student and its teacher were furthest apart, what happens next is worth asking about too.

use std::path::Path;
use std::sync::Arc;

use jigo_board::{Game, Move, Symmetry};
use jigo_net::{Evaluation, Evaluator, Net, Position};

use super::exercise::{Draw, Exercise, Kind, move_at, place_of};
use super::generate::PositionsError;
use super::question::nearest_komi;
use crate::journal::Journal;
use crate::teach::Lesson;

/// How much of its policy and how much of its win rate two minds must differ in to be equally far apart: nats for a certainty.
const NATS_PER_CERTAINTY: f32 = 4.0;

/// The positions after the student's favourite move and after its teacher's, from the answers that they differ most about, at
/// the komi that the teacher thinks is even.
pub fn disputes(net: &Arc<Net>, lessons: &[Lesson], most: usize) -> Vec<Exercise> {
    let mut evaluator = Evaluator::new(Arc::clone(net));
    let mut ranked: Vec<(f32, &Lesson, Move)> = Vec::new();
    for lesson in lessons {
        let Some(game) = lesson.game() else { continue };
        let evaluation = evaluator.evaluate(&Position::of_game(&game), Symmetry::IDENTITY);
        let favourite = evaluation.moves().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(Move::Pass, |(mv, _)| mv);
        ranked.push((distance(&game, lesson, &evaluation), lesson, favourite));
    }
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    let both = |(_, lesson, favourite): &(f32, &Lesson, Move)| {
        let size = usize::from(lesson.exercise.size);
        let teachers = lesson.label.first().and_then(|place| move_at(place as u16, size));
        let mut moves: Vec<Move> = teachers.into_iter().chain([*favourite]).collect();
        moves.dedup();
        moves.into_iter().filter_map(|mv| after(lesson, mv)).collect::<Vec<_>>()
    };
    ranked.iter().flat_map(both).take(most).collect()
}

/// The position after one more move, unless that ends the game.
fn after(lesson: &Lesson, mv: Move) -> Option<Exercise> {
    let mut exercise = Exercise { kind: Kind::Dispute, ..lesson.exercise.clone() };
    let size = usize::from(exercise.size);
    exercise.moves.push(place_of(mv, size));
    exercise.komi = nearest_komi(lesson.label.even_komi, size);
    exercise.game().filter(|game| !game.is_over()).map(|_| exercise)
}

fn distance(game: &Game, lesson: &Lesson, evaluation: &Evaluation) -> f32 {
    let label = &lesson.label;
    let rates = label.win_rates().map(|(komi, rate)| (evaluation.value.black_win_rate(komi) - rate).abs());
    let size = game.size();
    let favoured = label.first().and_then(|place| move_at(place as u16, size));
    let surprise = favoured.map_or(0.0, |mv| -evaluation.probability(mv).max(1e-5).ln());
    rates.fold(0.0, f32::max) + surprise / NATS_PER_CERTAINTY
}

/// Adds them to a file of positions.
pub fn write_disputes(file: &Path, exercises: Vec<Exercise>) -> Result<(), PositionsError> {
    let (mut journal, _) = Journal::<Draw>::open(file)?;
    Ok(journal.add(&Draw(exercises))?)
}
