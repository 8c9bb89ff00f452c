//! A worker: takes positions and answers them, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use jigo_engine::{AnalysisRequest, Engine, Limits, SearchReport, TimeBudget};
use tracing::debug;

use crate::fault::Fault;
use crate::queue::Job;
use crate::render::{Stage, no_results, render};
use crate::service::Shared;
use crate::settings::LONGEST_WAIT;

pub fn work(shared: &Shared) {
    let mut engine: Option<(u64, Engine)> = None;
    while let Some(job) = shared.queue.take() {
        let generation = shared.generation.load(Relaxed);
        // One position must not cost the others their worker, so a fault of the engine ends here and with its engine.
        let answered = catch_unwind(AssertUnwindSafe(|| {
            let (_, engine) = match engine.take() {
                Some(kept) if kept.0 == generation => engine.insert(kept),
                _ => engine.insert((generation, (shared.make_engine)())),
            };
            answer(engine, &job)
        }));
        let line = answered.unwrap_or_else(|_| {
            engine = None;
            failed("the engine failed on this position", &job)
        });
        (job.asked.sink)(line);
        shared.queue.finish(&job);
    }
}

/// Analyses the position, telling partial results, and returns the last line about it.
fn answer(engine: &mut Engine, job: &Job) -> String {
    let query = &job.asked.query;
    let game = match query.start.game_after(job.turn) {
        Ok(game) => game,
        Err(fault) => return fault.error_line(Some(&query.id)),
    };
    engine.continue_from(game.clone());
    let request = AnalysisRequest {
        color: game.to_move(),
        limits: Limits {
            playouts: Some(query.visits),
            time: query.time.map(|time| TimeBudget { desired: time, maximum: time }),
        },
        restrictions: &query.restrictions,
        every: query.every.unwrap_or(Duration::from_secs(LONGEST_WAIT as u64)),
        move_ownership: query.wants.moves_ownership,
    };
    let mut tell = |report: &SearchReport| {
        if query.every.is_some() && !job.stop.is_raised() {
            (job.asked.sink)(render(query, job.turn, &game, report, Stage::DuringSearch));
        }
    };
    let report = engine.analyse(&request, &job.stop, &mut tell);
    if report.visits == 0 {
        return no_results(job);
    }
    let (visits, seconds, win_rate) = (report.visits, report.elapsed.as_secs_f32(), report.win_rate);
    debug!(id = query.id, turn = job.turn, visits, seconds, win_rate, "answered");
    render(query, job.turn, &game, &report, Stage::Final)
}

fn failed(message: &str, job: &Job) -> String {
    Fault::new(message).error_line(Some(&job.asked.query.id))
}
