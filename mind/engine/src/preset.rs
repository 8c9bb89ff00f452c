//! Each paper's program as a preset: a table of parameter values, each with its source. What a table does not name is as in
//! Jigo's own program. docs/papers.md tells of the papers.

use thiserror::Error;

use crate::parameters::Parameters;

pub struct Preset {
    pub name: &'static str,
    pub about: &'static str,
    /// Has the program a net? If not, playouts alone judge positions.
    pub uses_net: bool,
    pub settings: &'static [Setting],
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
pub const PRESETS: [&Preset; 5] = [&JIGO, &PACHI, &BAUDIS, &GO_INTELLECT, &CGI];

pub const JIGO: Preset = Preset {
    name: "jigo",
    about: "Jigo as it plays by default",
    uses_net: true,
    settings: &[],
    departs: "Nothing: this is the program itself.",
};

const fn set(name: &'static str, value: &'static str, source: &'static str) -> Setting {
    Setting { name, value, source }
}

const PACHI: Preset = Preset {
    name: "pachi",
    about: "Pachi as published (Baudiš and Gailly 2011)",
    uses_net: false,
    settings: &[
        set("search.selection", "rave", "Pachi Algorithm 1"),
        set("search.expand_at", "8", "Pachi 3"),
        set("search.rave_equivalence", "3000", "Pachi Algorithm 1"),
        set("search.amaf_distance", "on", "Pachi footnote 7"),
        set("search.criticality", "1.1", "Pachi 4.3"),
        set("search.criticality_visits", "2000", "Pachi 4.3"),
        set("search.virtual_loss", "6", "Pachi 5.2"),
        set("search.virtual_wins_root", "30", "Pachi 5.2"),
        set("search.virtual_wins", "5", "Pachi 5.2"),
        set("search.komi_method", "adaptive", "Pachi 4.2"),
        set("search.komi_sure_win", "0.85", "Pachi 4.2"),
        set("search.stop_win_rate", "0.9", "Pachi 4.1"),
        set("search.unclear_reply", "0.02", "Pachi 4.1"),
        set("search.unclear_second", "2.5", "Pachi 4.1"),
        set("prior.equivalent_large", "20", "Pachi 3.1"),
        set("prior.equivalent_small", "14", "Pachi 3.1"),
        set("prior.distance", "1", "Pachi table 2"),
        set("prior.joseki", "2", "Pachi 3.1"),
        set("prior.policy", "1", "Pachi 3.1"),
        set("prior.patterns", "0", "Pachi 3.1 has no learned patterns"),
        set("prior.self_atari", "0", "Pachi 3.1 names no such prior"),
        set("playout.policy", "pachi", "Pachi 3.2"),
        set("playout.rate_large", "0.8", "Pachi 3.2"),
        set("playout.rate_small", "0.9", "Pachi 3.2"),
        set("playout.ko", "0.2", "Pachi 3.2"),
        set("playout.nakade", "0.2", "Pachi 3.2"),
        set("playout.capture", "0.9", "Pachi 3.2"),
        set("playout.many_liberties", "0.2", "Pachi 3.2"),
        set("playout.patterns", "1", "Pachi 3.2"),
        set("playout.too_many_connections", "off", "Evaluation value 4, not Pachi"),
    ],
    departs: "Joseki come from games and not from Kogo's dictionary, the rate of the self-atari filter is ours (the paper names \
              none), and adaptive komi never asks for a point that cannot be had.",
};

const BAUDIS: Preset = Preset {
    name: "baudis",
    about: "The Pachi of Dynamic komi with its value-based method (Baudiš 2011)",
    uses_net: false,
    settings: &[
        set("search.selection", "rave", "Dynamic komi 2.1"),
        set("search.expand_at", "2", "Dynamic komi footnote 3"),
        set("search.rave_equivalence", "3000", "Dynamic komi 2.1"),
        set("search.criticality", "0", "Dynamic komi 2.1 has none"),
        set("search.komi_method", "value", "Dynamic komi 5.1.2"),
        set("search.komi_online", "on", "Dynamic komi 5.2"),
        set("search.komi_interval", "1000", "Dynamic komi footnote 12"),
        set("search.komi_stone", "7", "Dynamic komi 4"),
        set("search.komi_moves", "200", "Dynamic komi 4"),
        set("search.komi_favour", "30", "Dynamic komi 5.2"),
        set("search.komi_favour_until", "0.95", "Dynamic komi 5.2"),
        set("dynamic_komi.red", "0.45", "Dynamic komi 5.1.2"),
        set("dynamic_komi.green", "0.5", "Dynamic komi 5.1.2"),
        set("dynamic_komi.ratchet_moves", "0", "Dynamic komi 5.1.2"),
        set("dynamic_komi.in_leaf", "on", "Dynamic komi 4"),
        set("prior.distance", "1", "Pachi table 2"),
        set("prior.patterns", "0", "Dynamic komi 6 has no learned patterns"),
        set("prior.self_atari", "0", "Pachi 3.1 names no such prior"),
        set("playout.policy", "pachi", "Dynamic komi 6"),
        set("playout.too_many_connections", "off", "Evaluation value 4, not Dynamic komi"),
    ],
    departs: "The paper's Pachi let the score count for 0.04 of a win, ours counts wins alone; its priors and playouts of 2010 are \
              taken to be those that Pachi describes.",
};

const GO_INTELLECT: Preset = Preset {
    name: "go-intellect",
    about: "Go Intellect with randomised parameters and generators (Chen 2010)",
    uses_net: false,
    settings: &[
        set("search.selection", "uct-rave", "Go Intellect II"),
        set("search.expand_at", "1", "Go Intellect II"),
        set("search.virtual_loss", "0", "Go Intellect V"),
        set("search.criticality", "0", "Go Intellect II has none"),
        set("search.komi_method", "none", "Go Intellect II has none"),
        set("search.amaf_distance", "off", "Go Intellect II"),
        set("go_intellect.exploration", "12", "Go Intellect III"),
        set("go_intellect.rave_weight", "2000", "Go Intellect III"),
        set("go_intellect.root_prior", "24", "Go Intellect III"),
        set("go_intellect.prior", "12", "Go Intellect III"),
        set("go_intellect.rave_until", "5000", "Go Intellect III"),
        set("go_intellect.randomised", "on", "Go Intellect IV"),
        set("playout.policy", "go-intellect", "Go Intellect VI"),
        set("playout.too_many_connections", "off", "Evaluation value 4, not Go Intellect"),
    ],
    departs: "Its routines of prior knowledge are not published and learned patterns take their place, the growth of progressive \
              widening is Coulom's, and two of the generators look at a few random places instead of the whole board.",
};

const CGI: Preset = Preset {
    name: "cgi",
    about: "CGI with policy and multi-labelled value nets (Wu et al. 2018)",
    uses_net: true,
    settings: &[
        set("search.selection", "puct", "CGI II.B"),
        set("search.net_share", "0.5", "CGI II.B"),
        set("search.net_batch", "16", "CGI III.A"),
        set("search.komi_method", "ml-dk", "CGI III.B"),
        set("search.komi_online", "off", "CGI III.B"),
        set("cgi.komi_c", "8", "CGI III.B"),
        set("cgi.komi_s", "0.45", "CGI III.B"),
        set("cgi.komi_low", "0.45", "CGI IV.D"),
        set("cgi.komi_high", "0.55", "CGI IV.D"),
        set("playout.too_many_connections", "off", "Evaluation value 4, not CGI"),
    ],
    departs: "The net is Jigo's own, far smaller than the paper's (--net takes another), rollouts are Pachi's since CGI's are not \
              published, and the constant of PUCT is ours.",
};

impl Preset {
    pub fn named(name: &str) -> Result<&'static Preset, UnknownPreset> {
        let found = PRESETS.into_iter().find(|preset| preset.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownPreset(name.to_owned()))
    }

    /// The values of the preset; a test sees that the tables can be set.
    pub fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::default();
        for setting in self.settings {
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
        self.settings.iter().filter_map(differs).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_every_preset_can_be_set_and_stands_there_once() {
        for preset in PRESETS {
            let mut names: Vec<&str> = preset.settings.iter().map(|setting| setting.name).collect();
            for setting in preset.settings {
                let mut parameters = Parameters::default();
                let set = parameters.set(setting.name, setting.value);
                assert_eq!(set, Ok(()), "{}: {}", preset.name, setting.name);
                assert!(!setting.source.is_empty());
            }
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), preset.settings.len(), "{}", preset.name);
            assert_eq!(preset.contradictions(&preset.parameters()).len(), 0);
        }
        assert_eq!(Preset::named("jigo").map(Preset::parameters), Ok(Parameters::default()));
    }

    #[test]
    fn a_value_that_is_not_the_papers_is_found() {
        let pachi = Preset::named("Pachi").unwrap_or(&JIGO);
        let mut parameters = pachi.parameters();
        parameters.searching.search.expand_at = 2;
        let [(setting, now)] = &pachi.contradictions(&parameters)[..] else { panic!("one is otherwise") };
        assert_eq!((setting.name, setting.value, now.as_str()), ("search.expand_at", "8", "2"));
        let unknown = Preset::named("zen").err().map(|error| error.to_string());
        assert_eq!(
            unknown.as_deref(),
            Some("there is no preset called \"zen\"; known are jigo, pachi, baudis, go-intellect, cgi")
        );
    }
}
