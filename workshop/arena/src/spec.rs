//! What is to be played. A match is its spec: two runs with the same spec are the same match, which is how an
//! interrupted one is recognised and carried on.

use std::path::PathBuf;
use std::time::Duration;

use jigo_board::{MAX_SIZE, MIN_SIZE, Rules, TimeControl, acceptable_komi, handicap};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::command_line::CommandLine;
use crate::statistics::Sprt;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSpec {
    pub players: Vec<PlayerSpec>,
    /// Games of each pairing.
    pub games: u64,
    pub pairings: Pairings,
    pub colors: Colors,
    pub size: usize,
    /// A name of the board room's table, like `chinese`.
    pub rules: String,
    pub komi: f32,
    /// Stones Black is given; 0 for an even game.
    pub handicap: usize,
    pub openings: Openings,
    #[serde(with = "as_text")]
    pub time: TimeControl,
    pub limits: Limits,
    pub referee: RefereeSpec,
    /// Stops the match as soon as it is decided; only between two players.
    pub sprt: Option<Sprt>,
    pub seed: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerSpec {
    pub name: String,
    pub command: CommandLine,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pairings {
    /// Everyone against everyone.
    #[default]
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Colors {
    /// Each opening is played twice, with colours swapped.
    #[default]
    Swapped,
    /// The player named first is always Black, as in handicap experiments.
    FirstIsBlack,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Openings {
    #[default]
    EmptyBoard,
    /// So many plies, scattered without contact so that neither side is ahead by much.
    Random { plies: usize },
    /// Main lines of SGF files, cut after `plies` moves if given, used in turn.
    Files { files: Vec<PathBuf>, plies: Option<usize> },
}

/// Who decides which stones are dead when both have passed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RefereeSpec {
    /// The players are asked; a stone is dead if all who can tell say so.
    #[default]
    Players,
    /// Every stone on the board is alive: for programs that play on until all is captured.
    AllAlive,
    /// A GTP program to which the game is shown.
    Program(CommandLine),
}

/// When the arena steps in. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Forgiven on every move of a clock, for pipes and scheduling.
    pub lag: f64,
    /// A program without a clock that takes longer for one answer has stalled.
    pub stall: f64,
    /// Time to start and to set up a game.
    pub start: f64,
    /// The game is scored as it stands after so many moves.
    pub max_moves: usize,
    pub agreement: Option<Agreement>,
}

/// Ends a game whose players both see the same winner ahead by `points` for `moves` moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    pub points: f64,
    pub moves: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    #[error("a match needs at least two players")]
    Players,
    #[error("two players are called {0:?}")]
    SameName(String),
    #[error("board sizes go from {MIN_SIZE} to {MAX_SIZE}, not {0}")]
    Size(usize),
    #[error("there is no ruleset {0:?}")]
    Rules(String),
    #[error("komi must be a half or whole number between -400 and 400")]
    Komi,
    #[error("a handicap of {stones} stones does not exist on {size}x{size}")]
    Handicap { stones: usize, size: usize },
    #[error("a handicap game starts from its stones, not from an opening")]
    HandicapAndOpening,
    #[error("an SPRT compares exactly two players")]
    SprtPlayers,
    #[error("times and limits must be positive numbers")]
    Limits,
}

/// A time control in a file, as it stands on the command line.
mod as_text {
    use jigo_board::TimeControl;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(control: &TimeControl, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(control)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TimeControl, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl MatchSpec {
    /// A match with everything but the players, the size and the number of games left at its default.
    pub fn new(players: Vec<PlayerSpec>, size: usize, games: u64) -> Self {
        let rules = Rules::default();
        Self {
            players,
            games,
            pairings: Pairings::default(),
            colors: Colors::default(),
            size,
            rules: rules.name().unwrap_or_default().to_string(),
            komi: rules.default_komi,
            handicap: 0,
            openings: Openings::default(),
            time: TimeControl::default(),
            limits: Limits::for_size(size),
            referee: RefereeSpec::default(),
            sprt: None,
            seed: 1,
        }
    }

    /// Says in one sentence what is wrong, before any program is started.
    pub fn check(&self) -> Result<(), SpecError> {
        if self.players.len() < 2 {
            return Err(SpecError::Players);
        }
        for (place, player) in self.players.iter().enumerate() {
            if self.players[..place].iter().any(|other| other.name == player.name) {
                return Err(SpecError::SameName(player.name.clone()));
            }
        }
        if !(MIN_SIZE..=MAX_SIZE).contains(&self.size) {
            return Err(SpecError::Size(self.size));
        }
        self.rules()?;
        acceptable_komi(self.komi).map_err(|_| SpecError::Komi)?;
        if self.handicap > 0 {
            if handicap::fixed_handicap(self.size, self.handicap).is_none() {
                return Err(SpecError::Handicap { stones: self.handicap, size: self.size });
            }
            if self.openings != Openings::EmptyBoard {
                return Err(SpecError::HandicapAndOpening);
            }
        }
        if self.sprt.is_some() && self.players.len() != 2 {
            return Err(SpecError::SprtPlayers);
        }
        self.limits.check()
    }

    pub fn rules(&self) -> Result<Rules, SpecError> {
        Rules::by_name(&self.rules).ok_or_else(|| SpecError::Rules(self.rules.clone()))
    }
}

impl Limits {
    pub fn for_size(size: usize) -> Self {
        Self { lag: 0.25, stall: 300.0, start: 60.0, max_moves: 3 * size * size, agreement: None }
    }

    pub fn lag(&self) -> Duration {
        Duration::from_secs_f64(self.lag)
    }

    pub fn stall(&self) -> Duration {
        Duration::from_secs_f64(self.stall)
    }

    pub fn start(&self) -> Duration {
        Duration::from_secs_f64(self.start)
    }

    fn check(&self) -> Result<(), SpecError> {
        // A million seconds is eleven days: enough for anything, and far from overflowing a duration.
        let in_range = |seconds: f64| (0.0..1e6).contains(&seconds);
        let fine = in_range(self.lag)
            && in_range(self.stall)
            && in_range(self.start)
            && self.stall > 0.0
            && self.start > 0.0
            && self.max_moves > 0
            && self.agreement.is_none_or(|agreed| agreed.points >= 0.0 && agreed.moves > 0);
        fine.then_some(()).ok_or(SpecError::Limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str) -> PlayerSpec {
        PlayerSpec { name: name.to_string(), command: CommandLine::parse("program").unwrap() }
    }

    fn spec() -> MatchSpec {
        MatchSpec::new(vec![player("a"), player("b")], 9, 10)
    }

    #[test]
    fn mistakes_are_found_before_anything_starts() {
        assert_eq!(spec().check(), Ok(()));
        let broken = |change: fn(&mut MatchSpec)| {
            let mut spec = spec();
            change(&mut spec);
            spec.check().unwrap_err().to_string()
        };
        assert_eq!(broken(|s| s.size = 25), "board sizes go from 2 to 19, not 25");
        assert_eq!(broken(|s| s.rules = "martian".to_string()), "there is no ruleset \"martian\"");
        assert_eq!(broken(|s| s.komi = 6.3), "komi must be a half or whole number between -400 and 400");
        assert_eq!(broken(|s| s.handicap = 1), "a handicap of 1 stones does not exist on 9x9");
        assert_eq!(broken(|s| s.players.truncate(1)), "a match needs at least two players");
        assert_eq!(broken(|s| s.players[1].name = "a".to_string()), "two players are called \"a\"");
        assert_eq!(broken(|s| s.limits.stall = f64::NAN), "times and limits must be positive numbers");
        let with_both = |s: &mut MatchSpec| {
            s.handicap = 2;
            s.openings = Openings::Random { plies: 2 };
        };
        assert_eq!(broken(with_both), "a handicap game starts from its stones, not from an opening");
    }

    #[test]
    fn a_spec_reads_back_as_written() {
        let mut spec = spec();
        spec.time = "60+3x10".parse().unwrap();
        spec.openings = Openings::Random { plies: 4 };
        spec.sprt = Some(Sprt::new(0.0, 30.0, 0.05, 0.05).unwrap());
        let text = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<MatchSpec>(&text).unwrap(), spec);
    }
}
