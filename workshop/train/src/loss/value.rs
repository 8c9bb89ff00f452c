//! The value loss in its three forms. What a game does not tell is masked: a resigned game labels its own komi only,
//! a counted one labels every komi.

use jigo_net::architecture::{FIRST_LABEL, LABELS, MIXTURE_COMPONENTS, SINGLE_KOMI, ValueForm};
use jigo_net::value::{WIDTH_RANGE, lead, lead_slope, mixture};

use crate::target::{Target, ValueTarget};

/// Komi labelled on a counted game reach this many board sides either way: past nine stones of handicap.
const REACH: usize = 3;

/// The loss of one image, and its gradient with respect to the summed ownership.
pub struct ValueLoss {
    pub loss: f32,
    pub territory_gradient: f32,
}

/// Loss of one image, its gradient (times `weight`) added to `gradient`; `None` if the game tells nothing. `territory` is
/// the ownership summed over the board, seen by the side to move.
pub fn evaluate(
    form: ValueForm,
    outputs: &[f32],
    territory: f32,
    target: &Target,
    side: usize,
    weight: f32,
    gradient: &mut [f32],
) -> Option<ValueLoss> {
    let labels = match form {
        ValueForm::Mixture => return mixture_loss(outputs, territory, target, side, weight, gradient),
        ValueForm::Labels => komi_labels(&target.value),
        ValueForm::Single => single_labels(&target.value),
    };
    if labels.is_empty() {
        return None;
    }
    // Squared error of tanh outputs against 1 and -1 (CGI IV.A), or what a teacher thinks between them.
    let share = 1.0 / labels.len() as f32;
    let sign = if target.to_move_is_black { 1.0 } else { -1.0 };
    let (mut loss, mut lead_gradient) = (0.0, 0.0);
    for (at, komi, black_rate) in labels {
        let value = (outputs[at] + lead(territory, -sign * komi, side)).tanh();
        let difference = value - sign * (2.0 * black_rate - 1.0);
        loss += 0.5 * difference * difference * share;
        let slope = weight * share * difference * (1.0 - value * value);
        gradient[at] += slope;
        lead_gradient += slope;
    }
    Some(ValueLoss { loss, territory_gradient: lead_gradient * lead_slope(side) })
}

/// Which of the 41 outputs are labelled, with their komi, and Black's chance to win there.
fn komi_labels(value: &ValueTarget) -> Vec<(usize, f32, f32)> {
    let komi = |at: usize| FIRST_LABEL + at as f32;
    if let Some(margin) = value.black_margin {
        let rate = |at: usize| if margin > komi(at) { 1.0 } else { 0.0 };
        return (0..LABELS).filter(|&at| komi(at) != margin).map(|at| (at, komi(at), rate(at))).collect();
    }
    let nearest = |(game_komi, rate): (f32, f32)| {
        let at = (game_komi - FIRST_LABEL).round();
        let known = (0.0..LABELS as f32).contains(&at) && (komi(at as usize) - game_komi).abs() <= 0.5;
        known.then_some((at as usize, game_komi, rate))
    };
    known_rates(value).filter_map(nearest).collect()
}

/// The plain value network learns the winner at 7.5; neighbouring komi rarely change it (CGI IV.B).
fn single_labels(value: &ValueTarget) -> Vec<(usize, f32, f32)> {
    if let Some(margin) = value.black_margin {
        return vec![(0, SINGLE_KOMI, if margin > SINGLE_KOMI { 1.0 } else { 0.0 })];
    }
    let near = known_rates(value).filter(|(komi, _)| (komi - SINGLE_KOMI).abs() <= 1.0);
    near.map(|(_, rate)| (0, SINGLE_KOMI, rate)).collect()
}

/// Komi at which something is known, and Black's chance to win there.
fn known_rates(value: &ValueTarget) -> impl Iterator<Item = (f32, f32)> + '_ {
    let winner = value.winner.map(|(komi, black_won)| (komi, if black_won { 1.0 } else { 0.0 }));
    winner.into_iter().chain(value.rates.iter().map(|rate| (rate.komi, rate.black_rate)))
}

/// Cross-entropy of "the side to move ends above this threshold", for every threshold that the game decides or a teacher has
/// an opinion on.
fn mixture_loss(
    outputs: &[f32],
    territory: f32,
    target: &Target,
    side: usize,
    weight: f32,
    gradient: &mut [f32],
) -> Option<ValueLoss> {
    let sign = if target.to_move_is_black { 1.0 } else { -1.0 };
    let certainly = |above: bool| if above { 1.0 } else { 0.0 };
    let mut thresholds: Vec<(f32, f32, f32)> = Vec::new();
    if let Some((komi, black_won)) = target.value.winner {
        thresholds.push((sign * komi, certainly(black_won == target.to_move_is_black), 1.0));
    }
    for rate in &target.value.rates {
        let mine = if target.to_move_is_black { rate.black_rate } else { 1.0 - rate.black_rate };
        thresholds.push((sign * rate.komi, mine, rate.weight));
    }
    if let Some(black_margin) = target.value.black_margin {
        let margin = sign * black_margin;
        let reach = (REACH * side) as i32;
        // A board side of thresholds weighs as much as the winner.
        let share = 1.0 / side as f32;
        thresholds.extend((-reach..reach).map(|k| k as f32 + 0.5).map(|k| (k, certainly(margin > k), share)));
    }
    if thresholds.is_empty() {
        return None;
    }
    let components = mixture(outputs, territory, side);
    let (mut loss, mut slopes) = (0.0, [0.0f32; 3 * MIXTURE_COMPONENTS]);
    for (threshold, above, share) in thresholds {
        let chances = components.map(|component| component.above(threshold));
        let chance: f32 = components.iter().zip(chances).map(|(c, above)| c.weight * above).sum();
        let chance = chance.clamp(1e-5, 1.0 - 1e-5);
        loss -= share * (above * chance.ln() + (1.0 - above) * (1.0 - chance).ln());
        let slope = share * (chance - above) / (chance * (1.0 - chance));
        for (i, (component, above)) in components.iter().zip(chances).enumerate() {
            let steepness = component.weight * above * (1.0 - above);
            slopes[i] += slope * component.weight * (above - chance);
            slopes[MIXTURE_COMPONENTS + i] += slope * steepness * side as f32 / component.width;
            let distance = (component.place - threshold) / component.width;
            slopes[2 * MIXTURE_COMPONENTS + i] -= slope * steepness * distance;
        }
    }
    for (i, (to, slope)) in gradient.iter_mut().zip(slopes).enumerate() {
        let is_width = i >= 2 * MIXTURE_COMPONENTS;
        if !is_width || outputs[i].abs() < WIDTH_RANGE {
            *to += weight * slope;
        }
    }
    // Every place moves with the territory, and places are counted in board sides.
    let place_slopes: f32 = slopes[MIXTURE_COMPONENTS..2 * MIXTURE_COMPONENTS].iter().sum();
    Some(ValueLoss { loss, territory_gradient: weight * place_slopes / side as f32 })
}
