//! CGI: value networks with a label for every komi. Their errors are measured without games, by
//! [`value_nets`](crate::value_nets).

use crate::experiment::{Contestant, Defaults, Experiment, Figure, Measure, Picture, Start, Variant};

const METHOD: &str = "search.komi_method";
/// The paper's methods decide the komi of the next move (CGI III.B).
const BETWEEN_MOVES: (&str, &str) = ("search.komi_online", "off");
const METHODS: [&str; 6] = ["none", "ss-r", "ss-b", "ss-m", "vs-m", "ml-dk"];
/// The net with everything, and the one that knows only a komi of 7.5.
const LABELLED: &str = "BV-ML-VN";
const SINGLE: &str = "VN";
/// The paper's opponent is an earlier version of its program; ours is the program without a net, thinking longer.
const OPPONENT_EFFORT: f64 = 8.0;

const SMALL: Defaults = Defaults { size: 9, games: 40, playouts: 50, clock: None };

pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "net-cross",
        about: "the four value networks against each other",
        source: "CGI table 3",
        paper_says: "19x19, komi 7.5, 1 s a move, 500 games a pair: board evaluation and labels both help",
        paper_columns: &["paper"],
        measure: Measure::WinRate,
        picture: Picture::Intervals,
        preset: "cgi",
        baseline: &[],
        defaults: SMALL,
        variants: cross_table,
    },
    Experiment {
        name: "net-komi-even",
        about: "dynamic komi with a multi-labelled net in even games",
        source: "CGI table 4",
        paper_says: "19x19, komi 7.5, 1 s a move, 250 games against an earlier version: ml-dk is best, little between the others",
        paper_columns: &["paper"],
        measure: Measure::WinRate,
        picture: Picture::Intervals,
        preset: "cgi",
        baseline: &[],
        defaults: SMALL,
        variants: |_| even_games(),
    },
    Experiment {
        name: "net-komi-handicap",
        about: "dynamic komi with a multi-labelled net when giving handicap stones",
        source: "CGI table 5",
        paper_says: "19x19, 1 s a move, 250 games against an earlier version: ss-r and ml-dk help clearly, vs-m does not",
        paper_columns: &["paper"],
        measure: Measure::WinRate,
        picture: Picture::Curves { x: "handicap stones given" },
        preset: "cgi",
        baseline: &[],
        defaults: SMALL,
        variants: |_| handicap_games(LABELLED, &OF_LABELLED),
    },
    Experiment {
        name: "net-komi-single",
        about: "dynamic komi in playouts alone, beside a net that knows one komi, when giving handicap stones",
        source: "CGI table 6",
        paper_says: "19x19, 1 s a move, 250 games against an earlier version: clearly less than with a net that has labels",
        paper_columns: &["paper"],
        measure: Measure::WinRate,
        picture: Picture::Curves { x: "handicap stones given" },
        preset: "cgi",
        baseline: &[],
        defaults: SMALL,
        variants: |_| handicap_games(SINGLE, &OF_SINGLE),
    },
    Experiment {
        name: "net-komi-label",
        about: "asking the net about a komi of 6.5 or of 7.5 where half a point decides",
        source: "CGI IV.E",
        paper_says: "19x19, 1 s a move, 2630 endgames with both colours: the right komi wins slightly more",
        paper_columns: &["paper"],
        measure: Measure::WinRate,
        picture: Picture::Intervals,
        preset: "cgi",
        baseline: &[],
        defaults: Defaults { size: 19, games: 40, playouts: 50, clock: None },
        variants: |_| vec![right_label()],
    },
];

fn percent(value: f64, spread: f64) -> Option<Figure> {
    Some(Figure::new(value, spread))
}

fn cross_table(_size: usize) -> Vec<Variant> {
    let player = |net| Contestant::jigo(&[(METHOD, "none")]).with_net(net).named(net);
    // The paper prints 66.6 for BV-VN against VN and 39.4 for VN against BV-VN; both colours make 100.
    let pairs = [
        ("ML-VN", "VN", 60.4, 4.29),
        ("BV-VN", "VN", 60.6, 4.29),
        ("BV-ML-VN", "VN", 67.6, 4.11),
        ("BV-VN", "ML-VN", 50.8, 4.39),
        ("BV-ML-VN", "ML-VN", 52.8, 4.38),
        ("BV-ML-VN", "BV-VN", 52.8, 4.38),
    ];
    let variant =
        |(net, other, rate, spread)| Variant::new(net, player(net), player(other)).paper(&[percent(rate, spread)]);
    pairs.map(variant).to_vec()
}

fn with_method(method: &str, net: &'static str) -> Contestant {
    Contestant::jigo(&[(METHOD, method), BETWEEN_MOVES]).with_net(net)
}

fn without_net() -> Contestant {
    let settings = [(METHOD, "none"), ("search.selection", "rave")];
    Contestant::jigo(&settings).with_effort(OPPONENT_EFFORT).named("playouts alone")
}

fn even_games() -> Vec<Variant> {
    let paper = [(80.8, 4.89), (80.0, 4.97), (78.0, 5.15), (79.6, 5.01), (82.0, 4.77), (83.2, 4.64)];
    let variant = |(method, (rate, spread))| {
        Variant::new(method, with_method(method, LABELLED), without_net()).paper(&[percent(rate, spread)])
    };
    METHODS.into_iter().zip(paper).map(variant).collect()
}

/// Rates with their spreads for one to four stones.
type OfStones = [(f64, f64); 4];

const OF_LABELLED: [(&str, OfStones); 6] = [
    ("none", [(74.0, 5.45), (50.0, 6.21), (30.4, 5.71), (10.8, 3.86)]),
    ("ss-r", [(76.0, 5.3), (58.0, 6.13), (38.0, 6.03), (22.0, 5.15)]),
    ("ss-b", [(77.6, 5.18), (54.0, 6.19), (31.6, 5.77), (20.4, 5.01)]),
    ("ss-m", [(74.4, 5.42), (49.2, 6.21), (34.0, 5.88), (12.8, 4.15)]),
    ("vs-m", [(71.6, 5.6), (46.8, 6.2), (30.4, 5.71), (9.2, 3.59)]),
    ("ml-dk", [(80.0, 4.97), (57.2, 6.15), (41.6, 6.12), (18.4, 4.81)]),
];
const OF_SINGLE: [(&str, OfStones); 2] = [
    ("ss-r", [(75.6, 5.33), (52.0, 6.21), (33.2, 5.85), (10.4, 3.79)]),
    ("ml-dk", [(73.2, 5.5), (53.2, 6.2), (30.8, 5.73), (10.4, 3.79)]),
];

fn handicap_games(net: &'static str, methods: &[(&'static str, OfStones)]) -> Vec<Variant> {
    let mut variants = Vec::new();
    for (place, stones) in (1..=4).enumerate() {
        for (method, paper) in methods {
            let (rate, spread) = paper[place];
            let variant = Variant::new(format!("{method}, {stones}"), with_method(method, net), without_net());
            let variant = variant.starting(Start::Gives(stones)).on_curve(method, stones as f64);
            variants.push(variant.paper(&[percent(rate, spread)]));
        }
    }
    variants
}

fn right_label() -> Variant {
    let asking = |points: &str| Contestant::jigo(&[(METHOD, "none"), ("cgi.net_komi", points)]).with_net(LABELLED);
    let variant = Variant::new("asked about 6.5", asking("0"), asking("1").named("asked about 7.5"));
    variant.starting(Start::Endgames { komi: 6.5 }).paper(&[percent(51.52, 1.22)])
}
