//! The value loss of CGI's heads. A resigned game labels its own komi only, a counted one labels every komi.

use jigo_net::cgi::{CgiForm, FIRST_LABEL, LABELS, SINGLE_KOMI, lead, lead_slope};

use super::value::ValueLoss;
use crate::target::{Target, ValueTarget};

/// As [`super::value::evaluate`].
pub fn evaluate(
    form: CgiForm,
    outputs: &[f32],
    territory: f32,
    target: &Target,
    side: usize,
    weight: f32,
    gradient: &mut [f32],
) -> Option<ValueLoss> {
    let labels = match form {
        CgiForm::Labels => komi_labels(&target.value),
        CgiForm::Single => single_labels(&target.value),
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
