//! Plays the games of a match that are still missing, several at once, and stores each as it ends.

use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use thiserror::Error;

use crate::chart::ChartError;
use crate::folder::{FolderError, MatchFolder};
use crate::game_play::PlayedGame;
use crate::opening::{OpeningBook, OpeningError};
use crate::player::Player;
use crate::program::Failure;
use crate::record::{GameRecord, sgf_text};
use crate::referee::RefereeError;
use crate::schedule::{Fixture, Schedule};
use crate::seed::program_seed;
use crate::spec::{MatchSpec, RefereeSpec, SpecError};
use crate::standings::Standings;
use crate::worker::Worker;

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
    pub records: Vec<GameRecord>,
    pub standings: Standings,
}

/// Told at the beginning and after every game.
pub struct Progress<'a> {
    pub records: &'a [GameRecord],
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
    #[error(transparent)]
    Chart(#[from] ChartError),
}

/// Plays a match to its end, or from where it was interrupted.
pub fn run_match(
    spec: &MatchSpec,
    options: &RunOptions,
    watch: &mut dyn FnMut(&Progress),
) -> Result<MatchResult, ArenaError> {
    spec.check()?;
    let rules = spec.rules()?;
    let book = OpeningBook::open(spec, rules)?;
    let (mut folder, mut records) = MatchFolder::open(&options.folder, spec)?;
    let schedule = Schedule::new(spec);
    let total = schedule.fixtures().count() as u64;
    let mut standings = Standings::new(spec, &records);
    watch(&Progress { records: &records, total, standings: &standings });

    let missing = Mutex::new(VecDeque::new());
    if !standings.is_decided() {
        let played: HashSet<u64> = records.iter().map(|record| record.game).collect();
        queue(&missing).extend(schedule.fixtures().filter(|fixture| !played.contains(&fixture.game)));
    }
    let to_play = queue(&missing).len();
    if to_play > 0 {
        check_programs(spec)?;
    }

    thread::scope(|scope| {
        let (finished, games) = channel();
        for _ in 0..options.jobs.max(1).min(to_play) {
            let finished = finished.clone();
            scope.spawn(|| work(Worker::new(spec, rules, &book), &missing, finished));
        }
        drop(finished);
        let stored = store_all(&games, |fixture, played| {
            let record = GameRecord::new(spec, &fixture, &played);
            folder.add(&record, &sgf_text(spec, &fixture, &played))?;
            records.push(record);
            standings = Standings::new(spec, &records);
            watch(&Progress { records: &records, total, standings: &standings });
            if standings.is_decided() {
                queue(&missing).clear();
            }
            Ok(())
        });
        if stored.is_err() {
            queue(&missing).clear();
        }
        stored
    })?;
    let result = MatchResult { spec: spec.clone(), records, standings };
    folder.write("summary.txt", &result.summary())?;
    folder.write("elo.svg", &result.elo_plot()?)?;
    folder.write("scores.svg", &result.score_plot()?)?;
    Ok(result)
}

/// Plays one game of a match and stores nothing: for those whose players change from game to game.
pub fn play_single(spec: &MatchSpec, game: u64) -> Result<GameRecord, ArenaError> {
    spec.check()?;
    let rules = spec.rules()?;
    let book = OpeningBook::open(spec, rules)?;
    let fixture = Schedule::new(spec).fixture(game);
    let mut worker = Worker::new(spec, rules, &book);
    let played = worker.play(&fixture)?;
    worker.quit();
    Ok(GameRecord::new(spec, &fixture, &played))
}

type Finished = Result<(Fixture, PlayedGame), RefereeError>;

fn work(mut worker: Worker, missing: &Mutex<VecDeque<Fixture>>, finished: Sender<Finished>) {
    loop {
        let next = queue(missing).pop_front();
        let Some(fixture) = next else { break };
        let played = worker.play(&fixture).map(|played| (fixture, played));
        if finished.send(played).is_err() {
            break;
        }
    }
    worker.quit();
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
