//! VS-M: the value-based method of Dynamic komi, on the mixed win rate of playouts and net (CGI III.B).

use super::CgiParameters;
use crate::dynamic_komi::Ratchet;
use crate::feedback::Feedback;
use crate::komi::{KomiRule, Situation};

pub struct SituationalValue {
    parameters: CgiParameters,
    ratchet: Ratchet,
}

impl SituationalValue {
    pub fn new(parameters: CgiParameters) -> SituationalValue {
        SituationalValue { parameters, ratchet: Ratchet::default() }
    }
}

impl KomiRule for SituationalValue {
    fn counts_handicap(&self, _: &Situation) -> bool {
        false
    }

    fn adjusted(&mut self, burden: f32, now: &Situation, feedback: &Feedback<'_>) -> f32 {
        let wanted = (self.parameters.komi_low, self.parameters.komi_high);
        self.ratchet.follow(burden, wanted, now, feedback.our_win_rate)
    }
}
