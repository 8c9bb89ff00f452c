//! What all threads of one search share.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use jigo_board::Color;
use jigo_playout::Position;

use crate::dynamic_komi::{DynamicKomi, Feedback, Situation};
use crate::exchange::Place;
use crate::node::SharedF32;
use crate::parameters::{KomiMethod, SearchParameters};
use crate::pool::Pool;
use crate::restriction::Restriction;
use crate::stop::Limits;
use crate::tally::{self, Tally, Totals};

pub struct Shared<'a> {
    pub parameters: &'a SearchParameters,
    /// Visits before a leaf gets children.
    pub expand_at: u32,
    pub pool: &'a Pool,
    pub root: usize,
    pub position: &'a Position,
    /// Hashes of all positions of the game so far.
    pub history: &'a HashSet<u64>,
    pub situation: Situation,
    pub limits: Limits,
    pub restrictions: &'a [Restriction],
    /// Remember the owners after every move at the root?
    pub move_ownership: bool,
    /// May the search end before its limits when it has seen enough?
    pub may_settle: bool,
    /// Simulations are judged by the game's own komi.
    pub plain_komi: bool,
    pub began: Instant,
    /// The game's komi, bonuses included.
    pub real_komi: f32,
    /// May players pass with dead stones on the board? If not, two passes end a simulation as the board stands.
    pub dead_stones_are_agreed: bool,
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
    place: AtomicU64,
    halted: AtomicBool,
    full: AtomicBool,
}

impl Signals {
    pub fn new(done: u64) -> Signals {
        Signals {
            done: AtomicU64::new(done),
            shift: std::array::from_fn(|_| SharedF32::default()),
            place: AtomicU64::new(0),
            halted: AtomicBool::new(false),
            full: AtomicBool::new(false),
        }
    }
}

/// Deeper leaves share the shift of this depth: it fades by less than a point over so many moves.
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
    pub fn place(&self) -> Option<Place> {
        let packed = self.signals.place.load(Relaxed);
        (packed != 0).then_some(Place { number: (packed >> 32) as u32, of: packed as u32 })
    }

    pub fn set_place(&self, place: Place) {
        self.signals.place.store(u64::from(place.number) << 32 | u64::from(place.of), Relaxed);
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

    /// Does what the simulations say change the komi we imagine?
    pub fn adjusts_komi(&self) -> bool {
        !self.plain_komi && !matches!(self.parameters.komi_method, KomiMethod::None | KomiMethod::Linear)
    }
}

/// Sums at the root at the last look, to see what happened since.
#[derive(Clone, Copy)]
pub struct Slice {
    visits: u32,
    opponent_wins: f64,
    black_score: f64,
    totals: Totals,
}

impl Slice {
    pub fn now(shared: &Shared<'_>, tallies: &[Arc<Tally>]) -> Slice {
        let root = shared.pool.node(shared.root);
        let visits = root.visits();
        Slice {
            visits,
            opponent_wins: root.wins() as f64,
            black_score: root.mean_black_score().unwrap_or(0.0) as f64 * visits as f64,
            totals: Totals::of(tallies.iter().map(|tally| &**tally)),
        }
    }

    /// Lets dynamic komi learn from the simulations since `self`, if there were any.
    pub fn teach(&self, later: &Slice, shared: &Shared<'_>, tallies: &[Arc<Tally>], komi: &mut DynamicKomi) {
        let simulations = f64::from(later.visits.saturating_sub(self.visits));
        if simulations == 0.0 {
            return;
        }
        let us = shared.situation.us;
        let lead = |black_score: f32| match us {
            Color::Black => black_score - shared.komi_at(0),
            Color::White => shared.komi_at(0) - black_score,
        };
        let mixed = ((later.black_score - self.black_score) / simulations) as f32;
        let rollouts = later.totals.played_since(&self.totals).unwrap_or(mixed);
        let scores = tally::scores(tallies.iter().map(|tally| &**tally));
        let win_rate_with = |burden: f32| match us {
            Color::Black => scores.share_above(shared.real_komi + burden),
            Color::White => scores.share_above(shared.real_komi - burden).map(|black| 1.0 - black),
        };
        let feedback = Feedback {
            our_win_rate: 1.0 - ((later.opponent_wins - self.opponent_wins) / simulations) as f32,
            our_lead: lead(mixed),
            rollouts_lead: lead(rollouts),
            board_lead: lead(later.totals.board_since(&self.totals).unwrap_or(rollouts)),
            win_rate_with: &win_rate_with,
        };
        komi.adjust(shared.parameters, &shared.situation, &feedback);
    }
}
