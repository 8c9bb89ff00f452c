//! Rates of the playout policies, with their sources.

use jigo_parameters::{choice, parameters};

choice! {
    /// Which policy plays the playouts.
    pub enum PolicyName {
        /// Heuristics in a fixed order, each with its rate (Pachi 3.2).
        Pachi = "pachi",
        /// Uniformly random: the floor to measure from.
        Random = "random",
        /// Eleven generators in priority classes, changing places before every move (Go Intellect VI): `go_intellect/`.
        GoIntellect = "go-intellect",
        /// The same, never changing places.
        GoIntellectFixed = "go-intellect-fixed",
        /// The same, changing places before every playout.
        GoIntellectByPlayout = "go-intellect-by-playout",
    }
}

parameters! {
    pub struct PlayoutParameters in "playout" {
        policy: PolicyName = PolicyName::Pachi, "which policy plays the playouts", "Pachi 3.2";
        rate_large: f32 = 0.8, (0.0, 1.0, 0.05), "rate of heuristics without one of their own, boards above 11x11", "Pachi 3.2";
        rate_small: f32 = 0.9, (0.0, 1.0, 0.05), "the same on smaller boards", "Pachi 3.2";
        ko: f32 = 0.2, (0.0, 1.0, 0.05), "rate of retaking a ko of the last four moves", "Pachi 3.2";
        nakade: f32 = 0.2, (0.0, 1.0, 0.05), "rate of nakade beside the last move", "Pachi 3.2";
        capture: f32 = 0.9, (0.0, 1.0, 0.05), "rate of capturing the last move's chain", "Pachi 3.2";
        escape: f32 = 1.0, (0.0, 1.0, 0.05), "rate of saving a chain put in atari, times the common rate", "Pachi 3.2";
        two_liberties: f32 = 1.0, (0.0, 1.0, 0.05), "rate of two-liberty moves, times the common rate", "Pachi 3.2";
        many_liberties: f32 = 0.2, (0.0, 1.0, 0.05), "rate of moves about three and four liberties", "Pachi 3.2";
        patterns: f32 = 1.0, (0.0, 1.0, 0.05), "rate of 3x3 patterns around the last two moves", "Pachi 3.2";
        joseki: f32 = 1.0, (0.0, 1.0, 0.05), "rate of joseki follow-ups, times the common rate", "Pachi 3.2";
        self_atari_filter: f32 = 0.95, (0.0, 1.0, 0.05), "chance that a bad self-atari is kept out of random moves", "Pachi 3.2";
        too_many_connections: bool = false, "do not save stones that leave too many places to connect; gains nothing here, see docs/experiments/papers.md", "Evaluation value Algorithm 1";
    }
}
