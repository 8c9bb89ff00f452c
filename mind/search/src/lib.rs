//! Room card: search.
//!
//! For: the tree, selection, priors, backup, dynamic komi, stop rules, threads. Gives a [`SearchReport`].
//! May use: the board, tactics, patterns, playouts and parameters.
//! Never enters: clocks and protocols, deciding to pass or resign, locks inside a simulation, printing. `unsafe` stays in
//! `pool.rs`, and the tree's nodes never leave this room.
//!
//! Start with `worker.rs`: one simulation on one page. `searcher.rs` runs many of them.

mod adaptive_komi;
mod backup;
mod company;
mod criticality;
mod exchange;
mod feedback;
mod fingerprint;
mod komi;
mod node;
mod parameters;
mod pool;
mod priors;
mod progress;
mod report;
mod restriction;
mod score_tally;
mod searcher;
mod selection;
mod shared;
mod stop;
mod tally;
mod tree;
mod worker;

// What only a paper's program uses.
mod cgi;
mod dynamic_komi;
mod go_intellect;

pub use cgi::CgiParameters;
pub use dynamic_komi::DynamicKomiParameters;
pub use exchange::{Companions, Counts, Exchange, MOST_LEVELS, Path, Place, Standing, Verdict};
pub use fingerprint::fingerprint;
pub use go_intellect::GoIntellectParameters;
pub use jigo_net::Evaluation as NetOpinion;
pub use parameters::{KomiMethod, Parameters, PriorParameters, SearchParameters, Selection};
pub use progress::Progress;
pub use report::{MoveReport, SearchReport};
pub use restriction::{Restriction, RestrictionKind};
pub use searcher::{SearchRequest, Searcher, TreeSearcher};
pub use stop::{Limits, TimeBudget};
