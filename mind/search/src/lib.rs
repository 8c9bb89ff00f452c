//! Room card: search.
//!
//! For: the tree, selection, priors, backup, dynamic komi, stop rules, threads. Gives a [`SearchReport`].
//! May use: the board, tactics, patterns, playouts, the net and parameters.
//! Never enters: clocks and protocols, deciding to pass or resign, printing. `unsafe` stays in `pool.rs`, and the tree's nodes
//! never leave this room. The tree itself has no locks; a simulation waits for one only where threads share the net.
//!
//! Start with `simulator.rs`: one simulation on one page. `tree_searcher.rs` runs many of them. What only a paper's program uses is in
//! `go_intellect/`, `dynamic_komi/` and `cgi/`; no reader of the rest needs it.

mod adaptive_komi;
mod atomic;
mod backup;
mod counting;
mod criticality;
mod dead_stones;
mod exchange;
mod feedback;
mod fingerprint;
mod images;
mod komi;
mod node;
mod parameters;
mod peer_search;
mod playout_owners;
mod pool;
mod priors;
mod progress;
#[cfg(all(test, loom))]
mod races;
mod random_mover;
mod report;
mod reporting;
mod resources;
mod restriction;
mod searcher;
mod selection;
mod shared;
mod simulator;
mod stop;
mod tally;
mod telling;
mod tree;
mod tree_searcher;

// What only a paper's program uses.
mod cgi;
mod dynamic_komi;
mod go_intellect;

pub use cgi::CgiParameters;
pub use counting::Counting;
pub use dead_stones::{DeadStones, OwnerTeller};
pub use dynamic_komi::DynamicKomiParameters;
pub use exchange::{Advice, Counts, Exchange, MOST_LEVELS, Path, Peers, Rank, Standing};
pub use fingerprint::{fingerprint, shipped_fingerprint};
pub use go_intellect::GoIntellectParameters;
pub use jigo_net::{Backend, Evaluation, Forecast, Manner};
pub use komi::DynamicKomi;
pub use parameters::{KomiMethod, Parameters, PriorParameters, SearchParameters, Selection};
pub use playout_owners::PlayoutOwners;
pub use progress::Progress;
pub use random_mover::RandomMover;
pub use report::{MoveReport, SearchReport};
pub use resources::{Unavailable, ask_for_threads};
pub use restriction::{Restriction, RestrictionKind};
pub use searcher::{SearchRequest, Searcher};
pub use stop::{Limits, TimeBudget};
pub use tree_searcher::TreeSearcher;
