//! Who won when both have passed: dead stones are named by the players or by a GTP program, and our own scorer counts. Such a
//! program that names none may give the score itself.

use jigo_board::{Game, PointSet, Score, TimeControl};
use thiserror::Error;

use crate::player::Player;
use crate::program::Failure;
use crate::spec::{Limits, MatchSpec, RefereeSpec};

/// A referee that cannot do its work stops the match: its games would mean nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RefereeError {
    #[error("the referee {0}")]
    Failed(Failure),
    #[error("the referee knows neither final_status_list nor final_score, or gave no usable answer")]
    NoAnswer,
}

pub struct Referee {
    spec: RefereeSpec,
    limits: Limits,
    /// The referee program, kept between games.
    program: Option<Player>,
}

/// A score, and what is worth telling about how it came about.
pub struct Ruling {
    pub score: Score,
    pub note: Option<String>,
}

impl Referee {
    pub fn new(spec: &MatchSpec) -> Self {
        Self { spec: spec.referee.clone(), limits: spec.limits, program: None }
    }

    pub fn judge(&mut self, game: &Game, players: [&mut Player; 2]) -> Result<Ruling, RefereeError> {
        match self.spec {
            RefereeSpec::AllAlive => Ok(Ruling { score: game.score(&PointSet::EMPTY), note: None }),
            RefereeSpec::Players => Ok(ask_players(game, players)),
            RefereeSpec::Program(_) => self.ask_program(game),
        }
    }

    /// A referee that fails is given one more chance, freshly started.
    fn ask_program(&mut self, game: &Game) -> Result<Ruling, RefereeError> {
        match self.ask_program_once(game) {
            Ok(ruling) => Ok(ruling),
            Err(_) => {
                self.program = None;
                self.ask_program_once(game)
            }
        }
    }

    fn ask_program_once(&mut self, game: &Game) -> Result<Ruling, RefereeError> {
        let RefereeSpec::Program(command) = &self.spec else { return Err(RefereeError::NoAnswer) };
        let program = match &mut self.program {
            Some(program) => program,
            empty => empty.insert(Player::start(&command.words_for(0, 0), self.limits).map_err(RefereeError::Failed)?),
        };
        program.set_up(game, TimeControl::Unlimited).map_err(RefereeError::Failed)?;
        let score = match program.dead_stones(game) {
            Some(dead) => game.score(&dead),
            None => program.final_score().ok_or(RefereeError::NoAnswer)?,
        };
        Ok(Ruling { score, note: None })
    }

    pub fn quit(self) {
        if let Some(program) = self.program {
            program.quit();
        }
    }
}

/// A stone is dead if every player that can tell says so. Where they differ it stays: whoever thinks it dead should
/// have captured it.
fn ask_players(game: &Game, players: [&mut Player; 2]) -> Ruling {
    let [black, white] = players.map(|player| player.dead_stones(game));
    let (dead, note) = match (black, white) {
        (Some(black), Some(white)) if black == white => (black, None),
        (Some(black), Some(white)) => {
            let note = "the players disagree about dead stones".to_string();
            (black.intersection(&white), Some(note))
        }
        (Some(one), None) | (None, Some(one)) => (one, None),
        (None, None) => (PointSet::EMPTY, None),
    };
    Ruling { score: game.score(&dead), note }
}
