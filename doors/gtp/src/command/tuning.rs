//! Every parameter of the mind, and what the last search made of its position.

use jigo_board::Score;
use jigo_engine::Parameters;

use super::Run::Once;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "jigo-list_parameters",
        help: "every parameter with its value and meaning",
        run: Once(list_parameters),
    },
    Command { name: "jigo-get_parameter", help: "NAME: its value", run: Once(get_parameter) },
    Command {
        name: "jigo-set_parameter",
        help: "NAME VALUE: changes it and forgets the tree",
        run: Once(set_parameter),
    },
    Command {
        name: "jigo-last_evaluation",
        help: "win rate, lead and playouts of the last move chosen, for who was to move, komi counted",
        run: Once(last_evaluation),
    },
];

fn list_parameters(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    let values = session.engine.parameters();
    let rows = Parameters::table().map(|row| {
        format!("{} = {}  # {} ({})", row.name, values.get(row.name).unwrap_or_default(), row.meaning, row.source)
    });
    Ok(rows.collect::<Vec<_>>().join("\n"))
}

fn get_parameter(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let name = arguments.word("the name of a parameter")?;
    session
        .engine
        .parameters()
        .get(name)
        .ok_or_else(|| Failure::Parameter(format!("there is no parameter named {name:?}")))
}

fn set_parameter(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let name = arguments.word("the name of a parameter")?;
    change(session, name, &arguments.rest())
}

pub(super) fn change(session: &mut Session, name: &str, value: &str) -> Result<String, Failure> {
    let mut parameters = session.engine.parameters().clone();
    parameters.set(name, value).map_err(|error| Failure::Parameter(error.to_string()))?;
    session.engine.set_parameters(parameters)?;
    DONE
}

/// As the arena reads it: `winrate W score S playouts N`, both for the player who was to move; nothing before the first search.
fn last_evaluation(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    let Some(report) = session.engine.last_report() else { return DONE };
    let lead = Score::black_lead(report.black_score - report.komi).lead_of(report.to_move);
    let win_rate = report.win_rate.share_of(report.to_move);
    Ok(format!("winrate {win_rate:.4} score {lead:.2} playouts {}", report.playouts))
}
