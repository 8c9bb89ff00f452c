//! Dynamic komi for a net with a win rate for every komi, the methods of CGI (Wu et al. 2018): one file per idea.

mod multi_labelled;
mod parameters;
mod situational_score;
mod situational_value;

pub use parameters::CgiParameters;

use crate::komi::{KomiRule, Situation};
use crate::parameters::{KomiMethod, Parameters};

/// The rule of a method of this paper; none if it is not one of them.
pub(crate) fn rule(parameters: &Parameters) -> Option<Box<dyn KomiRule>> {
    let own = parameters.cgi.clone();
    match parameters.search.komi_method {
        KomiMethod::ScoreOfRollouts => Some(Box::new(situational_score::SituationalScore::of_rollouts(own))),
        KomiMethod::ScoreOfBoard => Some(Box::new(situational_score::SituationalScore::of_board(own))),
        KomiMethod::ScoreMixed => Some(Box::new(situational_score::SituationalScore::mixed(own))),
        KomiMethod::ValueMixed => Some(Box::new(situational_value::SituationalValue::new(own))),
        KomiMethod::MultiLabelled => Some(Box::new(multi_labelled::MultiLabelled::new(own))),
        _ => None,
    }
}

/// How much of a lead becomes komi: near 1 early in the game, near 0 late, counting moves and not stones (procedure ML-DK,
/// lines 16 and 17).
fn komi_rate(parameters: &CgiParameters, now: &Situation) -> f32 {
    let phase = now.move_number as f32 / (now.size * now.size) as f32 - parameters.komi_s;
    1.0 / (1.0 + (parameters.komi_c * phase).exp())
}
