//! Who plays the games of a tuning.

use jigo_arena::{ArenaError, Ending, MatchSpec, play_single};
use thiserror::Error;

use super::parameter::set_words;
use super::{Contest, TuneParameter};

/// Plays single games; several may run at the same time.
pub trait GamePlayer: Sync {
    /// Points of the contest's first setting: 1, 1/2 or 0. `game` is the number of the game in the tuning; games with
    /// numbers 2n and 2n+1 are played with swapped colours.
    fn play(&self, contest: &Contest, game: u64) -> Result<f64, GameError>;
}

#[derive(Debug, Error)]
pub enum GameError {
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// A setting that breaks the program is a fault to be mended, and no evidence about strength.
    #[error("game {game} was not played to its end: {reason}")]
    Broken { game: u64, reason: String },
}

/// Games in the arena. The spec's first player is the program to be tuned, its second the opponent; values reach a program
/// as `--set name=value`.
pub struct ArenaGames {
    spec: MatchSpec,
    parameters: Vec<TuneParameter>,
}

impl ArenaGames {
    pub fn new(spec: MatchSpec, parameters: &[TuneParameter]) -> Self {
        Self { spec, parameters: parameters.to_vec() }
    }

    /// The two players of a contest, as a match between them would have them.
    pub fn players(&self, contest: &Contest) -> MatchSpec {
        let mut spec = self.spec.clone();
        let tuned = spec.players[0].command.clone();
        let with = |values: &[f64]| tuned.with_words(&set_words(&self.parameters, values));
        spec.players[0].command = with(&contest.setting);
        if let Some(values) = &contest.against {
            spec.players[1].command = with(values);
        }
        spec
    }
}

impl GamePlayer for ArenaGames {
    fn play(&self, contest: &Contest, game: u64) -> Result<f64, GameError> {
        let spec = self.players(contest);
        let record = play_single(&spec, game)?.record;
        match (record.ending, record.points_of(&spec.players[0].name)) {
            (Ending::Forfeit, _) => Err(GameError::Broken { game, reason: record.note.unwrap_or_default() }),
            (_, points) => Ok(points.unwrap_or(0.5)),
        }
    }
}
