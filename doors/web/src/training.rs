//! Exercises from one's own mistakes, and when each is due again: what was known comes back after ever longer times, what was missed
//! after some minutes. Kept in one small file beside the games.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

const DAY: u64 = 86_400;
/// After a miss.
const SOON: u64 = 600;
/// Each time it was known, so many times longer until the next.
const LONGER: f32 = 2.5;
const LONGEST_DAYS: f32 = 365.0;

#[derive(Clone, Debug, PartialEq)]
pub struct Exercise {
    pub game: String,
    /// The move of the main line that was the mistake.
    pub number: usize,
    pub color: jigo_board::Color,
    pub lost: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Progress {
    /// Seconds since 1970.
    due: u64,
    days: f32,
}

pub struct Training {
    file: PathBuf,
    progress: Mutex<BTreeMap<String, Progress>>,
}

impl Training {
    /// A file that cannot be read is as good as none: all exercises are due.
    pub fn open(folder: &Path) -> Training {
        let file = folder.join("training.json");
        let known = fs::read_to_string(&file).ok().and_then(|text| serde_json::from_str(&text).ok());
        Training { file, progress: Mutex::new(known.unwrap_or_default()) }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Progress>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The exercises that are due: new ones first, the costliest mistakes before the others, then those that were tried before, the
    /// longest due first.
    pub fn due(&self, mut exercises: Vec<Exercise>, now: u64) -> Vec<Exercise> {
        let progress = self.lock();
        let due =
            |exercise: &Exercise| progress.get(&key(&exercise.game, exercise.number)).map_or(0, |known| known.due);
        exercises.retain(|exercise| due(exercise) <= now);
        exercises.sort_by(|a, b| due(a).cmp(&due(b)).then(b.lost.total_cmp(&a.lost)));
        exercises
    }

    /// The exercise was answered. Whether that can be written down or not, it is known until the program ends.
    pub fn answered(&self, game: &str, number: usize, passed: bool, now: u64) {
        let mut progress = self.lock();
        let known = progress.entry(key(game, number)).or_default();
        known.days = if passed { (known.days * LONGER).clamp(1.0, LONGEST_DAYS) } else { 0.0 };
        known.due = now + if passed { (known.days * DAY as f32) as u64 } else { SOON };
        if let Ok(text) = serde_json::to_string(&*progress) {
            let draft = self.file.with_extension("json.new");
            let _ = fs::write(&draft, text).and_then(|()| fs::rename(&draft, &self.file));
        }
    }
}

fn key(game: &str, number: usize) -> String {
    format!("{game}-{number}")
}

pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Color;

    fn exercise(number: usize, lost: f32) -> Exercise {
        Exercise { game: "a".to_owned(), number, color: Color::Black, lost }
    }

    #[test]
    fn what_was_missed_comes_back_soon_and_what_was_known_much_later() {
        let folder = tempfile::tempdir().unwrap();
        let training = Training::open(folder.path());
        let all = || vec![exercise(1, 4.0), exercise(2, 9.0), exercise(3, 5.0)];
        let numbers = |training: &Training, now| -> Vec<usize> {
            training.due(all(), now).iter().map(|exercise| exercise.number).collect()
        };
        assert_eq!(numbers(&training, 1000), [2, 3, 1], "the costliest first");
        training.answered("a", 2, false, 1000);
        training.answered("a", 3, true, 1000);
        assert_eq!(numbers(&training, 1000), [1]);
        assert_eq!(numbers(&training, 1000 + SOON), [1, 2]);
        assert_eq!(numbers(&training, 1000 + DAY), [1, 2, 3]);
        training.answered("a", 3, true, 1000 + DAY);
        // A restart knows it too: the second time is two days and a half away.
        let again = Training::open(folder.path());
        assert_eq!(numbers(&again, 1000 + 3 * DAY), [1, 2]);
        assert_eq!(numbers(&again, 1000 + 4 * DAY), [1, 2, 3]);
    }
}
