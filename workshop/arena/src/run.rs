//! Plays the games of a match that are still missing, several at once, and stores each as it ends.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use jigo_charts::ChartError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::folder::{FolderError, MatchFolder};
use crate::game_play::PlayedGame;
use crate::game_runner::GameRunner;
use crate::opening::{OpeningBook, OpeningError};
use crate::player::Player;
use crate::program::Failure;
use crate::record::{GameEntry, sgf_text};
use crate::referee::RefereeError;
use crate::schedule::{Fixture, Schedule};
use crate::seed::program_seed;
use crate::spec::{MatchSpec, RefereeSpec, SpecError};
use crate::standings::Standings;

/// How to run a match; none of it changes what the match is.
#[derive(Clone, Debug)]
pub struct RunOptions {
    pub folder: PathBuf,
    /// Games played at the same time.
    pub jobs: usize,
}

/// A match as far as it has been played.
pub struct MatchResult {
    pub spec: MatchSpec,
    /// In the order in which the games ended.
    pub records: Vec<GameEntry>,
    pub standings: Standings,
}

/// Told at the beginning and after every game.
pub struct MatchProgress<'a> {
    pub records: &'a [GameEntry],
    pub total: u64,
    pub standings: &'a Standings,
}

#[derive(Debug, Error)]
pub enum ArenaError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Referee(#[from] RefereeError),
    #[error("the player {name:?} cannot take part: it {failure}")]
    Player { name: String, failure: Failure },
    #[error("this machine has no thread left to play games on: {0}")]
    NoThread(std::io::Error),
    #[error("the games cannot be played elsewhere: {0}")]
    Elsewhere(String),
    #[error(transparent)]
    Chart(#[from] ChartError),
}

/// Plays a match to its end, or from where it was interrupted.
pub fn run_match(
    spec: &MatchSpec,
    options: &RunOptions,
    watch: &mut dyn FnMut(&MatchProgress),
) -> Result<MatchResult, ArenaError> {
    spec.check()?;
    let book = OpeningBook::open(spec, spec.rules()?)?;
    run_match_by(spec, &options.folder, watch, |games, store| play_here(spec, &book, options.jobs, games, store))
}

/// A finished game, wherever it was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FinishedGame {
    pub record: GameEntry,
    pub sgf: String,
}

/// Stores a game; says whether the match needs any more of them.
pub type Store<'a> = dyn FnMut(FinishedGame) -> Result<bool, ArenaError> + 'a;

/// As [`run_match`]; the missing games are played by `play`, which gives each to the store as it ends.
pub fn run_match_by(
    spec: &MatchSpec,
    folder: &Path,
    watch: &mut dyn FnMut(&MatchProgress),
    play: impl FnOnce(&[u64], &mut Store<'_>) -> Result<(), ArenaError>,
) -> Result<MatchResult, ArenaError> {
    spec.check()?;
    let (mut folder, mut records) = MatchFolder::open(folder, spec)?;
    let schedule = Schedule::new(spec);
    let total = schedule.fixtures().count() as u64;
    let mut standings = Standings::new(spec, &records);
    watch(&MatchProgress { records: &records, total, standings: &standings });

    let played: HashSet<u64> = records.iter().map(|record| record.game).collect();
    let missing: Vec<u64> = match standings.is_decided() {
        true => Vec::new(),
        false => schedule.fixtures().map(|fixture| fixture.game).filter(|game| !played.contains(game)).collect(),
    };
    if !missing.is_empty() {
        play(&missing, &mut |FinishedGame { record, sgf }| {
            folder.add(&record, &sgf)?;
            records.push(record);
            standings = Standings::new(spec, &records);
            watch(&MatchProgress { records: &records, total, standings: &standings });
            Ok(!standings.is_decided())
        })?;
    }
    let result = MatchResult { spec: spec.clone(), records, standings };
    folder.write("summary.txt", &result.summary())?;
    folder.write("elo.svg", &result.elo_plot()?)?;
    folder.write("scores.svg", &result.score_plot()?)?;
    Ok(result)
}

/// Plays games with programs on this machine, so many at once.
fn play_here(
    spec: &MatchSpec,
    book: &OpeningBook,
    jobs: usize,
    games: &[u64],
    store: &mut Store<'_>,
) -> Result<(), ArenaError> {
    let rules = spec.rules()?;
    check_programs(spec)?;
    let schedule = Schedule::new(spec);
    let missing = Mutex::new(games.iter().map(|&game| schedule.fixture(game)).collect());
    thread::scope(|scope| {
        let (finished, played) = channel();
        let start = |_| {
            let finished = finished.clone();
            let work = || work(GameRunner::new(spec, rules, book), &missing, finished);
            thread::Builder::new().spawn_scoped(scope, work)
        };
        // With fewer threads than were wished for the games take longer.
        let started: Vec<_> = (0..jobs.max(1).min(games.len())).map(start).collect();
        if let Some(Err(error)) = started.into_iter().next() {
            return Err(ArenaError::NoThread(error));
        }
        drop(finished);
        let stored = store_all(&played, |fixture, played| {
            let record = GameEntry::new(spec, &fixture, &played);
            let sgf = sgf_text(spec, &fixture, &played);
            if !store(FinishedGame { record, sgf })? {
                queue(&missing).clear();
            }
            Ok(())
        });
        if stored.is_err() {
            queue(&missing).clear();
        }
        stored
    })
}

/// Plays one game of a match and stores nothing: for those whose players change from game to game.
pub fn play_single(spec: &MatchSpec, game: u64) -> Result<FinishedGame, ArenaError> {
    spec.check()?;
    play_from(spec, game, &OpeningBook::open(spec, spec.rules()?)?)
}

/// The same with an opening that the caller chose, whatever the spec says of openings: for those who play for somebody else.
pub fn play_from(spec: &MatchSpec, game: u64, book: &OpeningBook) -> Result<FinishedGame, ArenaError> {
    spec.check()?;
    let fixture = Schedule::new(spec).fixture(game);
    let mut runner = GameRunner::new(spec, spec.rules()?, book);
    let played = runner.play(&fixture)?;
    runner.quit();
    let record = GameEntry::new(spec, &fixture, &played);
    Ok(FinishedGame { record, sgf: sgf_text(spec, &fixture, &played) })
}

type Finished = Result<(Fixture, PlayedGame), RefereeError>;

fn work(mut runner: GameRunner, missing: &Mutex<VecDeque<Fixture>>, finished: Sender<Finished>) {
    loop {
        let next = queue(missing).pop_front();
        let Some(fixture) = next else { break };
        let played = runner.play(&fixture).map(|played| (fixture, played));
        if finished.send(played).is_err() {
            break;
        }
    }
    runner.quit();
}

fn store_all(
    games: &Receiver<Finished>,
    mut store: impl FnMut(Fixture, PlayedGame) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    for finished in games {
        let (fixture, played) = finished?;
        store(fixture, played)?;
    }
    Ok(())
}

/// A queue is never left half changed, so a panic elsewhere does not spoil it.
fn queue(missing: &Mutex<VecDeque<Fixture>>) -> MutexGuard<'_, VecDeque<Fixture>> {
    missing.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A command line with a typing mistake should not forfeit a whole match: every program, the referee too, must start once.
fn check_programs(spec: &MatchSpec) -> Result<(), ArenaError> {
    for (place, player) in spec.players.iter().enumerate() {
        let words = player.command.words_for(program_seed(spec.seed, 0, place), 0);
        let started = Player::start(&words, spec.limits)
            .map_err(|failure| ArenaError::Player { name: player.name.clone(), failure })?;
        started.quit();
    }
    if let RefereeSpec::Program(command) = &spec.referee {
        Player::start(&command.words_for(0, 0), spec.limits).map_err(RefereeError::Failed)?.quit();
    }
    Ok(())
}
