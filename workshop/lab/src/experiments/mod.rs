//! The papers' experiments as data, one file per paper. What an experiment is and how it is run stands in
//! [`experiment`](crate::experiment) and [`run`](crate::run).

mod dynamic_komi;
mod go_intellect;
mod multi_label;
mod pachi;
mod simulation_quality;

use crate::experiment::{Contestant, Experiment, Variant};

/// Every experiment, paper by paper.
pub fn all() -> impl Iterator<Item = &'static Experiment> {
    let papers = [dynamic_komi::EXPERIMENTS, pachi::EXPERIMENTS, go_intellect::EXPERIMENTS];
    papers.into_iter().chain([multi_label::EXPERIMENTS, simulation_quality::EXPERIMENTS]).flatten()
}

pub fn by_name(name: &str) -> Option<&'static Experiment> {
    all().find(|experiment| experiment.name == name)
}

/// Our program with parts of it set otherwise, against the opponent.
fn changed(label: impl Into<String>, settings: &[(&'static str, &str)]) -> Variant {
    Variant::new(label, Contestant::jigo(settings), Contestant::Opponent)
}

/// A number of moves meant for 19x19, for a board of this size.
fn scaled_moves(moves: usize, size: usize) -> usize {
    (moves * size * size + 180) / 361
}
