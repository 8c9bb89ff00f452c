//! One node of the tree: a move, what is known of it, and where its children are.
//!
//! All threads share the nodes without locks. Visits and wins are added atomically, so none is lost; AMAF and
//! criticality are written for many children on every simulation, where a plain load and store is several
//! times cheaper than a locked addition, and losing an update in a race is harmless.

use jigo_board::{Color, Move, Point, WinRate};

use crate::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::*};
use crate::exchange::Counts;

/// A float that threads share: sums that may lose an update in a race.
#[derive(Default)]
pub struct SharedF32(AtomicU32);

impl SharedF32 {
    #[inline(always)]
    pub fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Relaxed))
    }

    #[inline(always)]
    pub fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Relaxed);
    }

    #[inline(always)]
    pub fn add(&self, amount: f32) {
        self.set(self.get() + amount);
    }
}

/// All wins and AMAF wins are those of the *mover*: the player who plays this node's move.
#[derive(Default)]
#[repr(C, align(64))]
pub struct Node {
    /// Grid index of the move; 0 is a pass.
    point: AtomicU16,
    child_count: AtomicU16,
    growth: AtomicU8,
    /// Never chosen: the rules forbid the move, it would repeat a position of the game, or an image of it stands for it.
    banned: AtomicBool,
    in_flight: AtomicU16,
    first_child: AtomicU32,
    pub prior_visits: SharedF32,
    pub prior_wins: SharedF32,
    /// Share of the policy's trust in this move; the children of a node sum to one.
    pub policy: SharedF32,
    visits: AtomicU32,
    /// Sum of the squares of the mover's values.
    squares: SharedF32,
    /// Wins in units of 1 / [`WIN_UNIT`].
    wins: AtomicU64,
    /// Sum of the final scores (Black's lead without komi) in units of 1 / [`SCORE_UNIT`], wrapping.
    black_score: AtomicU64,
    pub amaf_visits: SharedF32,
    pub amaf_wins: SharedF32,
    /// Simulations through the parent in which the point was Black's at the end; of a pass, see `criticality`.
    pub black_owned: SharedF32,
    /// Simulations through the parent in which the winner owned the point.
    pub winner_owned: SharedF32,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Node>() == 64, "a node is one cache line");

const WIN_UNIT: f32 = 65536.0;
const SCORE_UNIT: f32 = 16.0;

const LEAF: u8 = 0;
const GROWING: u8 = 1;
const GROWN: u8 = 2;

impl Node {
    /// Makes a fresh slot of the pool the node of this move. The slot is not yet visible to other threads.
    pub fn reset(&self, mv: Move) {
        self.point.store(mv.point().map_or(0, |p| p.index() as u16), Relaxed);
        self.child_count.store(0, Relaxed);
        self.growth.store(LEAF, Relaxed);
        self.banned.store(false, Relaxed);
        self.in_flight.store(0, Relaxed);
        self.first_child.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.wins.store(0, Relaxed);
        self.black_score.store(0, Relaxed);
        for stat in [
            &self.prior_visits,
            &self.prior_wins,
            &self.policy,
            &self.amaf_visits,
            &self.amaf_wins,
            &self.black_owned,
            &self.winner_owned,
            &self.squares,
        ] {
            stat.set(0.0);
        }
    }

    /// Copies everything but the children: for moving a node to another pool.
    pub fn copy_from(&self, other: &Node) {
        self.reset(other.mv());
        self.banned.store(other.is_banned(), Relaxed);
        self.visits.store(other.visits(), Relaxed);
        self.wins.store(other.wins.load(Relaxed), Relaxed);
        self.black_score.store(other.black_score.load(Relaxed), Relaxed);
        for (to, from) in [
            (&self.prior_visits, &other.prior_visits),
            (&self.prior_wins, &other.prior_wins),
            (&self.policy, &other.policy),
            (&self.amaf_visits, &other.amaf_visits),
            (&self.amaf_wins, &other.amaf_wins),
            (&self.black_owned, &other.black_owned),
            (&self.winner_owned, &other.winner_owned),
            (&self.squares, &other.squares),
        ] {
            to.set(from.get());
        }
    }

    #[inline(always)]
    pub fn mv(&self) -> Move {
        match self.point.load(Relaxed) {
            0 => Move::Pass,
            index => Move::Play(Point::from_index(index.into())),
        }
    }

    // ---- growth: leaf, being expanded by one thread, grown -----------------------------------------

    /// True for the one thread that may now expand this leaf.
    pub fn claim_growth(&self) -> bool {
        self.growth.compare_exchange(LEAF, GROWING, Acquire, Relaxed).is_ok()
    }

    /// The pool was full: another thread may try again later.
    pub fn give_up_growth(&self) {
        self.growth.store(LEAF, Release);
    }

    /// Publishes the children, which are complete by now.
    pub fn finish_growth(&self, first_child: u32, count: usize) {
        self.first_child.store(first_child, Relaxed);
        self.child_count.store(count as u16, Relaxed);
        self.growth.store(GROWN, Release);
    }

    /// Where the children are, once they are published.
    #[inline(always)]
    pub fn children(&self) -> Option<std::ops::Range<usize>> {
        if self.growth.load(Acquire) != GROWN {
            return None;
        }
        let first = self.first_child.load(Relaxed) as usize;
        Some(first..first + self.child_count.load(Relaxed) as usize)
    }

    // ---- statistics -------------------------------------------------------------------------------

    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    #[inline(always)]
    pub fn wins(&self) -> f32 {
        self.wins.load(Relaxed) as f32 / WIN_UNIT
    }

    /// Share of won simulations, or none before the first. The node does not know who its mover is.
    pub fn win_rate(&self, mover: Color) -> Option<WinRate> {
        match self.visits() {
            0 => None,
            visits => Some(WinRate::of(mover, self.wins() / visits as f32)),
        }
    }

    pub fn mean_black_score(&self) -> Option<f32> {
        match self.visits() {
            0 => None,
            visits => Some(self.black_score.load(Relaxed) as i64 as f32 / SCORE_UNIT / visits as f32),
        }
    }

    #[inline(always)]
    pub fn add_simulation(&self, mover_value: f32, black_score: f32) {
        self.visits.fetch_add(1, Relaxed);
        self.wins.fetch_add((mover_value * WIN_UNIT) as u64, Relaxed);
        self.black_score.fetch_add((black_score * SCORE_UNIT).round() as i64 as u64, Relaxed);
        self.squares.add(mover_value * mover_value);
    }

    /// How much the values of simulations differ.
    pub fn value_variance(&self) -> f32 {
        let visits = self.visits().max(1) as f32;
        (self.squares.get() / visits - (self.wins() / visits).powi(2)).max(0.0)
    }

    /// Everything that can be shared with other searches. Exact once no thread is below the node.
    pub fn counts(&self) -> Counts {
        Counts {
            visits: self.visits().into(),
            wins: self.wins.load(Relaxed),
            black_score: self.black_score.load(Relaxed) as i64,
        }
    }

    pub fn add_counts(&self, counts: Counts) {
        // Nobody tells the squares of others: they are taken to agree.
        self.squares.add((counts.wins as f32 / WIN_UNIT).powi(2) / (counts.visits as f32).max(1.0));
        self.visits.fetch_add(counts.visits as u32, Relaxed);
        self.wins.fetch_add(counts.wins, Relaxed);
        self.black_score.fetch_add(counts.black_score as u64, Relaxed);
    }

    #[inline(always)]
    pub fn enter(&self) {
        self.in_flight.fetch_add(1, Relaxed);
    }

    #[inline(always)]
    pub fn leave(&self) {
        self.in_flight.fetch_sub(1, Relaxed);
    }

    #[inline(always)]
    pub fn in_flight(&self) -> u16 {
        self.in_flight.load(Relaxed)
    }

    pub fn ban(&self) {
        self.banned.store(true, Relaxed);
    }

    #[inline(always)]
    pub fn is_banned(&self) -> bool {
        self.banned.load(Relaxed)
    }
}
