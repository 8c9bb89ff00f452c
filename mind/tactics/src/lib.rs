//! Room card: tactics.
//!
//! For: questions about stones, one question per file: can this chain be captured, does it escape, is this move a
//! self-atari and a bad one, where is the vital point, which stones live whatever happens.
//! May use: the board. Nothing is remembered between two questions except a [`Reader`]'s scratch memory.
//! Never enters: random choice, rates, the order of heuristics (all that is the playout's business), learned weights,
//! printing.
//!
//! Playouts ask these questions millions of times a second. They therefore take a `&Board`, look at the cheap facts
//! first (the 3x3 code, liberty counts), fill a fixed [`MoveList`] and never allocate. What must be read out move by
//! move is read by playing and taking back, on the caller's own board or on the copy that a [`Reader`] keeps.

mod atari;
mod benson;
mod bent_four;
mod cfg_distance;
mod eyespace;
mod ladder;
mod liberties_after;
mod many_liberties;
mod move_list;
mod nakade;
mod reader;
mod seki;
mod self_atari;
mod too_many_connections;
mod two_liberties;

pub use atari::{capture_chain, captures_beside, escape_atari};
pub use benson::{Unconditional, UnconditionalLife};
pub use bent_four::bent_fours;
pub use cfg_distance::CommonFateDistance;
pub use eyespace::Eyespace;
pub use ladder::{atari_catches, is_ladder, ladder_move};
pub use liberties_after::{liberties_after, liberties_after_up_to};
pub use many_liberties::{attack_many_liberties, defend_many_liberties};
pub use move_list::MoveList;
pub use nakade::nakade_point;
pub use reader::Reader;
pub use seki::{breaks_seki, is_in_seki, seki_partner};
pub use self_atari::{is_bad_self_atari, other_liberty};
pub use too_many_connections::is_too_many_places_to_connect;
pub use two_liberties::{attack_two_liberties, defend_two_liberties};
