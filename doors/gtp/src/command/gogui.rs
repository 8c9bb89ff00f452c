//! GoGui: what it can show, how it sets up positions, and the switches of its dialogs.

use jigo_engine::{Kind, Parameters};

use super::Run::Once;
use super::position::{start_from, stones};
use super::tuning::change;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "gogui-analyze_commands", help: "what GoGui can show, TYPE/LABEL/COMMAND", run: Once(menu) },
    Command {
        name: "gogui-interrupt",
        help: "nothing by itself; the comment `# interrupt` ends a thought",
        run: Once(interrupt),
    },
    Command {
        name: "gogui-play_sequence",
        help: "COLOR VERTEX...: make these moves, or none",
        run: Once(play_sequence),
    },
    Command { name: "gogui-setup", help: "COLOR VERTEX...: add stones before the first move", run: Once(setup) },
    Command { name: "gogui-setup_player", help: "COLOR: who is to move", run: Once(setup_player) },
    Command { name: "gogui-title", help: "a title for the window", run: Once(title) },
    Command { name: "jigo-param", help: "[NAME VALUE]: every parameter as GoGui's dialog reads it", run: Once(param) },
];

/// Type of the answer, label in the menu, command; `%m` is the player to move.
const MENU: &str = "\
dboard/Ownership/jigo-ownership %m
sboard/Evaluation Values (-10 to 10)/jigo-evaluation_values %m
dboard/Criticality/jigo-criticality %m
sboard/RAVE Values (percent)/jigo-rave_values %m
dboard/Policy/jigo-policy %m
pspairs/Best Moves (win rates)/jigo-best_moves %m
var/Expected Continuation/jigo-variation %m
string/Win Rate for every Komi/jigo-komi_win_rates %m
string/Score Estimate/jigo-score_estimate %m
pspairs/Joseki (percent)/jigo-joseki %m
cboard/Caught in Ladders/jigo-ladders
string/Explain Last Move/gomill-explain_last_move
param/Parameters/jigo-param";

fn menu(_: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    Ok(MENU.to_owned())
}

/// That the command is listed is all GoGui wants to know; it then sends the comment, which the reading thread hears.
fn interrupt(_: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    DONE
}

fn play_sequence(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let size = session.engine.game().size();
    let mut moves = Vec::new();
    while !arguments.is_empty() {
        moves.push((arguments.color()?, arguments.mv(size)?));
    }
    for (made, &(color, mv)) in moves.iter().enumerate() {
        if let Err(illegal) = session.engine.play(color, mv) {
            session.engine.undo(made)?;
            return Err(illegal.into());
        }
    }
    DONE
}

/// GoGui sends stones in one go or in several. White is to move only if it says so.
fn setup(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let added = stones(session, arguments)?;
    let game = session.engine.game();
    if !game.is_at_start() {
        return Err(Failure::SetupAfterMoves);
    }
    let board = game.board();
    let standing = board.points().filter_map(|point| board.color_at(point).map(|color| (color, point)));
    let all = standing.chain(added).collect();
    start_from(session, all)
}

fn setup_player(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let color = arguments.color()?;
    session.engine.set_to_move(color);
    DONE
}

fn title(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    Ok(format!("{} {}", session.introduction.name, session.introduction.version))
}

/// The one switch of the door itself; everything else belongs to the mind.
const LIVE_GRAPHICS: &str = "live_graphics";

fn param(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let Some(name) = arguments.optional_word() else { return Ok(list_parameters(session)) };
    if name == LIVE_GRAPHICS {
        session.asides.live_graphics = match arguments.word("0 or 1")? {
            "0" => false,
            "1" => true,
            _ => return Err(expected("0 or 1")),
        };
        return DONE;
    }
    change(session, name, &arguments.rest())
}

/// One row each: `[bool] NAME 0`, `[list/A/B] NAME A`, `[string] NAME TEXT`.
fn list_parameters(session: &Session) -> String {
    let values = session.engine.parameters();
    let mut rows = format!("[bool] {LIVE_GRAPHICS} {}", u8::from(session.asides.live_graphics));
    for row in Parameters::table() {
        let value = values.get(row.name).unwrap_or_default();
        let (kind, value) = match row.kind {
            Kind::Switch => ("bool".to_owned(), u8::from(value == "true").to_string()),
            Kind::Choice(names) => (format!("list/{}", names.join("/")), value),
            Kind::Number | Kind::Integer => ("string".to_owned(), value),
        };
        rows += &format!("\n[{kind}] {} {value}", row.name);
    }
    rows
}
