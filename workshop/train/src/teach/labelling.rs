//! Asks a teacher about one position after the other and writes down what it says.

use std::collections::HashSet;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use jigo_board::{Game, Rng};

use super::Teacher;
use super::label::{Answers, Label, Lesson, TeacherOpinion};
use crate::journal::{Journal, JournalError};
use crate::positions::{Exercise, PositionsError, nearest_komi};

/// An answer nearer to certainty than this says little about the score, and a teacher who has won or lost anyway says little
/// about moves: then the question is put again at the komi it thinks is even.
const TELLING: f32 = 0.08;

#[derive(Debug, thiserror::Error)]
pub enum TeachError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Positions(#[from] PositionsError),
    #[error("there are no answers to learn from")]
    Empty,
    /// Whoever answers somewhere else could not.
    #[error("{0}")]
    Elsewhere(String),
}

pub struct Labelling {
    /// The journal of answers; one found there is continued.
    pub journal: PathBuf,
    /// Stop when it holds so many.
    pub most: usize,
    /// Positions asked about together.
    pub batch: usize,
    /// Decides the order of the questions.
    pub seed: u64,
}

/// Takes the answers to some questions; they are kept together.
pub type KeepAnswers<'a> = dyn FnMut(Vec<Lesson>) -> Result<(), TeachError> + 'a;

/// Labels exercises that the journal does not hold yet, in an order drawn by the seed; returns how many it holds.
pub fn label_all(
    exercises: &[Exercise],
    teacher: &mut dyn Teacher,
    labelling: &Labelling,
) -> Result<usize, TeachError> {
    let name = teacher.name();
    label_by(exercises, &name, labelling, |batches, store| {
        batches.iter().try_for_each(|batch| store(ask(batch, teacher)))
    })
}

/// As `label_all`, with answers from anywhere and in any order.
pub fn label_by(
    exercises: &[Exercise],
    teacher: &str,
    labelling: &Labelling,
    answer: impl FnOnce(&[Vec<&Exercise>], &mut KeepAnswers<'_>) -> Result<(), TeachError>,
) -> Result<usize, TeachError> {
    let (mut journal, kept) = Journal::<Answers>::open(&labelling.journal)?;
    let known: HashSet<u64> =
        kept.iter().flat_map(|entry| &entry.lessons).map(|lesson| lesson.exercise.fingerprint()).collect();
    let mut waiting: Vec<&Exercise> = exercises.iter().filter(|e| !known.contains(&e.fingerprint())).collect();
    Rng::new(labelling.seed).shuffle(&mut waiting);
    waiting.truncate(labelling.most.saturating_sub(known.len()));
    let mut count = known.len();
    let bar = ProgressBar::new((count + waiting.len()) as u64).with_position(count as u64);
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {per_sec}, left {eta_precise}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.reset_eta();
    answer(&in_batches(&waiting, labelling.batch), &mut |lessons| {
        count += lessons.len();
        journal.add(&Answers { teacher: teacher.to_string(), lessons })?;
        bar.set_position(count as u64);
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(count)
}

/// Those asked together have one size, as nets like it.
fn in_batches<'a>(waiting: &[&'a Exercise], most: usize) -> Vec<Vec<&'a Exercise>> {
    let mut batches: Vec<Vec<&Exercise>> = Vec::new();
    for exercise in waiting {
        let open = |batch: &&mut Vec<&Exercise>| batch[0].size == exercise.size && batch.len() < most;
        match batches.iter_mut().rev().take(REACH).find(open) {
            Some(batch) => batch.push(exercise),
            None => batches.push(vec![exercise]),
        }
    }
    batches
}

/// How far back a position looks for others of its size.
const REACH: usize = 30;

/// Answers about all of these that are games.
pub fn ask(exercises: &[&Exercise], teacher: &mut dyn Teacher) -> Vec<Lesson> {
    let playable = exercises.iter().filter_map(|exercise| Some((*exercise, exercise.game()?)));
    let (exercises, games): (Vec<&Exercise>, Vec<Game>) = playable.unzip();
    let labels = ask_about(&games, &[], teacher);
    exercises.into_iter().zip(labels).map(|(exercise, label)| Lesson { exercise: exercise.clone(), label }).collect()
}

/// A label for each game as it stands, with the win rates at `also_at`, where its komi is another.
pub fn ask_about(games: &[Game], also_at: &[f32], teacher: &mut dyn Teacher) -> Vec<Label> {
    let mut answers: Vec<Vec<(f32, TeacherOpinion)>> =
        games.iter().zip(teacher.opinions(games)).map(|(game, opinion)| vec![(game.komi(), opinion)]).collect();
    for &komi in also_at {
        let others = games.iter().enumerate().filter(|(_, game)| game.komi() != komi);
        let (places, asked): (Vec<usize>, Vec<Game>) = others.map(|(place, game)| (place, at_komi(game, komi))).unzip();
        for ((place, game), opinion) in places.iter().zip(&asked).zip(teacher.opinions(&asked)) {
            // Before the first: moves and owners are those of the last.
            answers[*place].insert(0, (game.komi(), opinion));
        }
    }
    let (places, again): (Vec<usize>, Vec<Game>) = games
        .iter()
        .enumerate()
        .filter_map(|(place, game)| {
            let first = &answers[place].last()?.1;
            let telling = (TELLING..=1.0 - TELLING).contains(&first.black_win_rate);
            (!telling).then(|| (place, at_komi(game, first.even_komi)))
        })
        .unzip();
    for ((place, game), opinion) in places.iter().zip(&again).zip(teacher.opinions(&again)) {
        answers[*place].push((game.komi(), opinion));
    }
    answers.iter().filter_map(|answers| Label::new(answers)).collect()
}

fn at_komi(game: &Game, komi: f32) -> Game {
    let mut game = game.clone();
    game.set_komi(nearest_komi(komi, game.size()));
    game
}
