//! Go Intellect with everything drawn at random that the paper draws.

use super::pachi::TIME;
use super::{Preset, Setting, set};

pub const GO_INTELLECT: Preset = Preset {
    name: "go-intellect",
    about: "Go Intellect with randomised parameters and generators (Chen 2010)",
    uses_net: false,
    settings: &[SEARCH, TIME, PRIORS, PLAYOUTS],
    idle: &[
        "search.net_",
        "search.score_share",
        "search.rave_equivalence",
        "search.puct_",
        "search.criticality_visits",
        "search.komi_online",
        "search.komi_interval",
        "search.komi_slices",
        "search.komi_stone",
        "search.komi_moves",
        "search.komi_sure_win",
        "search.komi_too_much",
        "search.komi_favour",
        "prior.net",
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
    set("search.criticality", "0", "Go Intellect II has none"),
    set("search.komi_method", "none", "Go Intellect II has none"),
    set("search.amaf_distance", "off", "Go Intellect II"),
    set("go_intellect.exploration", "12", "Go Intellect III"),
    set("go_intellect.rave_weight", "2000", "Go Intellect III"),
    set("go_intellect.root_prior", "24", "Go Intellect III"),
    set("go_intellect.prior", "12", "Go Intellect III"),
    set("go_intellect.rave_until", "5000", "Go Intellect III"),
    set("go_intellect.randomised", "on", "Go Intellect IV"),
    set("go_intellect.widening", "1.4", "Coulom 2007"),
];

/// Learned patterns; the rest speaks only where they are silent.
const PRIORS: &[Setting] = &[
    set("prior.equivalent_large", "20", "ours"),
    set("prior.equivalent_small", "14", "ours"),
    set("prior.even", "1", "ours"),
    set("prior.eye", "1", "ours"),
    set("prior.ko", "1", "ours"),
    set("prior.lines", "1", "ours"),
    set("prior.distance", "0.3", "ours"),
    set("prior.joseki", "2", "ours"),
    set("prior.policy", "1", "ours"),
    set("prior.patterns", "4", "Coulom 2007"),
    set("prior.self_atari", "1", "ours"),
];

const PLAYOUTS: &[Setting] = &[
    set("playout.policy", "go-intellect", "Go Intellect VI"),
    set("playout.rate_large", "0.8", "ours"),
    set("playout.rate_small", "0.9", "ours"),
    set("playout.ko", "0.2", "ours"),
    set("playout.nakade", "0.2", "ours"),
    set("playout.capture", "0.9", "ours"),
    set("playout.escape", "1", "ours"),
    set("playout.two_liberties", "1", "ours"),
    set("playout.many_liberties", "0.2", "ours"),
    set("playout.patterns", "1", "ours"),
    set("playout.joseki", "1", "ours"),
    set("playout.self_atari_filter", "0.95", "ours"),
    set("playout.too_many_connections", "off", "Evaluation value 4, not Go Intellect"),
];
