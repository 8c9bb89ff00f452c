//! Stones before the first move.

use jigo_board::Point;

use super::Run::Once;
use super::play::spell_points;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "fixed_handicap", help: "N: Black stones on star points", run: Once(fixed_handicap) },
    Command {
        name: "place_free_handicap",
        help: "N: Black stones at the program's choice",
        run: Once(place_free_handicap),
    },
    Command {
        name: "set_free_handicap",
        help: "VERTEX...: Black stones on these points",
        run: Once(set_free_handicap),
    },
];

fn fixed_handicap(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let stones = arguments.number("a number of stones")?;
    let points = session.engine.place_fixed_handicap(stones)?;
    Ok(spell_points(points, session.engine.game().size()))
}

fn place_free_handicap(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let stones = arguments.number("a number of stones")?;
    let points = session.engine.place_free_handicap(stones)?;
    Ok(spell_points(points, session.engine.game().size()))
}

fn set_free_handicap(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let size = session.engine.game().size();
    let mut points: Vec<Point> = Vec::new();
    while !arguments.is_empty() {
        points.push(arguments.point(size)?);
    }
    session.engine.set_free_handicap(points)?;
    DONE
}
