//! Go Intellect: chance in Go Intellect's parameters and in the order of its generators.

use crate::experiment::{Contestant, Defaults, Experiment, Measure, Picture, Variant};

/// The generators never change places.
const IN_ORDER: &str = "go-intellect-fixed";
/// Go Intellect as it was before the paper: UCB1 with RAVE, its own generators in their fixed order.
const FIXED: &[(&str, &str)] =
    &[("search.selection", "uct-rave"), ("go_intellect.randomised", "off"), ("playout.policy", IN_ORDER)];
/// With its parameters drawn, and its generators in their fixed order.
const DRAWN: &[(&str, &str)] =
    &[("search.selection", "uct-rave"), ("go_intellect.randomised", "on"), ("playout.policy", IN_ORDER)];
/// Four levels of effort, this and 2, 4 and 8 times as much; the paper's 10K to 80K are `--playouts 10000`.
const SMALL: Defaults = Defaults { size: 9, games: 20, playouts: 100, clock: None };

pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "random-parameters",
        about: "parameters of the tree drawn anew before every step down",
        source: "Go Intellect fig. 1",
        paper_says: "19x19 against GNU Go 3.8: 8 percentage points more on average; hardly an effect on 9x9",
        paper_columns: &[],
        measure: Measure::WinRate,
        picture: Picture::Curves { x: "simulations, in multiples of --playouts" },
        preset: "go-intellect",
        baseline: FIXED,
        defaults: SMALL,
        variants: |_| over_simulations(&[("fixed", FIXED), ("randomised", DRAWN)]),
    },
    Experiment {
        name: "random-once",
        about: "parameters of the tree drawn once a simulation instead of before every step down",
        source: "Go Intellect V",
        paper_says: "19x19 against GNU Go 3.8: once a simulation is not quite as good",
        paper_columns: &[],
        measure: Measure::WinRate,
        picture: Picture::Curves { x: "simulations, in multiples of --playouts" },
        preset: "go-intellect",
        baseline: DRAWN,
        defaults: SMALL,
        variants: |_| {
            let once = [DRAWN, &[("go_intellect.by_simulation", "on")]].concat();
            over_simulations(&[("before every step", DRAWN), ("once a simulation", &once)])
        },
    },
    Experiment {
        name: "random-generators",
        about: "order of the playouts' generators shuffled within their classes",
        source: "Go Intellect fig. 2",
        paper_says: "19x19 against GNU Go 3.8: helps above 30K simulations, by over 7 percentage points at 80K; \
                     shuffled once a playout, slightly less at 80K",
        paper_columns: &[],
        measure: Measure::WinRate,
        picture: Picture::Curves { x: "simulations, in multiples of --playouts" },
        preset: "go-intellect",
        baseline: DRAWN,
        defaults: SMALL,
        variants: |_| {
            let shuffled = |policy| [&DRAWN[..2], &[("playout.policy", policy)]].concat();
            over_simulations(&[
                ("parameters only", DRAWN),
                ("and order, every move", &shuffled("go-intellect")),
                ("and order, every playout", &shuffled("go-intellect-by-playout")),
            ])
        },
    },
];

/// Name and settings of each curve. Against our own program both sides think for equally long.
fn over_simulations(curves: &[(&str, &[(&'static str, &str)])]) -> Vec<Variant> {
    let mut variants = Vec::new();
    for factor in [1.0, 2.0, 4.0, 8.0] {
        for (curve, settings) in curves {
            let player = Contestant::jigo(settings).with_effort(factor);
            let variant = Variant::new(format!("{curve}, x{factor}"), player, Contestant::Opponent);
            variants.push(variant.on_curve(curve, factor).on_a_par());
        }
    }
    variants
}
