//! The messages of a cluster, and the envelope around them that every version understands. What is in it is sealed (`seal.rs`)
//! and says who speaks (`channel.rs`).
//!
//! Whatever a peer sends, reading it ends in a message or in one [`Unreadable`]; it never panics and never asks for more
//! memory than a few times the size of what arrived.

use jigo_board::{MAX_SIZE, Move, Point};
use jigo_search::{Counts, MOST_LEVELS, Path};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::task::Task;

/// Changes whenever a message changes its form.
pub const PROTOCOL: u16 = 4;
/// Nothing we send comes near it; what is larger is dropped unread.
pub const LARGEST_MESSAGE: usize = 256 * 1024;
/// The same for answers to people, which tell of whole searches.
pub const LARGEST_ANSWER: usize = 3 << 19;
/// The most nodes in one message.
pub const MOST_NODES: usize = 4096;

const MAGIC: [u8; 4] = *b"JIGO";

/// What must be equal for two machines to search together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passport {
    pub version: String,
    /// A digest of the net's weights; 0 without a net.
    pub net: u64,
}

/// Why a worker of this version does not fit, as a sentence, if it does not. A peer's version may be anything, so it is cut.
pub(crate) fn another_version(workers: &str, ours: &str, ours_is: &str) -> Option<String> {
    let told = || workers.chars().take(32).collect::<String>();
    (workers != ours).then(|| format!("the worker has version {:?}, {ours_is} {ours:?}", told()))
}

/// From a worker to its coordinator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerReport {
    /// What its owner calls it.
    pub name: String,
    pub passport: Passport,
    pub threads: u16,
    /// The search it is in; 0 if none.
    pub thinking: u64,
    /// Why it cannot take part in the present search.
    pub declines: Option<(u64, String)>,
    pub share: Option<Share>,
}

/// What one machine has found in one search since its beginning, for the nodes that changed since `base`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    pub search: u64,
    /// Which position the search is about, with all that led to it.
    pub position: u64,
    pub base: u64,
    pub sequence: u64,
    /// The last totals that arrived.
    pub heard: u64,
    pub would_play: bool,
    pub nodes: Vec<WireNode>,
}

/// From the coordinator to all workers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bulletin {
    pub passport: Passport,
    /// Older bulletins that arrive late are known by it.
    pub number: u64,
    /// Milliseconds between reports.
    pub interval: u32,
    pub search: Option<Ongoing>,
    /// Answers to late reports.
    pub known: Vec<Known>,
    pub refusals: Vec<(u64, String)>,
}

/// The search that is going on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ongoing {
    pub id: u64,
    pub elapsed_ms: u64,
    /// What it is about, as long as somebody does not know.
    pub task: Option<Task>,
    /// Totals of all machines for the nodes that changed since `base`.
    pub base: u64,
    pub sequence: u64,
    pub nodes: Vec<WireNode>,
    /// The workers in the order of their numbers, the coordinator being number 0, and up to which of their messages the
    /// totals include them.
    pub workers: Vec<(u64, u64)>,
}

/// Up to where the coordinator has heard a worker in a search that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    pub worker: u64,
    pub search: u64,
    pub sequence: u64,
}

/// A node's statistics; see [`Counts`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireNode {
    path: Vec<u16>,
    visits: u64,
    wins: u64,
    black_score: i64,
}

/// Sixteenths of a point of a score that no board exceeds, prisoners included.
const LARGEST_SCORE: i64 = 16 * 2 * (MAX_SIZE * MAX_SIZE) as i64;
const MOST_VISITS: u64 = 1 << 31;
const WIN_UNIT: u64 = 65536;

impl WireNode {
    pub fn new(path: &Path, counts: Counts) -> WireNode {
        let Counts { visits, wins, black_score } = counts;
        WireNode { path: path.moves().iter().map(|&mv| move_code(mv)).collect(), visits, wins, black_score }
    }

    /// None if no search can have found this.
    pub fn read(&self) -> Option<(Path, Counts)> {
        if self.path.len() > MOST_LEVELS {
            return None;
        }
        let path = self.path.iter().try_fold(Path::ROOT, |path, &code| path.then(move_of(code)?))?;
        let is_possible = self.visits <= MOST_VISITS
            && self.wins <= self.visits * WIN_UNIT
            && self.black_score.unsigned_abs() <= self.visits * LARGEST_SCORE as u64;
        let counts = Counts { visits: self.visits, wins: self.wins, black_score: self.black_score };
        is_possible.then_some((path, counts))
    }
}

/// 0 is a pass, then all points of the largest board row by row.
pub fn move_code(mv: Move) -> u16 {
    mv.point().map_or(0, |point| 1 + (point.row() * MAX_SIZE + point.col()) as u16)
}

pub fn move_of(code: u16) -> Option<Move> {
    let Some(place) = usize::from(code).checked_sub(1) else { return Some(Move::Pass) };
    let (row, col) = (place / MAX_SIZE, place % MAX_SIZE);
    (row < MAX_SIZE).then(|| Move::Play(Point::new(col, row)))
}

/// Why a message was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unreadable {
    #[error("larger than any message")]
    Oversize,
    #[error("not a message of ours")]
    Malformed,
    #[error("the sender speaks protocol {0}, we speak {PROTOCOL}")]
    OtherProtocol(u16),
    #[error("not from a member")]
    Stranger,
    #[error("from a member that may not say this")]
    Role,
    #[error("heard before")]
    Repeated,
}

/// What every version understands, around what only members do.
pub fn envelope(sealed: Vec<u8>) -> Vec<u8> {
    [&MAGIC[..], &PROTOCOL.to_le_bytes(), &sealed].concat()
}

/// What is in an envelope of ours.
pub fn unwrapped(bytes: &[u8], largest: usize) -> Result<&[u8], Unreadable> {
    if bytes.len() > largest {
        return Err(Unreadable::Oversize);
    }
    let (magic, rest) = bytes.split_first_chunk::<4>().ok_or(Unreadable::Malformed)?;
    let (protocol, sealed) = rest.split_first_chunk::<2>().ok_or(Unreadable::Malformed)?;
    if *magic != MAGIC {
        return Err(Unreadable::Malformed);
    }
    match u16::from_le_bytes(*protocol) {
        PROTOCOL => Ok(sealed),
        other => Err(Unreadable::OtherProtocol(other)),
    }
}
