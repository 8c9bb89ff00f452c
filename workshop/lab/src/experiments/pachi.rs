//! Pachi: Pachi's heuristics and how it scales.

use super::changed;
use crate::experiment::{Contestant, Defaults, Experiment, Figure, Measure, Picture, Start, Variant};

/// The paper's three settings: 5,000 playouts against GNU Go, 20,000 and 250,000 against Fuego.
const ENDS: &[&str] = &["paper low-end", "paper mid-end", "paper high-end"];
const SMALL: Defaults = Defaults { size: 9, games: 40, playouts: 400, clock: None };

pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "priors",
        about: "what each prior is worth: Elo without it",
        source: "Pachi table 1",
        paper_says: "19x19: nearness to the last move and the playout policy matter, the rest hardly",
        paper_columns: ENDS,
        measure: Measure::EloChange,
        picture: Picture::Intervals,
        preset: "pachi",
        baseline: &[],
        defaults: SMALL,
        variants: priors,
    },
    Experiment {
        name: "playouts",
        about: "what each heuristic of the playouts is worth: Elo without it",
        source: "Pachi table 3",
        paper_says: "19x19: captures are worth most, then patterns, then two-liberty moves and the self-atari filter",
        paper_columns: ENDS,
        measure: Measure::EloChange,
        picture: Picture::Intervals,
        preset: "pachi",
        baseline: &[],
        defaults: SMALL,
        variants: playout_heuristics,
    },
    Experiment {
        name: "time-reply",
        about: "more time when the best move and its best reply disagree by this much",
        source: "Pachi fig. 2",
        paper_says: "19x19, 300 s a game: up to 80 Elo above a search that never takes more time; 0.02 is the default",
        paper_columns: &[],
        measure: Measure::EloChange,
        picture: Picture::Curves { x: "best_r, difference that asks for more time" },
        preset: "pachi",
        baseline: NEVER_UNCLEAR,
        defaults: TIMED,
        variants: |_| unclear("search.unclear_reply", &["0.005", "0.01", "0.02", "0.04", "0.08"]),
    },
    Experiment {
        name: "time-second",
        about: "more time when the two best moves are simulated nearly as often",
        source: "Pachi fig. 3",
        paper_says: "19x19, 300 s a game: up to 80 Elo above a search that never takes more time; 2.5 is the default",
        paper_columns: &[],
        measure: Measure::EloChange,
        picture: Picture::Curves { x: "best_2, ratio of visits that asks for more time" },
        preset: "pachi",
        baseline: NEVER_UNCLEAR,
        defaults: TIMED,
        variants: |_| unclear("search.unclear_second", &["1.5", "2", "2.5", "3", "5"]),
    },
    Experiment {
        name: "criticality",
        about: "criticality in the RAVE formula",
        source: "Pachi 4.3",
        paper_says: "19x19, c = 1.1: about 10 Elo after 2,000 visits (high-end), 69 after 192 (low-end)",
        paper_columns: &["paper"],
        measure: Measure::EloChange,
        picture: Picture::Intervals,
        preset: "pachi",
        baseline: &[("search.criticality", "0")],
        defaults: SMALL,
        variants: criticality,
    },
    Experiment {
        name: "scaling",
        about: "strength over playouts against one opponent",
        source: "Pachi fig. 4",
        paper_says: "19x19 against Fuego: about 100 Elo per doubling in the middle of the range, 50 at its end",
        paper_columns: &[],
        measure: Measure::Elo,
        picture: Picture::Curves { x: "doublings of playouts" },
        preset: "pachi",
        baseline: &[],
        defaults: SMALL,
        variants: |_| (-2..=3).map(|doublings| doubled(doublings, Contestant::Opponent)).collect(),
    },
    Experiment {
        name: "scaling-self",
        about: "strength over playouts against itself",
        source: "Pachi fig. 8",
        paper_says: "self-play inflates: from 1 to 2 cores 380 Elo against itself, 150 against Fuego",
        paper_columns: &[],
        measure: Measure::Elo,
        picture: Picture::Curves { x: "doublings of playouts" },
        preset: "pachi",
        baseline: &[],
        defaults: SMALL,
        variants: |_| [-2, -1, 1, 2, 3].map(|doublings| doubled(doublings, Contestant::jigo(&[]))).into(),
    },
    Experiment {
        name: "threads",
        about: "strength of several threads that play as many simulations as one",
        source: "Pachi fig. 9",
        paper_says: "19x19: as strong as one thread with as many simulations, up to 22 cores (a speedup of 21.7 ± 0.5)",
        paper_columns: &[],
        measure: Measure::Elo,
        picture: Picture::Curves { x: "threads" },
        preset: "pachi",
        baseline: &[],
        defaults: SMALL,
        variants: |_| [1, 2, 4, 8].map(on_threads).into(),
    },
    Experiment {
        name: "threads-time",
        about: "strength of several threads in the same time; takes as many free cores",
        source: "Pachi fig. 7",
        paper_says: "19x19, 15 minutes a game: from 1 to 2 cores 380 Elo against itself, 150 against Fuego",
        paper_columns: &[],
        measure: Measure::Elo,
        picture: Picture::Curves { x: "threads" },
        preset: "pachi",
        baseline: &[],
        defaults: TIMED,
        variants: |_| [1, 2, 4, 8].map(on_threads).into(),
    },
    Experiment {
        name: "machines",
        about: "strength of several machines, each with the playouts of one, or all together with those of one",
        source: "Pachi fig. 10",
        paper_says: "19x19: 64 machines are about 3 stones stronger than one, far less than as many cores that share a tree; \
                     200 Elo from 2 to 64 of them against Fuego (fig. 4)",
        paper_columns: &[],
        measure: Measure::Elo,
        picture: Picture::Curves { x: "machines" },
        preset: "pachi",
        baseline: &[],
        defaults: SMALL,
        variants: |_| on_machines(),
    },
    Experiment {
        name: "virtual-loss",
        about: "lost simulations added while one of eight threads is below a node",
        source: "Pachi 5.2",
        paper_says: "19x19: several instead of one slightly improve a single machine too; 6 is the default",
        paper_columns: &[],
        measure: Measure::EloChange,
        picture: Picture::Curves { x: "virtual losses" },
        preset: "pachi",
        baseline: &[("search.virtual_loss", "1")],
        defaults: SMALL,
        variants: |_| ["0", "1", "3", "6", "12"].map(virtual_losses).into(),
    },
    Experiment {
        name: "handicap-elo",
        about: "what handicap stones cost when giving them",
        source: "Pachi fig. 5",
        paper_says: "19x19 against Fuego: one more stone costs about 70 Elo, as much as 12 points",
        paper_columns: &[],
        measure: Measure::Elo,
        picture: Picture::Curves { x: "handicap stones given" },
        preset: "pachi",
        baseline: &[],
        defaults: SMALL,
        variants: stones_given,
    },
    Experiment {
        name: "komi-elo",
        about: "what points of komi are worth, as White",
        source: "Pachi fig. 6",
        paper_says: "19x19 against Fuego: 12 points are worth about 70 Elo",
        paper_columns: &[],
        measure: Measure::Elo,
        picture: Picture::Curves { x: "komi" },
        preset: "pachi",
        baseline: &[],
        defaults: SMALL,
        variants: komi_values,
    },
];

fn figures<const N: usize>(figures: [Option<(f64, f64)>; N]) -> [Option<Figure>; N] {
    figures.map(|known| known.map(|(value, spread)| Figure::new(value, spread)))
}

fn everything() -> Variant {
    changed("everything", &[])
}

fn priors(size: usize) -> Vec<Variant> {
    let rows = [
        ("w/o eye malus", "prior.eye", [(-31.0, 32.0), (-3.0, 16.0), (1.0, 16.0)]),
        ("w/o ko prior", "prior.ko", [(-15.0, 32.0), (-3.0, 16.0), (10.0, 16.0)]),
        ("w/o lines", "prior.lines", [(-15.0, 33.0), (-4.0, 16.0), (-6.0, 16.0)]),
        ("w/o CFG distance", "prior.distance", [(-66.0, 32.0), (-66.0, 16.0), (-121.0, 16.0)]),
        ("w/o playout policy", "prior.policy", [(-234.0, 42.0), (-196.0, 16.0), (-228.0, 16.0)]),
    ];
    // The prior for lines speaks on 19x19 only.
    let applicable = rows.into_iter().filter(|(_, name, _)| size == 19 || *name != "prior.lines");
    let of_the_paper =
        applicable.map(|(label, name, known)| changed(label, &[(name, "0")]).paper(&figures(known.map(Some))));
    // The paper's program has none; this is what Jigo's own would add.
    let ours = changed("with learned patterns", &[("prior.patterns", "4")]);
    [everything()].into_iter().chain(of_the_paper).chain([ours]).collect()
}

fn playout_heuristics(_size: usize) -> Vec<Variant> {
    let without = |label, settings: &[(&'static str, &str)], known| changed(label, settings).paper(&figures(known));
    let exact = |value| Some((value, 0.0));
    vec![
        everything(),
        // The paper's heuristic is one: capture the last move's chain, or save one's own.
        without(
            "w/o capture",
            &[("playout.capture", "0"), ("playout.escape", "0")],
            [Some((-563.0, 106.0)), exact(-700.0), exact(-949.0)],
        ),
        without("w/o two liberties", &[("playout.two_liberties", "0")], [Some((-86.0, 34.0)), None, None]),
        without(
            "w/o 3x3 patterns",
            &[("playout.patterns", "0")],
            [Some((-324.0, 37.0)), Some((-447.0, 34.0)), Some((-502.0, 36.0))],
        ),
        without(
            "w/o self-atari filter",
            &[("playout.self_atari_filter", "0")],
            [Some((-34.0, 33.0)), None, Some((-31.0, 16.0))],
        ),
    ]
}

const NEVER_UNCLEAR: &[(&str, &str)] =
    &[("search.unclear_reply", "1"), ("search.unclear_second", "1"), ("search.unclear_value", "off")];
/// A clock instead of playouts: the experiment is about how time is spent.
const TIMED: Defaults = Defaults { size: 9, games: 20, playouts: 400, clock: Some("20") };

/// One of the two conditions at several thresholds, the other one switched off.
fn unclear(name: &'static str, thresholds: &[&str]) -> Vec<Variant> {
    let reference = changed("never more time", NEVER_UNCLEAR);
    let at = |threshold: &&str| {
        let mut settings = NEVER_UNCLEAR.to_vec();
        settings.retain(|(other, _)| *other != name);
        settings.push((name, threshold));
        changed(format!("at {threshold}"), &settings).on_curve("more time", threshold.parse().unwrap_or_default())
    };
    [reference].into_iter().chain(thresholds.iter().map(at)).collect()
}

fn criticality(_size: usize) -> Vec<Variant> {
    let with = |visits: &str| {
        let settings = [("search.criticality", "1.1"), ("search.criticality_visits", visits)];
        changed(format!("c = 1.1 after {visits} visits"), &settings)
    };
    vec![
        changed("no criticality", &[("search.criticality", "0")]),
        with("192").paper(&[Some(Figure::new(69.0, 32.0))]),
        with("2000").paper(&[Some(Figure::new(10.0, 0.0))]),
    ]
}

fn doubled(doublings: i32, opponent: Contestant) -> Variant {
    let effort = 2f64.powi(doublings);
    let player = Contestant::jigo(&[]).with_effort(effort);
    let curve = if opponent == Contestant::Opponent { "against the opponent" } else { "against itself" };
    Variant::new(format!("playouts x {effort}"), player, opponent).on_curve(curve, doublings.into())
}

fn on_threads(threads: usize) -> Variant {
    let player = Contestant::jigo(&[]).with_threads(threads);
    Variant::new(format!("{threads} threads"), player, Contestant::Opponent).on_curve("threads", threads as f64)
}

/// What the others add, and what is lost by not sharing a tree.
fn on_machines() -> Vec<Variant> {
    let row = |label: String, curve: &str, machines: usize, effort: f64| {
        let player = Contestant::jigo(&[]).with_machines(machines).with_effort(effort);
        Variant::new(label, player, Contestant::Opponent).on_curve(curve, machines as f64)
    };
    let each = |&machines: &usize| row(format!("{machines} machines"), "each as many", machines, machines as f64);
    let shared = |&machines: &usize| row(format!("{machines} that share"), "together as many", machines, 1.0);
    let numbers = [2, 4, 8];
    numbers.iter().map(each).chain(numbers.iter().map(shared)).collect()
}

fn virtual_losses(losses: &str) -> Variant {
    let player = Contestant::jigo(&[("search.virtual_loss", losses)]).with_threads(8);
    let variant = Variant::new(format!("{losses} lost"), player, Contestant::Opponent);
    variant.on_curve("eight threads", losses.parse().unwrap_or_default()).on_a_par()
}

fn stones_given(size: usize) -> Vec<Variant> {
    let stones: &[usize] = if size < 13 { &[0, 1, 2, 3] } else { &[0, 1, 2, 3, 4, 5, 6] };
    let giving = |&stones: &usize| {
        let start = if stones == 0 { Start::Even } else { Start::Gives(stones) };
        changed(format!("{stones} stones"), &[]).starting(start).on_curve("giving stones", stones as f64)
    };
    stones.iter().map(giving).collect()
}

fn komi_values(size: usize) -> Vec<Variant> {
    let steps: &[f32] = if size < 13 { &[-8.0, -4.0, 0.0, 4.0, 8.0] } else { &[-36.0, -24.0, -12.0, 0.0, 12.0, 24.0] };
    let with = |&step: &f32| {
        let komi = 7.5 + step;
        changed(format!("komi {komi}"), &[]).starting(Start::White { komi }).on_curve("White", komi.into())
    };
    steps.iter().map(with).collect()
}
