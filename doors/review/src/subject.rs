//! The game under review: one line of a record, with every position on the way.

use jigo_board::{Color, Game, Move, Point, Rules};
use jigo_sgf::{Coord, GameRecord, GameTree, NodeId, RecordError, Repetition, ReplayError};
use thiserror::Error;

/// The longest game is far shorter. Every position is kept with its whole history, so that memory grows with the square.
const MOST_MOVES: usize = 2_000;

/// Why a record cannot be reviewed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SubjectError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("the record has no moves")]
    NoMoves,
    #[error("the record has more than {MOST_MOVES} moves")]
    TooLong,
}

/// The main line of a record.
pub struct Subject {
    pub record: GameRecord,
    /// The game before the first move, after the first move, and so on to its end.
    pub games: Vec<Game>,
    /// Each move with the node it stands in.
    pub moves: Vec<(Color, Move, NodeId)>,
}

impl Subject {
    /// Rules that the record does not name, or that we do not know, are `rules`.
    pub fn main_line(tree: &GameTree, rules: Rules) -> Result<Subject, SubjectError> {
        let record = GameRecord::main_line(tree)?;
        let rules = record.known_rules().unwrap_or(rules);
        let count = record.moves().count();
        if count == 0 {
            return Err(SubjectError::NoMoves);
        }
        if count > MOST_MOVES {
            return Err(SubjectError::TooLong);
        }
        let games = (0..=count).map(|moves| record.replay(moves, rules, Repetition::Allow));
        let games = games.collect::<Result<Vec<Game>, ReplayError>>()?;
        let mv = |coord: Coord| Move::Play(Point::new(coord.col.into(), coord.row.into()));
        let moves = record.moves().map(|played| (played.color, played.coord.map_or(Move::Pass, mv), played.node));
        Ok(Subject { moves: moves.collect(), record, games })
    }
}
