//! From the server.

use serde::Serialize;

use super::*;

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
