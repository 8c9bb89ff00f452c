//! Game records in SGF.

use std::fs::{self, File};
use std::io::Read;

use jigo_board::{Game, Rules};
use jigo_sgf::{Collection, GameRecord, GameTree, Repetition};

use super::Run::Once;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "loadsgf",
        help: "FILE [N]: the game in a file, or its position before move N",
        run: Once(loadsgf),
    },
    Command { name: "printsgf", help: "[FILE|-]: the game as SGF, here or into a file", run: Once(printsgf) },
];

/// Far more than any game; a larger file is a collection, or no record at all.
const LARGEST_FILE: u64 = 16 << 20;

fn loadsgf(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let path = arguments.word("a file name")?;
    let what = "a move number, from 1";
    let moves = match arguments.is_empty() {
        true => usize::MAX,
        false => arguments.number::<usize>(what)?.checked_sub(1).ok_or_else(|| expected(what))?,
    };
    let bytes = read_regular_file(path).map_err(Failure::CannotLoadFile)?;
    let game = replay(&bytes, moves, session.engine.game().rules()).map_err(Failure::CannotLoadFile)?;
    session.engine.continue_from(game);
    DONE
}

/// Devices and pipes are not opened: reading them might never end.
fn read_regular_file(path: &str) -> Result<Vec<u8>, String> {
    let metadata = fs::metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is no regular file".to_owned());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err("it is larger than 16 MB".to_owned());
    }
    Ok(bytes)
}

/// The first game of the file, under its own rules if they are known. Records of people may break superko.
fn replay(bytes: &[u8], moves: usize, rules: &Rules) -> Result<Game, String> {
    let collection = Collection::from_bytes(bytes).map_err(|error| error.to_string())?;
    let tree = collection.games.first().ok_or("it holds no game")?;
    let record = GameRecord::main_line(tree).map_err(|error| error.to_string())?;
    let rules = record.known_rules().unwrap_or(*rules);
    record.replay(moves, rules, Repetition::Allow).map_err(|error| error.to_string())
}

fn printsgf(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let tree = GameTree::from_game(session.engine.game());
    let text = Collection { games: vec![tree] }.to_text();
    match arguments.optional_word() {
        None | Some("-") => Ok(text),
        Some(path) => {
            write_regular_file(path, &text).map_err(Failure::CannotSaveFile)?;
            DONE
        }
    }
}

/// A device might never take the text, or be the very channel of our replies.
fn write_regular_file(path: &str, text: &str) -> Result<(), String> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err("it is no regular file".to_owned()),
        _ => fs::write(path, text).map_err(|error| error.to_string()),
    }
}
