//! Go Intellect: chance in Go Intellect's parameters and in the order of its generators.

use super::changed;
use crate::experiment::{Contestant, Defaults, Experiment, Measure, Picture, Variant};

/// The generators never change places.
const IN_ORDER: &str = "go-intellect-fixed";
/// Go Intellect as it was before the paper: UCB1 with RAVE, its own generators in their fixed order.
const FIXED: &[(&str, &str)] =
    &[("search.selection", "uct-rave"), ("go_intellect.randomised", "off"), ("playout.policy", IN_ORDER)];
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
        variants: |_| over_simulations(&[("fixed", "off", IN_ORDER), ("randomised", "on", IN_ORDER)]),
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
        baseline: FIXED,
        defaults: SMALL,
        variants: |_| {
            over_simulations(&[
                ("parameters only", "on", IN_ORDER),
                ("and order, every move", "on", "go-intellect"),
                ("and order, every playout", "on", "go-intellect-by-playout"),
            ])
        },
    },
];

/// Name of the curve, whether parameters are randomised, and the policy, which says when generators change places.
fn over_simulations(curves: &[(&str, &str, &str)]) -> Vec<Variant> {
    let mut variants = Vec::new();
    for factor in [1.0, 2.0, 4.0, 8.0] {
        for &(curve, randomised, policy) in curves {
            let settings = [("go_intellect.randomised", randomised), ("playout.policy", policy)];
            let mut variant = changed(format!("{curve}, x{factor}"), &settings).on_curve(curve, factor);
            if let Contestant::Jigo { effort, .. } = &mut variant.player {
                *effort = factor;
            }
            variants.push(variant);
        }
    }
    variants
}
