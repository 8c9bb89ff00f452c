//! The losses and their gradients.

mod cgi;
mod value;

use jigo_net::Architecture;
use jigo_net::architecture::{OWNERSHIP_COLUMN, POINT_OUTPUTS, POLICY_STEPS};
use jigo_net::value::sigmoid;

use crate::model::{Outputs, Segment};
use crate::target::Target;
use value::ValueLoss;

/// How much each loss counts against the others.
#[derive(Clone, Copy, Debug)]
pub struct LossWeights {
    pub policy: [f32; POLICY_STEPS],
    pub value: f32,
    pub ownership: f32,
}

impl Default for LossWeights {
    /// The moves after next only guide the trunk (CGI III.A). Value and board evaluation counted alike, as in CGI IV.A, until a net
    /// was held beside KataGo's smallest, which has as good a policy: it is who owns what that ours knew less well (docs/training.md).
    fn default() -> LossWeights {
        LossWeights { policy: [1.0, 0.2, 0.1], value: 1.0, ownership: 2.0 }
    }
}

/// Sums over positions, to be divided by their counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct LossSums {
    pub positions: f64,
    /// Positions whose next move is known.
    pub moved: f64,
    pub policy: f64,
    pub hits: f64,
    pub valued: f64,
    pub value: f64,
    pub owned: f64,
    pub ownership: f64,
}

impl LossSums {
    pub fn add(&mut self, other: &LossSums) {
        self.positions += other.positions;
        self.moved += other.moved;
        self.policy += other.policy;
        self.hits += other.hits;
        self.valued += other.valued;
        self.value += other.value;
        self.owned += other.owned;
        self.ownership += other.ownership;
    }

    /// Forgets the past little by little, for a running average.
    pub fn fade(&mut self, keep: f64) {
        for sum in [
            &mut self.positions,
            &mut self.moved,
            &mut self.policy,
            &mut self.hits,
            &mut self.valued,
            &mut self.value,
            &mut self.owned,
            &mut self.ownership,
        ] {
            *sum *= keep;
        }
    }
}

/// Computes all losses of a batch and writes the outputs' gradients, each divided by `batch`, the size of the whole
/// batch over all threads.
pub fn evaluate(
    architecture: &Architecture,
    weights: &LossWeights,
    targets: &[Target],
    batch: usize,
    outputs: Outputs<'_>,
) -> LossSums {
    let mut sums = LossSums::default();
    let share = 1.0 / batch as f32;
    let width = architecture.pooled_outputs();
    for segment in outputs.shape.segments() {
        for image in 0..segment.images {
            let number = segment.first_image + image;
            let target = &targets[number];
            let cells = Cells { segment, image };
            let pooled = &outputs.pooled[number * width..(number + 1) * width];
            let pooled_gradient = &mut outputs.pooled_gradient[number * width..(number + 1) * width];
            sums.positions += 1.0;
            for step in 0..POLICY_STEPS {
                let Some(place) = target.moves[step] else { continue };
                let weight = weights.policy[step] * share * if step == 0 { target.move_weight } else { 1.0 };
                let (barred, expected) =
                    if step == 0 { (&target.barred[..], &target.policy[..]) } else { (&[][..], &[][..]) };
                let label = Label { step, place, expected, weight, barred };
                let points = (outputs.points, &mut *outputs.point_gradient);
                let (loss, hit) = policy(&cells, &label, points, pooled[step], &mut pooled_gradient[step]);
                if step == 0 {
                    sums.moved += 1.0;
                    sums.policy += f64::from(loss);
                    sums.hits += f64::from(u8::from(hit));
                }
            }
            if architecture.ownership && !target.ownership.is_empty() {
                let weight = weights.ownership * share;
                let loss = ownership(&cells, &target.ownership, weight, outputs.points, outputs.point_gradient);
                sums.owned += 1.0;
                sums.ownership += f64::from(loss);
            }
            let territory = if architecture.ownership { territory(&cells, outputs.points) } else { 0.0 };
            let (value_outputs, value_gradient) = (&pooled[POLICY_STEPS..], &mut pooled_gradient[POLICY_STEPS..]);
            let (side, weight) = (segment.grid.side(), weights.value * share);
            let form = architecture.value;
            if let Some(ValueLoss { loss, territory_gradient }) =
                value::evaluate(form, value_outputs, territory, target, side, weight, value_gradient)
            {
                sums.valued += 1.0;
                sums.value += f64::from(loss);
                if architecture.ownership {
                    spread_territory(&cells, territory_gradient, outputs.points, outputs.point_gradient);
                }
            }
        }
    }
    sums
}

/// The cells of one image's points within the batch.
struct Cells<'a> {
    segment: &'a Segment,
    image: usize,
}

impl Cells<'_> {
    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let first = self.segment.first_cell + self.image * self.segment.grid.cells();
        self.segment.grid.point_cells().map(move |cell| first + cell)
    }
}

/// The move that one policy step should have foreseen.
struct Label<'a> {
    step: usize,
    place: usize,
    /// The chance of every place, if more is known than the move.
    expected: &'a [f32],
    weight: f32,
    barred: &'a [usize],
}

/// Cross-entropy of one policy step over all points and the pass, but for those that are barred. Of a whole distribution it is
/// the divergence: what can still be learnt.
fn policy(
    cells: &Cells<'_>,
    &Label { step, place, expected, weight, barred }: &Label<'_>,
    (points, gradient): (&[f32], &mut [f32]),
    pass: f32,
    pass_gradient: &mut f32,
) -> (f32, bool) {
    let mut probabilities: Vec<f32> = cells.iter().map(|cell| points[cell * POINT_OUTPUTS + step]).collect();
    probabilities.push(pass);
    barred.iter().for_each(|&place| probabilities[place] = f32::NEG_INFINITY);
    let hit = probabilities.iter().all(|&logit| logit <= probabilities[place]);
    let top = probabilities.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut label = probabilities[place] - top;
    if !expected.is_empty() {
        let meant = expected.iter().zip(&probabilities).filter(|(chance, _)| **chance > 0.0);
        label = meant.map(|(chance, logit)| chance * (logit - top - chance.ln())).sum();
    }
    let mut total = 0.0;
    for probability in &mut probabilities {
        *probability = (*probability - top).exp();
        total += *probability;
    }
    probabilities.iter_mut().for_each(|probability| *probability /= total);
    match expected {
        [] => probabilities[place] -= 1.0,
        _ => probabilities.iter_mut().zip(expected).for_each(|(probability, chance)| *probability -= chance),
    }
    for (cell, difference) in cells.iter().zip(&probabilities) {
        gradient[cell * POINT_OUTPUTS + step] = weight * difference;
    }
    *pass_gradient = weight * probabilities[probabilities.len() - 1];
    (total.ln() - label, hit)
}

/// Mean cross-entropy of the owner of each point.
fn ownership(cells: &Cells<'_>, chances: &[f32], weight: f32, points: &[f32], gradient: &mut [f32]) -> f32 {
    let weight = weight / chances.len() as f32;
    let mut loss = 0.0;
    for (cell, chance) in cells.iter().zip(chances) {
        let at = cell * POINT_OUTPUTS + OWNERSHIP_COLUMN;
        let x = points[at];
        // ln(1 + e^x) - chance x, without overflow.
        loss += x.max(0.0) + (-x.abs()).exp().ln_1p() - chance * x;
        gradient[at] = weight * (sigmoid(x) - chance);
    }
    loss / chances.len() as f32
}

/// The ownership of all points, summed: the side to move's expected lead.
fn territory(cells: &Cells<'_>, points: &[f32]) -> f32 {
    cells.iter().map(|cell| 2.0 * sigmoid(points[cell * POINT_OUTPUTS + OWNERSHIP_COLUMN]) - 1.0).sum()
}

/// Hands the territory's gradient on to every point's ownership.
fn spread_territory(cells: &Cells<'_>, territory_gradient: f32, points: &[f32], gradient: &mut [f32]) {
    for cell in cells.iter() {
        let at = cell * POINT_OUTPUTS + OWNERSHIP_COLUMN;
        let chance = sigmoid(points[at]);
        gradient[at] += territory_gradient * 2.0 * chance * (1.0 - chance);
    }
}

#[cfg(test)]
mod tests;
