//! The value head's answer: a win rate for every komi.

use jigo_board::{Color, WinRate};

use crate::architecture::{MIXTURE_COMPONENTS, ValueForm};
use crate::cgi::CgiValue;

/// One logistic distribution of a mixture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Logistic {
    pub weight: f32,
    pub place: f32,
    pub width: f32,
}

impl Logistic {
    /// The chance, by this component alone, that the score is above `threshold`.
    pub fn above(&self, threshold: f32) -> f32 {
        sigmoid((self.place - threshold) / self.width)
    }
}

/// Components start spread out, in board sides; equal ones would learn the same thing for ever.
pub const STARTING_PLACES: [f32; MIXTURE_COMPONENTS] = [-0.9, -0.3, 0.3, 0.9];
/// The width of a component whose output is zero, in board sides.
pub const STARTING_WIDTH: f32 = 0.4;
/// Widths are kept within this factor of the starting width, on the natural logarithm's scale.
pub const WIDTH_RANGE: f32 = 3.0;

pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Reads the outputs of [`ValueForm::Mixture`]: logits, places and log-widths, the latter two in board sides.
///
/// Places are counted from `territory`, the summed ownership: a lead of five points is a hundredth of every
/// average over a 19x19 board, too faint to find there, but the ownership head has already added it up.
pub fn mixture(outputs: &[f32], territory: f32, side: usize) -> [Logistic; MIXTURE_COMPONENTS] {
    let (logits, rest) = outputs.split_at(MIXTURE_COMPONENTS);
    let (places, widths) = rest.split_at(MIXTURE_COMPONENTS);
    let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = logits.iter().map(|logit| (logit - top).exp()).sum();
    let side = side as f32;
    std::array::from_fn(|i| Logistic {
        weight: (logits[i] - top).exp() / total,
        place: territory + side * (places[i] + STARTING_PLACES[i]),
        width: side * STARTING_WIDTH * widths[i].clamp(-WIDTH_RANGE, WIDTH_RANGE).exp(),
    })
}

/// What the net expects of the final score, Black's area minus White's, without komi.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Mixture([Logistic; MIXTURE_COMPONENTS]),
    /// Black's win rate at the komi the net was told, and what follows for others.
    AtKomi(AtKomi),
    /// What a net like CGI's says: `cgi.rs`.
    Cgi(CgiValue),
}

/// What a net says that is told the komi: exact there, and a logistic curve around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtKomi {
    pub komi: f32,
    pub black_rate: f32,
    /// The komi at which the game is even.
    pub fair_komi: f32,
    /// The standard deviation of the final score.
    pub spread: f32,
}

/// A logistic distribution's width for a standard deviation of one: root of three over pi.
const LOGISTIC_WIDTH: f32 = 0.551_328_9;
/// How far the curve through the told and the fair komi may be steeper or flatter than the spread says: near an even game both
/// are close together and the slope between them means nothing.
const SLOPE_RANGE: f32 = 2.0;

impl AtKomi {
    fn black_win_rate(&self, komi: f32) -> f32 {
        let rate = self.black_rate.clamp(1e-6, 1.0 - 1e-6);
        let told = (rate / (1.0 - rate)).ln();
        sigmoid(told + (self.komi - komi) / self.width(told))
    }

    /// The width with which the curve would be even at the fair komi, if that is near what the spread says.
    fn width(&self, told: f32) -> f32 {
        let width = self.spread_width();
        let through_both = (self.fair_komi - self.komi) / told;
        if through_both.is_finite() { through_both.clamp(width / SLOPE_RANGE, width * SLOPE_RANGE) } else { width }
    }

    fn spread_width(&self) -> f32 {
        (self.spread * LOGISTIC_WIDTH).max(0.05)
    }

    fn drawn_black_score(&self, chance: f32) -> f32 {
        let chance = chance.clamp(1e-6, 1.0 - 1e-6);
        self.fair_komi + self.spread_width() * (chance / (1.0 - chance)).ln()
    }
}

impl Value {
    /// Interprets raw outputs. They speak about the side to move, as the planes and `territory` do, the ownership summed over
    /// the board (zero from a net without it).
    pub fn from_outputs(form: ValueForm, outputs: &[f32], territory: f32, to_move: Color, side: usize) -> Value {
        match form {
            ValueForm::Mixture => {
                let sign = if to_move == Color::Black { 1.0 } else { -1.0 };
                let mut components = mixture(outputs, territory, side);
                components.iter_mut().for_each(|component| component.place *= sign);
                Value::Mixture(components)
            }
            ValueForm::Cgi(form) => Value::Cgi(CgiValue::from_outputs(form, outputs, territory, to_move, side)),
        }
    }

    /// The chance that Black wins when White gets `komi` points; a draw counts half.
    pub fn black_win_rate(&self, komi: f32) -> f32 {
        match self {
            Value::Mixture(components) => components.iter().map(|c| c.weight * c.above(komi)).sum(),
            Value::AtKomi(told) => told.black_win_rate(komi),
            Value::Cgi(value) => value.black_win_rate(komi),
        }
    }

    /// The same for either side.
    pub fn win_rate(&self, komi: f32) -> WinRate {
        WinRate::black(self.black_win_rate(komi))
    }

    /// The expected final score, Black's area minus White's; none from a net that knows one komi only.
    pub fn black_score(&self) -> Option<f32> {
        match self {
            Value::Mixture(components) => Some(components.iter().map(|c| c.weight * c.place).sum()),
            Value::AtKomi(told) => Some(told.fair_komi),
            Value::Cgi(value) => value.black_score(),
        }
    }

    /// The komi at which the game is even: the median of the score.
    pub fn fair_komi(&self) -> Option<f32> {
        if let Value::AtKomi(told) = self {
            return Some(told.fair_komi);
        }
        self.komi_of_win_rate(0.5)
    }

    /// A final score drawn from what the net expects, `chance` being uniform between 0 and 1.
    pub fn drawn_black_score(&self, chance: f32) -> Option<f32> {
        let components = match self {
            Value::Mixture(components) => components,
            Value::AtKomi(told) => return Some(told.drawn_black_score(chance)),
            _ => return self.komi_of_win_rate(chance),
        };
        // The first part of the chance chooses a component; what is left of it, stretched, is a chance of its own.
        let mut left = chance.clamp(0.0, 1.0);
        for component in components {
            if left < component.weight {
                let share = (left / component.weight).clamp(1e-6, 1.0 - 1e-6);
                return Some(component.place + component.width * (share / (1.0 - share)).ln());
            }
            left -= component.weight;
        }
        components.last().map(|component| component.place)
    }

    /// The standard deviation of the final score.
    pub fn spread(&self) -> Option<f32> {
        if let Value::AtKomi(told) = self {
            return Some(told.spread);
        }
        const DRAWN: usize = 64;
        let mean = self.black_score()?;
        let drawn = (0..DRAWN).map(|i| self.drawn_black_score((i as f32 + 0.5) / DRAWN as f32));
        let squares = drawn.map(|score| score.map(|score| (score - mean) * (score - mean)));
        Some((squares.sum::<Option<f32>>()? / DRAWN as f32).sqrt())
    }

    /// The komi at which Black wins this share of games.
    fn komi_of_win_rate(&self, win_rate: f32) -> Option<f32> {
        if let Value::Cgi(CgiValue::Single(_)) = self {
            return None;
        }
        let (mut low, mut high) = (-400.0, 400.0);
        for _ in 0..20 {
            let middle = (low + high) / 2.0;
            if self.black_win_rate(middle) > win_rate { low = middle } else { high = middle }
        }
        Some((low + high) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs() -> Vec<f32> {
        vec![0.3, -0.2, 1.0, 0.0, 0.1, 0.2, -0.3, 0.5, 0.0, -1.0, 0.7, 0.2]
    }

    #[test]
    fn a_mixture_falls_in_komi_over_the_full_range() {
        let value = Value::from_outputs(ValueForm::Mixture, &outputs(), 3.0, Color::Black, 19);
        let mut last = 1.0;
        for komi in -361..=361 {
            let rate = value.black_win_rate(komi as f32);
            assert!((0.0..=last).contains(&rate));
            last = rate;
        }
        assert!(value.black_win_rate(-361.0) > 0.99 && value.black_win_rate(361.0) < 0.01);
    }

    #[test]
    fn the_same_outputs_for_white_mirror_the_game() {
        let black = Value::from_outputs(ValueForm::Mixture, &outputs(), 3.0, Color::Black, 9);
        let white = Value::from_outputs(ValueForm::Mixture, &outputs(), 3.0, Color::White, 9);
        for komi in [-7.5, 0.0, 5.5] {
            let (b, w) = (black.win_rate(komi).share_of(Color::Black), white.win_rate(-komi).share_of(Color::White));
            assert!((b - w).abs() < 1e-6);
        }
        assert!((black.black_score().unwrap() + white.black_score().unwrap()).abs() < 1e-4);
    }

    #[test]
    fn the_fair_komi_splits_the_wins() {
        let value = Value::from_outputs(ValueForm::Mixture, &outputs(), 3.0, Color::Black, 19);
        assert!((value.black_win_rate(value.fair_komi().unwrap()) - 0.5).abs() < 1e-2);
    }

    #[test]
    fn drawn_scores_follow_the_win_rates() {
        let value = Value::from_outputs(ValueForm::Mixture, &outputs(), 3.0, Color::White, 9);
        let draws: Vec<f32> = (0..2000).map(|i| value.drawn_black_score((i as f32 + 0.5) / 2000.0).unwrap()).collect();
        for komi in [-10.0, 0.5, 7.0] {
            let share = draws.iter().filter(|&&score| score > komi).count() as f32 / 2000.0;
            assert!((share - value.black_win_rate(komi)).abs() < 0.01, "komi {komi}");
        }
    }

    /// Exact at the told komi, falling on both sides, and even at the fair komi where the spread allows it.
    #[test]
    fn a_told_komi_bends_the_curve() {
        let value = Value::AtKomi(AtKomi { komi: 7.5, black_rate: 0.35, fair_komi: 4.5, spread: 10.0 });
        assert!((value.black_win_rate(7.5) - 0.35).abs() < 1e-5);
        assert!((value.black_win_rate(4.5) - 0.5).abs() < 1e-5);
        assert!(value.black_win_rate(8.5) < 0.35 && value.black_win_rate(-60.0) > 0.99);
        assert_eq!([value.black_score(), value.fair_komi(), value.drawn_black_score(0.5)], [Some(4.5); 3]);
        let even = Value::AtKomi(AtKomi { komi: 7.5, black_rate: 0.5, fair_komi: 8.0, spread: 10.0 });
        assert!((even.black_win_rate(7.5) - 0.5).abs() < 1e-6 && even.black_win_rate(12.5) < 0.3);
    }
}
