//! A worker: takes positions and answers them, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use jigo_board::Symmetry;
use jigo_engine::{AnalysisRequest, Engine, Limits, Parameters, SearchReport, TimeBudget, Unavailable};
use tracing::debug;

use crate::fault::Fault;
use crate::query::Query;
use crate::queue::Job;
use crate::render::{Stage, no_results, render};
use crate::service::Shared;
use crate::settings::LONGEST_WAIT;

pub fn work(shared: &Shared) {
    let mut engine: Option<Kept> = None;
    while let Some(job) = shared.queue.take() {
        let generation = shared.generation.load(Relaxed);
        // One position must not cost the others their worker, so a fault of the engine ends here and with its engine.
        let answered = catch_unwind(AssertUnwindSafe(|| {
            let model = &job.asked.query.model;
            let kept = match engine.take() {
                Some(kept) if kept.generation == generation && (kept.model == *model || model.is_some()) => {
                    engine.insert(kept)
                }
                _ => engine.insert(Kept::new(generation, (shared.make_engine)())),
            };
            if let Err(message) = kept.change_to(model.as_deref(), shared) {
                return failed(&message, &job);
            }
            match kept.tune(&job.asked.query) {
                Ok(()) => answer(&mut kept.engine, &job),
                Err(unavailable) => failed(&unavailable.to_string(), &job),
            }
        }));
        let line = answered.unwrap_or_else(|_| {
            engine = None;
            failed("the engine failed on this position", &job)
        });
        (job.asked.sink)(line);
        shared.queue.finish(&job);
    }
}

/// A worker's engine, from one position to the next.
struct Kept {
    generation: u64,
    engine: Engine,
    /// The net it changed to, if it is not the one it was made with.
    model: Option<String>,
    /// As it was made; queries may want some of them otherwise.
    parameters: Parameters,
}

impl Kept {
    fn new(generation: u64, engine: Engine) -> Kept {
        let parameters = engine.parameters().clone();
        Kept { generation, engine, model: None, parameters }
    }

    /// Thinks with this net; one that is made anew has the usual one.
    fn change_to(&mut self, model: Option<&str>, shared: &Shared) -> Result<(), String> {
        let (Some(name), Some(nets)) = (model, &shared.options.nets) else { return Ok(()) };
        if self.model.as_deref() != Some(name) {
            self.engine.change_net(&nets.open(name)?).map_err(|error| error.to_string())?;
            self.model = Some(name.to_owned());
        }
        Ok(())
    }

    /// What was learnt with other parameters is forgotten, so they are changed only if they differ.
    fn tune(&mut self, query: &Query) -> Result<(), Unavailable> {
        let mut parameters = self.parameters.clone();
        for (name, value) in &query.parameters {
            // Refused when the query was read.
            let _ = parameters.set(name, value);
        }
        if parameters != *self.engine.parameters() {
            self.engine.set_parameters(parameters)?;
        }
        Ok(())
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
            playouts: query.playouts,
            visits: Some(query.visits),
            time: query.time.map(|time| TimeBudget { desired: time, maximum: time }),
        },
        restrictions: &query.restrictions,
        every: [query.every, query.first_after].into_iter().flatten().min().unwrap_or(LONGEST_WAIT),
        move_ownership: query.wants.any_moves_ownership(),
        fresh: true,
    };
    let human = query.human.as_ref().and_then(|like| engine.human_opinion(game.to_move(), like, Symmetry::IDENTITY));
    let human = human.as_ref();
    let began = Instant::now();
    let mut next = query.first_after;
    let mut tell = |report: &SearchReport| {
        let now = began.elapsed();
        if next.is_some_and(|next| now >= next) && !job.stop.is_raised() {
            // The search keeps its own time; a little early is not too early.
            next = query.every.map(|every| now + every * 9 / 10);
            (job.asked.sink)(render(query, job.turn, &game, report, human, Stage::DuringSearch));
        }
    };
    let report = engine.analyse(&request, &job.stop, &mut tell);
    if report.visits == 0 {
        return no_results(job);
    }
    let (visits, seconds, win_rate) =
        (report.visits, report.elapsed.as_secs_f32(), report.win_rate.share_of(report.to_move));
    debug!(id = query.id, turn = job.turn, visits, seconds, win_rate, "answered");
    render(query, job.turn, &game, &report, human, Stage::Final)
}

fn failed(message: &str, job: &Job) -> String {
    Fault::new(message).error_line(Some(&job.asked.query.id))
}
