//! The board before and between moves: its size, its stones, the komi.

use jigo_board::{Board, Color, Game, MAX_SIZE, MIN_SIZE, Point};

use super::Run::Once;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "boardsize", help: "N (or N N, N:N): an empty board of this size", run: Once(boardsize) },
    Command {
        name: "rectangular_boardsize",
        help: "N N: the same; only square boards are known",
        run: Once(boardsize),
    },
    Command { name: "clear_board", help: "an empty board of the same size", run: Once(clear_board) },
    Command {
        name: "clear_cache",
        help: "forget what earlier searches found out; the board stays",
        run: Once(clear_cache),
    },
    Command { name: "komi", help: "POINTS: White's compensation, in whole or half points", run: Once(komi) },
    Command { name: "get_komi", help: "the komi", run: Once(get_komi) },
    Command {
        name: "set_position",
        help: "COLOR VERTEX...: a game that starts from these stones",
        run: Once(set_position),
    },
    Command { name: "showboard", help: "the position as text", run: Once(showboard) },
];

fn boardsize(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let text = arguments.rest();
    let mut sides = text.split([' ', ':']).filter(|side| !side.is_empty());
    let width = sides.next().ok_or_else(|| expected("a size"))?;
    let height = sides.next().unwrap_or(width);
    let (size, height) = (lines(width)?, lines(height)?);
    if size != height || !(MIN_SIZE..=MAX_SIZE).contains(&size) {
        return Err(Failure::UnacceptableSize);
    }
    session.engine.start_game(size);
    DONE
}

/// A number that is negative or too large to hold is still a number, and so no mistake in writing.
fn lines(word: &str) -> Result<usize, Failure> {
    let is_integer = word.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    word.parse().map_err(|_| if is_integer { Failure::UnacceptableSize } else { expected("a size") })
}

fn clear_board(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    session.engine.start_game(session.engine.game().size());
    DONE
}

fn clear_cache(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    session.engine.forget();
    DONE
}

fn komi(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    session.engine.set_komi(arguments.number("a number of points")?)?;
    DONE
}

fn get_komi(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    Ok(session.engine.game().komi().to_string())
}

/// Black is to move in the new position, unless the next command says otherwise.
fn set_position(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let stones = stones(session, arguments)?;
    start_from(session, stones)
}

pub(super) fn stones(session: &Session, arguments: &mut Arguments) -> Result<Vec<(Color, Point)>, Failure> {
    let mut stones = Vec::new();
    while !arguments.is_empty() {
        stones.push((arguments.color()?, arguments.point(session.engine.game().size())?));
    }
    Ok(stones)
}

pub(super) fn start_from(session: &mut Session, stones: Vec<(Color, Point)>) -> Result<String, Failure> {
    let game = session.engine.game();
    let size = game.size();
    let board = Board::with_stones(size, stones).map_err(|stone| Failure::IllegalPosition(stone.vertex(size)))?;
    let mut position = Game::from_position(board, Color::Black, *game.rules());
    position.set_komi(game.komi());
    session.engine.continue_from(position);
    DONE
}

fn showboard(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    let game = session.engine.game();
    let board = game.board();
    let [black_lost, white_lost] = Color::BOTH.map(|color| board.stones_lost(color));
    Ok(format!(
        "\n{}Move {}, {} to play, komi {}, rules {}\nPrisoners: Black {white_lost}, White {black_lost}",
        board.render(game.last_move()),
        game.moves().len() + 1,
        game.to_move(),
        game.komi(),
        game.rules().name().unwrap_or("custom"),
    ))
}
