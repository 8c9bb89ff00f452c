//! The end of the game: the count and the fate of the stones.

use jigo_board::Color;
use jigo_engine::{Status, Unconditional};

use super::Command;
use super::Run::Once;
use super::play::spell_points;
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "final_score", help: "the result if play stopped here", run: Once(final_score) },
    Command {
        name: "final_status_list",
        help: "alive|dead|seki: the stones with this fate",
        run: Once(final_status_list),
    },
    Command { name: "unconditional_status", help: "VERTEX: what no play can change", run: Once(unconditional_status) },
];

fn final_score(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    Ok(session.engine.final_score().to_string())
}

fn final_status_list(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let what = "alive, dead or seki";
    let status = match arguments.word(what)?.to_ascii_lowercase().as_str() {
        "alive" => Status::Alive,
        "dead" => Status::Dead,
        "seki" => Status::Seki,
        _ => return Err(expected(what)),
    };
    let stones = session.engine.judge().stones_with(status);
    Ok(spell_points(&stones, session.engine.game().size()))
}

fn unconditional_status(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let point = arguments.point(session.engine.game().size())?;
    let status = match session.engine.unconditional_status(point) {
        Unconditional::Alive => "alive",
        Unconditional::Dead => "dead",
        Unconditional::Territory(Color::Black) => "black_territory",
        Unconditional::Territory(Color::White) => "white_territory",
        Unconditional::Undecided => "undecided",
    };
    Ok(status.to_owned())
}
