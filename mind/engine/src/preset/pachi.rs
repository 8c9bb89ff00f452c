//! Pachi as published, and the parts of it that other papers' programs share.

use super::{Preset, Setting, set};

pub const PACHI: Preset = Preset {
    name: "pachi",
    about: "Pachi as published (Baudiš and Gailly 2011)",
    uses_net: false,
    every_komi: false,
    settings: &[SEARCH, KOMI, TIME, MACHINES, PRIORS, PLAYOUTS],
    idle: &[
        "search.net_",
        "search.root_temperature",
        "search.score_share",
        "search.puct_",
        "prior.net",
        "dynamic_komi.",
        "go_intellect.",
        "cgi.",
    ],
    departs: "Joseki come from games and not from Kogo's dictionary, the rate of the self-atari filter and the weight of the even \
              0.5 are ours (the paper names none), adaptive komi never asks for a point that cannot be had, and in a cluster a \
              virtual win weighs no more than a hundredth of its parent's visits.",
};

const SEARCH: &[Setting] = &[
    set("search.selection", "rave", "Pachi Algorithm 1"),
    set("search.expand_at", "8", "Pachi 3"),
    set("search.rave_equivalence", "3000", "Pachi Algorithm 1"),
    set("search.amaf_distance", "on", "Pachi footnote 7"),
    set("search.criticality", "1.1", "Pachi 4.3"),
    set("search.criticality_visits", "2000", "Pachi 4.3"),
];

const KOMI: &[Setting] = &[
    set("search.komi_method", "adaptive", "Pachi 4.2"),
    set("search.komi_online", "on", "Dynamic komi 5.2"),
    set("search.komi_interval", "1000", "Dynamic komi footnote 12"),
    set("search.komi_slices", "0", "ours: the interval alone"),
    set("search.komi_stone", "7", "Dynamic komi 4"),
    set("search.komi_moves", "200", "Dynamic komi 4"),
    set("search.komi_sure_win", "0.85", "Pachi 4.2"),
    set("search.komi_too_much", "0.5", "ours: Pachi 4.2 names none"),
    set("search.komi_favour", "30", "Dynamic komi 5.2"),
    set("search.komi_favour_until", "0.95", "Dynamic komi 5.2"),
];

/// When a search under a clock has seen enough.
pub(super) const TIME: &[Setting] = &[
    set("search.stop_when_settled", "on", "Pachi 4.1"),
    set("search.stop_win_rate", "0.9", "Pachi 4.1"),
    set("search.unclear_reply", "0.02", "Pachi 4.1"),
    set("search.unclear_second", "2.5", "Pachi 4.1"),
    set("search.unclear_value", "on", "Pachi 4.1"),
];

/// Threads and machines that share a search.
pub(super) const MACHINES: &[Setting] = &[
    set("search.virtual_loss", "6", "Pachi 5.2"),
    set("search.virtual_wins_root", "30", "Pachi 5.2"),
    set("search.virtual_wins", "5", "Pachi 5.2"),
];

/// What new nodes start with.
pub(super) const PRIORS: &[Setting] = &[
    set("prior.equivalent_large", "20", "Pachi 3.1"),
    set("prior.equivalent_small", "14", "Pachi 3.1"),
    set("prior.even", "1", "ours: Pachi 3.1 says several simulations"),
    set("prior.eye", "1", "Pachi 3.1"),
    set("prior.ko", "1", "Pachi 3.1"),
    set("prior.lines", "1", "Pachi 3.1"),
    set("prior.distance", "1", "Pachi table 2"),
    set("prior.joseki", "2", "Pachi 3.1"),
    set("prior.policy", "1", "Pachi 3.1"),
    set("prior.patterns", "0", "Pachi 3.1 has no learned patterns"),
    set("prior.self_atari", "0", "Pachi 3.1 names no such prior"),
];

/// The playouts.
pub(super) const PLAYOUTS: &[Setting] = &[
    set("playout.policy", "pachi", "Pachi 3.2"),
    set("playout.rate_large", "0.8", "Pachi 3.2"),
    set("playout.rate_small", "0.9", "Pachi 3.2"),
    set("playout.ko", "0.2", "Pachi 3.2"),
    set("playout.nakade", "0.2", "Pachi 3.2"),
    set("playout.capture", "0.9", "Pachi 3.2"),
    set("playout.escape", "1", "Pachi 3.2"),
    set("playout.two_liberties", "1", "Pachi 3.2"),
    set("playout.many_liberties", "0.2", "Pachi 3.2"),
    set("playout.patterns", "1", "Pachi 3.2"),
    set("playout.joseki", "1", "Pachi 3.2"),
    set("playout.self_atari_filter", "0.95", "ours: Pachi 3.2 names no rate"),
    set("playout.too_many_connections", "off", "Evaluation value 4, not Pachi"),
];
