//! KataGo's names for what can be changed while it runs, as far as Jigo has the same thing.

use super::Run::Once;
use super::tuning::change;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "kata-list-params", help: "the parameters kata-set-param knows", run: Once(list_params) },
    Command { name: "kata-get-param", help: "NAME: its value", run: Once(get_param) },
    Command { name: "kata-set-param", help: "NAME VALUE: changes it", run: Once(set_param) },
];

/// What a name of KataGo's means here.
enum Meaning {
    /// One of our own parameters, and how its numbers translate.
    Own { name: &'static str, scale: Scale },
    /// Something Jigo never does, so that only 0 is true of it.
    Never { why: &'static str },
}

enum Scale {
    Same,
    /// A utility from -1 to 1 where we have a win rate from 0 to 1.
    Utility,
    /// A limit that is huge where ours is 0, if there is none.
    Limit,
}

/// What is taken for no limit, and told if there is none: seconds or playouts beyond any game.
const NO_LIMIT: f64 = 1e9;

const MEANINGS: &[(&str, Meaning)] = &[
    ("playoutDoublingAdvantage", Meaning::Never { why: "Jigo gives neither side more playouts than the other" }),
    ("analysisWideRootNoise", Meaning::Never { why: "Jigo adds no noise to its analysis" }),
    ("maxTime", Meaning::Own { name: "engine.most_seconds", scale: Scale::Limit }),
    ("maxPlayouts", Meaning::Own { name: "engine.most_playouts", scale: Scale::Limit }),
    ("maxVisits", Meaning::Own { name: "engine.most_playouts", scale: Scale::Limit }),
    ("lagBuffer", Meaning::Own { name: "engine.lag", scale: Scale::Same }),
    ("ponderingEnabled", Meaning::Own { name: "engine.ponder", scale: Scale::Same }),
    ("resignThreshold", Meaning::Own { name: "engine.resign_below", scale: Scale::Utility }),
    ("cpuctExploration", Meaning::Own { name: "search.puct_exploration", scale: Scale::Same }),
];

fn list_params(_: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    Ok(MEANINGS.iter().map(|&(name, _)| name).collect::<Vec<_>>().join(" "))
}

fn meaning(arguments: &mut Arguments) -> Result<&'static Meaning, Failure> {
    let name = arguments.word("the name of a parameter")?;
    let known = MEANINGS.iter().find(|(known, _)| *known == name).map(|(_, meaning)| meaning);
    known.ok_or_else(|| Failure::Parameter(format!("{name:?} is none of the parameters of kata-list-params")))
}

fn get_param(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let (name, scale) = match meaning(arguments)? {
        Meaning::Never { .. } => return Ok("0".to_owned()),
        Meaning::Own { name, scale } => (name, scale),
    };
    let own = session.engine.parameters().get(name).unwrap_or_default();
    Ok(match scale {
        Scale::Same => own,
        Scale::Limit if own == "0" => NO_LIMIT.to_string(),
        Scale::Limit => own,
        Scale::Utility => own.parse().map_or(own, |win_rate: f32| (2.0 * win_rate - 1.0).to_string()),
    })
}

fn set_param(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    match meaning(arguments)? {
        Meaning::Never { why } => {
            let value: f64 = arguments.number("a number")?;
            if value == 0.0 { DONE } else { Err(Failure::Parameter((*why).to_owned())) }
        }
        Meaning::Own { name, scale: Scale::Same } => change(session, name, arguments.word("a value")?),
        Meaning::Own { name, scale: Scale::Limit } => {
            let limit: f64 = arguments.number("a number")?;
            change(session, name, &if limit >= NO_LIMIT { 0.0 } else { limit }.to_string())
        }
        Meaning::Own { name, scale: Scale::Utility } => {
            let utility: f64 = arguments.number("a number from -1 to 1")?;
            change(session, name, &format!("{:.6}", (utility + 1.0) / 2.0))
        }
    }
}
