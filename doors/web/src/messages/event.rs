//! From the server.

use std::collections::BTreeMap;

use jigo_board::{MAX_SIZE, MIN_SIZE, RULESETS};
use jigo_engine::{LEVELS, Mistake, Strength};
use serde::Serialize;

use super::{Both, ClockSetting, ClusterView, DEFAULT_LEVEL, Pace, Side};

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    Hello(Hello),
    Game(GameView),
    Nodes {
        nodes: Vec<NodeView>,
        live: Option<u32>,
    },
    Position(PositionView),
    Status(StatusView),
    Thinking(ThinkingView),
    Thought {
        color: Side,
        #[serde(rename = "move")]
        mv: String,
    },
    Clock(ClockView),
    Komi(KomiView),
    Analysis(AnalysisView),
    Review(ReviewView),
    Branch {
        text: String,
    },
    Moment(MomentView),
    /// How many exercises there are, and how many are due.
    Deck {
        cards: usize,
        due: usize,
    },
    Card(CardView),
    Judged(VerdictView),
    Counting(CountingView),
    Games {
        games: Vec<SavedGame>,
        /// How many are as wanted, on all pages together.
        found: usize,
        /// How many games there are.
        total: usize,
    },
    Cluster(ClusterView),
    Sgf {
        name: String,
        text: String,
    },
    /// The game could not be saved, or could be again.
    Storage {
        failed: bool,
        text: Option<String>,
    },
    Gone {
        text: String,
    },
    Illegal {
        #[serde(rename = "move")]
        mv: String,
        reason: &'static str,
        text: String,
        re: Option<u64>,
    },
    Error {
        code: &'static str,
        /// What exactly, as a key for translation.
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<&'static str>,
        /// What the words of that key need.
        #[serde(skip_serializing_if = "Option::is_none")]
        values: Option<serde_json::Value>,
        text: String,
        re: Option<u64>,
    },
    Done {
        re: u64,
    },
}

impl Event {
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("events hold nothing that JSON cannot say")
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Hello {
    version: &'static str,
    sizes: [usize; 2],
    handicaps: [usize; 2],
    rules: Vec<RulesView>,
    levels: Vec<LevelView>,
    default_level: u64,
    mistakes: Vec<MistakeClass>,
    /// Do other machines think along?
    cluster: bool,
}

#[derive(Clone, Debug, Serialize)]
struct RulesView {
    name: &'static str,
    komi: f32,
}

#[derive(Clone, Debug, Serialize)]
struct LevelView {
    level: u64,
    rank: &'static str,
    estimate: bool,
    playouts: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
struct MistakeClass {
    class: &'static str,
    points: f32,
}

/// Handicaps beyond this are for no opponent of ours.
pub const LARGEST_HANDICAP: usize = 9;

impl Hello {
    pub fn new(cluster: bool) -> Hello {
        let playouts = |strength| match strength {
            Strength::Policy { .. } => Some(0),
            Strength::Playouts(playouts) => Some(playouts.into()),
            Strength::Clock => None,
        };
        let level = |level: &jigo_engine::Level| LevelView {
            level: level.number,
            rank: level.rank,
            estimate: true,
            playouts: playouts(level.strength),
        };
        let class = |class: Mistake| MistakeClass { class: class.name(), points: class.least_points() };
        Hello {
            version: env!("CARGO_PKG_VERSION"),
            sizes: [MIN_SIZE, MAX_SIZE],
            handicaps: [0, LARGEST_HANDICAP],
            rules: RULESETS.iter().map(|(name, rules)| RulesView { name, komi: rules.default_komi }).collect(),
            levels: LEVELS.iter().map(level).collect(),
            default_level: DEFAULT_LEVEL,
            mistakes: Mistake::ALL.map(class).to_vec(),
            cluster,
        }
    }
}

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
pub struct ThinkingView {
    pub color: Side,
    pub visits: u32,
    pub of: Option<u64>,
    pub seconds: f32,
    pub black_win: f32,
    pub black_lead: f32,
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
