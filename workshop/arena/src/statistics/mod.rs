//! What a pile of results says about strength: pure arithmetic, no games and no files in here.

mod estimate;
mod outcomes;
mod ratings;
mod sprt;

pub use estimate::{Interval, elo_of_score, score_of_elo};
pub use outcomes::{Outcomes, Pentanomial, Trinomial};
pub use ratings::{Pairing, Rating, ratings};
pub use sprt::{Sprt, SprtError, SprtVerdict};
