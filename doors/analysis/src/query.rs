//! A question about positions of one game.

use std::time::Duration;

use jigo_board::Move;
use jigo_engine::{Profile, Restriction, RestrictionKind};
use serde_json::Value;

use crate::fault::Fault;
use crate::fields::Fields;
use crate::service::Options;
use crate::settings::{Overrides, Viewpoint, read_limit, read_parameter, read_seconds, read_variation_length};
use crate::start::{Start, read_color, read_vertex};

const LARGEST_PRIORITY: i64 = 1 << 40;
/// More often than this nobody can look at partial results, and the search has better things to do.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);
const MOST_RESTRICTIONS: usize = 16;
const DEEPEST_RESTRICTION: i64 = 1_000_000;
/// So many complaints that do not stop the query are worth telling.
const MOST_WARNINGS: usize = 8;

#[derive(Debug)]
pub struct Query {
    pub id: String,
    pub start: Start,
    pub visits: u64,
    pub playouts: Option<u64>,
    pub time: Option<Duration>,
    /// How often partial results are wanted, if at all.
    pub every: Option<Duration>,
    /// When the first of them is wanted.
    pub first_after: Option<Duration>,
    pub restrictions: Vec<Restriction>,
    /// Whose opinion is wanted beside the net's.
    pub human: Option<Profile>,
    /// The net to ask, by its name, if it is not the usual one.
    pub model: Option<String>,
    pub viewpoint: Viewpoint,
    pub wants: Wants,
    /// Parameters of the search that this query wants otherwise, by our own names.
    pub parameters: Vec<(&'static str, String)>,
}

/// What the answer is to contain besides the moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wants {
    pub ownership: bool,
    pub ownership_stdev: bool,
    pub moves_ownership: bool,
    pub moves_ownership_stdev: bool,
    pub policy: bool,
    pub variation_visits: bool,
    pub variation_edge_visits: bool,
    pub no_result_value: bool,
    pub variation_length: Option<usize>,
}

/// One position of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub number: usize,
    pub priority: i64,
}

const KNOWN_FIELDS: &[&str] = &[
    "id",
    "action",
    "moves",
    "initialStones",
    "initialPlayer",
    "rules",
    "komi",
    "whiteHandicapBonus",
    "boardXSize",
    "boardYSize",
    "analyzeTurns",
    "maxVisits",
    "maxTime",
    "model",
    "rootFpuReductionMax",
    "rootPolicyTemperature",
    "includeOwnership",
    "includeOwnershipStdev",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includePolicy",
    "includePVVisits",
    "includePVEdgeVisits",
    "includeNoResultValue",
    "avoidMoves",
    "allowMoves",
    "overrideSettings",
    "reportDuringSearchEvery",
    "firstReportDuringSearchAfter",
    "analysisPVLen",
    "priority",
    "priorities",
];

impl Query {
    /// The query, its turns, and complaints that do not stop it.
    pub fn read(id: String, fields: Fields<'_>, options: &Options) -> Result<(Query, Vec<Turn>, Vec<Fault>), Fault> {
        let start = Start::read(fields)?;
        let turns = read_turns(fields, start.move_count())?;
        let overrides = fields.object("overrideSettings")?.map(Overrides::read).transpose()?.unwrap_or_default();
        let visits = read_limit(fields, "maxVisits")?;
        let every = read_seconds(fields, "reportDuringSearchEvery")?.map(|every| every.max(SHORTEST_INTERVAL));
        let first_after = read_seconds(fields, "firstReportDuringSearchAfter")?;
        let mut parameters = overrides.parameters;
        for name in ["rootFpuReductionMax", "rootPolicyTemperature"] {
            parameters.extend(read_parameter(fields, name)?);
        }
        let query = Query {
            id,
            visits: visits.or(overrides.visits).unwrap_or(options.default_visits),
            playouts: overrides.playouts,
            time: read_seconds(fields, "maxTime")?.or(overrides.time),
            first_after: first_after.map(|after| after.max(SHORTEST_INTERVAL)).or(every),
            every,
            restrictions: read_restrictions(fields, start.size)?,
            human: overrides.human,
            model: read_model(fields, options)?,
            viewpoint: overrides.viewpoint.unwrap_or(options.viewpoint),
            wants: Wants {
                ownership: fields.switch("includeOwnership")?,
                ownership_stdev: fields.switch("includeOwnershipStdev")?,
                moves_ownership: fields.switch("includeMovesOwnership")?,
                moves_ownership_stdev: fields.switch("includeMovesOwnershipStdev")?,
                policy: fields.switch("includePolicy")?,
                variation_visits: fields.switch("includePVVisits")?,
                // KataGo tells both when asked for the first.
                variation_edge_visits: fields.switch("includePVEdgeVisits")? || fields.switch("includePVVisits")?,
                no_result_value: fields.switch("includeNoResultValue")?,
                variation_length: read_variation_length(fields)?.or(overrides.variation_length),
            },
            parameters,
            start,
        };
        let unknown = fields.0.keys().filter(|name| !KNOWN_FIELDS.contains(&name.as_str()));
        let unknown = unknown.map(|name| Fault::of(name, "this field is not known and has no effect"));
        let unheard = (query.human.is_some() && !options.knows_people(query.model.as_deref()))
            .then(|| Fault::of("humanSLProfile", "there is no net for human play here: it has no effect"));
        let warnings = overrides.warnings.into_iter().chain(unheard).chain(unknown).take(MOST_WARNINGS).collect();
        Ok((query, turns, warnings))
    }
}

impl Wants {
    /// Must the search find out who owns what after each move?
    pub fn any_moves_ownership(&self) -> bool {
        self.moves_ownership || self.moves_ownership_stdev
    }
}

fn read_model(fields: Fields<'_>, options: &Options) -> Result<Option<String>, Fault> {
    let Some(name) = fields.text("model")? else { return Ok(None) };
    let is_there = options.nets.iter().flat_map(|nets| nets.cards()).any(|card| card.name == name);
    if is_there { Ok(Some(name.to_owned())) } else { Err(Fault::of("model", "there is no net of this name")) }
}

/// The turns to analyse, without `analyzeTurns` only the last.
fn read_turns(fields: Fields<'_>, moves: usize) -> Result<Vec<Turn>, Fault> {
    let numbers = fields.integers("analyzeTurns", 0..=moves as i64)?.unwrap_or_else(|| vec![moves as i64]);
    let shared = fields.integer("priority", -LARGEST_PRIORITY..=LARGEST_PRIORITY)?.unwrap_or(0);
    let priorities = fields.integers("priorities", -LARGEST_PRIORITY..=LARGEST_PRIORITY)?;
    let priorities = priorities.unwrap_or_else(|| vec![shared; numbers.len()]);
    if priorities.len() != numbers.len() {
        return Err(Fault::of("priorities", "priorities must be as many as analyzeTurns"));
    }
    // A turn named twice is answered once.
    let mut turns: Vec<Turn> = Vec::new();
    let mut seen = vec![false; moves + 1];
    for (number, priority) in numbers.into_iter().zip(priorities) {
        let number = number as usize;
        if !std::mem::replace(&mut seen[number], true) {
            turns.push(Turn { number, priority });
        }
    }
    Ok(turns)
}

fn read_restrictions(fields: Fields<'_>, size: usize) -> Result<Vec<Restriction>, Fault> {
    let mut restrictions = Vec::new();
    for (name, kind) in [("avoidMoves", RestrictionKind::Avoid), ("allowMoves", RestrictionKind::Allow)] {
        let list = fields.list(name)?.unwrap_or_default();
        if list.len() > MOST_RESTRICTIONS {
            return Err(Fault::of(name, format!("{name} has more than {MOST_RESTRICTIONS} entries")));
        }
        for entry in list {
            let fields = entry.as_object().map(Fields);
            let fields = fields.ok_or_else(|| Fault::of(name, format!("{name} must be a list of objects")))?;
            let about_list = |fault: Fault| Fault::of(name, fault.message);
            restrictions.push(read_restriction(name, fields, kind, size).map_err(about_list)?);
        }
    }
    Ok(restrictions)
}

fn read_restriction(name: &str, fields: Fields<'_>, kind: RestrictionKind, size: usize) -> Result<Restriction, Fault> {
    let missing = |field: &str| Fault::of(name, format!("an entry of {name} needs {field}"));
    let color = read_color(name, fields.text("player")?.ok_or_else(|| missing("player"))?)?;
    let depth = fields.integer("untilDepth", 1..=DEEPEST_RESTRICTION)?.ok_or_else(|| missing("untilDepth"))?;
    let list = fields.list("moves")?.ok_or_else(|| missing("moves"))?;
    let read = |value: &Value| {
        let vertex = value.as_str().ok_or_else(|| Fault::of(name, "moves must be a list of vertices"))?;
        read_vertex(name, vertex, size)
    };
    let mut moves = list.iter().map(read).collect::<Result<Vec<Move>, Fault>>()?;
    moves.sort_unstable();
    moves.dedup();
    Ok(Restriction { color, moves, until_depth: depth as u32, kind })
}
