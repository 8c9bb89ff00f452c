//! Dynamic komi: balancing tree search by imagining another komi.

use super::{changed, scaled_moves};
use crate::experiment::{Contestant, Defaults, Experiment, Figure, Measure, Picture, Start, Variant};

const NONE: (&str, &str) = ("search.komi_method", "none");
const METHOD: &str = "search.komi_method";
const MOVES: &str = "search.komi_moves";
const STONE: &str = "search.komi_stone";
/// The paper's searches are long enough for many changes of an online komi; shorter ones here change it as often.
const SLICES: (&str, &str) = ("search.komi_slices", "10");
/// The strength of GNU Go that the paper plays against, and the weaker one to which stones are given.
const STRONG: u8 = 10;
const WEAK: u8 = 1;

pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "komi-even",
        about: "dynamic komi in even games",
        source: "Dynamic komi table 1",
        paper_says: "19x19, 3.6 minutes a game: value-based komi gains a little against GNU Go and more against oneself",
        paper_columns: &["paper"],
        measure: Measure::WinRate,
        picture: Picture::Intervals,
        preset: "baudis",
        baseline: &[NONE],
        defaults: Defaults { size: 9, games: 40, playouts: 400, clock: None },
        variants: even_games,
    },
    Experiment {
        name: "komi-fading",
        about: "linear komi: over how many moves (M) it fades, taking handicap stones",
        source: "Dynamic komi fig. 1a",
        paper_says: "19x19: best when the komi fades over about 200 moves",
        paper_columns: &[],
        measure: Measure::WinRate,
        picture: Picture::Curves { x: "M, moves over which linear komi fades" },
        preset: "baudis",
        baseline: &[NONE],
        defaults: Defaults { size: 9, games: 30, playouts: 200, clock: None },
        variants: fading,
    },
    Experiment {
        name: "komi-stone",
        about: "linear komi: how many points (h) a handicap stone is worth, taking stones",
        source: "Dynamic komi fig. 1b",
        paper_says: "19x19: best near 7 points, with little difference from 4 to 14",
        paper_columns: &[],
        measure: Measure::WinRate,
        picture: Picture::Curves { x: "h, points for a handicap stone" },
        preset: "baudis",
        baseline: &[NONE],
        defaults: Defaults { size: 9, games: 30, playouts: 200, clock: None },
        variants: stone_value,
    },
    Experiment {
        name: "komi-taking",
        about: "dynamic komi when taking handicap stones",
        source: "Dynamic komi fig. 2a",
        paper_says: "19x19 against GNU Go level 10: both linear and value-based komi win clearly more games than none",
        paper_columns: &[],
        measure: Measure::WinRate,
        picture: Picture::Curves { x: "handicap stones taken" },
        preset: "baudis",
        baseline: &[NONE],
        defaults: Defaults { size: 9, games: 20, playouts: 200, clock: None },
        variants: |size| handicap_curves(size, Start::Takes, STRONG, WEAK),
    },
    Experiment {
        name: "komi-giving",
        about: "dynamic komi when giving handicap stones",
        source: "Dynamic komi fig. 2b",
        paper_says: "19x19 against GNU Go level 1: linear komi does not help, value-based komi does",
        paper_columns: &[],
        measure: Measure::WinRate,
        picture: Picture::Curves { x: "handicap stones given" },
        preset: "baudis",
        baseline: &[NONE],
        defaults: Defaults { size: 9, games: 20, playouts: 200, clock: None },
        variants: |size| handicap_curves(size, Start::Gives, WEAK, STRONG),
    },
    Experiment {
        name: "komi-online",
        about: "value-based komi changed during the search, or from move to move only",
        source: "Dynamic komi 5.2",
        paper_says: "19x19: changing it during the search is significantly better",
        paper_columns: &[],
        measure: Measure::WinRate,
        picture: Picture::Intervals,
        preset: "baudis",
        baseline: &[VALUE, SLICES, ("search.komi_online", "off")],
        defaults: Defaults { size: 9, games: 40, playouts: 200, clock: None },
        variants: |_| {
            let with = |online| [VALUE, SLICES, ("search.komi_online", online)];
            vec![changed("from move to move", &with("off")), changed("during the search", &with("on"))]
        },
    },
    Experiment {
        name: "komi-zones",
        about: "value-based komi: the win rates (red and green) between which it keeps the game",
        source: "Dynamic komi 5.1.2",
        paper_says: "19x19: red 0.45 and green 0.5 are best, which is a slight disadvantage",
        paper_columns: &[],
        measure: Measure::WinRate,
        picture: Picture::Intervals,
        preset: "baudis",
        baseline: &[VALUE, SLICES, ("dynamic_komi.red", "0.45"), ("dynamic_komi.green", "0.5")],
        defaults: Defaults { size: 9, games: 40, playouts: 200, clock: None },
        variants: |_| [("0.45", "0.5"), ("0.3", "0.35"), ("0.55", "0.6"), ("0.3", "0.7")].map(zones).into(),
    },
    Experiment {
        name: "komi-ratchet",
        about: "value-based komi: for how many moves a komi that lost the game is not tried again",
        source: "Dynamic komi 5.1.2",
        paper_says: "19x19: best if it is never tried again",
        paper_columns: &[],
        measure: Measure::WinRate,
        picture: Picture::Intervals,
        preset: "baudis",
        baseline: &[VALUE, SLICES, ("dynamic_komi.ratchet_moves", "0")],
        defaults: Defaults { size: 9, games: 40, playouts: 200, clock: None },
        variants: |_| {
            let with = |label, moves| changed(label, &[VALUE, SLICES, ("dynamic_komi.ratchet_moves", moves)]);
            vec![with("never again", "0"), with("after 4 moves", "4"), with("after 16 moves", "16")]
        },
    },
];

const VALUE: (&str, &str) = (METHOD, "value");

fn zones((red, green): (&str, &str)) -> Variant {
    let settings = [VALUE, SLICES, ("dynamic_komi.red", red), ("dynamic_komi.green", green)];
    changed(format!("{red} to {green}"), &settings)
}

fn even_games(_size: usize) -> Vec<Variant> {
    let jigo = |method| Contestant::jigo(&[(METHOD, method), SLICES]);
    let gnu_go = Contestant::GnuGo { level: STRONG };
    // At the paper's 10, 20 and 30 minutes a game, 55.6, 59.4 and 58.3 % instead of the 54.2 % at 3.6 minutes.
    let rows = [
        ("none", gnu_go.clone(), 27.3, 3.2),
        ("score", gnu_go.clone(), 26.3, 2.0),
        ("score", jigo("none").named("none"), 46.0, 2.0),
        ("score", jigo("value").named("value"), 43.4, 1.8),
        ("value", gnu_go, 29.0, 2.6),
        ("value", jigo("none").named("none"), 54.2, 3.4),
    ];
    let of_the_paper = rows.map(|(method, opponent, rate, spread)| {
        Variant::new(method, jigo(method), opponent).paper(&[Some(Figure::new(rate, spread))])
    });
    // The later method of Pachi 4.2, for which no figures are given.
    let adaptive = Variant::new("adaptive", jigo("adaptive"), jigo("none").named("none"));
    of_the_paper.into_iter().chain([adaptive]).collect()
}

/// Stones taken while the constants of linear komi are looked at.
const TAKEN: usize = 3;

fn fading(size: usize) -> Vec<Variant> {
    let linear = |moves: usize| {
        let settings = [(METHOD, "linear"), (MOVES, &*moves.to_string())];
        changed(format!("M = {moves}"), &settings).on_curve("linear", moves as f64)
    };
    let moves = [50, 100, 150, 200, 250, 300, 400].map(|moves| scaled_moves(moves, size));
    moves.into_iter().map(|moves| linear(moves).starting(Start::Takes(TAKEN))).collect()
}

fn stone_value(size: usize) -> Vec<Variant> {
    let moves = scaled_moves(200, size).to_string();
    let linear = |points: u32| {
        let settings = [(METHOD, "linear"), (MOVES, &*moves), (STONE, &*points.to_string())];
        changed(format!("h = {points}"), &settings).on_curve("linear", points.into())
    };
    [1, 4, 7, 10, 14, 20].into_iter().map(|points| linear(points).starting(Start::Takes(TAKEN))).collect()
}

/// Three methods over the number of stones, and GNU Go in our place for comparison.
fn handicap_curves(size: usize, start: fn(usize) -> Start, opponent: u8, comparison: u8) -> Vec<Variant> {
    let moves = scaled_moves(200, size).to_string();
    let stones: &[usize] = if size < 13 { &[1, 2, 3] } else { &[1, 2, 3, 4, 5, 6, 7, 8, 9] };
    let mut variants = Vec::new();
    for &stones in stones {
        let mut add = |curve: &str, player: Contestant| {
            let label = format!("{curve}, {stones}");
            let variant = Variant::new(label, player, Contestant::GnuGo { level: opponent });
            variants.push(variant.starting(start(stones)).on_curve(curve, stones as f64));
        };
        for method in ["none", "linear", "value"] {
            add(method, Contestant::jigo(&[(METHOD, method), (MOVES, &*moves), SLICES]));
        }
        add(&format!("GNU Go level {comparison}"), Contestant::GnuGo { level: comparison });
    }
    variants
}
