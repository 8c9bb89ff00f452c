//! How fast the engine is, as it is set up now.

use jigo_engine::{AnalysisRequest, Limits, StopFlag};

use super::Command;
use super::Run::Once;
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] = &[Command {
    name: "kata-benchmark",
    help: "VISITS: simulations per second from this position",
    run: Once(benchmark),
}];

/// More would take hours on any machine.
const MOST_VISITS: u64 = 10_000_000;

fn benchmark(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let what = "a number of visits, from 1 to 10000000";
    let visits: u64 = arguments.number(what)?;
    if !(1..=MOST_VISITS).contains(&visits) {
        return Err(expected(what));
    }
    let request = AnalysisRequest {
        color: session.engine.game().to_move(),
        limits: Limits { playouts: None, visits: Some(visits), time: None },
        restrictions: &[],
        every: std::time::Duration::MAX,
        move_ownership: false,
        fresh: true,
    };
    let stop: StopFlag = session.engine.stop_flag();
    let report = session.engine.analyse(&request, &stop, &mut |_| {});
    let seconds = report.elapsed.as_secs_f64();
    let rate = report.playouts as f64 / seconds.max(1e-9);
    Ok(format!("{} simulations in {seconds:.2} s, {rate:.0} per second", report.playouts))
}
