//! How analyses begin and end, and that they say what was asked for.

use std::io::ErrorKind;

use crate::program::{ENDLESS, FEW, Program, session};

/// An analysis on its way.
fn begun(command: &str) -> Program {
    let program = Program::start(session(9, ENDLESS));
    program.send(command);
    assert_eq!(program.output.recv().unwrap(), "=");
    program.line("info move ");
    program
}

#[test]
fn the_end_of_the_input_ends_an_analysis() {
    let Program { input, output, thread } = begun("kata-analyze b 1");
    drop(input);
    thread.join().unwrap().unwrap();
    assert_eq!(output.iter().last().unwrap(), "");
}

#[test]
fn a_listener_who_leaves_ends_an_analysis() {
    for command in ["lz-analyze w 1", "kata-genmove_analyze b 1"] {
        let Program { input, output, thread } = begun(command);
        drop(output);
        assert_eq!(thread.join().unwrap().unwrap_err().kind(), ErrorKind::BrokenPipe, "{command}");
        drop(input);
    }
}

#[test]
fn a_search_that_may_be_cancelled_says_that_it_was() {
    let program = begun("kata-search_analyze_cancellable b 1");
    program.send("1 showboard");
    assert_eq!(program.line("play "), "play cancelled");
    assert_eq!(program.line(""), "");
    assert_eq!(program.line("=1"), "=1");
    assert!(program.line("Move ").starts_with("Move 1, black to play"), "the move was not made");
}

#[test]
fn other_lines_wait_for_a_move_that_is_told_but_an_interrupt_does_not() {
    let program = begun("kata-genmove_analyze b 1");
    program.send("1 showboard");
    program.line("info move ");
    program.send("# interrupt");
    assert!(!program.line("play ").contains("cancelled"));
    program.line("=1");
    assert!(program.line("Move ").starts_with("Move 2, white to play"), "the move was made");
}

fn ask(session: &mut jigo_gtp::Session, line: &str) -> String {
    session.respond(line.as_bytes()).unwrap().to_string()
}

/// The words that follow each `key` in a line of information.
fn values<'a>(line: &'a str, key: &str) -> Vec<&'a str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).filter(|pair| pair[0] == key).map(|pair| pair[1]).collect()
}

#[test]
fn avoided_moves_are_not_told_and_only_allowed_ones_are() {
    let mut session = session(9, FEW);
    let best = values(&ask(&mut session, "kata-analyze b"), "move")[0].to_owned();
    let avoiding = ask(&mut session, &format!("kata-analyze b avoid b {best} 1 minmoves 100"));
    let told = values(&avoiding, "move");
    assert!(told.len() == 81 && !told.contains(&best.as_str()), "{told:?}");
    let allowing = ask(&mut session, "lz-analyze w allow w A1,J9 3 minmoves 100");
    let mut told = values(&allowing, "move");
    told.sort_unstable();
    assert_eq!(told, ["A1", "J9"]);
    let nothing = ask(&mut session, "kata-genmove_analyze w allow w A1 1 avoid w A1 1");
    assert_eq!(nothing, "? no move is left to analyse\n\n");
}

#[test]
fn as_many_moves_are_told_as_were_asked_for() {
    let mut session = session(9, FEW);
    for (wish, count) in
        [("minmoves 3 maxmoves 3", 3), ("minmoves 20 maxmoves 20", 20), ("minmoves 1000", 82), ("maxmoves 0", 1)]
    {
        let line = ask(&mut session, &format!("kata-analyze {wish}"));
        assert_eq!(values(&line, "move").len(), count, "{wish}");
        let orders: Vec<String> = (0..count).map(|order| order.to_string()).collect();
        assert_eq!(values(&line, "order"), orders, "{wish}");
    }
}

/// Black owns everything but a corner.
const LOST_FOR_WHITE: &str = "set_position b C1 b C2 b C3 b C4 b C5 b A5 b B5 b E3 b E5 w A2 w B2 w B1 w A3";

#[test]
fn numbers_are_those_of_the_player_to_move_in_every_dialect() {
    let mut session = session(5, FEW);
    ask(&mut session, LOST_FOR_WHITE);
    for (color, is_winning) in [("b", true), ("w", false)] {
        let number = |text: &str| text.parse::<f64>().unwrap();
        let kata = ask(&mut session, &format!("kata-analyze {color} rootInfo true ownership true maxmoves 1"));
        let root = &kata[kata.find("rootInfo").unwrap()..];
        assert_eq!(number(values(root, "winrate")[0]) > 0.5, is_winning, "{kata}");
        assert_eq!(number(values(root, "scoreLead")[0]) > 0.0, is_winning, "{kata}");
        assert_eq!(values(root, "scoreLead"), values(root, "scoreMean"));
        let owned: f64 = root.split("ownership ").nth(1).unwrap().split_whitespace().map(number).sum();
        assert_eq!(owned > 0.0, is_winning, "{kata}");
        let lz = ask(&mut session, &format!("lz-analyze {color}"));
        assert_eq!(number(values(&lz, "winrate")[0]) > 5000.0, is_winning, "{lz}");
        let cgos = ask(&mut session, &format!("cgos-genmove_analyze {color}"));
        let json: serde_json::Value = serde_json::from_str(cgos.lines().nth(1).unwrap()).unwrap();
        assert_eq!(json["winrate"].as_f64().unwrap() > 0.5, is_winning, "{cgos}");
        assert_eq!(json["score"].as_f64().unwrap() > 0.0, is_winning, "{cgos}");
        assert_eq!(json["ownership"].as_str().unwrap().len(), 25);
        ask(&mut session, "undo");
    }
}

#[test]
fn lists_have_a_number_for_every_point_and_every_move_of_a_variation() {
    let mut session = session(5, FEW);
    let line = ask(
        &mut session,
        "kata-analyze maxmoves 1 ownership true ownershipStdev true movesOwnership true pvVisits true",
    );
    let count = |from: &str, to: &str| {
        let rest = &line[line.find(from).unwrap() + from.len()..];
        rest[..rest.find(to).unwrap()].split_whitespace().count()
    };
    assert_eq!(count(" pv ", "pvVisits"), count("pvVisits", "movesOwnership"));
    assert_eq!(count("movesOwnership", "ownership "), 25);
    assert_eq!(count(" ownership ", "ownershipStdev"), 25);
    assert_eq!(count("ownershipStdev", "\n"), 25);
}

#[test]
fn nothing_is_listed_that_clients_would_misread() {
    // Sabaki prefers the first two to what it reads right; KGS would send chat.
    for name in ["analyze", "genmove_analyze", "kgs-chat"] {
        assert!(jigo_gtp::commands().all(|command| command.name != name), "{name}");
    }
}
