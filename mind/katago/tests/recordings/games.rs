//! Recorded positions, played on Jigo's own board.

use jigo_board::{Color, Game, HandicapBonus, KoRule, Move, Point, Rules, Scoring, Tax};
use jigo_katago::inputs::{self, Course, InputOptions, PassMeans};
use jigo_katago::{Inputs, Model};
use jigo_tactics::Reader;

use crate::row::Row;

/// What keeps a row from being played here.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Beyond {
    Rectangle,
    /// Play goes on under territory rules until all dead stones are taken; Jigo agrees on them instead.
    Encore,
}

fn rules(row: &Row) -> Rules {
    let detail = &row.0["rulesDetail"];
    Rules {
        ko: match detail["ko"].as_str().unwrap() {
            "SIMPLE" => KoRule::Simple,
            "POSITIONAL" => KoRule::Positional,
            "SITUATIONAL" => KoRule::Situational,
            other => panic!("{other}"),
        },
        scoring: if detail["scoring"] == "AREA" { Scoring::Area } else { Scoring::Territory },
        tax: match detail["tax"].as_str().unwrap() {
            "NONE" => Tax::None,
            "SEKI" => Tax::Seki,
            _ => Tax::All,
        },
        suicide: detail["suicide"].as_bool().unwrap(),
        has_button: detail["hasButton"].as_bool().unwrap(),
        handicap_bonus: match detail["whiteHandicapBonus"].as_str().unwrap() {
            "0" => HandicapBonus::Zero,
            "N" => HandicapBonus::N,
            _ => HandicapBonus::NMinusOne,
        },
        friendly_pass_ok: detail["friendlyPassOk"].as_bool().unwrap(),
        default_komi: 7.5,
    }
}

/// The course of a row's game, as nets are told it.
pub fn course(row: &Row) -> Result<Course, Beyond> {
    Ok(Course::of_game(&game(row)?))
}

/// Plays the game of a row.
pub fn game(row: &Row) -> Result<Game, Beyond> {
    let (width, height) = row.size();
    if width != height {
        return Err(Beyond::Rectangle);
    }
    let rules = rules(row);
    let mut game = Game::new(width, rules);
    game.set_komi(row.number("komi").unwrap() as f32);
    let vertex = |text: &serde_json::Value| Move::parse(text.as_str().unwrap(), width).unwrap();
    let handicap: Vec<Point> =
        row.0["handicap"].as_array().unwrap().iter().map(|text| vertex(text).point().unwrap()).collect();
    if !handicap.is_empty() {
        game.place_handicap(&handicap).unwrap();
    }
    let moves = row.0["moves"].as_array().unwrap().iter().map(vertex);
    for (mv, color) in moves.zip(row.text("colors").chars()) {
        let color = if color == 'b' { Color::Black } else { Color::White };
        let ends = mv == Move::Pass && Course::of_game(&game).pass_means() != PassMeans::Nothing;
        if ends && row.flag("cleanup") && rules.scoring == Scoring::Territory {
            return Err(Beyond::Encore);
        }
        game.play_despite_superko(color, mv).unwrap();
    }
    game.set_to_move(if row.white_to_move() { Color::White } else { Color::Black });
    Ok(game)
}

/// The inputs of a row, as we write them.
pub fn inputs(row: &Row, model: &Model, course: &Course) -> Inputs {
    let manner = InputOptions {
        conservative_pass: row.flag("conservativePass"),
        passing_hacks: row.flag("passingHacks"),
        most_history: row.number("maxHistory").map_or(usize::MAX, |most| most as usize),
        draw_for_white: row.number("drawEquivalentWinsForWhite").unwrap_or(0.5) as f32,
        doubling_advantage: row.number("pda").unwrap_or(0.0) as f32,
        area_with_suicide: model.area_with_suicide,
    };
    let profile = row.0["profile"].as_str().map(|name| name.parse().unwrap());
    inputs::write(course, &manner, profile.as_ref(), &mut Reader::new())
}
