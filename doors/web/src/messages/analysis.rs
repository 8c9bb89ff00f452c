//! What the engine thinks while it thinks.

use serde::Serialize;

use super::Side;

#[derive(Clone, Debug, Serialize)]
pub struct ThinkingView {
    pub color: Side,
    pub visits: u32,
    pub of: Option<u64>,
    pub seconds: f32,
    pub black_win: f32,
    pub black_lead: f32,
}

#[derive(Clone, Debug, Serialize)]
pub struct KomiView {
    pub node: u32,
    pub real: f32,
    pub extra: f32,
    pub under: f32,
    pub why: &'static str,
    pub numbers: KomiNumbers,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct KomiNumbers {
    pub stones: usize,
    #[serde(rename = "move")]
    pub mv: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<usize>,
    pub engine_win: f32,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct AnalysisView {
    pub node: Option<u32>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Found {
    pub to_move: Side,
    pub visits: u32,
    pub until: u32,
    pub seconds: f32,
    pub is_running: bool,
    pub black_win: f32,
    pub black_lead: f32,
    pub lead_stdev: f32,
    pub moves: Vec<CandidateView>,
    pub ownership: Vec<f32>,
    pub policy: Vec<f32>,
    pub criticality: Vec<f32>,
    pub komi: KomiCurve,
}

#[derive(Clone, Debug, Serialize)]
pub struct CandidateView {
    #[serde(rename = "move")]
    pub mv: String,
    pub visits: u32,
    pub black_win: f32,
    pub black_lead: f32,
    pub lost: f32,
    pub policy: f32,
    pub criticality: f32,
    pub pv: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct KomiCurve {
    pub real: f32,
    pub extra: f32,
    pub even: Option<f32>,
    pub curve: Vec<(f32, f32)>,
}
