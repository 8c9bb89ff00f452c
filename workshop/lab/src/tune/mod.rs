//! Finding good parameters by playing: Go Intellect's dynamic hill climbing, a genetic algorithm whose games are shared
//! out by UCB1 (both Go Intellect III), and SPSA.
//!
//! A [`Method`] only proposes settings and learns results, without clocks, files or processes. It is a function of its
//! seed and those results, so an interrupted tuning is resumed by telling it the stored results again.

mod games;
mod genetic;
mod grid;
mod hill_climbing;
mod method;
mod parameter;
mod run;
mod spsa;

pub use games::{ArenaGames, GameError, GamePlayer};
pub use genetic::Genetic;
pub use hill_climbing::HillClimbing;
pub use method::{Contest, Method, MethodKind};
pub use parameter::{ParameterError, TuneParameter, set_words};
pub use run::{Trial, TuneError, TuneProgress, TuneResult, TuneSpec, read_tune_spec, run_tuning};
pub use spsa::Spsa;
