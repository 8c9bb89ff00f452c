//! Thinking: what `jigo gtp` and `jigo analysis` do, as objects.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use numpy::{PyArray2, ToPyArray};
use pyo3::prelude::*;

use jigo_board::{Color, Rules};
use jigo_engine::{AnalysisRequest, Decision, Limits, Outlook, Preset, SearchReport, StopFlag};
use jigo_search::TreeSearcher;

use crate::game::Game;
use crate::net::Net;
use crate::{by_row, refused};

/// A player and analyst with a search tree of its own.
#[pyclass(module = "jigo", frozen)]
pub struct Engine {
    engine: Mutex<jigo_engine::Engine>,
}

/// Interrupts (control-C) are looked for this often.
const LISTEN_EVERY: Duration = Duration::from_millis(100);

#[pymethods]
impl Engine {
    /// Without a net playouts alone judge; a preset that has none ignores it. Limits are for `genmove`.
    #[new]
    #[pyo3(signature = (net = None, *, preset = "jigo", threads = 1, seed = 1, playouts = None, visits = None, seconds = None,
        parameters = HashMap::new()))]
    #[allow(clippy::too_many_arguments, reason = "named arguments of a constructor in Python")]
    fn new(
        net: Option<&Net>,
        preset: &str,
        threads: usize,
        seed: u64,
        playouts: Option<u32>,
        visits: Option<u32>,
        seconds: Option<f32>,
        parameters: HashMap<String, String>,
    ) -> PyResult<Engine> {
        let preset = Preset::named(preset).map_err(refused)?;
        let mut wanted = preset.parameters();
        for (name, value) in &parameters {
            wanted.set(name, value).map_err(refused)?;
        }
        let limits = [
            ("engine.most_playouts", playouts.map(|count| count.to_string())),
            ("engine.most_visits", visits.map(|count| count.to_string())),
            ("engine.most_seconds", seconds.map(|seconds| seconds.to_string())),
        ];
        for (name, value) in limits {
            value.map_or(Ok(()), |value| wanted.set(name, &value)).map_err(refused)?;
        }
        if threads == 0 {
            return Err(refused("a search needs at least one thread"));
        }
        let net = net.filter(|_| preset.uses_net).map(|net| net.backend.clone());
        let searcher = TreeSearcher::new(wanted.searching.clone(), net, threads, seed);
        let game = jigo_board::Game::new(19, Rules::default());
        let engine = jigo_engine::Engine::new(game, Box::new(searcher), seed).with_parameters(wanted);
        Ok(Engine { engine: Mutex::new(engine) })
    }

    /// What it would play for the side to move: a point, "pass" or "resign". The game stays as it is.
    fn genmove(&self, py: Python<'_>, game: &Game) -> String {
        let (game, size) = (game.game.clone(), game.game.size());
        let decision = py.detach(|| {
            let mut engine = self.lock();
            let color = game.to_move();
            engine.continue_from(game);
            engine.suggest(color)
        });
        match decision {
            Decision::Move(mv) => mv.vertex(size),
            Decision::Resign => "resign".to_string(),
        }
    }

    /// A search of so many visits for the side to move, from an empty tree: the same question gets the same answer.
    #[pyo3(signature = (game, visits = 100))]
    fn analyse(&self, py: Python<'_>, game: &Game, visits: u64) -> PyResult<Report> {
        if visits == 0 {
            return Err(refused("a search needs at least one visit"));
        }
        let asked = game.game.clone();
        let (stop, mut interrupted) = (StopFlag::default(), None);
        let report = py.detach(|| {
            let mut engine = self.lock();
            let color = asked.to_move();
            engine.continue_from(asked);
            let request = AnalysisRequest {
                color,
                limits: Limits { visits: Some(visits), ..Limits::default() },
                restrictions: &[],
                every: LISTEN_EVERY,
                move_ownership: false,
                fresh: true,
            };
            engine.analyse(&request, &stop, &mut |_| {
                if let Err(signal) = Python::attach(|py| py.check_signals()) {
                    interrupted = Some(signal);
                    stop.raise();
                }
            })
        });
        interrupted.map_or(Ok(Report { game: game.game.clone(), report }), Err)
    }

    /// Black's lead at the end, komi counted, as far as it can be told; dead stones are found out.
    fn final_score(&self, py: Python<'_>, game: &Game) -> f32 {
        let game = game.game.clone();
        py.detach(|| {
            let mut engine = self.lock();
            engine.continue_from(game);
            engine.final_score().lead_of(Color::Black)
        })
    }

    /// Stones that will not live.
    fn dead_stones(&self, py: Python<'_>, game: &Game) -> Vec<String> {
        let (game, size) = (game.game.clone(), game.game.size());
        py.detach(|| {
            let mut engine = self.lock();
            engine.continue_from(game);
            engine.judge().dead().iter().map(|point| point.vertex(size)).collect()
        })
    }
}

impl Engine {
    fn lock(&self) -> std::sync::MutexGuard<'_, jigo_engine::Engine> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a search found out. All numbers are Black's, at the game's own komi.
#[pyclass(module = "jigo", frozen)]
pub struct Report {
    game: jigo_board::Game,
    report: SearchReport,
}

#[pymethods]
impl Report {
    #[getter]
    fn visits(&self) -> u32 {
        self.report.visits
    }

    #[getter]
    fn win_rate(&self) -> f32 {
        Outlook(&self.report).win_rate().share_of(Color::Black)
    }

    /// Komi counted.
    #[getter]
    fn lead(&self) -> f32 {
        Outlook(&self.report).black_lead()
    }

    /// The best move; None if there is none.
    #[getter]
    fn best(&self) -> Option<String> {
        self.report.best().map(|best| best.mv.vertex(self.game.size()))
    }

    /// Moves that were looked at, most visited first.
    #[getter]
    fn moves(&self) -> Vec<MoveReport> {
        let (size, outlook) = (self.game.size(), Outlook(&self.report));
        let told = |seen: &jigo_engine::MoveReport| MoveReport {
            r#move: seen.mv.vertex(size),
            visits: seen.visits,
            win_rate: outlook.win_rate_after(seen).share_of(Color::Black),
            lead: outlook.black_lead_after(seen),
            policy: seen.policy,
            variation: seen.variation.iter().map(|mv| mv.vertex(size)).collect(),
        };
        self.report.moves.iter().filter(|seen| seen.visits > 0).map(told).collect()
    }

    /// Who owns each point at the end: 1 is Black, -1 White; the top row comes first.
    #[getter]
    fn ownership<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        by_row(self.game.board(), |point| self.report.ownership(point)).to_pyarray(py)
    }

    fn __repr__(&self) -> String {
        let best = self.best().unwrap_or_default();
        format!("<Report {} visits, {best}, win rate {:.3}, lead {:+.1}>", self.visits(), self.win_rate(), self.lead())
    }
}

/// One move that a search looked at. All numbers are Black's.
#[pyclass(module = "jigo", frozen, get_all)]
pub struct MoveReport {
    r#move: String,
    visits: u32,
    win_rate: f32,
    lead: f32,
    policy: f32,
    variation: Vec<String>,
}

#[pymethods]
impl MoveReport {
    fn __repr__(&self) -> String {
        let (mv, visits) = (&self.r#move, self.visits);
        format!("<MoveReport {mv}, {visits} visits, win rate {:.3}, lead {:+.1}>", self.win_rate, self.lead)
    }
}
