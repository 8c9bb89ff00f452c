//! The evaluation value (Evaluation value): how often each point ends as Black's in playouts, which playouts judge a position wrong, and
//! the suite of positions whose truth is known.

mod misjudgement;
mod status;
pub mod suite;
mod value;

pub use misjudgement::{Deed, Misjudgement, Remark, misjudgements};
pub use status::{DECIDED, GroupStatus, OPEN, expectation};
pub use value::EvaluationValue;
