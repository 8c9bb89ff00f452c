//! What Leela Zero's clients ask besides its analysis.

use jigo_board::{Color, Move, Symmetry};
use jigo_engine::Manner;

use super::Run::Once;
use super::kata_parameters::set_by_name;
use super::{Command, DONE};
use crate::analysis::View;
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "heatmap", help: "[SYMMETRY]: the net's policy in parts of a thousand", run: Once(heatmap) },
    Command {
        name: "lz-setoption",
        help: "name NAME value VALUE: Pondering, Visits, Playouts, Lagbuffer or Resign Percentage",
        run: Once(set_option),
    },
];

/// The policy point by point, the pass and the chance of winning, as Leela Zero prints them.
fn heatmap(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let what = "a symmetry from 0 to 7";
    let symmetry: usize = if arguments.is_empty() { 0 } else { arguments.number(what)? };
    if symmetry > 7 {
        return Err(expected(what));
    }
    let color: Color = session.engine.game().to_move();
    let opinion = session.engine.raw_net(color, Symmetry::from_index(symmetry), Manner::PLAIN).ok_or(Failure::NoNet)?;
    let game = session.engine.game();
    let parts = |mv: Move| match game.check(color, mv) {
        Ok(()) => (1000.0 * opinion.probability(mv)).round() as u32,
        Err(_) => 0,
    };
    let mut text = String::from("\n");
    for point in View::points_of(game.size()) {
        let end = if point.col() + 1 == game.size() { "\n" } else { " " };
        text += &format!("{:3}{end}", parts(Move::Play(point)));
    }
    let win_rate = opinion.value.win_rate(game.effective_komi()).share_of(color);
    Ok(format!("{text}pass: {}\nwinrate: {win_rate:.6}", parts(Move::Pass)))
}

/// `lz-setoption name Lagbuffer value 50`, in Leela Zero's names and units. What has no counterpart is refused, not
/// silently accepted.
fn set_option(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let text = arguments.rest();
    let words = text.strip_prefix("name ").and_then(|rest| rest.split_once(" value "));
    let (name, value) = words.ok_or_else(|| expected("name NAME value VALUE"))?;
    let number = || value.parse::<f64>().map_err(|_| expected("a number"));
    // Zero is Leela Zero's word for no limit, a huge number KataGo's.
    let limit = || number().map(|limit| if limit == 0.0 { "1e9".to_owned() } else { limit.to_string() });
    match name.to_ascii_lowercase().as_str() {
        "visits" => set_by_name(session, "maxVisits", &limit()?),
        "playouts" => set_by_name(session, "maxPlayouts", &limit()?),
        "lagbuffer" => set_by_name(session, "lagBuffer", &(number()? / 100.0).to_string()),
        "pondering" => set_by_name(session, "ponderingEnabled", value),
        "resign percentage" => set_by_name(session, "resignThreshold", &(number()? / 50.0 - 1.0).to_string()),
        _ => Err(Failure::Parameter(format!("there is no option {name:?} here"))),
    }?;
    DONE
}
