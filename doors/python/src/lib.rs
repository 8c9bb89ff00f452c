//! Room card: Python.
//!
//! For: the house from Python: games and rules, records, nets (whole batches as numpy arrays), searches and playouts. What people
//! import is the package in `python/jigo`, this crate is its compiled half.
//! May use: game and mind.
//! Never enters: rules, judgement or numbers of its own. A bad argument is a `ValueError` with one sentence; long work lets go of
//! Python's lock.

mod engine;
mod game;
mod net;
mod playouts;
mod record;

use numpy::ndarray::Array2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use jigo_board::{Board, Color, Point};

/// One sentence about what cannot be done.
fn refused(reason: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(reason.to_string())
}

/// "B" or "W", as records write it.
fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

fn color(text: &str) -> PyResult<Color> {
    Color::parse(text).ok_or_else(|| refused(format!("{text:?} is no colour: it is B or W")))
}

/// A number for every point of the board, the top row first as in a diagram.
fn by_row<T>(board: &Board, number: impl Fn(Point) -> T) -> Array2<T> {
    Array2::from_shape_fn((board.size(), board.size()), |(row, col)| number(Point::new(col, row)))
}

#[pymodule]
fn _jigo(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::Game>()?;
    module.add_class::<record::Record>()?;
    module.add_class::<net::Net>()?;
    module.add_class::<net::Evaluation>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<engine::Report>()?;
    module.add_class::<engine::MoveReport>()?;
    module.add_class::<playouts::Playouts>()?;
    module.add_function(wrap_pyfunction!(record::read_sgf, module)?)?;
    module.add_function(wrap_pyfunction!(playouts::playouts, module)?)?;
    Ok(())
}
