//! A GTP program that is shown a position and asked one question.

use std::time::Duration;

use jigo_arena::{CommandLine, Failure, Program, read_score};
use jigo_board::{Move, Score};

use super::positions::GamePosition;

/// Nobody plays against a clock here; a program that needs longer has died.
const DEADLINE: Duration = Duration::from_secs(600);

pub struct Respondent {
    program: Program,
}

impl Respondent {
    pub fn start(command: &CommandLine, seed: u32) -> Result<Respondent, Failure> {
        Ok(Respondent { program: Program::start(&command.words_for(seed, 0), DEADLINE)? })
    }

    /// The move it would play; a resignation is none.
    pub fn genmove(&mut self, position: &GamePosition) -> Result<Option<Move>, Failure> {
        self.set_up(position)?;
        let answer = self.program.ask(&format!("genmove {}", position.to_move().letter()), DEADLINE)?;
        Ok(Move::parse(&answer, position.size))
    }

    /// The score if play stopped here.
    pub fn final_score(&mut self, position: &GamePosition) -> Result<Option<Score>, Failure> {
        self.set_up(position)?;
        let answer = self.program.ask("final_score", DEADLINE)?;
        Ok(read_score(&answer))
    }

    fn set_up(&mut self, position: &GamePosition) -> Result<(), Failure> {
        let mut say = |command: String| self.program.ask(&command, DEADLINE);
        say(format!("boardsize {}", position.size))?;
        say("clear_board".to_string())?;
        say(format!("komi {}", position.komi))?;
        if self.program.knows("kata-set-rules") {
            self.program.ask(&format!("kata-set-rules {}", position.rules), DEADLINE)?;
        }
        for (color, mv) in &position.moves {
            self.program.ask(&format!("play {} {}", color.letter(), mv.vertex(position.size)), DEADLINE)?;
        }
        Ok(())
    }
}
