//! What goes over the wire, as types. `PROTOCOL.md` tells what each message means.

mod analysis;
mod cluster;
mod event;
mod game;
mod hello;
mod request;
mod review;

pub use analysis::*;
pub use cluster::*;
pub use event::*;
pub use game::*;
pub use hello::*;
pub use request::*;
pub use review::*;

use jigo_board::Color;
use serde::{Deserialize, Serialize};

/// A player, as the wire spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Black,
    White,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::Black => Side::Black,
            Color::White => Side::White,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::Black => Color::Black,
            Side::White => Color::White,
        }
    }
}

/// Something of either player's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Both<T> {
    pub black: T,
    pub white: T,
}

impl<T> Both<T> {
    pub fn of(each: impl Fn(Color) -> T) -> Both<T> {
        Both { black: each(Color::Black), white: each(Color::White) }
    }
}
