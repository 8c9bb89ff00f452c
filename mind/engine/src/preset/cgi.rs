//! CGI: a policy, a value with a label for every komi, and rollouts.

use super::pachi::{MACHINES, PLAYOUTS, TIME};
use super::{Preset, Setting, set};

pub const CGI: Preset = Preset {
    name: "cgi",
    about: "CGI with policy and multi-labelled value nets (Wu et al. 2018)",
    uses_net: true,
    every_komi: true,
    settings: &[SEARCH, KOMI, TIME, MACHINES, PLAYOUTS],
    idle: &[
        "search.net_exploration",
        "search.net_reduction",
        "search.score_share",
        "search.rave_equivalence",
        "search.amaf_distance",
        "search.criticality",
        "search.komi_interval",
        "search.komi_slices",
        "search.komi_stone",
        "search.komi_moves",
        "search.komi_sure_win",
        "search.komi_too_much",
        "prior.",
        "dynamic_komi.",
        "go_intellect.",
    ],
    departs: "The net is Jigo's own, far smaller than the paper's (--net takes another), rollouts are Pachi's since CGI's are not \
              published, the constants of PUCT are ours, its threads, machines and use of time are Pachi's, and komi in our own favour \
              is limited as in Dynamic komi.",
};

const SEARCH: &[Setting] = &[
    set("search.selection", "puct", "CGI II.B"),
    set("search.expand_at", "1", "CGI II.B"),
    set("search.net_share", "0.5", "CGI II.B"),
    set("search.net_batch", "16", "CGI III.A"),
    set("search.root_temperature", "1", "CGI II.B has none"),
    set("search.puct_exploration", "1.1", "ours: CGI II.B names none"),
    set("search.puct_reduction", "0.1", "ours: CGI II.B names none"),
    set("cgi.net_komi", "0", "CGI IV.E is an experiment"),
];

const KOMI: &[Setting] = &[
    set("search.komi_method", "ml-dk", "CGI III.B"),
    set("search.komi_online", "off", "CGI III.B"),
    set("search.komi_favour", "30", "Dynamic komi 5.2"),
    set("search.komi_favour_until", "0.95", "Dynamic komi 5.2"),
    set("cgi.komi_c", "8", "CGI III.B"),
    set("cgi.komi_s", "0.45", "CGI III.B"),
    set("cgi.komi_low", "0.45", "CGI IV.D"),
    set("cgi.komi_high", "0.55", "CGI IV.D"),
];
