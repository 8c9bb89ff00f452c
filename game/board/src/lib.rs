//! Room card: the board.
//!
//! For: points, stones, chains, legality, ko and full-history superko, rulesets, komi, handicap,
//! clocks, scoring, scores and win rates that know their side, symmetries, and boards as text.
//! May use: nothing but the standard library. Everything else in the house stands on this room.
//! Never enters: randomised judgement of positions, file formats, protocols, printing, `unsafe`.
//!
//! [`Board`] is a position made for speed; [`Game`] is the history around it, made for the rules.

mod board;
mod clock;
mod color;
mod diagram;
mod game;
pub mod handicap;
mod komi;
mod neighbourhood;
mod point;
mod point_set;
pub mod random_game;
mod rng;
mod rule_fields;
mod rules;
mod scoring;
mod symmetry;
mod time_control;
mod trail;
mod win_rate;
mod zobrist;

pub use board::{Board, ChainStones};
pub use clock::{Clock, Remaining};
pub use color::{Cell, Color};
pub use diagram::{Diagram, DiagramError};
pub use game::Game;
pub use handicap::HandicapError;
pub use komi::{HANDICAP_KOMI, LARGEST_KOMI, UnacceptableKomi, acceptable_komi};
pub use neighbourhood::Neighbourhood;
pub use point::{COLUMNS, GRID, MAX_POINTS, MAX_SIZE, MIN_SIZE, Move, Point};
pub use point_set::PointSet;
pub use rng::Rng;
pub use rule_fields::RuleFieldError;
pub use rules::{HandicapBonus, Illegal, KoRule, RULESETS, Rules, Score, Scoring, Tax};
pub use scoring::Count;
pub use symmetry::Symmetry;
pub use time_control::{TimeControl, TimeControlError};
pub use trail::Trail;
pub use win_rate::WinRate;
