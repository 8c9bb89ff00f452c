//! What the net thinks at first sight.

use std::fmt::Write;
use std::ops::Range;

use jigo_board::{Color, Move, Symmetry};
use jigo_engine::{Evaluation, Forecast, Manner};

use super::Command;
use super::Run::Once;
use crate::analysis::{View, ownership_of};
use crate::arguments::Arguments;
use crate::failure::{Failure, expected};
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command {
        name: "kata-raw-nn",
        help: "[COLOR] SYMMETRY|all [OPTIMISM]: the net alone, without search",
        run: Once(raw_nn),
    },
    Command {
        name: "kata-raw-human-nn",
        help: "[COLOR] SYMMETRY|all: what the player of humanSLProfile would do",
        run: Once(raw_human_nn),
    },
];

/// By KataGo's numbers, which exchange two flips beside ours.
const SYMMETRIES: [usize; 8] = [0, 2, 1, 3, 4, 5, 6, 7];
/// How much of the optimistic policy KataGo mixes in unless told.
const USUAL_OPTIMISM: f32 = 0.2;

/// Who is to move, and the symmetries asked for.
fn sides(session: &Session, arguments: &mut Arguments) -> Result<(Color, Range<usize>), Failure> {
    let what = "a symmetry from 0 to 7, or all";
    let mut word = arguments.word(what)?;
    let mut color = session.engine.game().to_move();
    if let Some(named) = Color::parse(word) {
        color = named;
        word = arguments.word(what)?;
    }
    match word.parse() {
        Ok(symmetry) if symmetry < SYMMETRIES.len() => Ok((color, symmetry..symmetry + 1)),
        Err(_) if word.eq_ignore_ascii_case("all") => Ok((color, 0..SYMMETRIES.len())),
        _ => Err(expected(what)),
    }
}

fn raw_human_nn(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let (color, symmetries) = sides(session, arguments)?;
    let profile = session.engine.plays_like().cloned().ok_or(Failure::NoHumanNet)?;
    let mut text = String::new();
    for number in symmetries {
        let symmetry = Symmetry::from_index(SYMMETRIES[number]);
        let opinion = session.engine.human_opinion(color, &profile, symmetry).ok_or(Failure::NoHumanNet)?;
        text += &describe(session, color, number, &opinion, human_numbers);
    }
    Ok(text)
}

fn raw_nn(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let (color, symmetries) = sides(session, arguments)?;
    let optimism = match arguments.optional_word() {
        None => USUAL_OPTIMISM,
        Some(word) => {
            let share = word.parse().ok().filter(|share| (0.0..=1.0).contains(share));
            share.ok_or_else(|| expected("an optimism from 0 to 1"))?
        }
    };
    let mut text = String::new();
    for number in symmetries {
        let symmetry = Symmetry::from_index(SYMMETRIES[number]);
        let manner = Manner { optimism, ..Manner::PLAIN };
        let opinion = session.engine.raw_net(color, symmetry, manner).ok_or(Failure::NoNet)?;
        text += &describe(session, color, number, &opinion, numbers);
    }
    Ok(text)
}

fn describe(
    session: &Session,
    color: Color,
    symmetry: usize,
    opinion: &Evaluation,
    numbers: fn(&Forecast) -> String,
) -> String {
    let game = session.engine.game();
    let mut text = format!("\nsymmetry {symmetry}\n{}policy\n", numbers(&opinion.forecast(game.effective_komi())));
    let mut rows = |heading: &str, number: &dyn Fn(Move) -> String| {
        text += heading;
        for point in View::points_of(game.size()) {
            let end = if point.col() + 1 == game.size() { " \n" } else { " " };
            write!(text, "{}{end}", number(Move::Play(point))).expect("a string takes every number");
        }
    };
    rows("", &|mv| match game.check(color, mv) {
        Ok(()) => format!("{:8.6}", opinion.probability(mv)),
        Err(_) => "    NAN".to_owned(),
    });
    let pass = format!("policyPass {:8.6} \nwhiteOwnership\n", opinion.probability(Move::Pass));
    rows(&pass, &|mv| {
        let black = mv.point().and_then(|point| opinion.black_ownership(point)).unwrap_or_default();
        format!("{:9.7}", ownership_of(Color::White, black))
    });
    text
}

/// How the game will end, as White sees it. A net that does not say how sure it is leaves -1.
fn numbers(forecast: &Forecast) -> String {
    let Forecast { black_win, white_win, no_result, black_lead, black_score, score_square, later } = forecast;
    let later = later.map_or([-1.0; 3], |later| [later.variance_time, later.value_error, later.score_error]);
    let [time, value_error, score_error] = later;
    format!(
        "whiteWin {white_win:.6}\nwhiteLoss {black_win:.6}\nnoResult {no_result:.6}\nwhiteLead {:.3}\n\
         whiteScoreSelfplay {:.3}\nwhiteScoreSelfplaySq {score_square:.3}\nvarTimeLeft {time:.3}\n\
         shorttermWinlossError {value_error:.3}\nshorttermScoreError {score_error:.3}\n",
        0.0 - black_lead,
        0.0 - black_score
    )
}

/// The same for nets that know no lead.
fn human_numbers(forecast: &Forecast) -> String {
    let Forecast { black_win, white_win, no_result, black_score, score_square, later, .. } = forecast;
    let [value_error, score_error] = later.map_or([-1.0; 2], |later| [later.value_error, later.score_error]);
    format!(
        "whiteWin {white_win:.6}\nwhiteLoss {black_win:.6}\nnoResult {no_result:.6}\nwhiteScore {:.3}\n\
         whiteScoreSq {score_square:.3}\nshorttermWinlossError {value_error:.3}\nshorttermScoreError {score_error:.3}\n",
        0.0 - black_score
    )
}
