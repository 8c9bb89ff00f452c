//! What each client really sends when it starts and when it analyses, and how it must be answered.
//!
//! A conversation in `conversations/NAME.txt` reads like the wire: lines after `>` are sent, all others are what must
//! come back, blank lines included; `#` begins a comment. In an answer `N` stands for any number, `V` for any vertex or
//! pass, `V+` and `N+` for one or more of them, `...` at the end for anything, and a line `...` for the rest of the reply
//! with its blank line. A stream may say more `info` lines than the one that is written.

mod program;
mod streams;

use std::fs;
use std::path::Path;

use jigo_board::Move;
use jigo_gtp::Introduction;

use program::{FEW, Program, session};

fn matches(pattern: &[&str], words: &[&str]) -> bool {
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let is_vertex = |word: &str| Move::parse(word, 19).is_some();
    let Some((&first, rest)) = pattern.split_first() else { return words.is_empty() };
    let Some((&word, others)) = words.split_first() else { return pattern == ["..."] };
    match first {
        "..." => true,
        "N" => is_number(word) && matches(rest, others),
        "V" => is_vertex(word) && matches(rest, others),
        "N+" => is_number(word) && (matches(rest, others) || matches(pattern, others)),
        "V+" => is_vertex(word) && (matches(rest, others) || matches(pattern, others)),
        _ => match first.strip_suffix("...") {
            Some(beginning) => word.starts_with(beginning),
            None => first == word && matches(rest, others),
        },
    }
}

/// Holds a stored conversation with the program.
fn hold(name: &str, introduction: Introduction) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/conversations").join(name).with_extension("txt");
    let text = fs::read_to_string(path).unwrap();
    let program = Program::start(session(19, FEW).introduced_as(introduction));
    let Program { input, output, thread } = program;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        if let Some(sent) = line.strip_prefix('>') {
            input.send(format!("{}\n", sent.trim_start().replace("\\r", "\r"))).unwrap();
            continue;
        }
        let place = format!("{name}.txt, line {}, {line:?}", number + 1);
        let next = || output.recv().unwrap_or_else(|_| panic!("{place}: nothing came"));
        let is_expected = |said: &String| match line {
            // The blank line that ends the reply is written in the conversation too, and stands for what is skipped.
            "..." => said.is_empty(),
            _ => line.starts_with("info ") || !said.starts_with("info "),
        };
        let said = std::iter::repeat_with(next).find(is_expected).unwrap();
        let (pattern, words): (Vec<&str>, Vec<&str>) = (line.split(' ').collect(), said.split(' ').collect());
        assert!(matches(&pattern, &words), "{place}: the program said {said:?}");
    }
    drop(input);
    thread.join().unwrap().unwrap();
    let rest: Vec<String> = output.into_iter().collect();
    assert!(rest.is_empty(), "{name}: after the end it said {rest:?}");
}

fn kata() -> Introduction {
    Introduction { name: "KataGo (Jigo)".to_owned(), ..Introduction::default() }
}

#[test]
fn sabaki() {
    hold("sabaki", Introduction::default());
}

#[test]
fn lizzie() {
    hold("lizzie", Introduction::default());
}

#[test]
fn lizzieyzy() {
    hold("lizzieyzy", kata());
}

#[test]
fn q5go() {
    hold("q5go", Introduction::default());
}

#[test]
fn gogui() {
    hold("gogui", Introduction::default());
}

#[test]
fn gtp2ogs() {
    hold("gtp2ogs", Introduction::default());
}

#[test]
fn cgos() {
    hold("cgos", Introduction::default());
}

#[test]
fn katago() {
    hold("katago", Introduction::default());
}

#[test]
fn kgsgtp() {
    hold("kgsgtp", Introduction::default());
}
