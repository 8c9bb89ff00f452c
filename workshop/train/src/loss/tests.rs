//! Finite differences on every output, for all forms of the value and all kinds of labels.

use jigo_board::Rng;

use super::*;
use crate::model::BatchShape;
use crate::target::{TaughtRate, ValueTarget};

fn targets(rng: &mut Rng) -> Vec<Target> {
    let rate = |komi, black_rate| TaughtRate { komi, black_rate, weight: 0.7 };
    let values = [
        ValueTarget { winner: Some((6.5, true)), ..ValueTarget::default() },
        ValueTarget { winner: Some((7.5, false)), black_margin: Some(-4.0), ..ValueTarget::default() },
        ValueTarget { black_margin: Some(12.0), ..ValueTarget::default() },
        ValueTarget { rates: vec![rate(7.5, 0.3), rate(-2.0, 0.8)], ..ValueTarget::default() },
        ValueTarget::default(),
    ];
    let chances: Vec<f32> = (0..26).map(|place| if place % 5 == 0 { 1.0 / 6.0 } else { 0.0 }).collect();
    let barred: Vec<usize> = (20..=25).collect();
    values
        .into_iter()
        .enumerate()
        .map(|(i, value)| Target {
            to_move_is_black: i % 2 == 0,
            moves: [Some(rng.below(20)), Some(25), None],
            policy: if i == 3 { chances.clone() } else { Vec::new() },
            move_weight: 1.0,
            barred: if i == 1 { barred.clone() } else { Vec::new() },
            value,
            ownership: if i == 4 { Vec::new() } else { (0..25).map(|_| rng.below(3) as f32 / 2.0).collect() },
        })
        .collect()
}

#[test]
fn gradients_match_finite_differences() {
    for (value, ownership) in
        ["mixture", "labels", "single"].into_iter().flat_map(|value| [(value, "yes"), (value, "no")])
    {
        let text =
            format!("planes=compact-1 channels=16 blocks=r head=16 hidden=16 value={value} ownership={ownership}");
        let architecture: Architecture = text.parse().unwrap();
        let mut rng = Rng::new(8);
        let shape = BatchShape::new(&[(5, 5)]);
        let targets = targets(&mut rng);
        let weights = LossWeights::default();
        let mut points: Vec<f32> = (0..shape.cells() * POINT_OUTPUTS).map(|_| rng.unit() * 2.0 - 1.0).collect();
        let mut pooled: Vec<f32> = (0..5 * architecture.pooled_outputs()).map(|_| rng.unit() * 2.0 - 1.0).collect();
        let run = |points: &[f32], pooled: &[f32]| {
            let (mut point_gradient, mut pooled_gradient) = (vec![0.0; points.len()], vec![0.0; pooled.len()]);
            let sums = evaluate(
                &architecture,
                &LossWeights { policy: [1.0, 0.0, 0.0], ..weights },
                &targets,
                5,
                Outputs {
                    shape: &shape,
                    points,
                    pooled,
                    point_gradient: &mut point_gradient,
                    pooled_gradient: &mut pooled_gradient,
                },
            );
            let total =
                sums.policy + f64::from(weights.value) * sums.value + f64::from(weights.ownership) * sums.ownership;
            (total / 5.0, point_gradient, pooled_gradient)
        };
        let (_, point_gradient, pooled_gradient) = run(&points, &pooled);
        let step = 2e-3;
        let check = |numeric: f64, exact: f32, what: &str, at: usize| {
            assert!((numeric - f64::from(exact)).abs() < 2e-3, "{value} {what} {at}: {exact} against {numeric}");
        };
        for at in 0..pooled.len() {
            let before = pooled[at];
            pooled[at] = before + step;
            let high = run(&points, &pooled).0;
            pooled[at] = before - step;
            let low = run(&points, &pooled).0;
            pooled[at] = before;
            check((high - low) / (2.0 * f64::from(step)), pooled_gradient[at], "pooled", at);
        }
        for _ in 0..200 {
            let at = rng.below(points.len());
            let before = points[at];
            points[at] = before + step;
            let high = run(&points, &pooled).0;
            points[at] = before - step;
            let low = run(&points, &pooled).0;
            points[at] = before;
            check((high - low) / (2.0 * f64::from(step)), point_gradient[at], "point", at);
        }
    }
}
