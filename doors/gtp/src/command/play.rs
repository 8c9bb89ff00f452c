//! Moves: making, finding, taking back, asking about.

use jigo_board::{Color, Move, Point};
use jigo_engine::Decision;

use super::Run::Once;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::asides::FRAME;
use crate::failure::Failure;
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "play", help: "COLOR VERTEX: make a move", run: Once(play) },
    Command { name: "genmove", help: "COLOR: choose a move and make it", run: Once(genmove) },
    Command {
        name: "kgs-genmove_cleanup",
        help: "COLOR: as genmove, but no pass while dead stones stand",
        run: Once(kgs_genmove_cleanup),
    },
    Command { name: "reg_genmove", help: "COLOR: choose a move without making it", run: Once(reg_genmove) },
    Command { name: "undo", help: "take back one move", run: Once(undo) },
    Command { name: "gg-undo", help: "[N]: take back N moves, or one", run: Once(gg_undo) },
    Command { name: "is_legal", help: "COLOR VERTEX: 1 if the move may be made, else 0", run: Once(is_legal) },
    Command { name: "all_legal", help: "COLOR: every vertex where the colour may play", run: Once(all_legal) },
];

fn play(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let color = arguments.color()?;
    let mv = arguments.mv(session.engine.game().size())?;
    session.engine.play(color, mv)?;
    DONE
}

fn genmove(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let color = arguments.color()?;
    let size = session.engine.game().size();
    let (engine, asides) = (&mut session.engine, &mut session.asides);
    let decision = if asides.live_graphics {
        let decision = engine.genmove_told(color, FRAME, &mut |report| asides.draw(report, size));
        asides.wipe();
        decision
    } else {
        engine.genmove(color)
    };
    asides.comment(color, decision, engine.last_report(), size);
    session.log_search();
    Ok(spell(decision, size))
}

fn kgs_genmove_cleanup(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let color = arguments.color()?;
    let decision = session.engine.genmove_cleanup(color);
    session.log_search();
    Ok(spell(decision, session.engine.game().size()))
}

fn reg_genmove(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let color = arguments.color()?;
    let decision = session.engine.suggest(color);
    session.log_search();
    Ok(spell(decision, session.engine.game().size()))
}

/// A decision as GTP writes it.
pub(crate) fn spell(decision: Decision, size: usize) -> String {
    match decision {
        Decision::Move(mv) => mv.vertex(size),
        Decision::Resign => "resign".to_owned(),
    }
}

fn undo(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    session.engine.undo(1)?;
    DONE
}

fn gg_undo(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let moves = if arguments.is_empty() { 1 } else { arguments.number("a number of moves")? };
    session.engine.undo(moves)?;
    DONE
}

fn is_legal(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let color = arguments.color()?;
    let game = session.engine.game();
    let is_legal = match arguments.mv(game.size()) {
        Ok(mv) => game.check(color, mv).is_ok(),
        Err(Failure::IllegalMove(_)) => false,
        Err(failure) => return Err(failure),
    };
    Ok(u8::from(is_legal).to_string())
}

fn all_legal(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let color: Color = arguments.color()?;
    let game = session.engine.game();
    Ok(spell_points(game.legal_points(color), game.size()))
}

/// Vertices with spaces between them.
pub(super) fn spell_points(points: impl IntoIterator<Item = Point>, size: usize) -> String {
    let vertices: Vec<String> = points.into_iter().map(|point| Move::Play(point).vertex(size)).collect();
    vertices.join(" ")
}
