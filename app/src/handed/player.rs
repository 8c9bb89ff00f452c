//! A player in somebody else's match, as a job names it: a program of ours with typed settings from a closed list, never a
//! command line. Whatever a job says, the worker itself writes the words that are run, and the program it runs binds itself
//! before it plays.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, ensure};
use jigo_board::{Game, Rules};
use jigo_cluster::ParcelName;
use jigo_engine::{Engine, HIGHEST_LEVEL, LOWEST_LEVEL, Level, NetCard, OpenNet, Parameters};
use jigo_katago::KataNet;
use jigo_net::{Backend, Net};
use serde::{Deserialize, Serialize};

use crate::engine_options::EngineMaker;
use crate::nets::AnyNet;

/// More simulations for a move than any match asks for.
const MOST_PLAYOUTS: u64 = 100_000_000;
const MOST_THREADS: u16 = 256;
/// More settings than there are parameters.
const MOST_SETTINGS: usize = 1000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandedPlayer {
    pub playouts: Option<u64>,
    pub level: Option<u64>,
    /// All cores of the worker if it is not said.
    pub threads: Option<u16>,
    pub seed: u64,
    pub net: HandedNet,
    /// Parameters that differ from those everybody has, by name.
    pub settings: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum HandedNet {
    None,
    /// The one that comes with Jigo.
    Embedded,
    /// One that was lent, by the name under which the worker asks for it.
    Lent(ParcelName),
    /// The smaller one beside it.
    Fast,
}

impl HandedPlayer {
    /// The settings that differ from the usual ones.
    pub fn settings_of(parameters: &Parameters) -> Vec<(String, String)> {
        let usual = Parameters::default();
        let value = |name: &str| parameters.get(name).filter(|value| usual.get(name).as_ref() != Some(value));
        Parameters::table().filter_map(|row| Some((row.name.to_string(), value(row.name)?))).collect()
    }

    /// Everything within its range, or one sentence about what is not.
    pub fn check(&self, megabytes: u32) -> Result<Parameters, String> {
        if self.playouts.is_some_and(|playouts| !(1..=MOST_PLAYOUTS).contains(&playouts)) {
            return Err(format!("a player makes 1 to {MOST_PLAYOUTS} playouts for a move"));
        }
        if self.level.is_some_and(|level| !(LOWEST_LEVEL..=HIGHEST_LEVEL).contains(&level)) {
            return Err(format!("levels go from {LOWEST_LEVEL} to {HIGHEST_LEVEL}"));
        }
        if self.threads.is_some_and(|threads| !(1..=MOST_THREADS).contains(&threads)) {
            return Err(format!("a player has 1 to {MOST_THREADS} threads"));
        }
        if self.settings.len() > MOST_SETTINGS {
            return Err("there are not so many parameters".to_string());
        }
        let mut parameters = Parameters::default();
        for (name, value) in &self.settings {
            parameters.set(name, value).map_err(|error| error.to_string())?;
        }
        let search = &parameters.searching.search;
        let wanted = search.tree_megabytes.saturating_add(search.net_cache);
        if wanted > megabytes {
            return Err(format!("a player wants {wanted} MB, and this worker lends {megabytes} MB to each"));
        }
        Ok(parameters)
    }

    /// The engine, in the process that plays; a lent net lies in a file of the worker's own.
    pub fn engine(&self, megabytes: u32, lent: Option<&Path>) -> anyhow::Result<Engine> {
        let mut parameters = self.check(megabytes).map_err(anyhow::Error::msg)?;
        if let Some(playouts) = self.playouts {
            parameters.set("engine.most_playouts", &playouts.to_string())?;
        }
        let net: Option<Arc<dyn Backend>> = match (&self.net, lent) {
            (HandedNet::None, _) => None,
            (HandedNet::Embedded, _) => Some(KataNet::embedded()),
            (HandedNet::Fast, _) => Some(Net::embedded()),
            (HandedNet::Lent(_), file) => Some(AnyNet::read(file.context("the net is not here")?)?.backend()),
        };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let card = NetCard::ours("lent");
        let maker = EngineMaker {
            parameters,
            net: OpenNet { card, net, human: None },
            nets: Arc::default(),
            threads: self.threads.map_or_else(cores, usize::from),
            seed: self.seed,
            level: self.level.map(Level::numbered),
            cache: None,
            cluster: None,
        };
        ensure!(!(self.playouts.is_some() && self.level.is_some()), "a player has playouts or a level, not both");
        // The arena says on which board and by which rules.
        Ok(maker.make(Game::new(jigo_board::MAX_SIZE, Rules::default())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player() -> HandedPlayer {
        HandedPlayer {
            playouts: Some(30),
            level: None,
            threads: Some(1),
            seed: 1,
            net: HandedNet::None,
            settings: Vec::new(),
        }
    }

    #[test]
    fn what_is_out_of_range_or_takes_too_much_is_refused_in_a_sentence() {
        assert!(player().check(1024).is_ok());
        let refused = |change: fn(&mut HandedPlayer)| {
            let mut player = player();
            change(&mut player);
            player.check(1024).unwrap_err()
        };
        assert_eq!(refused(|p| p.playouts = Some(0)), "a player makes 1 to 100000000 playouts for a move");
        assert_eq!(refused(|p| p.level = Some(99)), "levels go from 1 to 12");
        assert_eq!(refused(|p| p.threads = Some(60_000)), "a player has 1 to 256 threads");
        assert_eq!(
            refused(|p| p.settings = vec![("search.tree_megabytes".into(), "60000".into())]),
            "a player wants 60032 MB, and this worker lends 1024 MB to each"
        );
        assert_eq!(
            refused(|p| p.settings = vec![("search.telepathy".into(), "1".into())]),
            "there is no parameter named \"search.telepathy\""
        );
    }

    #[test]
    fn only_settings_that_differ_travel() {
        let mut parameters = Parameters::default();
        assert!(HandedPlayer::settings_of(&parameters).is_empty());
        parameters.set("search.criticality", "0.5").unwrap();
        let settings = HandedPlayer::settings_of(&parameters);
        assert_eq!(settings, [("search.criticality".to_string(), "0.5".to_string())]);
        assert_eq!(HandedPlayer { settings, ..player() }.check(1024), Ok(parameters));
    }
}
