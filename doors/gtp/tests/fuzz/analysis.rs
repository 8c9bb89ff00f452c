//! Ten thousand lines about analysis that nobody should send, to a player who really searches.

use std::collections::BTreeSet;

use jigo_board::{Game, Rng, Rules};
use jigo_engine::Engine;
use jigo_gtp::{Reply, Session, parse};
use jigo_search::{Parameters, TreeSearcher};

use crate::lines::{Lines, NASTY_WORDS};
use crate::state::{State, check_wire};

const LINES: usize = 10_000;

/// Commands that a player without search refuses.
const SEARCHING: &[&str] = &[
    "lz-analyze",
    "kata-analyze",
    "kata-raw-nn",
    "heatmap",
    "kata-raw-human-nn",
    "jigo-ownership",
    "jigo-evaluation_values",
    "jigo-criticality",
    "jigo-rave_values",
    "jigo-policy",
    "jigo-best_moves",
    "jigo-variation",
    "jigo-komi_win_rates",
    "jigo-score_estimate",
];

pub fn needs_search(command: &str) -> bool {
    SEARCHING.contains(&command)
}

/// Commands that choose a move; all but the first make it.
const CHOOSING: &[&str] =
    &["kata-search_analyze", "lz-genmove_analyze", "kata-genmove_analyze", "cgos-genmove_analyze"];

#[test]
fn ten_thousand_hostile_analyses_are_refused_or_answered_and_the_game_stays() {
    let searcher = TreeSearcher::new(Parameters::default(), None, 1, 1);
    let mut engine = Engine::new(Game::new(5, Rules::default()), Box::new(searcher), 1);
    let mut few = engine.parameters().clone();
    few.engine.most_playouts = 4;
    engine.set_parameters(few).unwrap();
    let mut session = Session::new(engine);
    // Thoughts are cut short: this test is about the door.
    session.engine().stop_flag().raise();
    let mut lines = Lines { rng: Rng::new(7) };
    let (mut streams, mut refused, mut accepted) = (0, 0, BTreeSet::new());
    for _ in 0..LINES {
        let line = hostile_line(&mut lines);
        let before = State::of(&session);
        let Some(reply) = session.respond(&line) else { continue };
        check_wire(&line, &reply);
        let command = parse(&line).unwrap().command;
        match &reply.outcome {
            Ok(_) if SEARCHING.contains(&command.as_str()) || CHOOSING.contains(&command.as_str()) => {
                streams += 1;
                check_stream(&command, &reply);
                accepted.insert(command.clone());
            }
            Ok(_) => {}
            Err(_) => refused += 1,
        }
        let made = session.engine().game().moves().len() - before.moves();
        assert!(State::of(&session) == before || CHOOSING[1..].contains(&command.as_str()) && made == 1);
        // A game that is over, or nearly, has little left to analyse.
        if session.engine().game().moves().len() > 12 {
            session.respond(b"clear_board").unwrap();
        }
    }
    let needs_net = |name: &str| matches!(name, "kata-raw-nn" | "heatmap" | "kata-raw-human-nn");
    let all = SEARCHING.iter().chain(CHOOSING).filter(|name| !needs_net(name)).map(|name| name.to_string());
    assert_eq!(accepted, all.collect());
    assert!(streams > LINES / 10 && refused > LINES / 10, "{streams} answered, {refused} refused");
}

/// A stream has at least one row of information, and those that choose end with the choice.
fn check_stream(command: &str, reply: &Reply) {
    let text = reply.to_string();
    let rows: Vec<&str> = text.trim_end().lines().collect();
    if command.contains("nalyze") {
        assert!(rows.len() > 1, "{command}: {text}");
        assert!(rows[1].starts_with(if command.starts_with("cgos") { "{" } else { "info move " }), "{text}");
        assert_eq!(rows[rows.len() - 1].starts_with("play "), CHOOSING.contains(&command), "{text}");
    }
}

const KEYS: &[&str] = &[
    "interval",
    "minmoves",
    "maxmoves",
    "avoid",
    "allow",
    "rootInfo",
    "ownership",
    "ownershipStdev",
    "movesOwnership",
    "movesOwnershipStdev",
    "pvVisits",
    "pvEdgeVisits",
    "noResultValue",
];

fn hostile_line(lines: &mut Lines) -> Vec<u8> {
    let commands = [SEARCHING, &SEARCHING[..2], CHOOSING].concat();
    let mut line = lines.pick(&commands).to_owned();
    for _ in 0..lines.rng.below(5) {
        let word = match lines.rng.below(8) {
            0 => lines.pick(NASTY_WORDS).to_owned(),
            1 => lines.color().to_owned(),
            2 => lines.rng.below(1000).to_string(),
            3 => format!("{} {} {},{} {}", lines.pick(&KEYS[3..5]), lines.color(), lines.vertex(), lines.vertex(), 3),
            4 => format!("{} {}", lines.pick(&KEYS[..3]), lines.rng.below(30)),
            5 => lines.pick(KEYS).to_owned(),
            _ => format!("{} {}", lines.pick(&KEYS[5..]), lines.pick(&["true", "false", "TRUE"])),
        };
        line = format!("{line} {word}");
    }
    let mut line = line.into_bytes();
    if lines.rng.chance(0.3) {
        lines.mutate(&mut line);
    }
    line
}
