//! The clock.

use std::time::Duration;

use jigo_engine::TimeControl;

use super::{Command, DONE};
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "time_settings", help: "MAIN OVERTIME STONES: seconds, Canadian overtime", run: time_settings },
    Command { name: "time_left", help: "COLOR SECONDS STONES: what a player has left", run: time_left },
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

fn time_left(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let color = arguments.color()?;
    let time = seconds(arguments)?;
    let count = arguments.number("a number of stones")?;
    session.engine.clock_mut().set_remaining(color, time, count);
    DONE
}

/// Seconds with or without a fraction. Some referees let a clock run a little below zero before they call the game.
fn seconds(arguments: &mut Arguments) -> Result<Duration, Failure> {
    let what = "a number of seconds";
    let seconds: f64 = arguments.number(what)?;
    Duration::try_from_secs_f64(seconds.max(0.0)).ok().filter(|_| !seconds.is_nan()).ok_or_else(|| expected(what))
}
