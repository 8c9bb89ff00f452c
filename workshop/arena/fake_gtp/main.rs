//! A GTP program for tests: plays random legal moves and misbehaves as its first argument asks.
//!
//! Usage: `fake MANNER [SEED [FIFO]]`. It ends with its input, as every GTP program must. The FIFO is held open as long
//! as it lives, so that a test can wait for its end.

use std::fs::File;
use std::io::{self, BufRead, Write};

use jigo_board::random_game::random_point;
use jigo_board::{Board, Color, Move, Rng};

/// Misbehaviour starts with this move of the game.
const FATAL_MOVE: usize = 10;

struct Fake {
    manner: String,
    rng: Rng,
    board: Board,
    moves: usize,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let manner = arguments.first().cloned().unwrap_or_default();
    let seed = arguments.get(1).and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let _sign_of_life = arguments.get(2).map(|fifo| File::options().write(true).open(fifo).expect("a FIFO"));
    if manner == "stillborn" {
        eprintln!("I never wanted to live");
        std::process::exit(1);
    }
    let mut fake = Fake { manner, rng: Rng::new(seed), board: Board::new(9), moves: 0 };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&"quit") {
            fake.say("= ");
            break;
        }
        if let Some(answer) = fake.answer(&words) {
            fake.say(&answer);
        }
    }
}

impl Fake {
    fn answer(&mut self, words: &[&str]) -> Option<String> {
        match words {
            ["list_commands"] => Some(format!("= {}", self.commands())),
            ["boardsize", _] if self.manner == "refuse" => Some("? unacceptable size".to_string()),
            ["boardsize", size] => {
                self.board = Board::new(size.parse().unwrap_or(9));
                Some("= ".to_string())
            }
            ["clear_board"] => {
                self.board = Board::new(self.board.size());
                self.moves = 0;
                Some("= ".to_string())
            }
            ["komi", _] | ["time_settings", ..] | ["time_left", ..] => Some("= ".to_string()),
            ["play", color, vertex] => {
                let mv = Move::parse(vertex, self.board.size())?;
                self.play(Color::parse(color)?, mv);
                Some("= ".to_string())
            }
            ["genmove", color] => self.genmove(Color::parse(color)?),
            ["jigo-last_evaluation"] if self.manner == "pessimist" => Some("= winrate 0.1 score -11".to_string()),
            ["jigo-last_evaluation"] => Some("= winrate 0.75 score 12.5 playouts 100".to_string()),
            ["final_status_list", "dead"] => Some(format!("= {}", self.dead_stones())),
            _ => Some("? unknown command".to_string()),
        }
    }

    fn commands(&self) -> String {
        let mut commands =
            "list_commands\nboardsize\nclear_board\nkomi\nplay\ntime_settings\ntime_left\nquit".to_string();
        if self.manner != "mute" {
            commands.push_str("\ngenmove");
        }
        if ["optimist", "pessimist"].contains(&self.manner.as_str()) {
            commands.push_str("\njigo-last_evaluation");
        }
        if self.manner.ends_with("is-dead") {
            commands.push_str("\nfinal_status_list");
        }
        commands
    }

    fn dead_stones(&self) -> String {
        let board = &self.board;
        let black = board.points().filter(|&point| board.color_at(point) == Some(Color::Black));
        match self.manner.as_str() {
            "black-is-dead" => black.map(|point| point.vertex(board.size())).collect::<Vec<_>>().join(" "),
            _ => String::new(),
        }
    }

    fn genmove(&mut self, color: Color) -> Option<String> {
        if self.moves + 1 >= FATAL_MOVE {
            match self.manner.as_str() {
                "crash" => {
                    eprintln!("segmentation fault, sort of");
                    std::process::exit(3);
                }
                "hang" => return None,
                "illegal" => {
                    let taken = self.board.points().find(|&point| !self.board.is_empty(point))?;
                    return Some(format!("= {}", taken.vertex(self.board.size())));
                }
                "garbage" => return Some("well, let me think".to_string()),
                "nonsense" => return Some("= Z99".to_string()),
                "resign" => return Some("= resign".to_string()),
                "flood" => loop {
                    if io::stdout().write_all(&[b'x'; 4096]).is_err() {
                        std::process::exit(0);
                    }
                },
                _ => {}
            }
        }
        if self.manner == "noisy" {
            for _ in 0..2000 {
                eprintln!("thinking very hard about the position, line after line after line");
            }
        }
        let mv = random_point(&self.board, color, &mut self.rng).map_or(Move::Pass, Move::Play);
        self.play(color, mv);
        Some(format!("= {}", mv.vertex(self.board.size())))
    }

    fn play(&mut self, color: Color, mv: Move) {
        match mv {
            Move::Play(point) if self.board.is_legal(color, point) => {
                self.board.play(color, point);
            }
            _ => self.board.pass(),
        }
        self.moves += 1;
    }

    /// Answers; slowly, that is byte by byte, if asked to.
    fn say(&self, answer: &str) {
        let text = format!("{answer}\n\n");
        let mut output = io::stdout().lock();
        let pieces: Vec<&[u8]> = match self.manner.as_str() {
            "dribble" => text.as_bytes().chunks(1).collect(),
            _ => vec![text.as_bytes()],
        };
        for piece in pieces {
            if output.write_all(piece).and_then(|()| output.flush()).is_err() {
                std::process::exit(0);
            }
        }
    }
}
