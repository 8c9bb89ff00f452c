//! Go Intellect with everything drawn at random that the paper draws.

use super::pachi::TIME;
use super::{Preset, Setting, set};

pub const GO_INTELLECT: Preset = Preset {
    name: "go-intellect",
    about: "Go Intellect with randomised parameters and generators (Chen 2010)",
    uses_net: false,
    every_komi: false,
    settings: &[SEARCH, TIME, PRIORS, PLAYOUTS],
    idle: &[
        "search.net_",
        "search.score_share",
        "search.rave_equivalence",
        "search.puct_",
        "search.criticality",
        "search.komi_online",
        "search.komi_interval",
        "search.komi_slices",
        "search.komi_stone",
        "search.komi_moves",
        "search.komi_sure_win",
        "search.komi_too_much",
        "search.komi_favour",
        "prior.net",
        "prior.equivalent_",
        "prior.even",
        "prior.eye",
        "prior.ko",
        "prior.lines",
        "prior.distance",
        "prior.joseki",
        "prior.policy",
        "prior.self_atari",
        "playout.rate_",
        "playout.ko",
        "playout.nakade",
        "playout.capture",
        "playout.escape",
        "playout.two_liberties",
        "playout.many_liberties",
        "playout.patterns",
        "playout.joseki",
        "dynamic_komi.",
        "cgi.",
    ],
    departs: "Its routines of prior knowledge are not published and learned patterns take their place, the growth of progressive \
              widening is Coulom's, two of the generators look at a few random places instead of the whole board, and time is used \
              as in Pachi.",
};

const SEARCH: &[Setting] = &[
    set("search.selection", "uct-rave", "Go Intellect II"),
    set("search.expand_at", "1", "Go Intellect II"),
    set("search.virtual_loss", "0", "Go Intellect V"),
    set("search.virtual_wins_root", "0", "Go Intellect II plays on one machine"),
    set("search.virtual_wins", "0", "Go Intellect II plays on one machine"),
    set("search.root_temperature", "1", "Go Intellect II has none"),
    set("search.komi_method", "none", "Go Intellect II has none"),
    set("search.amaf_distance", "off", "Go Intellect II"),
    set("go_intellect.exploration", "12", "Go Intellect III"),
    set("go_intellect.rave_weight", "2000", "Go Intellect III"),
    set("go_intellect.root_prior", "24", "Go Intellect III"),
    set("go_intellect.prior", "12", "Go Intellect III"),
    set("go_intellect.rave_until", "5000", "Go Intellect III"),
    set("go_intellect.randomised", "on", "Go Intellect IV"),
    set("go_intellect.by_simulation", "off", "Go Intellect IV"),
    set("go_intellect.widening", "1.4", "Coulom 2007"),
];

/// The learned patterns are its knowledge: any weight but 0 has them looked at, and k0 and k1 say what they count.
const PRIORS: &[Setting] = &[set("prior.patterns", "4", "Coulom 2007")];

const PLAYOUTS: &[Setting] = &[
    set("playout.policy", "go-intellect", "Go Intellect VI"),
    set("playout.self_atari_filter", "0.95", "ours"),
    set("playout.too_many_connections", "off", "Evaluation value 4, not Go Intellect"),
];
