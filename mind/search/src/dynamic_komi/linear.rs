//! Handicap stones counted as points for the whole game, whatever the simulations say (Dynamic komi Algorithm 1).

use super::DynamicKomiParameters;
use crate::feedback::Feedback;
use crate::komi::{KomiRule, Situation};

pub struct Linear {
    parameters: DynamicKomiParameters,
}

impl Linear {
    pub fn new(parameters: DynamicKomiParameters) -> Linear {
        Linear { parameters }
    }
}

impl KomiRule for Linear {
    fn counts_handicap(&self, _: &Situation) -> bool {
        true
    }

    fn fades_in_leaf(&self) -> bool {
        self.parameters.in_leaf
    }

    fn learns(&self) -> bool {
        false
    }

    fn adjusted(&mut self, burden: f32, _: &Situation, _: &Feedback<'_>) -> f32 {
        burden
    }
}

#[cfg(test)]
mod tests {
    use crate::komi::tests::{at, komi_by};
    use crate::parameters::{KomiMethod, Parameters};
    use jigo_board::Color;

    #[test]
    fn linear_komi_fades_over_the_game_and_is_the_same_for_both_sides() {
        let (parameters, komi) = komi_by(KomiMethod::Linear, |_| ());
        for us in Color::BOTH {
            assert_eq!(komi.shift(&parameters.search, &at(us, 0, 4), 0), 28.0, "{us}");
            assert_eq!(komi.shift(&parameters.search, &at(us, 100, 4), 100), 14.0, "{us}");
            assert_eq!(komi.shift(&parameters.search, &at(us, 250, 4), 250), 0.0, "{us}");
        }
        let at_root = |p: &mut Parameters| p.dynamic_komi.in_leaf = false;
        let (_, komi_at_root) = komi_by(KomiMethod::Linear, at_root);
        assert_eq!(komi_at_root.shift(&parameters.search, &at(Color::Black, 0, 4), 100), 28.0);
        assert_eq!(komi.shift(&parameters.search, &at(Color::Black, 0, 4), 100), 14.0);
    }
}
