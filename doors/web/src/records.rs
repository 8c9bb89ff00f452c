//! Records that come from outside, as bytes: whatever their charset, however many games they hold, however damaged they are.

use jigo_sgf::charset::{decode, decode_as};
use jigo_sgf::{Collection, GameRecord, GameTree};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// The longest file: a collection of thousands of games.
pub const LONGEST_FILE: usize = 16 << 20;

/// What to do with a file.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Reading {
    /// A name for the game, in place of the players'.
    pub name: Option<String>,
    /// The charset, if the reader knows better than we do.
    pub charset: Option<String>,
    /// Which game of a collection is meant, counted from 0; or "all" of them, to be kept and not opened.
    pub pick: Option<String>,
}

/// A file as it was understood.
pub struct Read {
    pub charset: &'static str,
    pub games: Vec<GameTree>,
    /// The file is damaged; this much of it could be read.
    pub is_cut: bool,
}

/// What was found in a file, and what became of it.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "record")]
pub struct RecordView {
    pub charset: &'static str,
    pub is_cut: bool,
    pub games: Vec<Listed>,
    /// The game that was opened, if one was.
    pub opened: Option<String>,
    /// How many games were kept.
    pub kept: usize,
}

/// One game of a collection.
#[derive(Debug, Serialize)]
pub struct Listed {
    pub black: String,
    pub white: String,
    pub event: String,
    pub date: String,
    pub result: String,
    pub moves: usize,
    pub size: u8,
}

pub fn read(bytes: &[u8], charset: Option<&str>) -> Result<Read, Refusal> {
    let decoded = match charset {
        Some(label) => {
            let unknown = || Refusal::BadMessage(format!("there is no charset {label:?}"));
            decode_as(bytes, label).ok_or_else(unknown)?
        }
        None => decode(bytes),
    };
    let (Collection { games }, error) = Collection::salvage(&decoded.text)?;
    Ok(Read { charset: decoded.charset, games, is_cut: error.is_some() })
}

impl Listed {
    pub fn of(tree: &GameTree) -> Listed {
        let text = |identifier| tree.root().simple_text(identifier).unwrap_or_default();
        let record = GameRecord::main_line(tree).ok();
        Listed {
            black: text("PB"),
            white: text("PW"),
            event: text("EV"),
            date: text("DT"),
            result: text("RE"),
            moves: record.as_ref().map_or(0, |record| record.moves().count()),
            size: record.map_or(0, |record| record.size.columns),
        }
    }
}
