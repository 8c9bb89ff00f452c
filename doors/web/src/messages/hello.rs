//! The first thing a tab hears.

use jigo_board::{MAX_SIZE, MIN_SIZE, RULESETS};
use jigo_engine::{LEVELS, Mistake, NetCard, Strength};
use serde::Serialize;

use super::DEFAULT_LEVEL;

#[derive(Clone, Debug, Serialize)]
pub struct Hello {
    version: &'static str,
    sizes: [usize; 2],
    handicaps: [usize; 2],
    rules: Vec<RulesView>,
    levels: Vec<LevelView>,
    default_level: u64,
    mistakes: Vec<MistakeClass>,
    /// The nets to choose from, and the one the analyst was asked to think with.
    nets: Vec<NetView>,
    net: Option<String>,
    /// Do other machines think along?
    cluster: bool,
}

#[derive(Clone, Debug, Serialize)]
struct NetView {
    name: String,
    /// Can it play like people of a rank?
    people: bool,
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
    pub fn new(cluster: bool, nets: Vec<NetCard>, net: Option<String>) -> Hello {
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
            nets: nets.into_iter().map(|card| NetView { name: card.name, people: card.knows_people }).collect(),
            net,
            cluster,
        }
    }
}
