//! One point more while the win rate is green, one less while it is red; what brought us into the red is never asked again
//! (Dynamic komi Algorithm 3).

use super::DynamicKomiParameters;
use crate::feedback::Feedback;
use crate::komi::{KomiRule, Situation};

pub struct ValueBased {
    parameters: DynamicKomiParameters,
    ratchet: Ratchet,
}

impl ValueBased {
    pub fn new(parameters: DynamicKomiParameters) -> ValueBased {
        ValueBased { parameters, ratchet: Ratchet::default() }
    }
}

impl KomiRule for ValueBased {
    fn counts_handicap(&self, now: &Situation) -> bool {
        now.is_opening()
    }

    fn fades_in_leaf(&self) -> bool {
        self.parameters.in_leaf
    }

    fn begin_move(&mut self, now: &Situation) {
        let moves = self.parameters.ratchet_moves as usize;
        if self.counts_handicap(now) || (moves > 0 && now.move_number >= self.ratchet.set_at + moves) {
            self.ratchet.burden = f32::INFINITY;
        }
    }

    fn adjusted(&mut self, burden: f32, now: &Situation, feedback: &Feedback<'_>) -> f32 {
        let (red, green) = (self.parameters.red, self.parameters.green);
        self.ratchet.follow(burden, (red, green), now, feedback.our_win_rate)
    }
}

/// The lowest burden that brought us into the red (Dynamic komi 5.1.2).
pub(crate) struct Ratchet {
    burden: f32,
    set_at: usize,
}

impl Default for Ratchet {
    fn default() -> Ratchet {
        Ratchet { burden: f32::INFINITY, set_at: 0 }
    }
}

impl Ratchet {
    /// The burden that keeps a win rate between red and green.
    pub fn follow(&mut self, burden: f32, (red, green): (f32, f32), now: &Situation, win_rate: f32) -> f32 {
        if win_rate < red {
            if burden > 0.0 {
                *self = Ratchet { burden, set_at: now.move_number };
            }
            burden - 1.0
        } else if win_rate > green && burden + 1.0 < self.burden {
            burden + 1.0
        } else {
            burden
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::komi::tests::{at, feedback, komi_by};
    use crate::parameters::KomiMethod;
    use jigo_board::Color;

    #[test]
    fn favour_is_limited_and_ends_before_the_game_does() {
        let (parameters, mut komi) = komi_by(KomiMethod::Value, |_| ());
        for _ in 0..100 {
            komi.adjust(&parameters.search, &at(Color::White, 60, 0), &feedback(0.1, -50.0));
        }
        assert_eq!(komi.shift(&parameters.search, &at(Color::White, 60, 0), 60), 30.0);
        komi.begin_move(&parameters.search, &at(Color::White, 340, 0));
        assert_eq!(komi.shift(&parameters.search, &at(Color::White, 340, 0), 340), 0.0);
    }

    #[test]
    fn the_ratchet_is_never_reached_again_unless_it_expires() {
        for (moves, reached) in [(0, 4.0), (10, 5.0)] {
            let (parameters, mut komi) = komi_by(KomiMethod::Value, |p| p.dynamic_komi.ratchet_moves = moves);
            let now = at(Color::Black, 60, 0);
            for _ in 0..5 {
                komi.adjust(&parameters.search, &now, &feedback(0.9, 10.0));
            }
            assert_eq!(komi.shift(&parameters.search, &now, 60), 5.0);
            komi.adjust(&parameters.search, &now, &feedback(0.3, -1.0));
            for _ in 0..5 {
                komi.adjust(&parameters.search, &now, &feedback(0.9, 10.0));
            }
            assert_eq!(komi.shift(&parameters.search, &now, 60), 4.0);
            let later = at(Color::Black, 70, 0);
            komi.begin_move(&parameters.search, &later);
            komi.adjust(&parameters.search, &later, &feedback(0.9, 10.0));
            assert_eq!(komi.shift(&parameters.search, &later, 70), reached);
        }
    }
}
