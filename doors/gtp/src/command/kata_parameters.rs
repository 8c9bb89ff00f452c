//! KataGo's names for what can be changed while it runs, as far as Jigo has the same thing.

use serde_json::{Map, Value};

use super::Run::Once;
use super::tuning::change;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "kata-list-params", help: "the parameters kata-set-param knows", run: Once(list_params) },
    Command { name: "kata-get-param", help: "NAME: its value", run: Once(get_param) },
    Command { name: "kata-set-param", help: "NAME VALUE: changes it", run: Once(set_param) },
    Command { name: "kata-get-params", help: "all of them as JSON", run: Once(get_params) },
    Command { name: "kata-set-params", help: "JSON: changes all that are named, or none", run: Once(set_params) },
];

/// What a name of KataGo's means here.
enum Meaning {
    /// One of our own parameters, and how its numbers translate.
    Own { name: &'static str, scale: Scale },
    /// Threads of the search, which are no parameter of it.
    Threads,
    /// Whom the net for human play imitates.
    Profile,
    /// Something Jigo never does, so that only this is true of it.
    Never { always: &'static str, why: &'static str },
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

/// As on the command line.
const MOST_THREADS: usize = 1024;

const MEANINGS: &[(&str, Meaning)] = &[
    (
        "playoutDoublingAdvantage",
        Meaning::Never { always: "0", why: "Jigo gives neither side more playouts than the other" },
    ),
    ("visitCapContempt", Meaning::Never { always: "0", why: "Jigo expects its opponent to see as much as itself" }),
    ("analysisWideRootNoise", Meaning::Own { name: "search.analysis_noise", scale: Scale::Same }),
    ("antiMirror", Meaning::Never { always: "false", why: "Jigo does not look out for mirror go" }),
    ("genmoveAntiMirror", Meaning::Never { always: "false", why: "Jigo does not look out for mirror go" }),
    (
        "analysisIgnorePreRootHistory",
        Meaning::Never { always: "false", why: "Jigo always knows the moves before the position" },
    ),
    ("humanSLProfile", Meaning::Profile),
    ("numSearchThreads", Meaning::Threads),
    ("maxTime", Meaning::Own { name: "engine.most_seconds", scale: Scale::Limit }),
    ("maxPlayouts", Meaning::Own { name: "engine.most_playouts", scale: Scale::Limit }),
    ("maxVisits", Meaning::Own { name: "engine.most_visits", scale: Scale::Limit }),
    ("lagBuffer", Meaning::Own { name: "engine.lag", scale: Scale::Same }),
    ("ponderingEnabled", Meaning::Own { name: "engine.ponder", scale: Scale::Same }),
    ("resignThreshold", Meaning::Own { name: "engine.resign_below", scale: Scale::Utility }),
    ("cpuctExploration", Meaning::Own { name: "search.net_exploration", scale: Scale::Same }),
    ("rootPolicyTemperature", Meaning::Own { name: "search.root_temperature", scale: Scale::Same }),
];

fn list_params(_: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    Ok(MEANINGS.iter().map(|&(name, _)| name).collect::<Vec<_>>().join(" "))
}

fn meaning(name: &str) -> Result<&'static Meaning, Failure> {
    let known = MEANINGS.iter().find(|(known, _)| *known == name).map(|(_, meaning)| meaning);
    known.ok_or_else(|| Failure::Parameter(format!("{name:?} is none of the parameters of kata-list-params")))
}

fn get_param(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let meaning = meaning(arguments.word("the name of a parameter")?)?;
    Ok(value(session, meaning))
}

fn value(session: &Session, meaning: &Meaning) -> String {
    let (name, scale) = match meaning {
        Meaning::Never { always, .. } => return (*always).to_owned(),
        Meaning::Threads => return session.engine.threads().to_string(),
        Meaning::Profile => return session.engine.plays_like().map(|profile| profile.to_string()).unwrap_or_default(),
        Meaning::Own { name, scale } => (name, scale),
    };
    let own = session.engine.parameters().get(name).unwrap_or_default();
    match scale {
        Scale::Same => own,
        Scale::Limit if own == "0" => NO_LIMIT.to_string(),
        Scale::Limit => own,
        Scale::Utility => own.parse().map_or(own, |win_rate: f32| (2.0 * win_rate - 1.0).to_string()),
    }
}

fn set_param(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let name = arguments.word("the name of a parameter")?;
    // Only a name can be missing.
    let value = if name == "humanSLProfile" { arguments.rest() } else { arguments.word("a value")?.to_owned() };
    set_by_name(session, name, &value)?;
    DONE
}

fn get_params(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    // Numbers and truths are written without quotes.
    let plain = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
    let told = |(name, meaning): &(&str, Meaning)| ((*name).to_owned(), plain(value(session, meaning)));
    Ok(Value::Object(MEANINGS.iter().map(told).collect()).to_string())
}

fn set_params(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let wanted: Map<String, Value> =
        serde_json::from_str(&arguments.rest()).map_err(|_| expected("parameters as a JSON object"))?;
    let (before, threads) = (session.engine.parameters().clone(), session.engine.threads());
    let profile = value(session, &Meaning::Profile);
    for (name, value) in &wanted {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if let Err(failure) = set_by_name(session, name, &value) {
            // All were there before.
            session.engine.set_parameters(before)?;
            session.engine.set_threads(threads)?;
            set_by_name(session, "humanSLProfile", &profile)?;
            return Err(failure);
        }
    }
    DONE
}

/// Changes a parameter by KataGo's name for it, or says why it cannot be.
pub(super) fn set_by_name(session: &mut Session, name: &str, value: &str) -> Result<(), Failure> {
    let number = |what: &str| value.parse::<f64>().map_err(|_| expected(what));
    let (own, value) = match meaning(name)? {
        Meaning::Never { always, why } => {
            let same_number = || Some(value.parse::<f64>().ok()? == always.parse::<f64>().ok()?);
            let is_true = value.eq_ignore_ascii_case(always) || same_number().unwrap_or(false);
            return if is_true { Ok(()) } else { Err(Failure::Parameter((*why).to_owned())) };
        }
        Meaning::Threads => {
            let what = "a number of threads, from 1 to 1024";
            let threads = value.parse().ok().filter(|threads| (1..=MOST_THREADS).contains(threads));
            session.engine.set_threads(threads.ok_or_else(|| expected(what))?)?;
            return Ok(());
        }
        // Nobody is imitated already where there is no net for it.
        Meaning::Profile if value.is_empty() && session.engine.plays_like().is_none() => return Ok(()),
        Meaning::Profile => {
            return session.engine.play_like(value).map_err(|error| Failure::Parameter(error.to_string()));
        }
        Meaning::Own { name, scale: Scale::Same } => (name, value.to_owned()),
        Meaning::Own { name, scale: Scale::Limit } => {
            let limit = number("a number")?;
            (name, if limit >= NO_LIMIT { 0.0 } else { limit }.to_string())
        }
        Meaning::Own { name, scale: Scale::Utility } => {
            (name, format!("{:.6}", (number("a number from -1 to 1")? + 1.0) / 2.0))
        }
    };
    change(session, own, &value).map(|_| ())
}
