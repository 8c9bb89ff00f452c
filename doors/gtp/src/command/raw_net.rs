//! What the net thinks at first sight.

use std::fmt::Write;

use jigo_board::{Color, Move, Score};
use jigo_engine::Evaluation;

use super::Command;
use super::Run::Once;
use crate::analysis::{View, ownership_of};
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] =
    &[Command { name: "kata-raw-nn", help: "[COLOR] SYMMETRY|all: the net alone, without search", run: Once(raw_nn) }];

/// Answered with a reason, and not listed since it never succeeds.
pub const UNLISTED: &[Command] = &[Command {
    name: "kata-raw-human-nn",
    help: "SYMMETRY|all: a net that plays like people; there is none",
    run: Once(|_, _| Err(Failure::NoHumanNet)),
}];

const SYMMETRIES: usize = 8;

fn raw_nn(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let what = "a symmetry from 0 to 7, or all";
    let mut word = arguments.word(what)?;
    let mut color = session.engine.game().to_move();
    if let Some(named) = Color::parse(word) {
        color = named;
        word = arguments.word(what)?;
    }
    let symmetries = match word.parse() {
        Ok(symmetry) if symmetry < SYMMETRIES => symmetry..symmetry + 1,
        Err(_) if word.eq_ignore_ascii_case("all") => 0..SYMMETRIES,
        _ => return Err(expected(what)),
    };
    let mut text = String::new();
    for symmetry in symmetries {
        let opinion = session.engine.raw_net(color, symmetry).ok_or(Failure::NoNet)?;
        text += &describe(session, color, symmetry, &opinion);
    }
    Ok(text)
}

fn describe(session: &Session, color: Color, symmetry: usize, opinion: &Evaluation) -> String {
    let game = session.engine.game();
    let komi = game.effective_komi();
    let white_wins = opinion.value.win_rate(Color::White, komi);
    let lead = opinion.value.black_score().map_or(0.0, |score| Score::black_lead(score - komi).lead_of(Color::White));
    let mut text = format!(
        "\nsymmetry {symmetry}\nwhiteWin {white_wins:.6}\nwhiteLoss {:.6}\nnoResult 0\nwhiteLead {lead:.3}\n\
         whiteScoreSelfplay {lead:.3}\npolicy\n",
        1.0 - white_wins
    );
    let mut rows = |heading: &str, number: &dyn Fn(Move) -> String| {
        text += heading;
        for point in View::points_of(game.size()) {
            let end = if point.col() + 1 == game.size() { '\n' } else { ' ' };
            write!(text, "{}{end}", number(Move::Play(point))).expect("a string takes every number");
        }
    };
    rows("", &|mv| match game.check(color, mv) {
        Ok(()) => format!("{:.6}", opinion.probability(mv)),
        Err(_) => "NAN".to_owned(),
    });
    let pass = format!("policyPass {:.6}\nwhiteOwnership\n", opinion.probability(Move::Pass));
    rows(&pass, &|mv| {
        let black = mv.point().and_then(|point| opinion.black_ownership(point)).unwrap_or_default();
        format!("{:.6}", ownership_of(Color::White, black))
    });
    text
}
