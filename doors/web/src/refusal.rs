//! Why a request was not granted. Whatever it was, the game is as before. Texts are for programs and logs; people read words of
//! their own language that belong to the keys.

use jigo_board::Illegal;
use jigo_sgf::{RecordError, RecordErrorKind, ReplayError, SyntaxError, SyntaxErrorKind};
use serde_json::{Value, json};
use thiserror::Error;

use crate::messages::Event;

#[derive(Clone, Debug, PartialEq, Error)]
pub enum Refusal {
    #[error("{text}")]
    Illegal { mv: String, reason: &'static str, text: String },
    #[error("{0}")]
    BadMessage(String),
    #[error("join a game first")]
    NoGame,
    #[error("{0}")]
    NotFound(String),
    #[error("{text}")]
    NotNow { why: &'static str, text: &'static str },
    #[error("{text}")]
    TooMany { why: &'static str, most: usize, text: String },
    #[error("{text}")]
    BadSgf { why: &'static str, values: Value, text: String },
    #[error("{text}")]
    Storage { why: &'static str, text: String },
}

impl Refusal {
    pub fn illegal(mv: &str, illegal: Illegal) -> Refusal {
        Refusal::Illegal { mv: mv.to_owned(), reason: reason(illegal), text: illegal.to_string() }
    }

    pub const fn not_now(why: &'static str, text: &'static str) -> Refusal {
        Refusal::NotNow { why, text }
    }

    pub fn too_many(why: &'static str, most: usize, text: &str) -> Refusal {
        Refusal::TooMany { why, most, text: format!("{most} {text}") }
    }

    pub fn storage(why: &'static str, error: &std::io::Error) -> Refusal {
        Refusal::Storage { why, text: format!("the game is {why}: {error}") }
    }

    pub fn code(&self) -> &'static str {
        match self {
            Refusal::Illegal { .. } => "illegal",
            Refusal::BadMessage(_) => "bad_message",
            Refusal::NoGame => "no_game",
            Refusal::NotFound(_) => "not_found",
            Refusal::NotNow { .. } => "not_now",
            Refusal::TooMany { .. } => "too_many",
            Refusal::BadSgf { .. } => "bad_sgf",
            Refusal::Storage { .. } => "storage",
        }
    }

    /// The answer to the request with this number.
    pub fn to_event(&self, re: Option<u64>) -> Event {
        let (why, values) = match self {
            Refusal::Illegal { mv, reason, text } => {
                return Event::Illegal { mv: mv.clone(), reason, text: text.clone(), re };
            }
            Refusal::NotNow { why, .. } | Refusal::Storage { why, .. } => (Some(*why), None),
            Refusal::TooMany { why, most, .. } => (Some(*why), Some(json!({"most": most}))),
            Refusal::BadSgf { why, values, .. } => (Some(*why), Some(values.clone())),
            Refusal::BadMessage(_) | Refusal::NoGame | Refusal::NotFound(_) => (None, None),
        };
        Event::Error { code: self.code(), why, values, text: self.to_string(), re }
    }
}

impl From<SyntaxError> for Refusal {
    fn from(error: SyntaxError) -> Refusal {
        let why = if error.kind == SyntaxErrorKind::NoGame { "no_game" } else { "syntax" };
        let values = json!({"line": error.place.line, "column": error.place.column});
        Refusal::BadSgf { why, values, text: error.to_string() }
    }
}

impl From<RecordError> for Refusal {
    fn from(error: RecordError) -> Refusal {
        let why = match error.kind {
            RecordErrorKind::NotGo(_) => "not_go",
            RecordErrorKind::Size(_) => "size",
            _ => "move",
        };
        Refusal::BadSgf { why, values: Value::Null, text: error.to_string() }
    }
}

impl From<ReplayError> for Refusal {
    fn from(error: ReplayError) -> Refusal {
        let why = if matches!(error, ReplayError::Size(_)) { "size" } else { "move" };
        Refusal::BadSgf { why, values: Value::Null, text: error.to_string() }
    }
}

/// The key of a reason, for translation.
pub fn reason(illegal: Illegal) -> &'static str {
    match illegal {
        Illegal::OffBoard => "off_board",
        Illegal::Occupied => "occupied",
        Illegal::Suicide => "suicide",
        Illegal::Ko => "ko",
        Illegal::PositionalSuperko => "positional_superko",
        Illegal::SituationalSuperko => "situational_superko",
    }
}
