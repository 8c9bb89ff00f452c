//! What reviews, the teacher and exercises say.

use serde::Serialize;

use super::{Both, Side};

/// The teacher is on: from how many points it speaks up, and what about now.
#[derive(Clone, Debug, Serialize)]
pub struct TeacherView {
    pub points: f32,
    pub warning: Option<WarningView>,
}

#[derive(Clone, Debug, Serialize)]
pub struct WarningView {
    pub node: u32,
    pub lost: f32,
    pub reasons: Vec<Reason>,
}

/// What a move does: a key for words, and a number of stones or points where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reason {
    pub key: &'static str,
    pub count: usize,
}

impl Reason {
    pub fn stones(key: &'static str, count: usize) -> Reason {
        Reason { key, count }
    }
}

/// A hint as far as it was asked for: a part of the board, two moves, the move and why.
#[derive(Clone, Debug, Serialize)]
pub struct HintView {
    pub node: u32,
    pub step: u8,
    pub is_ready: bool,
    pub area: Vec<String>,
    pub moves: Vec<String>,
    pub reasons: Vec<Reason>,
}

/// What a move in an exercise was worth.
#[derive(Clone, Debug, Serialize)]
pub struct VerdictView {
    pub number: usize,
    pub lost: f32,
    pub best: Option<String>,
    pub passed: bool,
    /// What speaks for the best move.
    pub why: Vec<Reason>,
}

/// An exercise: the move of the game that is to be found.
#[derive(Clone, Debug, Serialize)]
pub struct CardView {
    pub game: Option<String>,
    pub number: usize,
    pub color: Option<Side>,
    /// How many are due, this one included.
    pub due: usize,
}

#[derive(Clone, Debug, Serialize)]
pub struct ReviewView {
    pub is_running: bool,
    pub done: usize,
    pub total: usize,
    pub visits: u32,
    pub seconds_left: Option<f32>,
    pub mistakes: Vec<MistakeView>,
    /// Nodes after the moves that decided the game, in order.
    pub deciding: Vec<u32>,
    pub summary: Both<SummaryView>,
}

#[derive(Clone, Debug, Serialize)]
pub struct MistakeView {
    pub node: u32,
    pub number: usize,
    pub color: Side,
    #[serde(rename = "move")]
    pub mv: String,
    pub best: Option<String>,
    pub lost: f32,
    pub class: &'static str,
}

/// The whole game, and its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SummaryView {
    #[serde(flatten)]
    pub whole: PerformanceView,
    pub opening: PerformanceView,
    pub middle: PerformanceView,
    pub endgame: PerformanceView,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PerformanceView {
    pub moves: usize,
    pub lost_per_move: Option<f32>,
    pub accuracy: Option<f32>,
    pub best_share: Option<f32>,
}

/// What one move changed.
#[derive(Clone, Debug, Serialize)]
pub struct MomentView {
    pub node: u32,
    pub color: Side,
    #[serde(rename = "move")]
    pub mv: String,
    pub lost: Option<f32>,
    pub before: SideOfMoment,
    pub after: SideOfMoment,
    pub why_best: Vec<Reason>,
    pub why_bad: Vec<Reason>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SideOfMoment {
    pub stones: String,
    pub black_win: f32,
    pub black_lead: f32,
    pub line: Vec<String>,
    pub ownership: Vec<f32>,
}
