//! A game as it is shown: its tree, a position, clocks, the count.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Both, ClockSetting, HintView, Pace, Side, TeacherView};

#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    pub id: String,
    pub name: String,
    pub mode: &'static str,
    pub size: usize,
    pub komi: f32,
    pub handicap: usize,
    pub rules: String,
    pub black: PlayerView,
    pub white: PlayerView,
    pub level: u64,
    pub pace: Pace,
    pub clock_setting: ClockSetting,
    /// What the opponent thinks with and whom it imitates, where that was chosen.
    pub net: Option<String>,
    pub like: Option<String>,
    /// Event, date, place, result and so on, in the words of the record.
    pub record: BTreeMap<&'static str, String>,
    pub nodes: Vec<NodeView>,
    pub live: Option<u32>,
}

#[derive(Clone, Debug, Serialize)]
pub struct PlayerView {
    pub name: String,
    pub engine: bool,
    pub rank: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct NodeView {
    pub id: u32,
    pub parent: Option<u32>,
    pub children: Vec<u32>,
    pub number: usize,
    pub color: Option<Side>,
    #[serde(rename = "move")]
    pub mv: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub setup: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eval: Option<EvalView>,
    /// Points the engine added to komi in its mind when it chose its move here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_komi: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<&'static str>,
}

#[derive(Clone, Debug, Serialize)]
pub struct EvalView {
    pub visits: u32,
    pub black_win: f32,
    pub black_lead: f32,
    pub best: Option<String>,
    pub line: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct PositionView {
    pub node: u32,
    pub is_live: bool,
    pub number: usize,
    pub to_move: Side,
    pub stones: String,
    pub last: Option<String>,
    pub captures: Both<u32>,
    pub illegal: BTreeMap<String, &'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marks: Option<MarksView>,
    pub may_play: bool,
}

/// Marks of the record at this position.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MarksView {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub triangle: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub square: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub circle: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cross: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub selected: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dim: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub black_territory: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub white_territory: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub label: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<[String; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arrow: Vec<[String; 2]>,
}

#[derive(Clone, Debug, Serialize)]
pub struct StatusView {
    pub phase: &'static str,
    pub to_move: Side,
    pub turn: Option<&'static str>,
    pub can_undo: bool,
    pub result: Option<ResultView>,
    pub trial: Option<TrialView>,
    pub teacher: Option<TeacherView>,
    pub hint: Option<HintView>,
    pub analysing: bool,
    pub reviewing: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultView {
    pub text: String,
    pub winner: Option<Side>,
    pub by: &'static str,
    pub points: Option<f32>,
}

#[derive(Clone, Debug, Serialize)]
pub struct TrialView {
    pub from: u32,
    pub color: Side,
    pub level: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct ClockView {
    pub running: Option<Side>,
    pub setting: ClockSetting,
    #[serde(flatten)]
    pub left: Both<TimeLeft>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TimeLeft {
    pub main: Option<f32>,
    pub time: Option<f32>,
    pub moves: Option<u32>,
    pub periods: Option<u32>,
}

#[derive(Clone, Debug, Serialize)]
pub struct CountingView {
    /// "area" or "territory".
    pub scoring: &'static str,
    pub parts: Both<CountPart>,
    pub dead: Vec<String>,
    pub proposed: Option<Vec<String>>,
    pub black_territory: Vec<String>,
    pub white_territory: Vec<String>,
    pub neutral: Vec<String>,
    pub black_points: f32,
    pub white_points: f32,
    pub komi: f32,
    pub result: String,
}

/// What a player's points are made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CountPart {
    pub territory: f32,
    /// Living stones under area scoring, prisoners and dead stones of the opponent's under territory scoring.
    pub beside: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SavedGame {
    pub id: String,
    pub name: String,
    pub mode: &'static str,
    pub size: usize,
    pub moves: usize,
    pub black: String,
    pub white: String,
    pub result: Option<String>,
    pub date: Option<String>,
    pub event: Option<String>,
    /// The last position.
    pub stones: String,
    pub changed: u64,
    pub is_open: bool,
}
