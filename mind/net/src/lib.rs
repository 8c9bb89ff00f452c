//! Room card: planes, weights, fast CPU inference, batching, cache.

mod grid;
pub mod kernel;

pub use grid::Grid;
