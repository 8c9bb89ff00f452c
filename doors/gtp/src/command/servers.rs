//! What Go servers tell: who the opponent is, and that the game is over.

use super::Run::Once;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "kgs-game_over", help: "the game on KGS has ended", run: Once(game_over) },
    Command { name: "cgos-gameover", help: "RESULT...: the game on CGOS has ended", run: Once(game_over) },
    Command { name: "cgos-opponent_name", help: "NAME: whom we play", run: Once(opponent) },
    Command { name: "cgos-opponent_rating", help: "RATING: how strong they are", run: Once(opponent) },
];

/// Nobody is to move any more.
fn game_over(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    session.engine.rest();
    DONE
}

/// Every opponent is played alike.
fn opponent(_: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    arguments.word("what is known of the opponent")?;
    DONE
}
