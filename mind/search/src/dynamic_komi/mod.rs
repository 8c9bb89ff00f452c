//! The methods of Dynamic komi (Baudiš 2011) beside the adaptive one that Jigo plays with: one file per method.

mod linear;
mod parameters;
mod score;
mod value;

pub use parameters::DynamicKomiParameters;
pub(crate) use value::Ratchet;

use crate::komi::KomiRule;
use crate::parameters::{KomiMethod, Parameters};

/// The rule of a method of this paper; none if it is not one of them.
pub(crate) fn rule(parameters: &Parameters) -> Option<Box<dyn KomiRule>> {
    let own = parameters.dynamic_komi.clone();
    match parameters.search.komi_method {
        KomiMethod::Linear => Some(Box::new(linear::Linear::new(own))),
        KomiMethod::Score => Some(Box::new(score::ScoreBased::new(own))),
        KomiMethod::Value => Some(Box::new(value::ValueBased::new(own))),
        _ => None,
    }
}
