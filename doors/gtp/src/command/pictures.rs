//! What Jigo sees in the position, by a search or by its own knowledge, as boards, pairs and sentences that GoGui can draw.

use std::time::Duration;

use jigo_board::{Color, Move, Point};
use jigo_engine::{AnalysisRequest, Limits, MoveReport, SearchReport, TimeBudget};

use super::Command;
use super::Run::Once;
use crate::analysis::View;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::session::Session;

pub const COMMANDS: &[Command] = &[
    Command { name: "jigo-ownership", help: "[COLOR]: who will own each point, 1 is Black's", run: Once(ownership) },
    Command {
        name: "jigo-evaluation_values",
        help: "[COLOR]: the same in whole numbers from -10 to 10",
        run: Once(evaluation_values),
    },
    Command { name: "jigo-criticality", help: "[COLOR]: how much each point decides the game", run: Once(criticality) },
    Command {
        name: "jigo-rave_values",
        help: "[COLOR]: games won after playing there at any time",
        run: Once(rave_values),
    },
    Command { name: "jigo-policy", help: "[COLOR]: trust in each move before any simulation", run: Once(policy) },
    Command { name: "jigo-best_moves", help: "[COLOR]: the best moves with their win rates", run: Once(best_moves) },
    Command { name: "jigo-variation", help: "[COLOR]: the expected continuation", run: Once(variation) },
    Command {
        name: "jigo-komi_win_rates",
        help: "[COLOR]: Black's win rate for every komi",
        run: Once(komi_win_rates),
    },
    Command {
        name: "jigo-score_estimate",
        help: "[COLOR]: the expected score and its spread",
        run: Once(score_estimate),
    },
    Command { name: "jigo-joseki", help: "[COLOR]: what strong players do in these corners", run: Once(joseki) },
    Command { name: "jigo-ladders", help: "stones that a ladder catches", run: Once(ladders) },
];

/// Enough for a picture, and soon enough for somebody who waits for it. What earlier searches know is used.
const LIMITS: Limits = Limits {
    playouts: Some(1000),
    visits: None,
    time: Some(TimeBudget { desired: Duration::from_secs(1), maximum: Duration::from_secs(1) }),
};

/// Fewer visits say too little about a win rate.
const LEAST_VISITS: u32 = 10;
const BEST_MOVES: usize = 10;

/// Komi on either side of an even game.
const KOMI_AROUND: i32 = 15;

/// An empty text on a board of texts.
const NOTHING: &str = "\"\"";

fn look(session: &mut Session, arguments: &mut Arguments) -> Result<SearchReport, Failure> {
    let request = AnalysisRequest {
        color: arguments.color_or(session.engine.game().to_move())?,
        limits: LIMITS,
        restrictions: &[],
        every: Duration::MAX,
        move_ownership: false,
        fresh: false,
    };
    let stop = session.engine.stop_flag();
    Ok(session.engine.analyse(&request, &stop, &mut |_| {}))
}

/// A board of words, a row of the board on each line.
fn draw(size: usize, word: impl Fn(Point) -> String) -> String {
    let words: Vec<String> = View::points_of(size).map(word).collect();
    words.chunks(size).map(|row| format!("\n{}", row.join(" "))).collect()
}

/// The same for what is known of moves.
fn draw_moves(session: &Session, report: &SearchReport, word: impl Fn(Option<&MoveReport>) -> String) -> String {
    draw(session.engine.game().size(), |point| word(report.moves.iter().find(|told| told.mv == Move::Play(point))))
}

fn ownership(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let report = look(session, arguments)?;
    Ok(draw(session.engine.game().size(), |point| format!("{:.2}", report.ownership(point))))
}

/// The evaluation value of a point: its mean owner over all simulations, from -10 to 10 (Evaluation value 2).
fn evaluation_values(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let report = look(session, arguments)?;
    Ok(draw(session.engine.game().size(), |point| format!("{}", (10.0 * report.ownership(point)).round() as i32)))
}

fn criticality(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let report = look(session, arguments)?;
    Ok(draw_moves(session, &report, |told| format!("{:.3}", told.map_or(0.0, |told| told.criticality))))
}

fn rave_values(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let report = look(session, arguments)?;
    Ok(draw_moves(session, &report, |told| {
        let rate = told.and_then(|told| told.amaf_win_rate);
        rate.map_or(NOTHING.to_owned(), |rate| format!("{:.0}", 100.0 * rate.share_of(report.to_move)))
    }))
}

fn policy(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let report = look(session, arguments)?;
    Ok(draw_moves(session, &report, |told| format!("{:.4}", told.map_or(0.0, |told| told.policy))))
}

fn best_moves(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let report = look(session, arguments)?;
    let size = session.engine.game().size();
    let seen = report.moves.iter().filter(|told| told.visits >= LEAST_VISITS && told.mv != Move::Pass);
    let share = |told: &MoveReport| 100.0 * told.win_rate.share_of(report.to_move);
    let pairs = seen.take(BEST_MOVES).map(|told| format!("{} {:.0}", told.mv.vertex(size), share(told)));
    Ok(pairs.collect::<Vec<_>>().join(" "))
}

fn variation(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let report = look(session, arguments)?;
    let size = session.engine.game().size();
    let players = [report.to_move, report.to_move.opponent()].into_iter().cycle();
    let moves = report.best().into_iter().flat_map(|best| &best.variation);
    let words =
        players.zip(moves).map(|(color, mv)| format!("{} {}", color.letter().to_ascii_lowercase(), mv.vertex(size)));
    Ok(words.collect::<Vec<_>>().join(" "))
}

/// Half points, which leave no ties, around the komi at which the game is even.
fn komi_win_rates(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let report = look(session, arguments)?;
    let middle = report.fair_komi().unwrap_or(report.komi).floor() as i32;
    let komi = (middle - KOMI_AROUND..=middle + KOMI_AROUND).map(|points| points as f32 + 0.5);
    let rows = komi.filter_map(|komi| {
        let black = 100.0 * report.win_rate_at(komi)?.share_of(Color::Black);
        Some(format!("\nkomi {komi:5.1}  Black wins {black:5.1} %"))
    });
    Ok(rows.collect())
}

fn score_estimate(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let report = look(session, arguments)?;
    let view = View::new(&report, session.engine.game().size());
    let (score, spread, wins) = (view.score(), report.black_score_stdev(), 100.0 * view.win_rate());
    Ok(format!("{score}, give or take {spread:.1}; {} wins {wins:.1} %", report.to_move))
}

fn joseki(session: &mut Session, arguments: &mut Arguments) -> Result<String, Failure> {
    let color = arguments.color_or(session.engine.game().to_move())?;
    let size = session.engine.game().size();
    let known = session.engine.joseki_moves(color);
    let pairs = known.iter().map(|(point, share)| format!("{} {:.0}", point.vertex(size), 100.0 * share));
    Ok(pairs.collect::<Vec<_>>().join(" "))
}

fn ladders(session: &mut Session, _: &mut Arguments) -> Result<String, Failure> {
    let caught = session.engine.stones_in_ladders();
    let word = |point| if caught.contains(&point) { "red" } else { NOTHING };
    Ok(draw(session.engine.game().size(), |point| word(point).to_owned()))
}
