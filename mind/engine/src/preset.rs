//! Each paper's program as a preset: a table of parameter values, each with its source, in a file named after the paper.
//! docs/papers.md tells of the papers.
//!
//! A preset means the program as published, whatever Jigo's own values become: every parameter that acts in it has a value of its
//! own here, with "ours" for its source where the paper leaves it open. The others are named as idle, or belong to the house.

mod baudis;
mod cgi;
mod go_intellect;
mod pachi;

use thiserror::Error;

use crate::parameters::Parameters;

pub struct Preset {
    pub name: &'static str,
    pub about: &'static str,
    /// Has the program a net? If not, playouts alone judge positions.
    pub uses_net: bool,
    /// Must the net tell a win rate for every komi at one look?
    pub every_komi: bool,
    settings: &'static [&'static [Setting]],
    /// Parameters that mean nothing in this program, by the beginning of their names.
    idle: &'static [&'static str],
    /// What of the published program it cannot follow to the letter.
    pub departs: &'static str,
}

/// One value of a preset and where it comes from.
pub struct Setting {
    pub name: &'static str,
    pub value: &'static str,
    pub source: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no preset called {0:?}; known are {names}", names = PRESETS.map(|preset| preset.name).join(", "))]
pub struct UnknownPreset(pub String);

/// All presets, Jigo's own first.
pub const PRESETS: [&Preset; 5] = [&JIGO, &pachi::PACHI, &baudis::BAUDIS, &go_intellect::GO_INTELLECT, &cgi::CGI];

pub const JIGO: Preset = Preset {
    name: "jigo",
    about: "Jigo as it plays by default",
    uses_net: true,
    every_komi: false,
    settings: &[],
    idle: &[],
    departs: "Nothing: this is the program itself.",
};

/// Time, memory and manners, which belong to no program: as in Jigo's own in every preset.
#[cfg(test)]
const OF_THE_HOUSE: [&str; 5] =
    ["engine.", "search.tree_megabytes", "search.net_cache", "search.analysis_noise", "search.join_images"];

const fn set(name: &'static str, value: &'static str, source: &'static str) -> Setting {
    Setting { name, value, source }
}

impl Preset {
    pub fn named(name: &str) -> Result<&'static Preset, UnknownPreset> {
        let found = PRESETS.into_iter().find(|preset| preset.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownPreset(name.to_owned()))
    }

    pub fn settings(&self) -> impl Iterator<Item = &'static Setting> {
        self.settings.iter().flat_map(|group| group.iter())
    }

    /// The values of the preset; a test sees that the tables can be set.
    pub fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::default();
        for setting in self.settings() {
            let _ = parameters.set(setting.name, setting.value);
        }
        parameters
    }

    /// The settings of the preset that these parameters have otherwise, each with that other value.
    pub fn contradictions(&self, parameters: &Parameters) -> Vec<(&'static Setting, String)> {
        let published = self.parameters();
        let differs = |setting: &'static Setting| {
            let now = parameters.get(setting.name)?;
            (published.get(setting.name)? != now).then_some((setting, now))
        };
        self.settings().filter_map(differs).collect()
    }

    /// The parameters that somebody has set in vain, since they mean nothing in this program.
    pub fn set_in_vain(&self, parameters: &Parameters) -> Vec<&'static str> {
        let defaults = Parameters::default();
        let names = Parameters::table().map(|row| row.name).filter(|name| self.is_idle(name));
        names.filter(|name| parameters.get(name) != defaults.get(name)).collect()
    }

    fn is_idle(&self, name: &str) -> bool {
        self.idle.iter().any(|start| name.starts_with(start))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use jigo_board::{Game, Move, Point, Rules};
    use jigo_net::kernel::Isa;
    use jigo_net::{Backend, EMBEDDED_WEIGHTS, Net, Weights};
    use jigo_parameters::{Kind, Parameter};
    use jigo_search::{Limits, SearchRequest, Searcher, TreeSearcher};

    use super::*;

    fn papers() -> impl Iterator<Item = &'static Preset> {
        PRESETS.into_iter().filter(|preset| preset.name != JIGO.name)
    }

    #[test]
    fn every_value_of_every_preset_can_be_set() {
        for preset in PRESETS {
            for setting in preset.settings() {
                let set = Parameters::default().set(setting.name, setting.value);
                assert_eq!(set, Ok(()), "{}: {}", preset.name, setting.name);
                assert!(!setting.source.is_empty());
            }
            assert_eq!(preset.contradictions(&preset.parameters()).len(), 0);
        }
        assert_eq!(Preset::named("jigo").map(Preset::parameters), Ok(Parameters::default()));
    }

    #[test]
    fn every_parameter_that_acts_in_a_preset_is_set_there_once() {
        for preset in papers() {
            for row in Parameters::table() {
                let set = preset.settings().filter(|setting| setting.name == row.name).count();
                let of_the_house = OF_THE_HOUSE.iter().any(|start| row.name.starts_with(start));
                let is_left_alone = preset.is_idle(row.name) || of_the_house;
                assert_eq!(set, usize::from(!is_left_alone), "{} in {}", row.name, preset.name);
            }
        }
    }

    /// What each move of a short search got, in a game of a few moves.
    fn visits(parameters: &Parameters, net: Option<Arc<dyn Backend>>) -> Vec<(Move, u32)> {
        let mut game = Game::new(9, Rules::default());
        for (col, row) in [(2, 2), (6, 6), (6, 2), (2, 6), (3, 6), (2, 5)] {
            game.play(game.to_move(), Move::Play(Point::new(col, row))).unwrap();
        }
        let mut searching = parameters.searching.clone();
        searching.search.tree_megabytes = 8;
        let playouts = if net.is_some() { 12 } else { 100 };
        let limits = Limits { playouts: Some(playouts), visits: None, time: None };
        let stop = AtomicBool::new(false);
        let request = SearchRequest::new(&game, game.to_move(), limits, &stop);
        let report = TreeSearcher::new(searching, net, 1, 1).search(&request, None);
        report.moves.iter().map(|found| (found.mv, found.visits)).collect()
    }

    fn others(row: &Parameter) -> Vec<String> {
        match (row.kind, row.range) {
            (Kind::Choice(names), _) => names.iter().map(|name| (*name).to_owned()).collect(),
            (_, Some(range)) => vec![range.min.to_string(), range.max.to_string()],
            (_, None) => vec!["on".to_owned(), "off".to_owned()],
        }
    }

    #[test]
    fn what_is_idle_in_a_preset_changes_nothing() {
        let weights = Weights::from_bytes(EMBEDDED_WEIGHTS).unwrap();
        let net: Arc<dyn Backend> = Arc::new(Net::new(&weights, Isa::best_f32()));
        for preset in papers() {
            let net = || preset.uses_net.then(|| Arc::clone(&net));
            let published = visits(&preset.parameters(), net());
            // All of them at once: if that changes nothing, none of them does.
            for pick in [|all: &[String]| all.first().cloned(), |all: &[String]| all.last().cloned()] {
                let mut changed = preset.parameters();
                for row in Parameters::table().filter(|row| preset.is_idle(row.name)) {
                    changed.set(row.name, &pick(&others(row)).unwrap()).unwrap();
                }
                assert_eq!(visits(&changed, net()), published, "{}", preset.name);
            }
        }
    }

    #[test]
    fn a_value_that_is_not_the_papers_is_found() {
        let pachi = Preset::named("Pachi").unwrap_or(&JIGO);
        let mut parameters = pachi.parameters();
        parameters.searching.search.expand_at = 2;
        let [(setting, now)] = &pachi.contradictions(&parameters)[..] else { panic!("one is otherwise") };
        assert_eq!((setting.name, setting.value, now.as_str()), ("search.expand_at", "8", "2"));
        assert_eq!(pachi.set_in_vain(&parameters), [""; 0]);
        parameters.searching.search.net_share = 0.3;
        assert_eq!(pachi.set_in_vain(&parameters), ["search.net_share"]);
        let unknown = Preset::named("zen").err().map(|error| error.to_string());
        assert_eq!(
            unknown.as_deref(),
            Some("there is no preset called \"zen\"; known are jigo, pachi, baudis, go-intellect, cgi")
        );
    }
}
