//! The value loss. What a game does not tell is masked: a resigned game labels its own komi only,
//! a counted one labels every komi.

use jigo_board::{Color, WinRate};
use jigo_net::architecture::{MIXTURE_COMPONENTS, ValueForm};
use jigo_net::value::{WIDTH_RANGE, mixture};

use super::cgi;
use crate::target::Target;

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
    match form {
        ValueForm::Mixture => mixture_loss(outputs, territory, target, side, weight, gradient),
        ValueForm::Cgi(form) => cgi::evaluate(form, outputs, territory, target, side, weight, gradient),
    }
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
    let (mover, sign) = if target.to_move_is_black { (Color::Black, 1.0) } else { (Color::White, -1.0) };
    let certainly = |above: bool| if above { 1.0 } else { 0.0 };
    let mut thresholds: Vec<(f32, f32, f32)> = Vec::new();
    if let Some((komi, black_won)) = target.value.winner {
        thresholds.push((sign * komi, certainly(black_won == target.to_move_is_black), 1.0));
    }
    for rate in &target.value.rates {
        let mine = WinRate::black(rate.black_rate).share_of(mover);
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
