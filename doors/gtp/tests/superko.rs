//! Repetition under each ruleset: refused exactly when the rules say so, with the reason in the error.

use jigo_board::{Game, Rules};
use jigo_engine::Engine;
use jigo_gtp::Session;
use jigo_search::RandomMover;

const POSITIONAL: &str = "illegal move: positional superko: the position stood on the board before";
const SITUATIONAL: &str =
    "illegal move: situational superko: the position stood on the board before with the same player to move";

/// What each ruleset says when a position returns; `None` means it has only the simple ko rule.
const RULESETS: &[(&str, Option<&str>)] = &[
    ("tromp-taylor", Some(POSITIONAL)),
    ("chinese", None),
    ("chinese-kgs", Some(POSITIONAL)),
    ("japanese", None),
    ("korean", None),
    ("aga", Some(SITUATIONAL)),
    ("new-zealand", Some(SITUATIONAL)),
    ("stone-scoring", None),
];

/// Plays the lines, of which all but the last must succeed, and returns why the last was refused, if it was.
fn refusal(rules: &str, lines: &[&str]) -> Option<String> {
    let mut session = Session::new(Engine::new(Game::new(9, Rules::default()), Box::new(RandomMover::new(1)), 1));
    let choose_rules = format!("kata-set-rules {rules}");
    let mut outcome = session.respond(choose_rules.as_bytes()).unwrap().outcome;
    for line in lines {
        outcome.unwrap_or_else(|failure| panic!("before {line:?} under {rules}: {failure}"));
        outcome = session.respond(line.as_bytes()).unwrap().outcome;
    }
    outcome.err().map(|failure| failure.to_string())
}

/// ```text
/// O O X .      Black plays A1 and loses two stones to C1, then takes the one at C1 from B1.
/// . X . X
/// ```
const SENDING_TWO: [&str; 3] = ["set_position b B1 b C2 b D1 w A2 w B2", "play b A1", "play w C1"];

#[test]
fn returning_one_repeats_the_position_but_not_the_situation() {
    for &(rules, said_of_repetition) in RULESETS {
        let lines = [&SENDING_TWO[..], &["play b B1"]].concat();
        let expected = said_of_repetition.filter(|&said| said == POSITIONAL);
        assert_eq!(refusal(rules, &lines).as_deref(), expected, "{rules}");
    }
}

#[test]
fn the_second_round_repeats_the_situation_as_well() {
    for &(rules, said_of_repetition) in RULESETS {
        if said_of_repetition == Some(POSITIONAL) {
            continue;
        }
        let lines = [&SENDING_TWO[..], &["play b B1", "play w pass", "play b A1"]].concat();
        assert_eq!(refusal(rules, &lines).as_deref(), said_of_repetition, "{rules}");
    }
}

#[test]
fn the_sixth_move_of_a_triple_ko_repeats_position_and_situation() {
    let kos = "set_position b B9 b A8 b B7 b B6 b A5 b B4 b B3 b A2 b B1 \
               w C9 w D8 w C7 w C6 w D5 w C4 w C3 w D2 w C1 w B8 b C5 w B2";
    let lines = [kos, "play b C8", "play w B5", "play b C2", "play w B8", "play b C5", "play w B2"];
    for &(rules, said_of_repetition) in RULESETS {
        assert_eq!(refusal(rules, &lines).as_deref(), said_of_repetition, "{rules}");
    }
}

#[test]
fn a_ko_retaken_at_once_is_refused_by_every_ruleset() {
    let ko = "set_position b B9 b A8 b B7 w C9 w D8 w C7 w B8";
    for &(rules, said_of_repetition) in RULESETS {
        let said = said_of_repetition.unwrap_or("illegal move: ko: the stone may not be retaken at once");
        assert_eq!(refusal(rules, &[ko, "play b C8", "play w B8"]).as_deref(), Some(said), "{rules}");
    }
}
