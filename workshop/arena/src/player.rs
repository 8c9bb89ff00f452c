//! A GTP program as a player: what the arena says to it in the course of a game.

use std::time::{Duration, Instant};

use jigo_board::{Color, Game, Move, Point, PointSet, Score, TimeControl};

use crate::clock::{GameClock, announcements};
use crate::move_evaluation::MoveEvaluation;
use crate::program::{Failure, Program};
use crate::spec::Limits;

/// Commands a program cannot play without.
const NEEDED: [&str; 5] = ["boardsize", "clear_board", "komi", "play", "genmove"];
/// The optional command of this house that tells how the program judged its last move.
const LAST_EVALUATION: &str = "jigo-last_evaluation";

pub struct Player {
    program: Program,
    limits: Limits,
}

/// What a program answered to `genmove`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    Play(Move),
    Resign,
}

impl Player {
    pub fn start(words: &[String], limits: Limits) -> Result<Self, Failure> {
        let program = Program::start(words, limits.start())?;
        for command in NEEDED {
            if !program.knows(command) {
                return Err(Failure::Unable(command));
            }
        }
        Ok(Self { program, limits })
    }

    /// Brings the program to where `game` is: board, rules, komi, clock, handicap and moves.
    pub fn set_up(&mut self, game: &Game, time: TimeControl) -> Result<(), Failure> {
        let size = game.size();
        self.say(&format!("boardsize {size}"))?;
        self.say("clear_board")?;
        self.say_rules(game)?;
        self.say(&format!("komi {}", game.komi()))?;
        self.say_time(time)?;
        if !game.handicap().is_empty() {
            self.say_handicap(game.handicap(), size)?;
        }
        for &(color, mv) in game.moves() {
            self.show_move(color, mv, size)?;
        }
        Ok(())
    }

    /// Rules are announced where the program has a word for them; where it has none, it plays by its own.
    fn say_rules(&mut self, game: &Game) -> Result<(), Failure> {
        let Some(name) = game.rules().name() else { return Ok(()) };
        if self.program.knows("kata-set-rules") {
            return self.say(&format!("kata-set-rules {name}"));
        }
        let kgs_name = name.replace('-', "_");
        let kgs_knows = ["chinese", "japanese", "aga", "new_zealand"].contains(&kgs_name.as_str());
        if kgs_knows && self.program.knows("kgs-rules") {
            return self.say(&format!("kgs-rules {kgs_name}"));
        }
        Ok(())
    }

    /// A program that refuses our time settings plays on without knowing them; its clock runs all the same.
    fn say_time(&mut self, time: TimeControl) -> Result<(), Failure> {
        let knows = |announcement: &String| {
            let command = announcement.split(' ').next().unwrap_or_default();
            self.program.knows(command)
        };
        match announcements(time).into_iter().find(knows) {
            Some(announcement) => tolerate_refusal(self.say(&announcement)),
            None => Ok(()),
        }
    }

    fn say_handicap(&mut self, stones: &[Point], size: usize) -> Result<(), Failure> {
        let vertices: Vec<String> = stones.iter().map(|stone| stone.vertex(size)).collect();
        if self.program.knows("set_free_handicap") {
            return self.say(&format!("set_free_handicap {}", vertices.join(" ")));
        }
        for stone in stones {
            self.show_move(Color::Black, Move::Play(*stone), size)?;
        }
        Ok(())
    }

    pub fn show_move(&mut self, color: Color, mv: Move, size: usize) -> Result<(), Failure> {
        self.say(&format!("play {} {}", color.letter(), mv.vertex(size)))
    }

    /// Lets the program choose a move. The time is measured here and charged by the caller.
    pub fn choose_move(&mut self, color: Color, clock: &GameClock, size: usize) -> (Result<Choice, Failure>, Duration) {
        if let Some(time_left) = clock.time_left(color)
            && self.program.knows("time_left")
        {
            let told = self.say(&format!("time_left {} {time_left}", color.letter()));
            if let Err(failure) = tolerate_refusal(told) {
                return (Err(failure), Duration::ZERO);
            }
        }
        let command = format!("genmove {}", color.letter());
        let asked = Instant::now();
        let answer = self.program.ask(&command, clock.deadline(color).unwrap_or(self.limits.stall()));
        let thought = asked.elapsed();
        (answer.and_then(|answer| read_choice(&answer, size)), thought)
    }

    /// How the program judged the move it has just made, if it says so.
    pub fn last_evaluation(&mut self) -> Result<Option<MoveEvaluation>, Failure> {
        if !self.program.knows(LAST_EVALUATION) {
            return Ok(None);
        }
        match self.program.ask(LAST_EVALUATION, self.limits.stall()) {
            Ok(answer) => Ok(MoveEvaluation::parse(&answer)),
            Err(Failure::Refused { .. }) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// The stones the program calls dead; `None` if it cannot tell.
    pub fn dead_stones(&mut self, game: &Game) -> Option<PointSet> {
        let command = "final_status_list";
        if !self.program.knows(command) {
            return None;
        }
        let answer = self.program.ask(&format!("{command} dead"), self.limits.stall()).ok()?;
        let named = answer.split_whitespace().map(|vertex| Point::parse(vertex, game.size()));
        let board = game.board();
        let mut dead = PointSet::EMPTY;
        for stone in named.collect::<Option<Vec<_>>>()? {
            // Stones live and die with their chain, whichever of them a program names.
            if board.color_at(stone).is_some() {
                dead.extend(board.stones(stone));
            }
        }
        Some(dead)
    }

    /// The score the program gives; `None` if it cannot tell.
    pub fn final_score(&mut self) -> Option<Score> {
        if !self.program.knows("final_score") {
            return None;
        }
        let answer = self.program.ask("final_score", self.limits.stall()).ok()?;
        read_score(&answer)
    }

    /// Whether the program can still be asked.
    pub fn is_alive(&self) -> bool {
        self.program.is_alive()
    }

    pub fn quit(self) {
        self.program.quit();
    }

    fn say(&mut self, command: &str) -> Result<(), Failure> {
        self.program.ask(command, self.limits.start()).map(|_| ())
    }
}

/// What a program answered to `final_score`: `B+3.5`, `W+12` with remarks behind it, `0` for a draw.
pub fn read_score(answer: &str) -> Option<Score> {
    let result = answer.split_whitespace().next()?;
    if result == "0" {
        return Some(Score::black_lead(0.0));
    }
    let (winner, margin) = result.split_once('+')?;
    Some(Score::of(Color::parse(winner)?, margin.parse().ok()?))
}

fn tolerate_refusal(answer: Result<(), Failure>) -> Result<(), Failure> {
    match answer {
        Err(Failure::Refused { .. }) => Ok(()),
        other => other,
    }
}

fn read_choice(answer: &str, size: usize) -> Result<Choice, Failure> {
    if answer.eq_ignore_ascii_case("resign") {
        return Ok(Choice::Resign);
    }
    Move::parse(answer, size)
        .map(Choice::Play)
        .ok_or_else(|| Failure::Garbage { command: "genmove".to_string(), line: answer.chars().take(80).collect() })
}
