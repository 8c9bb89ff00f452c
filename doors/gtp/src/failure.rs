//! Why a command failed, in the protocol's standard words and one sentence more where it helps.

use jigo_board::{HandicapError, Illegal, UnacceptableKomi};
use jigo_engine::{CannotUndo, Unavailable};
use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Error)]
pub enum Failure {
    #[error("unknown command")]
    UnknownCommand,
    #[error("syntax error: {0}")]
    Syntax(String),
    #[error("unacceptable size")]
    UnacceptableSize,
    #[error(transparent)]
    UnacceptableKomi(#[from] UnacceptableKomi),
    #[error("illegal move: {0}")]
    IllegalMove(#[from] Illegal),
    #[error("illegal position: {0} cannot stand there")]
    IllegalPosition(String),
    #[error("a position can be set up only before the first move")]
    SetupAfterMoves,
    #[error(transparent)]
    CannotUndo(#[from] CannotUndo),
    #[error(transparent)]
    Handicap(#[from] HandicapError),
    #[error("unknown rules")]
    UnknownRules,
    #[error("cannot load file: {0}")]
    CannotLoadFile(String),
    #[error("cannot save file: {0}")]
    CannotSaveFile(String),
    #[error("{0}")]
    Parameter(String),
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    #[error("no move is left to analyse")]
    NothingToAnalyse,
    #[error("there is no net")]
    NoNet,
    #[error("cannot change the net: {0}")]
    CannotChangeNet(String),
    #[error("nobody is imitated: --human-net names a net for human play, humanSLProfile a player")]
    NoHumanNet,
    #[error("this system does not tell how much processor time was used")]
    NoProcessorTime,
}

/// A syntax error that names what was expected.
pub(crate) fn expected(what: &str) -> Failure {
    Failure::Syntax(format!("expected {what}"))
}
