//! Fills a file with draws of the mixture, and goes on where it stopped.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

use super::exercise::{Draw, Exercise};
use super::mixture::Mixture;
use crate::journal::{Journal, JournalError, read_journal};

#[derive(Debug, thiserror::Error)]
pub enum PositionsError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{0} holds no positions")]
    Empty(PathBuf),
}

pub struct PositionSettings {
    pub file: PathBuf,
    pub count: usize,
    pub seed: u64,
    pub workers: usize,
}

/// Adds draws until the file holds as many positions as wanted; returns how many it holds.
pub fn generate(mixture: &Mixture, settings: &PositionSettings) -> Result<usize, PositionsError> {
    let (mut journal, kept) = Journal::<Draw>::open(&settings.file)?;
    let mut next = kept.len() as u64;
    let mut count: usize = kept.iter().map(|draw| draw.0.len()).sum();
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {per_sec}, left {eta_precise}");
    let bar = ProgressBar::new(settings.count as u64).with_position(count as u64);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    while count < settings.count {
        // Written in the order of their numbers: what is in the file never depends on who was faster.
        for exercises in draw_side_by_side(mixture, settings, next) {
            count += exercises.len();
            next += 1;
            journal.add(&Draw(exercises))?;
        }
        bar.set_position(count as u64);
    }
    bar.finish_and_clear();
    Ok(count)
}

fn draw_side_by_side(mixture: &Mixture, settings: &PositionSettings, first: u64) -> Vec<Vec<Exercise>> {
    let numbers = first..first + settings.workers as u64;
    std::thread::scope(|scope| {
        let draw = move |number| mixture.draw(settings.seed, number);
        let start = |number| (number, std::thread::Builder::new().spawn_scoped(scope, move || draw(number)));
        let threads: Vec<_> = numbers.map(start).collect();
        let end = |(number, thread): (u64, std::io::Result<std::thread::ScopedJoinHandle<'_, _>>)| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // Without a thread of its own it is drawn here.
            Err(_) => draw(number),
        };
        threads.into_iter().map(end).collect()
    })
}

/// The positions of a file, each once.
pub fn read_exercises(path: &Path) -> Result<Vec<Exercise>, PositionsError> {
    let mut seen = HashSet::new();
    let all = read_journal::<Draw>(path)?.into_iter().flat_map(|draw| draw.0);
    let exercises: Vec<Exercise> = all.filter(|exercise| seen.insert(exercise.fingerprint())).collect();
    if exercises.is_empty() { Err(PositionsError::Empty(path.to_path_buf())) } else { Ok(exercises) }
}
