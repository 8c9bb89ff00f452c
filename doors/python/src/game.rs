//! A game with its rules and history.

use numpy::{PyArray2, ToPyArray};
use pyo3::prelude::*;

use jigo_board::handicap::fixed_handicap;
use jigo_board::{MAX_SIZE, MIN_SIZE, Move, PointSet, Rules, acceptable_komi};
use jigo_sgf::{Collection, GameTree};

use crate::{by_row, color, letter, refused};

/// A game of Go: the board, the rules, and every move so far.
#[pyclass(module = "jigo")]
#[derive(Clone)]
pub struct Game {
    pub game: jigo_board::Game,
}

pub fn rules_named(name: &str) -> PyResult<Rules> {
    Rules::by_name(name).ok_or_else(|| refused(format!("there are no rules called {name:?}")))
}

impl Game {
    pub fn read_move(&self, text: &str) -> PyResult<Move> {
        let size = self.game.size();
        Move::parse(text, size).ok_or_else(|| refused(format!("{text:?} is no point of a {size}x{size} board")))
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (size = 19, *, komi = None, rules = "chinese", handicap = 0))]
    fn new(size: usize, komi: Option<f32>, rules: &str, handicap: usize) -> PyResult<Game> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(refused(format!("boards have {MIN_SIZE} to {MAX_SIZE} lines, not {size}")));
        }
        let mut game = jigo_board::Game::new(size, rules_named(rules)?);
        if let Some(komi) = komi {
            game.set_komi(acceptable_komi(komi).map_err(refused)?);
        }
        if handicap > 0 {
            let stones = fixed_handicap(size, handicap)
                .ok_or_else(|| refused(format!("{handicap} handicap stones have no place on a {size}x{size} board")))?;
            game.place_handicap(&stones).map_err(refused)?;
        }
        Ok(Game { game })
    }

    /// The game of a record's main line, after its first `moves` moves.
    #[staticmethod]
    #[pyo3(signature = (sgf, moves = None))]
    fn from_sgf(sgf: &str, moves: Option<usize>) -> PyResult<Game> {
        crate::record::read_sgf(sgf.as_bytes())?
            .first()
            .ok_or_else(|| refused("there is no game in this text"))?
            .game(moves)
    }

    /// The game as a record.
    fn to_sgf(&self) -> String {
        Collection { games: vec![GameTree::from_game(&self.game)] }.to_text()
    }

    #[getter]
    fn size(&self) -> usize {
        self.game.size()
    }

    #[getter]
    fn komi(&self) -> f32 {
        self.game.komi()
    }

    #[setter]
    fn set_komi(&mut self, komi: f32) -> PyResult<()> {
        self.game.set_komi(acceptable_komi(komi).map_err(refused)?);
        Ok(())
    }

    /// The name of the rules; None if they have been put together by hand.
    #[getter]
    fn rules(&self) -> Option<&'static str> {
        self.game.rules().name()
    }

    /// "B" or "W".
    #[getter]
    fn to_move(&self) -> &'static str {
        letter(self.game.to_move())
    }

    /// Colours and points of all moves so far.
    #[getter]
    fn moves(&self) -> Vec<(&'static str, String)> {
        let size = self.game.size();
        self.game.moves().iter().map(|&(color, mv)| (letter(color), mv.vertex(size))).collect()
    }

    /// Have both sides passed?
    #[getter]
    fn is_over(&self) -> bool {
        self.game.is_over()
    }

    /// 1 is a black stone, -1 a white one, 0 none; the top row comes first.
    #[getter]
    fn stones<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i8>> {
        let board = self.game.board();
        let stone = |point| match board.color_at(point) {
            Some(jigo_board::Color::Black) => 1,
            Some(jigo_board::Color::White) => -1,
            None => 0,
        };
        by_row(board, stone).to_pyarray(py)
    }

    /// Plays a point such as "D4", or "pass", for the side to move or the colour named.
    #[pyo3(signature = (point, color = None))]
    fn play(&mut self, point: &str, color: Option<&str>) -> PyResult<()> {
        let mv = self.read_move(point)?;
        let mover = color.map_or(Ok(self.game.to_move()), self::color)?;
        self.game.play(mover, mv).map_err(|reason| refused(format!("{point} is illegal: {reason}")))
    }

    /// Takes the last move back.
    fn undo(&mut self) -> PyResult<()> {
        self.game.undo().map(drop).ok_or_else(|| refused("there is no move to take back"))
    }

    /// Points where the side to move may play; it may always pass.
    fn legal_moves(&self) -> Vec<String> {
        let size = self.game.size();
        self.game.legal_points(self.game.to_move()).iter().map(|point| point.vertex(size)).collect()
    }

    /// Black's points minus White's, komi counted, by the rules of the game; stones named dead are taken off first.
    #[pyo3(signature = (dead = Vec::new()))]
    fn score(&self, dead: Vec<String>) -> PyResult<f32> {
        let mut stones = PointSet::default();
        for point in &dead {
            let point = self.read_move(point)?.point().filter(|&point| !self.game.board().is_empty(point));
            stones.insert(point.ok_or_else(|| refused("only a stone can be dead"))?);
        }
        Ok(self.game.score(&stones).lead_of(jigo_board::Color::Black))
    }

    fn copy(&self) -> Game {
        self.clone()
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone()
    }

    fn __str__(&self) -> String {
        self.game.board().to_string()
    }

    fn __repr__(&self) -> String {
        let size = self.game.size();
        format!("<Game {size}x{size}, {} moves, {} to move>", self.game.moves().len(), letter(self.game.to_move()))
    }
}
