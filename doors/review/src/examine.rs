//! Thinking about every position of a game, several at a time.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use jigo_board::{Color, Game, Move};
use jigo_engine::{AnalysisRequest, Engine, Limits, MoveReport, SearchReport, StopFlag};

use crate::review::{Candidate, Opinion};

/// Candidates worth keeping.
const CANDIDATES: usize = 6;
const LONGEST_VARIATION: usize = 12;
/// Nobody looks at a position while it is being examined.
const NEVER: Duration = Duration::from_secs(86_400);

/// Which positions to examine, and how thoroughly.
pub struct Task<'a> {
    pub games: &'a [Game],
    /// Those that are known already are left alone.
    pub is_known: &'a dyn Fn(usize) -> bool,
    pub visits: u64,
    pub stop: &'a StopFlag,
}

/// Each engine thinks about one position at a time; `tell` hears every opinion as it is ready, with its number of moves.
/// Ends when all are examined, or soon after `stop` is raised; an opinion cut short is not told.
pub fn examine<E>(
    task: &Task<'_>,
    engines: &mut [Engine],
    tell: &mut dyn FnMut(usize, Opinion) -> Result<(), E>,
) -> Result<(), E> {
    let unknown: Vec<usize> = (0..task.games.len()).filter(|&number| !(task.is_known)(number)).collect();
    let waiting = Mutex::new(unknown.into_iter());
    let (games, visits, stop) = (task.games, task.visits, task.stop);
    thread::scope(|scope| {
        let (sender, opinions) = channel();
        for engine in engines {
            let (sender, waiting) = (sender.clone(), &waiting);
            let think = move || {
                let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some(number) = next().filter(|_| !stop.is_raised()) {
                    let told = opinion(engine, &games[number], visits, stop).map(|told| sender.send((number, told)));
                    if !matches!(told, Some(Ok(()))) {
                        break;
                    }
                }
            };
            // A machine without room for another thread goes on with those it has.
            if thread::Builder::new().spawn_scoped(scope, think).is_err() {
                break;
            }
        }
        drop(sender);
        for (number, opinion) in opinions {
            if let Err(error) = tell(number, opinion) {
                stop.raise();
                return Err(error);
            }
        }
        Ok(())
    })
}

/// What the engine thinks of the position, or nothing if it was told to stop.
fn opinion(engine: &mut Engine, game: &Game, visits: u64, stop: &StopFlag) -> Option<Opinion> {
    engine.continue_from(game.clone());
    let request = AnalysisRequest {
        color: game.to_move(),
        limits: Limits { playouts: None, visits: Some(visits), time: None },
        restrictions: &[],
        every: NEVER,
        move_ownership: false,
        fresh: true,
    };
    let report = engine.analyse(&request, stop, &mut |_| {});
    (!stop.is_raised()).then(|| from_report(game, &report))
}

fn from_report(game: &Game, report: &SearchReport) -> Opinion {
    let candidate = |info: &MoveReport| Candidate {
        visits: info.visits,
        black_win_rate: rounded(info.win_rate.share_of(Color::Black)),
        black_lead: rounded(info.black_score - report.komi),
        policy: rounded(info.policy),
        variation: info.variation.iter().copied().take(LONGEST_VARIATION).collect(),
    };
    let tried = report.moves.iter().filter(|info| info.visits > 0 && !info.variation.is_empty());
    let policy = |mv: Move| match report.raw_net() {
        Some(net) => net.probability(mv),
        None => report.moves.iter().find(|info| info.mv == mv).map_or(0.0, |info| info.policy),
    };
    let moves = game.board().points().map(Move::Play).chain([Move::Pass]);
    let is_legal = |mv| game.check(report.to_move, mv).is_ok();
    Opinion {
        visits: report.visits,
        black_win_rate: rounded(report.win_rate.share_of(Color::Black)),
        black_lead: rounded(report.black_score - report.komi),
        candidates: tried.take(CANDIDATES).map(candidate).collect(),
        black_ownership: game.board().points().map(|point| rounded(report.ownership(point))).collect(),
        policy: moves.map(|mv| if is_legal(mv) { rounded(policy(mv)) } else { -1.0 }).collect(),
    }
}

/// Enough digits, and journals stay small.
fn rounded(value: f32) -> f32 {
    (value * 1e4).round() / 1e4
}
