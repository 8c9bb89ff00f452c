//! Room card: matches between black-box GTP programs, and what their results prove.
//!
//! For: starting programs, keeping clocks and rules, storing every game, and computing Elo, intervals and sequential
//! tests. A [`MatchSpec`] goes in, a [`MatchResult`] with its [`Standings`] comes out; see [`run_match`].
//! May use: the board, SGF and chart rooms. Our own engine is one more command line.
//! Never enters: anything of `mind` or `doors`, opinions about moves.

mod clock;
mod command_line;
mod folder;
mod game_play;
mod game_runner;
pub mod journal;
mod move_evaluation;
mod opening;
mod player;
mod plot;
mod program;
mod progress;
mod record;
mod referee;
mod run;
mod schedule;
pub mod seed;
mod spec;
mod standings;
pub mod statistics;
mod table;

pub use command_line::{CommandLine, CommandLineError, call_ourselves, distinct_names, locate, parse_player};
pub use folder::{FolderError, read_spec};
pub use opening::{OpeningBook, OpeningError};
pub use player::read_score;
pub use program::{Failure, Program};
pub use progress::MatchBar;
pub use record::{Effort, Ending, GameEntry};
pub use referee::RefereeError;
pub use run::{
    ArenaError, FinishedGame, MatchProgress, MatchResult, RunOptions, Store, play_from, play_single, run_match,
    run_match_by,
};
pub use schedule::{Fixture, Schedule};
pub use spec::{Agreement, Colors, Limits, MatchSpec, Openings, Pairings, PlayerSpec, RefereeSpec, SpecError};
pub use standings::{Estimate, PairingLine, PlayerLine, SprtLine, Standings};
pub use table::{align, elo_text};
