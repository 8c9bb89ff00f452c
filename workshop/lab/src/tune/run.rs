//! A tuning from its first game to its last, stored game by game.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use jigo_arena::MatchSpec;
use jigo_arena::journal::{Journal, JournalError, differing_fields, read_json, write_json, write_whole};
use jigo_charts::{Axes, ChartError, Curve, draw_curves};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::games::{GameError, GamePlayer};
use super::{Contest, MethodKind, TuneParameter};

const SPEC_FILE: &str = "tune.json";
const JOURNAL_FILE: &str = "trials.jsonl";

/// What is tuned, and how. Two runs with the same spec are the same tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneSpec {
    pub method: MethodKind,
    pub parameters: Vec<TuneParameter>,
    pub games: u64,
    /// Games planned at first: what methods with shrinking steps go by, even if more are played.
    pub horizon: u64,
    pub seed: u64,
    /// The first player is tuned, the second is its opponent.
    pub arena: MatchSpec,
}

/// One game of a tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    pub game: u64,
    pub setting: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub against: Option<Vec<f64>>,
    /// Of the setting: 1, 1/2 or 0.
    pub points: f64,
}

pub struct TuneResult {
    pub best: Vec<f64>,
    pub trials: Vec<Trial>,
    /// Where the search stood after each batch of games: the number of games, and the values.
    pub course: Vec<(u64, Vec<f64>)>,
}

pub struct TuneProgress<'a> {
    pub games: u64,
    pub total: u64,
    pub present: &'a [f64],
    pub best: &'a [f64],
}

#[derive(Debug, Error)]
pub enum TuneError {
    #[error("there is nothing to tune: name at least one parameter")]
    NoParameters,
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error(transparent)]
    Chart(#[from] ChartError),
    #[error("{} holds a different tuning ({differences}); choose another folder", path.display())]
    OtherTuning { path: PathBuf, differences: String },
    #[error("{} holds no tuning", path.display())]
    NoTuning { path: PathBuf },
    #[error("game {game} in {} was played with other values than this program proposes", path.display())]
    OtherProgram { path: PathBuf, game: u64 },
}

/// Runs a tuning, or carries on with one that was interrupted; `jobs` games at once where the method allows it.
pub fn run_tuning(
    spec: &TuneSpec,
    folder: &Path,
    games: &dyn GamePlayer,
    jobs: usize,
    watch: &mut dyn FnMut(&TuneProgress),
) -> Result<TuneResult, TuneError> {
    if spec.parameters.is_empty() {
        return Err(TuneError::NoParameters);
    }
    std::fs::create_dir_all(folder).map_err(|error| JournalError::Io { path: folder.to_path_buf(), error })?;
    let (mut journal, stored) = Journal::<Trial>::open(&folder.join(JOURNAL_FILE))?;
    keep_spec(folder, spec)?;
    let mut stored: HashMap<u64, Trial> = stored.into_iter().map(|trial| (trial.game, trial)).collect();

    let mut method = spec.method.start(&spec.parameters, spec.horizon, spec.seed);
    let mut trials: Vec<Trial> = Vec::new();
    let mut course = vec![(0, method.present())];
    while (trials.len() as u64) < spec.games {
        let first = trials.len() as u64;
        let contests = method.propose();
        let mut batch = take_stored(&mut stored, first, &contests).map_err(|game| {
            let path = folder.join(JOURNAL_FILE);
            TuneError::OtherProgram { path, game }
        })?;
        play_missing(&mut batch, first, &contests, games, jobs, &mut journal)?;
        let batch: Vec<Trial> = batch.into_iter().flatten().collect();
        method.learn(&batch.iter().map(|trial| trial.points).collect::<Vec<_>>());
        trials.extend(batch);
        course.push((trials.len() as u64, method.present()));
        let (present, best) = (method.present(), method.best());
        watch(&TuneProgress { games: trials.len() as u64, total: spec.games, present: &present, best: &best });
    }
    let result = TuneResult { best: method.best(), trials, course };
    for (place, parameter) in spec.parameters.iter().enumerate() {
        write_whole(&folder.join(format!("{}.svg", parameter.name)), &result.plot(parameter, place)?)?;
    }
    Ok(result)
}

/// The spec of the tuning in a folder.
pub fn read_tune_spec(folder: &Path) -> Result<TuneSpec, TuneError> {
    read_json(&folder.join(SPEC_FILE))?.ok_or_else(|| TuneError::NoTuning { path: folder.to_path_buf() })
}

/// A tuning may be made longer when it is resumed; anything else makes it a different one.
fn keep_spec(folder: &Path, spec: &TuneSpec) -> Result<(), TuneError> {
    if let Some(stored) = read_json::<TuneSpec>(&folder.join(SPEC_FILE))? {
        let comparable = TuneSpec { games: spec.games, ..stored };
        if comparable != *spec {
            let differences = differing_fields(&comparable, spec).join(", ");
            return Err(TuneError::OtherTuning { path: folder.to_path_buf(), differences });
        }
    }
    Ok(write_json(&folder.join(SPEC_FILE), spec)?)
}

/// The games of a batch that were played before; an error names one that was played with other values.
fn take_stored(stored: &mut HashMap<u64, Trial>, first: u64, contests: &[Contest]) -> Result<Vec<Option<Trial>>, u64> {
    let numbered = (first..).zip(contests);
    numbered
        .map(|(game, contest)| match stored.remove(&game) {
            Some(trial) if !trial.is_of(contest) => Err(game),
            trial => Ok(trial),
        })
        .collect()
}

/// Plays what is missing of a batch and stores each game as it ends.
fn play_missing(
    batch: &mut [Option<Trial>],
    first: u64,
    contests: &[Contest],
    games: &dyn GamePlayer,
    jobs: usize,
    journal: &mut Journal<Trial>,
) -> Result<(), TuneError> {
    let missing: Vec<usize> = (0..batch.len()).filter(|&place| batch[place].is_none()).collect();
    for together in missing.chunks(jobs.max(1)) {
        thread::scope(|scope| {
            let (ended, results) = channel();
            let play = move |place: usize, ended: Sender<_>| {
                let (game, contest) = (first + place as u64, &contests[place]);
                let trial = games.play(contest, game).map(|points| Trial {
                    game,
                    setting: contest.setting.clone(),
                    against: contest.against.clone(),
                    points,
                });
                // The receiver lives until all games of this scope have ended.
                let _ = ended.send((place, trial));
            };
            for &place in together {
                let at_once = ended.clone();
                if thread::Builder::new().spawn_scoped(scope, move || play(place, at_once)).is_err() {
                    // Without a thread of its own it is played here.
                    play(place, ended.clone());
                }
            }
            drop(ended);
            for (place, trial) in results {
                let trial = trial?;
                journal.add(&trial)?;
                batch[place] = Some(trial);
            }
            Ok::<(), TuneError>(())
        })?;
    }
    Ok(())
}

impl Trial {
    /// Values may have been rounded on their way through the file.
    fn is_of(&self, contest: &Contest) -> bool {
        let same = |a: &[f64], b: &[f64]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * (1.0 + b.abs()))
        };
        let against = match (&self.against, &contest.against) {
            (Some(mine), Some(theirs)) => same(mine, theirs),
            (mine, theirs) => mine.is_none() && theirs.is_none(),
        };
        same(&self.setting, &contest.setting) && against
    }
}

impl TuneResult {
    /// One parameter over the games.
    fn plot(&self, parameter: &TuneParameter, place: usize) -> Result<String, ChartError> {
        let course = Curve {
            points: self.course.iter().map(|(games, values)| (*games as f64, values[place])).collect(),
            ..Curve::default()
        };
        let axes = Axes {
            title: &format!("{} from {} to {}", parameter.name, parameter.start, self.best[place]),
            x: "games",
            y: &parameter.name,
            x_range: 0.0..self.trials.len().max(1) as f64,
            y_range: parameter.min..parameter.max,
        };
        draw_curves(&axes, &[course])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_game_must_have_been_played_with_the_proposed_values() {
        let trial = Trial { game: 0, setting: vec![0.1 + 0.2], against: None, points: 1.0 };
        let contest = |setting: f64, against: Option<f64>| Contest {
            setting: vec![setting],
            against: against.map(|value| vec![value]),
        };
        assert!(trial.is_of(&contest(0.3, None)));
        assert!(!trial.is_of(&contest(0.4, None)));
        assert!(!trial.is_of(&contest(0.3, Some(1.0))));
    }
}
