//! What all tuning methods have in common.

use serde::{Deserialize, Serialize};

use super::{Genetic, HillClimbing, Spsa, TuneParameter};

/// A game to be played: a setting against the chosen opponent, or against another setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    pub setting: Vec<f64>,
    pub against: Option<Vec<f64>>,
}

/// A way to search for good values. Proposing and learning take turns.
pub trait Method {
    /// Games to be played next. They do not depend on each other's results, so they may be played at the same time.
    fn propose(&mut self) -> Vec<Contest>;

    /// Points of the first setting in each of the games proposed: 1, 1/2 or 0.
    fn learn(&mut self, points: &[f64]);

    /// Where the search stands now.
    fn present(&self) -> Vec<f64>;

    /// The values to take if it ended now.
    fn best(&self) -> Vec<f64>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodKind {
    HillClimbing,
    Genetic,
    Spsa,
}

impl MethodKind {
    /// `horizon` is the number of games planned, for methods whose steps shrink over time.
    pub fn start(self, parameters: &[TuneParameter], horizon: u64, seed: u64) -> Box<dyn Method> {
        match self {
            Self::HillClimbing => Box::new(HillClimbing::new(parameters, seed)),
            Self::Genetic => Box::new(Genetic::new(parameters, seed)),
            Self::Spsa => Box::new(Spsa::new(parameters, horizon, seed)),
        }
    }
}
