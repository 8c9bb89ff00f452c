//! Evaluation value: mistakes of the simulation, found and mended.

use super::changed;
use crate::experiment::{Defaults, Experiment, Figure, Measure, Picture, Variant};

const SWITCH: &str = "playout.too_many_connections";

pub const EXPERIMENTS: &[Experiment] = &[Experiment {
    name: "connections",
    about: "not saving stones that leave too many places to connect",
    source: "Evaluation value table 1",
    paper_says: "3,000 simulations a move on both sides, 1,000 games against Fuego",
    paper_columns: &["paper"],
    measure: Measure::WinRate,
    picture: Picture::Intervals,
    preset: "pachi",
    baseline: &[(SWITCH, "off")],
    defaults: Defaults { size: 9, games: 40, playouts: 400, clock: None },
    variants,
}];

fn variants(_size: usize) -> Vec<Variant> {
    vec![
        changed("without the rule", &[(SWITCH, "off")]).paper(&[Some(Figure::new(36.9, 1.5))]),
        changed("with the rule", &[(SWITCH, "on")]).paper(&[Some(Figure::new(39.4, 1.5))]),
    ]
}
