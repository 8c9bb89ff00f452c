//! The clock.

use std::time::Duration;

use jigo_board::TimeControl;

use super::Run::Once;
use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "time_settings",
        help: "MAIN OVERTIME STONES: seconds, Canadian overtime",
        run: Once(time_settings),
    },
    Command {
        name: "kgs-time_settings",
        help: "none | absolute M | canadian M T STONES | byoyomi M T PERIODS",
        run: Once(kgs_time_settings),
    },
    Command {
        name: "kata-list_time_settings",
        help: "the kinds kata-time_settings knows",
        run: Once(list_time_settings),
    },
    Command {
        name: "kata-time_settings",
        help: "as kgs-time_settings, and fischer M INCREMENT | fischer-capped M INCREMENT MAX MAX_PER_MOVE",
        run: Once(kata_time_settings),
    },
    Command { name: "time_left", help: "COLOR SECONDS STONES: what a player has left", run: Once(time_left) },
];

/// Overtime without stones means no limit at all, by the protocol's own convention.
fn time_settings(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let main = seconds(arguments)?;
    let overtime = seconds(arguments)?;
    let stones: u32 = arguments.number("a number of stones")?;
    session.engine.set_time_control(match (overtime.is_zero(), stones) {
        (false, 0) => TimeControl::Unlimited,
        (true, _) => TimeControl::absolute(main),
        (false, _) => TimeControl::canadian(main, overtime, stones),
    });
    DONE
}

/// What KGS knows.
const KGS_KINDS: &[&str] = &["none", "absolute", "canadian", "byoyomi"];
/// What KataGo knows besides.
const FISCHER_KINDS: &[&str] = &["fischer", "fischer-capped"];

fn kgs_time_settings(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    set_time_control(session, arguments, &[KGS_KINDS])
}

fn kata_time_settings(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    set_time_control(session, arguments, &[KGS_KINDS, FISCHER_KINDS])
}

fn list_time_settings(_: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    Ok([KGS_KINDS, FISCHER_KINDS].concat().join(" "))
}

fn set_time_control(
    session: &mut Session,
    arguments: &mut Arguments,
    known: &[&[&'static str]],
) -> Result<String, Failure> {
    let known = known.concat();
    let what = format!("one of {}", known.join(", "));
    let word = arguments.word(&what)?.to_ascii_lowercase();
    let kind = known
        .into_iter()
        .find(|&kind| kind == word || (kind == "byoyomi" && word == "byo-yomi"))
        .ok_or_else(|| expected(&what))?;
    let control = match kind {
        "none" => TimeControl::Unlimited,
        "absolute" => TimeControl::absolute(seconds(arguments)?),
        "canadian" => {
            TimeControl::canadian(seconds(arguments)?, seconds(arguments)?, arguments.number("a number of stones")?)
        }
        "byoyomi" => {
            TimeControl::japanese(seconds(arguments)?, seconds(arguments)?, arguments.number("a number of periods")?)
        }
        _ => {
            let (main, increment) = (seconds(arguments)?, seconds(arguments)?);
            let is_capped = kind == "fischer-capped";
            let cap = if is_capped { limit(arguments)? } else { None };
            let per_move = if is_capped { limit(arguments)? } else { None };
            if cap.is_some_and(|cap| cap < main) {
                return Err(expected("a largest main time that is not below the main time"));
            }
            TimeControl::Fischer { main, increment, cap, per_move }
        }
    };
    session.engine.set_time_control(control);
    DONE
}

/// Seconds, or no limit if they are negative.
fn limit(arguments: &mut Arguments) -> Result<Option<Duration>, Failure> {
    let what = "a number of seconds, or -1 for no limit";
    let seconds: f64 = arguments.number(what)?;
    if seconds < 0.0 {
        return Ok(None);
    }
    Duration::try_from_secs_f64(seconds).map(Some).map_err(|_| expected(what))
}

fn time_left(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let color = arguments.color()?;
    let what = "a number of seconds";
    let seconds: f64 = arguments.number(what)?;
    // Some referees let a clock run below zero, the lenient ones far. Nothing is left then; whoever was refused here would go on
    // with the time it had before.
    let time = Duration::try_from_secs_f64(if seconds < 0.0 { 0.0 } else { seconds }).map_err(|_| expected(what))?;
    let count = arguments.number("a number of stones")?;
    session.engine.clock_mut().set_remaining(color, time, count);
    DONE
}

/// Seconds with or without a fraction.
fn seconds(arguments: &mut Arguments) -> Result<Duration, Failure> {
    let what = "a number of seconds, zero or more";
    Duration::try_from_secs_f64(arguments.number(what)?).map_err(|_| expected(what))
}
