//! `jigo gtp` as other programs see it: a process with pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(arguments: &[&str]) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jigo"));
        command.arg("gtp").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Program { child, input, output }
    }

    fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    /// Reads one reply, up to its blank line. Would wait for ever if the program did not flush.
    fn reply(&mut self) -> String {
        let mut reply = String::new();
        while reply != "\n" && !reply.ends_with("\n\n") {
            assert!(self.output.read_line(&mut reply).unwrap() > 0, "the program ended after {reply:?}");
        }
        reply
    }

    fn ask(&mut self, line: &str) -> String {
        self.send(line.as_bytes());
        self.reply()
    }

    /// What is still said until the program ends of itself, and whether it ended well.
    fn end(mut self) -> (String, bool) {
        self.input = None;
        let rest: Vec<String> = self.output.lines().map(Result::unwrap).collect();
        (rest.join("\n"), self.child.wait().unwrap().success())
    }
}

#[test]
fn each_command_is_answered_before_the_next_is_sent() {
    let mut jigo = Program::start(&["--size", "9", "--komi", "5.5", "--rules", "tromp-taylor", "--playouts", "20"]);
    assert_eq!(jigo.ask("1 protocol_version\n"), "=1 2\n\n");
    assert_eq!(jigo.ask("get_komi\n"), "= 5.5\n\n");
    assert_eq!(jigo.ask("2 play b J9\n"), "=2\n\n");
    assert_eq!(jigo.ask("3 play w J9\n"), "?3 illegal move: the point is occupied\n\n");
    assert!(jigo.ask("4 genmove w\n").starts_with("=4 "));
    assert_eq!(jigo.ask("5 quit\n"), "=5\n\n");
    assert_eq!(jigo.end(), (String::new(), true));
}

#[test]
fn windows_line_ends_comments_and_blank_lines_are_understood() {
    let mut jigo = Program::start(&[]);
    jigo.send(b"# hello\r\n\r\n   \r\n1\tname\r\n");
    assert_eq!(jigo.reply(), "=1 Jigo\n\n");
    jigo.send(b"2 known_command na\x07me\r\n3 quit\r\n");
    assert_eq!(jigo.reply(), "=2 true\n\n");
    assert_eq!(jigo.reply(), "=3\n\n");
    assert_eq!(jigo.end(), (String::new(), true));
}

#[test]
fn the_program_may_take_another_name() {
    let mut jigo = Program::start(&["--gtp-name", "KataGo (Jigo)", "--gtp-version", "1.16.0"]);
    assert_eq!(jigo.ask("name\n"), "= KataGo (Jigo)\n\n");
    assert_eq!(jigo.ask("version\n"), "= 1.16.0\n\n");
    assert_eq!(jigo.ask("gogui-title\n"), "= KataGo (Jigo) 1.16.0\n\n");
}

#[test]
fn an_analysis_is_flushed_line_by_line_and_ends_with_the_next_line() {
    let mut jigo = Program::start(&["--size", "5", "--threads", "1", "--net", "none"]);
    jigo.send(b"1 kata-analyze b 1 maxmoves 1\n");
    assert_eq!(jigo.line(), "=1\n");
    assert!(jigo.line().starts_with("info move "));
    jigo.send(b"2 name\n");
    assert!(jigo.reply().ends_with('\n'), "the rest of the stream");
    assert_eq!(jigo.reply(), "=2 Jigo\n\n");
    assert_eq!(jigo.ask("3 quit\n"), "=3\n\n");
}

#[test]
fn nothing_is_answered_after_quit() {
    let mut jigo = Program::start(&[]);
    jigo.send(b"quit\nname\n");
    assert_eq!(jigo.reply(), "=\n\n");
    assert_eq!(jigo.end(), (String::new(), true));
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    let mut jigo = Program::start(&[]);
    jigo.send(b"name");
    assert_eq!(jigo.end(), ("= Jigo\n".to_owned(), true));
}

#[test]
fn bytes_that_are_no_text_and_endless_lines_are_refused() {
    let mut jigo = Program::start(&[]);
    jigo.send(b"7 \xff\xfe\n");
    assert_eq!(jigo.reply(), "?7 unknown command\n\n");
    jigo.send(b"8 ");
    for _ in 0..40 {
        jigo.send(&[b'x'; 1 << 16]);
    }
    assert_eq!(jigo.ask("\n"), "?8 syntax error: the line is longer than 1048576 bytes\n\n");
    assert_eq!(jigo.ask("9 name\n"), "=9 Jigo\n\n");
    assert_eq!(jigo.end(), (String::new(), true));
}

#[test]
fn one_seed_means_one_game() {
    let game = |seed| {
        let mut jigo = Program::start(&["--size", "7", "--seed", seed, "--threads", "1", "--playouts", "50"]);
        (0..40).map(|turn| jigo.ask(if turn % 2 == 0 { "genmove b\n" } else { "genmove w\n" })).collect::<String>()
    };
    let five = game("5");
    assert_eq!(five, game("5"));
    assert_ne!(five, game("6"));
}

#[test]
fn impossible_options_are_refused_in_one_sentence() {
    for (arguments, complaint) in [
        (["--size", "20"], "jigo: a board has 2 to 19 lines, not 20\n"),
        (["--komi", "6.3"], "jigo: komi is in whole or half points from -400 to 400, not 6.3\n"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_jigo")).arg("gtp").args(arguments).output().unwrap();
        assert!(!output.status.success() && output.stdout.is_empty());
        assert_eq!(String::from_utf8_lossy(&output.stderr), complaint);
    }
}

#[test]
fn with_no_time_at_all_every_move_of_the_opening_is_played_after_a_glance() {
    for net in ["embedded", "none"] {
        for (settings, left) in [("time_settings 1 0 0", "0 0"), ("time_settings 0 1 1", "0 1")] {
            let mut jigo = Program::start(&["--size", "9", "--threads", "1", "--net", net]);
            assert_eq!(jigo.ask(&format!("{settings}\n")), "=\n\n");
            for turn in 0..24 {
                let color = ["b", "w"][turn % 2];
                jigo.ask(&format!("time_left {color} {left}\n"));
                let vertex = jigo.ask(&format!("genmove {color}\n")).to_lowercase();
                assert!(vertex.starts_with("= ") && !vertex.contains("pass") && !vertex.contains("resign"), "{vertex}");
                let told = jigo.ask("jigo-last_evaluation\n");
                let playouts = told.split_whitespace().last().and_then(|word| word.parse::<u64>().ok());
                assert!(playouts.is_some_and(|playouts| playouts <= 2), "{told}");
            }
        }
    }
}

/// Walls that nothing is wrong with, and between them a column that belongs to whoever comes first.
const OPEN_BORDER: [(&str, &str); 2] =
    [("b", "D2 D3 D4 D5 D6 D7 D8 D9 B2 B3 B4 B6 B7 B8"), ("w", "F2 F3 F4 F5 F6 F7 F8 F9 H2 H3 H4 H6 H7 H8")];

#[test]
fn with_no_time_at_all_nothing_seems_settled_and_an_open_border_is_played() {
    for net in ["embedded", "none"] {
        let mut jigo = Program::start(&["--size", "9", "--threads", "1", "--net", net]);
        for (color, stones) in OPEN_BORDER {
            for stone in stones.split_whitespace() {
                assert_eq!(jigo.ask(&format!("play {color} {stone}\n")), "=\n\n");
            }
        }
        jigo.ask("time_settings 1 0 0\n");
        jigo.ask("time_left b 0 0\n");
        let vertex = jigo.ask("genmove b\n").to_lowercase();
        assert!(vertex.starts_with("= ") && !vertex.contains("pass"), "{vertex}");
    }
}

#[test]
fn a_game_that_has_hardly_begun_is_not_ended() {
    let mut jigo = Program::start(&["--size", "5", "--threads", "1", "--playouts", "200", "--komi", "0.5"]);
    assert_eq!(jigo.ask("play b C3\n"), "=\n\n");
    assert_eq!(jigo.ask("play w pass\n"), "=\n\n");
    let vertex = jigo.ask("genmove b\n").to_lowercase();
    assert!(vertex.starts_with("= ") && !vertex.contains("pass"), "{vertex}");
}

#[test]
fn pondering_ends_with_the_next_line_and_changes_nothing() {
    let mut jigo = Program::start(&["--size", "5", "--seed", "1", "--threads", "1", "--playouts", "50", "--ponder"]);
    for turn in 0..6 {
        let vertex = jigo.ask("genmove b\n");
        assert!(vertex.starts_with("= "), "{vertex}");
        assert!(jigo.ask("showboard\n").contains(&format!("Move {}", 2 * turn + 2)), "a ponderer made a move");
        jigo.ask("play w pass\n");
    }
    assert_eq!(jigo.ask("quit\n"), "=\n\n");
}
