//! What must not change, and what every reply must look like.

use jigo_board::{Color, Move, Point, Remaining, Rules, TimeControl};
use jigo_gtp::{Reply, Session, parse};

/// Everything about the game that an error must leave alone.
#[derive(PartialEq)]
pub struct State {
    position: u64,
    start: u64,
    to_move: Color,
    moves: Vec<(Color, Move)>,
    handicap: Vec<Point>,
    size: usize,
    komi: f32,
    rules: Rules,
    time_control: TimeControl,
    time_left: [Option<Remaining>; 2],
}

impl State {
    /// How many moves were made.
    pub fn moves(&self) -> usize {
        self.moves.len()
    }

    pub fn of(session: &Session) -> State {
        let (game, clock) = (session.engine().game(), session.engine().clock());
        State {
            position: game.board().hash(),
            start: game.start_board().hash(),
            to_move: game.to_move(),
            moves: game.moves().to_vec(),
            handicap: game.handicap().to_vec(),
            size: game.size(),
            komi: game.komi(),
            rules: *game.rules(),
            time_control: clock.control(),
            time_left: Color::BOTH.map(|color| clock.remaining(color)),
        }
    }
}

/// The reply must be one a client can read: sign, id, text without blank lines or control characters, one blank line.
pub fn check_wire(line: &[u8], reply: &Reply) {
    let id = parse(line).unwrap().id.unwrap_or_default();
    let sign = if reply.outcome.is_ok() { '=' } else { '?' };
    let text = reply.to_string();
    let body = text.strip_prefix(&format!("{sign}{id}")).expect("sign and id come first");
    let body = body.strip_suffix("\n\n").expect("a blank line comes last");
    assert!(body.is_empty() || body.starts_with([' ', '\n']), "{text:?}");
    assert!(!body.contains("\n\n") && !body.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
}
