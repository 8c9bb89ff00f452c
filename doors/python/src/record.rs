//! Games written down by others.

use pyo3::prelude::*;

use jigo_sgf::{Collection, GameRecord, GameResult, Repetition};

use crate::game::Game;
use crate::{letter, refused};

/// One game of an SGF file.
#[pyclass(module = "jigo", frozen)]
#[derive(Clone)]
pub struct Record {
    record: GameRecord,
}

/// All games of an SGF file, as bytes, so that its charset can be found out.
#[pyfunction]
pub fn read_sgf(data: &[u8]) -> PyResult<Vec<Record>> {
    let collection = Collection::from_bytes(data).map_err(refused)?;
    collection.games.iter().map(|tree| Ok(Record { record: GameRecord::main_line(tree).map_err(refused)? })).collect()
}

#[pymethods]
impl Record {
    #[getter]
    fn black(&self) -> Option<&str> {
        self.record.black.name.as_deref()
    }

    #[getter]
    fn white(&self) -> Option<&str> {
        self.record.white.name.as_deref()
    }

    #[getter]
    fn date(&self) -> Option<&str> {
        self.record.date.as_deref()
    }

    /// In the words of the file, mostly "B+3.5" or "W+R".
    #[getter]
    fn result(&self) -> Option<&str> {
        self.record.result.as_deref()
    }

    /// "B" or "W", if there is one.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.record.result.as_deref().and_then(GameResult::parse)?.winner().map(letter)
    }

    /// The number of moves.
    fn __len__(&self) -> usize {
        self.record.moves().count()
    }

    /// The game after its first `moves` moves, or after all of them.
    #[pyo3(signature = (moves = None))]
    pub fn game(&self, moves: Option<usize>) -> PyResult<Game> {
        let rules = self.record.known_rules().unwrap_or_default();
        let game = self.record.replay(moves.unwrap_or(usize::MAX), rules, Repetition::Allow).map_err(refused)?;
        Ok(Game { game })
    }
}
