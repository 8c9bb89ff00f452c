//! What all threads of one search share.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use jigo_board::Game;
use jigo_net::Evaluation;
use jigo_playout::StartPosition;

use crate::counting::Counting;
use crate::exchange::Rank;
use crate::images::Images;
use crate::komi::{DynamicKomi, Situation};
use crate::node::SharedF32;
use crate::parameters::SearchParameters;
use crate::pool::Pool;
use crate::restriction::Restriction;
use crate::selection::{RootWidth, ScoreUtility};
use crate::stop::Limits;

pub struct Shared<'a> {
    pub parameters: &'a SearchParameters,
    /// Visits before a leaf gets children.
    pub expand_at: u32,
    pub pool: &'a Pool,
    pub root: usize,
    pub position: &'a StartPosition,
    /// The game that led to the position.
    pub game: Arc<Game>,
    /// Hashes of all positions of the game so far.
    pub history: &'a HashSet<u64>,
    pub situation: Situation,
    pub limits: Limits,
    pub restrictions: &'a [Restriction],
    /// Moves at the root that are not searched, since others stand for them.
    pub images: &'a Images,
    /// Remember the owners after every move at the root?
    pub move_ownership: bool,
    /// May the search end before its limits when it has seen enough?
    pub may_settle: bool,
    /// Simulations are judged by the game's own komi.
    pub plain_komi: bool,
    /// Points added to the komi at which the net is asked: 0 but in one experiment (CGI IV.E).
    pub net_komi: f32,
    /// How much the net's word counts beside a playout's; with 1 there are no playouts.
    pub net_share: f32,
    pub began: Instant,
    /// The game's komi, bonuses included.
    pub real_komi: f32,
    pub counting: Counting,
    /// What the net thinks of the root: the first look.
    pub root_look: Option<Arc<Evaluation>>,
    /// Where an evaluation stands at every leaf, points count beside winning.
    pub score_utility: ScoreUtility,
    pub root_width: Option<RootWidth>,
    /// Raised from outside.
    pub stop: &'a AtomicBool,
    pub signals: Signals,
}

/// What the threads tell each other.
pub struct Signals {
    /// Simulations of this search.
    pub done: AtomicU64,
    /// Imagined komi by number of tree moves below the root; all alike unless linear komi is computed in the leaf.
    shift: [SharedF32; SHIFT_DEPTH],
    /// Our number among the machines of a cluster in the upper half, how many they are in the lower; 0 if alone.
    rank: AtomicU64,
    /// Has a thread taken the root's own look for its simulation?
    first_look_taken: AtomicBool,
    halted: AtomicBool,
    full: AtomicBool,
}

impl Signals {
    pub fn new(done: u64) -> Signals {
        Signals {
            done: AtomicU64::new(done),
            shift: std::array::from_fn(|_| SharedF32::default()),
            rank: AtomicU64::new(0),
            first_look_taken: AtomicBool::new(false),
            halted: AtomicBool::new(false),
            full: AtomicBool::new(false),
        }
    }
}

/// Deeper leaves, of which there are few, share the shift of this depth.
const SHIFT_DEPTH: usize = 32;

impl Shared<'_> {
    /// The komi that decides who wins a simulation with so many moves in the tree.
    #[inline]
    pub fn komi_at(&self, tree_moves: usize) -> f32 {
        self.real_komi + self.signals.shift[tree_moves.min(SHIFT_DEPTH - 1)].get()
    }

    pub fn publish_komi(&self, komi: &DynamicKomi) {
        for (depth, shift) in self.signals.shift.iter().enumerate() {
            let imagined = komi.shift(self.parameters, &self.situation, self.situation.move_number + depth);
            shift.set(if self.plain_komi { 0.0 } else { imagined });
        }
    }

    #[inline]
    pub fn rank(&self) -> Option<Rank> {
        let packed = self.signals.rank.load(Relaxed);
        (packed != 0).then_some(Rank { number: (packed >> 32) as u32, of: packed as u32 })
    }

    pub fn set_rank(&self, rank: Rank) {
        self.signals.rank.store(u64::from(rank.number) << 32 | u64::from(rank.of), Relaxed);
    }

    /// True for the one thread that may count the root's own look: many would make it many visits of the same.
    pub fn take_first_look(&self) -> bool {
        !self.signals.first_look_taken.swap(true, Relaxed)
    }

    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    pub fn report_full(&self) {
        self.signals.full.store(true, Relaxed);
        self.halt();
    }

    pub fn is_full(&self) -> bool {
        self.signals.full.load(Relaxed)
    }

    pub fn halt(&self) {
        self.signals.halted.store(true, Relaxed);
    }

    #[inline]
    pub fn is_halted(&self) -> bool {
        self.signals.halted.load(Relaxed) || self.stop.load(Relaxed)
    }
}
