//! Several searches of one position, somewhere else: what each tells the others, and what they tell it (Pachi 5.2).
//!
//! Statistics are whole numbers, so that sums over any number of machines are exact. A ledger remembers which share of a
//! node came from outside, so that nothing is ever told twice. How the numbers travel is none of this room's business.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::{Add, Sub};
use std::time::Duration;

use jigo_board::Move;

use crate::node::Node;
use crate::pool::Pool;

/// The most levels of a tree that are ever shared.
pub const MOST_LEVELS: usize = 4;

/// Nodes below the root's moves are told of when they hold one in so many of the simulations: that bounds what travels at
/// any size of the tree, since no level has more than so many of them.
const TOLD_SHARE: u64 = 512;

/// Moves from the root to a node, at most [`MOST_LEVELS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path {
    moves: [Move; MOST_LEVELS],
    length: u8,
}

impl Hash for Path {
    /// One number for all moves: a coordinator looks up a hundred thousand paths a second.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let number = |mv: &Move| mv.point().map_or(0, |point| point.index() as u64);
        state.write_u64(self.moves.iter().fold(self.length.into(), |sum: u64, mv| sum << 14 ^ number(mv)));
    }
}

impl Path {
    pub const ROOT: Path = Path { moves: [Move::Pass; MOST_LEVELS], length: 0 };

    /// One move further; none if that is too deep to be shared.
    pub fn then(mut self, mv: Move) -> Option<Path> {
        *self.moves.get_mut(self.length as usize)? = mv;
        self.length += 1;
        Some(self)
    }

    pub fn moves(&self) -> &[Move] {
        &self.moves[..self.length as usize]
    }
}

/// What simulations through one node said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub visits: u64,
    /// Of the player who made the node's move, in units of 1 / 65536.
    pub wins: u64,
    /// Sum of final scores in sixteenths of a point: Black's lead, komi not counted.
    pub black_score: i64,
}

impl Add for Counts {
    type Output = Counts;

    /// Wraps around: a peer may send anything.
    fn add(self, other: Counts) -> Counts {
        Counts {
            visits: self.visits.wrapping_add(other.visits),
            wins: self.wins.wrapping_add(other.wins),
            black_score: self.black_score.wrapping_add(other.black_score),
        }
    }
}

impl Sub for Counts {
    type Output = Counts;

    fn sub(self, other: Counts) -> Counts {
        Counts {
            visits: self.visits.wrapping_sub(other.visits),
            wins: self.wins.wrapping_sub(other.wins),
            black_score: self.black_score.wrapping_sub(other.black_score),
        }
    }
}

/// Our number among the searches that share a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    pub number: u32,
    pub of: u32,
}

impl Rank {
    /// Is this node one that we look at more than the others do? Its number is the same on every machine.
    #[inline]
    pub(crate) fn favours(&self, parent: Move, mv: Move) -> bool {
        let number = |mv: Move| mv.point().map_or(0, |point| point.index() as u32);
        self.of > 1 && (number(parent) + number(mv)) % self.of == self.number
    }
}

/// Where our own search stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Our own simulations of this search.
    pub playouts: u64,
    pub elapsed: Duration,
    /// The rules for stopping early would stop here.
    pub is_enough: bool,
    /// No thread is simulating: the counts are exact.
    pub is_still: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    GoOn,
    Stop,
}

/// The other searches of the same position.
pub trait Peers {
    /// How many levels below the root are shared, 1 to [`MOST_LEVELS`].
    fn levels(&self) -> usize;
    fn rank(&self) -> Rank;
    /// Simulations that all of us together will make, if that is limited.
    fn playouts_of_all(&self) -> Option<u64>;
    /// Asked by the first thread after each of its simulations, and a last time when all threads have stopped. Answers at
    /// once.
    fn look(&mut self, exchange: &mut Exchange<'_>, standing: Standing) -> Advice;
}

/// What one search remembers of the nodes it shares.
#[derive(Default)]
pub(crate) struct Ledger {
    entries: HashMap<Path, Entry>,
}

#[derive(Default)]
struct Entry {
    /// The node as we saw it last.
    seen: Counts,
    /// Our own simulations of this search.
    own: Counts,
    /// Those of the others, and how many of them are in the node.
    others: Counts,
    applied: Counts,
}

impl Ledger {
    /// What the tree knew before this search is nobody's contribution to it.
    pub fn new(pool: &Pool, root: usize, levels: usize) -> Ledger {
        let mut ledger = Ledger::default();
        let everything = 1;
        walk(pool, pool.node(root), Path::ROOT, levels, everything, &mut |path, node| {
            ledger.entries.insert(path, Entry { seen: node.counts(), ..Entry::default() });
        });
        ledger
    }

    pub fn playouts_of_others(&self) -> u64 {
        self.entries.get(&Path::ROOT).map_or(0, |root| root.others.visits)
    }
}

/// A search's tree as its peers may use it.
pub struct Exchange<'a> {
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) pool: &'a Pool,
    pub(crate) root: usize,
    pub(crate) levels: usize,
}

impl Exchange<'_> {
    /// Our own statistics of this search for the nodes that changed since the last call. They include everything from the
    /// beginning of the search and not only the change, so that a lost message is made good by the next one.
    pub fn own(&mut self) -> Vec<(Path, Counts)> {
        let root = self.pool.node(self.root);
        let thick = root.counts().visits / TOLD_SHARE;
        let mut changed = Vec::new();
        let ledger = &mut *self.ledger;
        walk(self.pool, root, Path::ROOT, self.levels, thick.max(1), &mut |path, node| {
            let entry = ledger.entries.entry(path).or_default();
            if entry.look(node) {
                changed.push((path, entry.own));
            }
        });
        changed
    }

    /// What the others have found in this search, all of them together and from its beginning.
    pub fn set_others(&mut self, counts: &[(Path, Counts)]) {
        for &(path, others) in counts {
            if path.moves().len() > self.levels {
                continue;
            }
            let entry = self.ledger.entries.entry(path).or_default();
            entry.others = others;
            // Nodes that have not grown yet get theirs when they are seen first.
            if let Some(node) = find(self.pool, self.root, path) {
                entry.look(node);
            }
        }
    }

    /// The search is over: the tree keeps what it found itself. What peers said counts as long as they say it, and each of them
    /// keeps its own.
    pub(crate) fn take_back(&mut self) {
        for (&path, entry) in &mut self.ledger.entries {
            if let Some(node) = find(self.pool, self.root, path) {
                entry.others = Counts::default();
                entry.look(node);
            }
        }
    }
}

impl Entry {
    /// Brings node and entry up to date; true if we added to the node ourselves.
    fn look(&mut self, node: &Node) -> bool {
        let now = node.counts();
        let added = if now.visits < self.seen.visits {
            // Pruned and grown again: everything in it is new, and what the others said is gone.
            self.applied = Counts::default();
            now
        } else {
            now - self.seen
        };
        self.own = self.own + added;
        let gift = self.others - self.applied;
        if gift != Counts::default() {
            node.add_counts(gift);
            self.applied = self.others;
        }
        self.seen = now + gift;
        added != Counts::default()
    }
}

/// Visits a node and those below it down to `levels`; deeper than the first only those with enough visits.
fn walk(pool: &Pool, node: &Node, path: Path, levels: usize, thick: u64, visit: &mut dyn FnMut(Path, &Node)) {
    visit(path, node);
    if path.moves().len() >= levels {
        return;
    }
    for child in pool.children(node) {
        let needed = if path == Path::ROOT { 1 } else { thick };
        if let Some(below) = path.then(child.mv())
            && child.counts().visits >= needed
        {
            walk(pool, child, below, levels, thick, visit);
        }
    }
}

fn find(pool: &Pool, root: usize, path: Path) -> Option<&Node> {
    let down = |node: &Node, &mv: &Move| pool.children(node).iter().find(|child| child.mv() == mv);
    path.moves().iter().try_fold(pool.node(root), down)
}
