//! `overrideSettings`: what a query may change of the settings of the whole service.

use std::time::Duration;

use jigo_board::{Color, Score};
use jigo_engine::{Parameters, Profile, UnknownProfile};
use serde_json::Value;

use crate::fault::Fault;
use crate::fields::Fields;

/// Whose eyes win rates, scores and ownership are seen with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewpoint {
    Black,
    White,
    SideToMove,
}

impl Viewpoint {
    pub fn parse(text: &str) -> Option<Viewpoint> {
        match text.to_ascii_uppercase().as_str() {
            "BLACK" | "B" => Some(Viewpoint::Black),
            "WHITE" | "W" => Some(Viewpoint::White),
            "SIDETOMOVE" => Some(Viewpoint::SideToMove),
            _ => None,
        }
    }

    pub fn viewer(self, to_move: Color) -> Color {
        match self {
            Viewpoint::Black => Color::Black,
            Viewpoint::White => Color::White,
            Viewpoint::SideToMove => to_move,
        }
    }
}

/// A value that is good for Black when positive, as the viewer sees it.
pub fn seen_by(viewer: Color, black_value: f32) -> f32 {
    Score::black_lead(black_value).lead_of(viewer)
}

/// Longest wait that can be asked for: a day.
pub const LONGEST_WAIT: Duration = Duration::from_secs(86_400);
/// KataGo's bound.
const MOST_VISITS: i64 = 1 << 50;
/// Longer variations are never reported.
const LONGEST_VARIATION: i64 = 1000;

/// What KataGo's search can be told to do and ours never does. Clients send these with every query, most often switched off:
/// whoever switches one on is told.
const NEVER: &[(&str, &str)] = &[
    ("playoutDoublingAdvantage", "Jigo gives neither side more playouts than the other"),
    ("visitCapContempt", "Jigo expects its opponent to see as much as itself"),
    ("antiMirror", "Jigo does not look out for mirror go"),
    ("ignorePreRootHistory", "Jigo always knows the moves before the position"),
    ("ignoreAllHistory", "Jigo always knows the moves before the position"),
];

/// Matters of KataGo's own inside, passed over in silence.
const INSIDE: &[&str] = &[
    "playoutDoublingAdvantagePla",
    "rootNumSymmetriesToSample",
    "conservativePass",
    "enablePassingHacks",
    "preventCleanupPhase",
    "nnRandomize",
    "nnRandSeed",
    "homeDataDir",
];

/// What `overrideSettings` said; the rest are complaints that do not stop the query.
#[derive(Default)]
pub struct Overrides {
    pub viewpoint: Option<Viewpoint>,
    pub time: Option<Duration>,
    pub visits: Option<u64>,
    pub playouts: Option<u64>,
    pub variation_length: Option<usize>,
    /// Whose opinion is wanted beside the net's.
    pub human: Option<Profile>,
    /// By our own names.
    pub parameters: Vec<(&'static str, String)>,
    pub warnings: Vec<Fault>,
}

impl Overrides {
    pub fn read(settings: Fields<'_>) -> Result<Overrides, Fault> {
        let mut overrides = Overrides::default();
        for (name, value) in settings.0 {
            match name.as_str() {
                "reportAnalysisWinratesAs" => overrides.viewpoint = Some(read_viewpoint(value)?),
                "maxTime" => overrides.time = read_seconds(settings, name)?,
                "maxVisits" => overrides.visits = read_limit(settings, name)?,
                "maxPlayouts" => overrides.playouts = read_limit(settings, name)?,
                "humanSLProfile" => overrides.human = read_profile(value)?,
                "analysisPVLen" => overrides.variation_length = read_variation_length(settings)?,
                name if OURS.iter().any(|(known, _)| *known == name) => {
                    overrides.parameters.extend(read_parameter(settings, name)?);
                }
                "rootSymmetryPruning" => {
                    let joins = settings.switch(name)?.to_string();
                    overrides.parameters.push(("search.join_images", joins));
                }
                name if INSIDE.contains(&name) => {}
                name => match NEVER.iter().find(|(never, _)| *never == name) {
                    Some(_) if is_off(value) => {}
                    Some((_, why)) => overrides.warnings.push(Fault::of(name, *why)),
                    None => overrides.warnings.push(Fault::of(name, "this setting is not known and has no effect")),
                },
            }
        }
        Ok(overrides)
    }
}

fn is_off(value: &Value) -> bool {
    value == false || value.as_f64() == Some(0.0)
}

/// Settings of KataGo's search that ours has too, where need be with a net and without. An unvisited child's reduction KataGo
/// can set for the root alone, we do in the whole tree.
const OURS: &[(&str, &[&str])] = &[
    ("cpuctExploration", &["search.net_exploration", "search.puct_exploration"]),
    ("rootFpuReductionMax", &["search.net_reduction", "search.puct_reduction"]),
    ("rootPolicyTemperature", &["search.root_temperature"]),
    ("wideRootNoise", &["search.analysis_noise"]),
    ("analysisWideRootNoise", &["search.analysis_noise"]),
];

/// No parameter is larger.
const LARGEST: f64 = 1e6;

/// One of these settings as parameters of ours, if it is there.
pub fn read_parameter(fields: Fields<'_>, name: &str) -> Result<Vec<(&'static str, String)>, Fault> {
    let Some(value) = fields.number(name, -LARGEST..=LARGEST)? else { return Ok(Vec::new()) };
    let ours = OURS.iter().filter(|(known, _)| *known == name).flat_map(|(_, ours)| ours.iter().copied());
    let settings: Vec<_> = ours.map(|ours| (ours, value.to_string())).collect();
    let mut tried = Parameters::default();
    for (ours, value) in &settings {
        tried.set(ours, value).map_err(|error| Fault::of(name, error.to_string()))?;
    }
    Ok(settings)
}

/// A limit of visits or of playouts.
pub fn read_limit(fields: Fields<'_>, name: &str) -> Result<Option<u64>, Fault> {
    Ok(fields.integer(name, 1..=MOST_VISITS)?.map(|limit| limit as u64))
}

pub fn read_variation_length(fields: Fields<'_>) -> Result<Option<usize>, Fault> {
    Ok(fields.integer("analysisPVLen", 0..=LONGEST_VARIATION)?.map(|length| length as usize))
}

fn read_profile(value: &Value) -> Result<Option<Profile>, Fault> {
    let name = "humanSLProfile";
    match value.as_str() {
        Some("") => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|error: UnknownProfile| Fault::of(name, error.to_string())),
        None => Err(Fault::of(name, "humanSLProfile must be a text")),
    }
}

fn read_viewpoint(value: &Value) -> Result<Viewpoint, Fault> {
    let known = value.as_str().and_then(Viewpoint::parse);
    let name = "reportAnalysisWinratesAs";
    known.ok_or_else(|| Fault::of(name, format!("{name} must be BLACK, WHITE or SIDETOMOVE")))
}

/// Clients without a limit name an astronomic one.
pub fn read_seconds(fields: Fields<'_>, name: &str) -> Result<Option<Duration>, Fault> {
    let seconds = fields.number(name, 0.0..=f64::MAX)?;
    let time = |seconds| Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT);
    Ok(seconds.map(time))
}
