//! Nets, ours and KataGo's, asked about many positions at once.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use numpy::ndarray::{Array1, Array2, Array3};
use numpy::{PyArray1, PyArray2, PyArray3, PyReadonlyArray1, ToPyArray};
use pyo3::prelude::*;

use jigo_board::{Color, Symmetry};
use jigo_katago::KataNet;
use jigo_net::{Backend, Evaluate, Manner, Position, Told, View};

use crate::game::Game;
use crate::{by_row, refused};

/// A net: the one in the box, or one from a file of ours or KataGo's.
#[pyclass(module = "jigo", frozen)]
pub struct Net {
    pub backend: Arc<dyn Backend>,
    /// Its working memory. Threads of Python take turns; each engine has its own.
    evaluator: Mutex<Box<dyn Evaluate>>,
}

#[pymethods]
impl Net {
    #[new]
    #[pyo3(signature = (path = None))]
    fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Net> {
        let backend: Arc<dyn Backend> = match path {
            None => KataNet::embedded(),
            Some(path) => {
                let file = std::fs::read(&path)?;
                let failed = |reason: String| refused(format!("{}: {reason}", path.display()));
                py.detach(|| -> Result<Arc<dyn Backend>, String> {
                    if jigo_net::Weights::are_in(&file) {
                        return Ok(Arc::new(jigo_net::Net::from_bytes(&file).map_err(|error| error.to_string())?));
                    }
                    Ok(Arc::new(KataNet::read(&file).map_err(|error| error.to_string())?))
                })
                .map_err(failed)?
            }
        };
        Ok(Net::on(backend))
    }

    /// The smaller net in the box, which tells a win rate for every komi at one look.
    #[staticmethod]
    fn fast() -> Net {
        Net::on(jigo_net::Net::embedded())
    }

    /// What it is, in a line.
    #[getter]
    fn description(&self) -> String {
        self.backend.description()
    }

    /// What the net thinks of these games, all of one board size, seen in one of eight ways (0 is as it is).
    #[pyo3(signature = (games, symmetry = 0))]
    fn evaluate(&self, py: Python<'_>, games: Vec<PyRef<'_, Game>>, symmetry: usize) -> PyResult<Evaluation> {
        let games: Vec<Arc<jigo_board::Game>> = games.iter().map(|game| Arc::new(game.game.clone())).collect();
        let Some(first) = games.first() else { return Err(refused("there is no game to evaluate")) };
        let size = first.size();
        if games.iter().any(|game| game.size() != size) {
            return Err(refused("games that are evaluated together have boards of one size"));
        }
        if symmetry > 7 {
            return Err(refused(format!("a board has eight symmetries, 0 to 7, not {symmetry}")));
        }
        let symmetry = Symmetry::from_index(symmetry);
        let evaluations = py.detach(|| {
            let views: Vec<View<'_>> = games.iter().map(|game| view(game, symmetry)).collect();
            self.evaluator.lock().unwrap_or_else(PoisonError::into_inner).evaluate_batch(&views)
        });
        Ok(Evaluation { size, games, evaluations })
    }
}

impl Net {
    fn on(backend: Arc<dyn Backend>) -> Net {
        let evaluator = Mutex::new(Arc::clone(&backend).evaluator());
        Net { backend, evaluator }
    }
}

fn view(game: &Arc<jigo_board::Game>, symmetry: Symmetry) -> View<'_> {
    let told = Told { game, moves: &[], komi: game.effective_komi(), manner: Manner::PLAIN };
    View { position: Position::of_game(game), symmetry, told: Some(told) }
}

/// What a net thinks of a batch of positions. All numbers but the policy are Black's.
#[pyclass(module = "jigo", frozen)]
pub struct Evaluation {
    size: usize,
    games: Vec<Arc<jigo_board::Game>>,
    evaluations: Vec<jigo_net::Evaluation>,
}

#[pymethods]
impl Evaluation {
    fn __len__(&self) -> usize {
        self.evaluations.len()
    }

    /// The chance of every point, row by row from the top, and of a pass: positions x (size * size + 1).
    #[getter]
    fn policy<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f32>> {
        let width = self.size * self.size + 1;
        let all = self.evaluations.iter().flat_map(|evaluation| evaluation.moves().map(|(_, chance)| chance));
        let policy = Array2::from_shape_vec((self.evaluations.len(), width), all.collect());
        policy.expect("as many chances as places").to_pyarray(py)
    }

    /// Black's chance to win at each game's own komi.
    #[getter]
    fn win_rate<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        self.black(|game, evaluation| evaluation.value.win_rate(game.effective_komi()).share_of(Color::Black), py)
    }

    /// Black's chance to win if komi were this, one for all positions or one for each.
    fn win_rate_at<'py>(&self, py: Python<'py>, komi: Komi<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let komi = match komi {
            Komi::OfAll(komi) => vec![komi; self.evaluations.len()],
            Komi::OfEach(komi) => komi.as_array().to_vec(),
        };
        if komi.len() != self.evaluations.len() {
            return Err(refused(format!("{} komi for {} positions", komi.len(), self.evaluations.len())));
        }
        let rates = self.evaluations.iter().zip(komi).map(|(e, komi)| e.value.win_rate(komi).share_of(Color::Black));
        Ok(rates.collect::<Array1<f32>>().to_pyarray(py))
    }

    /// Black's expected lead, komi counted; nan if the net does not say.
    #[getter]
    fn lead<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        let lead = |game: &jigo_board::Game, evaluation: &jigo_net::Evaluation| {
            evaluation.value.black_score().map_or(f32::NAN, |score| score - game.effective_komi())
        };
        self.black(lead, py)
    }

    /// Who will own each point: 1 is Black, -1 White. Positions x size x size; nan if the net does not say.
    #[getter]
    fn ownership<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<f32>> {
        let boards = self.games.iter().zip(&self.evaluations).flat_map(|(game, evaluation)| {
            by_row(game.board(), |point| evaluation.black_ownership(point).unwrap_or(f32::NAN)).into_iter()
        });
        let shape = (self.evaluations.len(), self.size, self.size);
        Array3::from_shape_vec(shape, boards.collect()).expect("a number for every point").to_pyarray(py)
    }
}

impl Evaluation {
    fn black<'py>(
        &self,
        number: impl Fn(&jigo_board::Game, &jigo_net::Evaluation) -> f32,
        py: Python<'py>,
    ) -> Bound<'py, PyArray1<f32>> {
        let numbers = self.games.iter().zip(&self.evaluations).map(|(game, evaluation)| number(game, evaluation));
        numbers.collect::<Array1<f32>>().to_pyarray(py)
    }
}

#[derive(FromPyObject)]
enum Komi<'py> {
    OfAll(f32),
    OfEach(PyReadonlyArray1<'py, f32>),
}
