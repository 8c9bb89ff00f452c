//! What one thread saw at the end of its simulations: owners and scores. Only its thread writes, anybody may read.

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering::Relaxed};

use jigo_board::{Board, GRID, MAX_POINTS};
use jigo_playout::Outcome;

use crate::report::ScoreCounts;

pub struct Tally {
    simulations: AtomicU32,
    /// Black's simulations minus White's.
    owned: [AtomicI32; GRID],
    scores: [AtomicU32; 2 * MAX_POINTS + 1],
}

impl Tally {
    pub fn new() -> Tally {
        Tally {
            simulations: AtomicU32::new(0),
            owned: std::array::from_fn(|_| AtomicI32::new(0)),
            scores: std::array::from_fn(|_| AtomicU32::new(0)),
        }
    }

    pub fn clear(&self) {
        self.simulations.store(0, Relaxed);
        self.owned.iter().for_each(|count| count.store(0, Relaxed));
        self.scores.iter().for_each(|count| count.store(0, Relaxed));
    }

    pub fn add(&self, board: &Board, outcome: &Outcome) {
        let bump = |count: &AtomicU32| count.store(count.load(Relaxed) + 1, Relaxed);
        bump(&self.simulations);
        bump(&self.scores[(outcome.black_score as i32 + MAX_POINTS as i32) as usize]);
        for point in board.points() {
            let owned = &self.owned[point.index()];
            owned.store(owned.load(Relaxed) + outcome.owner(point) as i32, Relaxed);
        }
    }
}

/// All threads together: ownership from -1 to 1, and the scores.
pub fn sum<'a>(tallies: impl Iterator<Item = &'a Tally> + Clone) -> (Box<[f32; GRID]>, ScoreCounts) {
    let simulations: u32 = tallies.clone().map(|tally| tally.simulations.load(Relaxed)).sum();
    let share = 1.0 / simulations.max(1) as f32;
    let ownership =
        std::array::from_fn(|i| tallies.clone().map(|tally| tally.owned[i].load(Relaxed)).sum::<i32>() as f32 * share);
    let counts = (0..=2 * MAX_POINTS)
        .map(|i| (i as i32 - MAX_POINTS as i32, tallies.clone().map(|tally| tally.scores[i].load(Relaxed)).sum()))
        .filter(|&(_, count)| count > 0)
        .collect();
    (Box::new(ownership), ScoreCounts::new(counts))
}
