//! Room card: charts.
//!
//! For: curves, tables of them, bars and intervals as SVG text, and the one palette that every plot of the house uses.
//! May use: plotters.
//! Never enters: what is drawn. Matches, experiments and training bring their numbers along.

mod chart;
mod palette;

pub use chart::{Axes, ChartError, Curve, Panel, draw_bars, draw_curves, draw_intervals, draw_table};
pub use palette::{COLORS, GRID, QUIET};
