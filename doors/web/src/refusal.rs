//! Why a request was not granted. Whatever it was, the game is as before.

use jigo_board::Illegal;
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
    #[error("{0}")]
    NotNow(&'static str),
    #[error("{0}")]
    TooMany(String),
    #[error("{0}")]
    BadSgf(String),
    #[error("{0}")]
    Storage(String),
}

impl Refusal {
    pub fn illegal(mv: &str, illegal: Illegal) -> Refusal {
        Refusal::Illegal { mv: mv.to_owned(), reason: reason(illegal), text: illegal.to_string() }
    }

    pub fn code(&self) -> &'static str {
        match self {
            Refusal::Illegal { .. } => "illegal",
            Refusal::BadMessage(_) => "bad_message",
            Refusal::NoGame => "no_game",
            Refusal::NotFound(_) => "not_found",
            Refusal::NotNow(_) => "not_now",
            Refusal::TooMany(_) => "too_many",
            Refusal::BadSgf(_) => "bad_sgf",
            Refusal::Storage(_) => "storage",
        }
    }

    /// The answer to the request with this number.
    pub fn to_event(&self, re: Option<u64>) -> Event {
        match self {
            Refusal::Illegal { mv, reason, text } => Event::Illegal { mv: mv.clone(), reason, text: text.clone(), re },
            other => Event::Error { code: other.code(), text: other.to_string(), re },
        }
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
