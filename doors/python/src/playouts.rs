//! Semi-random games to the end.

use std::collections::HashMap;

use numpy::{PyArray1, PyArray2, ToPyArray};
use pyo3::prelude::*;

use jigo_board::{GRID, Move};
use jigo_parameters::ParameterSet;
use jigo_playout::{PlayoutParameters, StartPosition};

use crate::game::Game;
use crate::{by_row, refused};

/// How a number of playouts ended.
#[pyclass(module = "jigo", frozen)]
pub struct Playouts {
    game: jigo_board::Game,
    scores: Vec<f32>,
    ownership: Box<[f32; GRID]>,
}

/// Moves that generators look back at.
const RECENT: usize = 8;

/// Plays `count` games from here to the end, as the search does; `parameters` are those called playout.*.
#[pyfunction]
#[pyo3(signature = (game, count = 100, *, seed = 1, parameters = HashMap::new()))]
pub fn playouts(
    py: Python<'_>,
    game: &Game,
    count: u32,
    seed: u64,
    parameters: HashMap<String, String>,
) -> PyResult<Playouts> {
    let mut wanted = PlayoutParameters::default();
    for (name, value) in &parameters {
        wanted.set(name, value).map_err(refused)?;
    }
    let game = game.game.clone();
    Ok(py.detach(|| {
        let moves = game.moves();
        let recent: Vec<Move> = moves[moves.len().saturating_sub(RECENT)..].iter().map(|&(_, mv)| mv).collect();
        let from = StartPosition::new(game.board().clone(), game.to_move(), recent);
        let (mut scores, mut ownership) = (Vec::new(), Box::new([0.0; GRID]));
        let asked = jigo_playout::Playouts { parameters: wanted, count, seed };
        asked.play(&from, |_, outcome| {
            scores.push(outcome.black_score - game.effective_komi());
            for point in game.board().points() {
                ownership[point.index()] += f32::from(outcome.owner(point) as i8) / count as f32;
            }
        });
        Playouts { game, scores, ownership }
    }))
}

#[pymethods]
impl Playouts {
    /// Black's lead at the end of each, by area, komi counted.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        self.scores.to_pyarray(py)
    }

    /// The mean owner of each point: 1 is always Black, -1 always White; the top row comes first.
    #[getter]
    fn ownership<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        by_row(self.game.board(), |point| self.ownership[point.index()]).to_pyarray(py)
    }

    fn __len__(&self) -> usize {
        self.scores.len()
    }
}
