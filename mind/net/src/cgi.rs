//! The value heads of CGI (Wu et al. 2018), which Jigo's own net does not have: a win rate for each of many komi, or for one alone.

use jigo_board::Color;

use crate::value::STARTING_WIDTH;

/// How such a head speaks about the result: by tanh, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CgiForm {
    /// One output per komi, -12.5 to 27.5 (CGI III.A).
    Labels,
    /// One output, for a komi of 7.5: the plain value network the paper starts from.
    Single,
}

/// The lowest komi of [`CgiForm::Labels`] and the number of labels, one point apart (CGI III.A).
pub const FIRST_LABEL: f32 = -12.5;
pub const LABELS: usize = 41;
/// The komi of [`CgiForm::Single`].
pub const SINGLE_KOMI: f32 = 7.5;

impl CgiForm {
    pub fn outputs(self) -> usize {
        match self {
            CgiForm::Labels => LABELS,
            CgiForm::Single => 1,
        }
    }
}

/// Where the outputs start from, as the components of a mixture start from the territory: the lead of the side to move after komi,
/// on the scale of a component whose output is zero.
pub fn lead(territory: f32, my_komi: f32, side: usize) -> f32 {
    (territory + my_komi) * lead_slope(side)
}

/// How much a point of territory moves [`lead`].
pub fn lead_slope(side: usize) -> f32 {
    1.0 / (2.0 * STARTING_WIDTH * side as f32)
}

#[derive(Clone, Debug, PartialEq)]
pub enum CgiValue {
    /// Black's win rate per komi, from [`FIRST_LABEL`] in steps of one.
    Labels(Box<[f32; LABELS]>),
    /// Black's win rate at the one komi the net was trained for.
    Single(f32),
}

impl CgiValue {
    pub(crate) fn from_outputs(
        form: CgiForm,
        outputs: &[f32],
        territory: f32,
        to_move: Color,
        side: usize,
    ) -> CgiValue {
        let sign = if to_move == Color::Black { 1.0 } else { -1.0 };
        let black_rate = |output: f32, komi: f32| {
            let mine = (output + lead(territory, -sign * komi, side)).tanh();
            (1.0 + sign * mine) / 2.0
        };
        match form {
            CgiForm::Labels => {
                let rate = |label: usize| black_rate(outputs[label], FIRST_LABEL + label as f32);
                CgiValue::Labels(Box::new(std::array::from_fn(rate)))
            }
            CgiForm::Single => CgiValue::Single(black_rate(outputs[0], SINGLE_KOMI)),
        }
    }

    /// Between two labels in proportion.
    pub(crate) fn black_win_rate(&self, komi: f32) -> f32 {
        match self {
            CgiValue::Labels(rates) => {
                let at = (komi - FIRST_LABEL).clamp(0.0, (LABELS - 1) as f32);
                let below = (at as usize).min(LABELS - 2);
                let share = at - below as f32;
                rates[below] * (1.0 - share) + rates[below + 1] * share
            }
            CgiValue::Single(rate) => *rate,
        }
    }

    /// None from a net that knows one komi only.
    pub(crate) fn black_score(&self) -> Option<f32> {
        match self {
            // Summation by parts: every komi Black would win at adds a point.
            CgiValue::Labels(rates) => Some(FIRST_LABEL - 0.5 + rates.iter().sum::<f32>()),
            CgiValue::Single(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_interpolate_between_komi() {
        let outputs: Vec<f32> = (0..LABELS).map(|i| i as f32 / 20.0 - 1.0).collect();
        let value = CgiValue::from_outputs(CgiForm::Labels, &outputs, 0.0, Color::White, 19);
        let (low, middle, high) = (value.black_win_rate(6.5), value.black_win_rate(7.0), value.black_win_rate(7.5));
        assert!((middle - (low + high) / 2.0).abs() < 1e-6);
        assert!(value.black_win_rate(-300.0) >= value.black_win_rate(-12.5));
    }
}
