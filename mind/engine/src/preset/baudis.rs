//! The Pachi in which dynamic komi was studied.

use super::pachi::{MACHINES, PLAYOUTS, PRIORS, TIME};
use super::{Preset, Setting, set};

pub const BAUDIS: Preset = Preset {
    name: "baudis",
    about: "The Pachi of Dynamic komi with its value-based method (Baudiš 2011)",
    uses_net: false,
    every_komi: false,
    settings: &[SEARCH, KOMI, TIME, MACHINES, PRIORS, PLAYOUTS],
    idle: &[
        "search.criticality_visits",
        "search.komi_sure_win",
        "search.komi_too_much",
        "search.net_",
        "search.root_temperature",
        "search.score_share",
        "search.puct_",
        "prior.net",
        "dynamic_komi.score_",
        "go_intellect.",
        "cgi.",
    ],
    departs: "The paper's Pachi let the score count for 0.04 of a win, ours counts wins alone; its priors and playouts of 2010, its \
              threads and its use of time are taken to be those that Pachi describes.",
};

const SEARCH: &[Setting] = &[
    set("search.selection", "rave", "Dynamic komi 2.1"),
    set("search.expand_at", "2", "Dynamic komi footnote 3"),
    set("search.rave_equivalence", "3000", "Dynamic komi 2.1"),
    set("search.amaf_distance", "on", "Pachi footnote 7"),
    set("search.criticality", "0", "Dynamic komi 2.1 has none"),
];

const KOMI: &[Setting] = &[
    set("search.komi_method", "value", "Dynamic komi 5.1.2"),
    set("search.komi_online", "on", "Dynamic komi 5.2"),
    set("search.komi_interval", "1000", "Dynamic komi footnote 12"),
    set("search.komi_slices", "0", "ours: the interval alone"),
    set("search.komi_stone", "7", "Dynamic komi 4"),
    set("search.komi_moves", "200", "Dynamic komi 4"),
    set("search.komi_favour", "30", "Dynamic komi 5.2"),
    set("search.komi_favour_until", "0.95", "Dynamic komi 5.2"),
    set("dynamic_komi.in_leaf", "on", "Dynamic komi 4"),
    set("dynamic_komi.red", "0.45", "Dynamic komi 5.1.2"),
    set("dynamic_komi.green", "0.5", "Dynamic komi 5.1.2"),
    set("dynamic_komi.ratchet_moves", "0", "Dynamic komi 5.1.2"),
];
