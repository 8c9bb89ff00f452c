//! Does a chain die in a ladder: atari after atari until it is taken?
//!
//! ```text
//! . . . . .      Black at a; White runs to b with two liberties, Black gives atari again from the
//! . X b . .      right side, and so on down the board, until the edge, a friend of White on the way (a ladder
//! X O a . .      breaker) or a capture of one of the chasing stones ends it.
//! . X . . .
//! ```
//!
//! Most questions are settled by counting what the runner gains with the next stone: nothing (it dies at once, as
//! along the edge) or three liberties (it is free). Only the ladders in between are read out on a [`Reader`]'s board,
//! every atari for the hunter, every extension and every capture of a hunter in atari for the runner. A ko is read as
//! the board stands: who may not take back now does not.

use crate::atari::captures_beside;
use crate::liberties_after::liberties_after;
use crate::move_list::MoveList;
use crate::reader::Reader;
use jigo_board::{Board, Color, Point};

/// A ladder across the whole board takes about 70 moves and each refuted side branch a few; what is not settled by
/// then counts as an escape.
const MAX_NODES: u32 = 250;

/// With one liberty and its owner to move, or two liberties and the hunter to move: is this chain caught?
/// With more liberties it is not.
pub fn is_ladder(board: &Board, stone: Point, reader: &mut Reader) -> bool {
    match board.liberty_count(stone) {
        1 => {
            reader.look_at(board);
            is_caught(reader, stone)
        }
        2 => ladder_move(board, stone, reader).is_some(),
        _ => false,
    }
}

/// The atari that catches a chain of two liberties, if one does.
pub fn ladder_move(board: &Board, stone: Point, reader: &mut Reader) -> Option<Point> {
    if board.liberty_count(stone) != 2 || !may_be_caught(board, stone) {
        return None;
    }
    reader.look_at(board);
    catching_atari(reader, stone)
}

/// Does the hunter's atari at this liberty of a chain of two liberties catch it?
pub fn atari_catches(board: &Board, stone: Point, atari: Point, reader: &mut Reader) -> bool {
    let (Some(runner), Some([a, b])) = (board.color_at(stone), board.two_liberties(stone)) else { return false };
    let run = if atari == a { b } else { a };
    if (atari != a && atari != b) || !is_worth_reading(board, stone, atari, run) {
        return false;
    }
    reader.look_at(board);
    reader.after(runner.opponent(), atari, |reader| is_caught(reader, stone))
}

/// `color` extends a chain at `liberty` to two liberties: is it caught all the same?
pub(crate) fn is_caught_after_extending(board: &Board, color: Color, liberty: Point, reader: &mut Reader) -> bool {
    reader.look_at(board);
    reader.after(color, liberty, |reader| {
        may_be_caught(&reader.board, liberty) && catching_atari(reader, liberty).is_some()
    })
}

/// Quick look: is there an atari after which the runner does not simply step out to three liberties?
fn may_be_caught(board: &Board, stone: Point) -> bool {
    let Some([a, b]) = board.two_liberties(stone) else { return false };
    is_worth_reading(board, stone, a, b) || is_worth_reading(board, stone, b, a)
}

/// May the atari at `atari` hold a chain that then runs to `run`?
fn is_worth_reading(board: &Board, stone: Point, atari: Point, run: Point) -> bool {
    let Some(runner) = board.color_at(stone) else { return false };
    if !board.is_legal(runner.opponent(), atari) {
        return false;
    }
    let mut gained = liberties_after(board, runner, run);
    gained.remove(atari);
    // A capture by the atari may take friends away on which the runner's liberties counted.
    gained.len() < 3 || atari.neighbours().iter().any(|&n| board.color_at(n) == Some(runner) && board.in_atari(n))
}

/// The runner, in atari, is to move.
fn is_caught(reader: &mut Reader, stone: Point) -> bool {
    let Some(runner) = reader.board.color_at(stone) else { return true };
    let Some(liberty) = reader.board.only_liberty(stone) else { return false };
    let mut tries = MoveList::new();
    tries.push(liberty);
    captures_beside(&reader.board, stone, &mut tries);
    for &point in tries.as_slice() {
        if reader.nodes >= MAX_NODES {
            return false;
        }
        if reader.board.is_legal(runner, point)
            && reader.after(runner, point, |reader| !falls_to_next_move(reader, stone))
        {
            return false;
        }
    }
    true
}

/// The hunter is to move.
fn falls_to_next_move(reader: &mut Reader, stone: Point) -> bool {
    match reader.board.liberty_count(stone) {
        1 => {
            let (Some(runner), Some(liberty)) = (reader.board.color_at(stone), reader.board.only_liberty(stone)) else {
                return false;
            };
            reader.board.is_legal(runner.opponent(), liberty)
        }
        2 => catching_atari(reader, stone).is_some(),
        _ => false,
    }
}

/// The hunter is to move against two liberties.
fn catching_atari(reader: &mut Reader, stone: Point) -> Option<Point> {
    let hunter = reader.board.color_at(stone)?.opponent();
    let [a, b] = reader.board.two_liberties(stone)?;
    for (atari, run) in [(a, b), (b, a)] {
        if reader.nodes >= MAX_NODES {
            return None;
        }
        if is_worth_reading(&reader.board, stone, atari, run)
            && reader.after(hunter, atari, |reader| is_caught(reader, stone))
        {
            return Some(atari);
        }
    }
    None
}
