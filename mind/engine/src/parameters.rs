//! What the engine itself can be tuned by, and the one table of all parameters.

use jigo_parameters::{Parameter, ParameterSet, SetError, parameters};
use jigo_search::Parameters as SearchingParameters;

parameters! {
    pub struct EngineParameters in "engine" {
        lag: f32 = 0.15, (0.0, 10.0, 0.05), "seconds kept back on every move for the network and the operating system", "Pachi 4.1";
        most_seconds: f32 = 0.0, (0.0, 100000.0, 1.0), "seconds to think about a move at most, whatever the clock says; 0 is no limit", "ours";
        most_playouts: u32 = 0, (0.0, 4000000000.0, 1000.0), "simulations for a move at most, those kept from the move before not counted; 0 is no limit", "ours";
        most_visits: u32 = 0, (0.0, 4000000000.0, 1000.0), "simulations in the tree at most, those kept from the move before counted; 0 is no limit", "ours";
        temperature: f32 = 0.0, (0.0, 10.0, 0.1), "above 0 moves are drawn from the policy, the wilder the higher; 0 plays the best move", "docs/experiments/levels.md";
        overlooked: f32 = 0.0, (0.0, 0.99, 0.05), "share of the moves that a player by temperature does not even see, others each time", "docs/experiments/levels.md";
        ponder: bool = false, "think on the opponent's time", "Pachi 6";
        resign_below: f32 = 0.1, (0.0, 0.5, 0.01), "win rate below which a game is given up", "ours";
        settled: f32 = 0.97, (0.5, 1.0, 0.05), "share of simulations in which one side must own a point for it to be settled", "ours";
    }
}

/// Everything the engine and its search can be tuned by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    pub engine: EngineParameters,
    pub searching: SearchingParameters,
}

impl Parameters {
    /// The one table behind the command line, GTP, the tuner and the documentation.
    pub fn table() -> impl Iterator<Item = &'static Parameter> {
        EngineParameters::TABLE.iter().chain(SearchingParameters::table())
    }

    pub fn get(&self, name: &str) -> Option<String> {
        self.engine.get(name).or_else(|| self.searching.get(name))
    }

    /// Sets one parameter by its full name, such as `engine.lag`.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), SetError> {
        if name.starts_with("engine.") { self.engine.set(name, text) } else { self.searching.set(name, text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_can_be_read_and_set() {
        let mut parameters = Parameters::default();
        for row in Parameters::table() {
            let shown = parameters.get(row.name).unwrap_or_else(|| panic!("{} cannot be read", row.name));
            parameters.set(row.name, &shown).unwrap();
            assert!(!row.meaning.is_empty() && !row.source.is_empty(), "{}", row.name);
        }
        assert_eq!(parameters, Parameters::default());
        assert!(parameters.set("no.such", "1").is_err());
    }
}
