//! What one thread saw at the end of its simulations: owners and scores. Only its thread writes, anybody may read.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use jigo_board::{Board, GRID, MAX_POINTS, Move, Point};
use jigo_net::Evaluation;
use jigo_playout::Outcome;

use crate::report::{OwnershipEstimate, ScoreCounts};
use crate::score_tally::{ScoreSummary, ScoreTally};

/// Shares are added up in these units.
const UNIT: f32 = 256.0;

pub struct Tally {
    simulations: AtomicU64,
    /// Black's scores at the end of playouts, added up in half points.
    played: AtomicI64,
    /// Black's territory by the net's ownership, likewise, and how many leaves that sums up.
    board: AtomicI64,
    boards: AtomicU64,
    owned: Ownership,
    /// How often simulations ended with each score.
    scores: [AtomicU64; 2 * MAX_POINTS + 1],
    all_scores: ScoreTally,
    /// Scores after each move at the root, by grid index; a pass is 0.
    after: [MoveTally; GRID],
}

/// The owners of all points: the sum and the sum of squares.
struct Ownership {
    sum: [AtomicI64; GRID],
    squares: [AtomicI64; GRID],
}

#[derive(Default)]
struct MoveTally {
    simulations: AtomicU64,
    scores: ScoreTally,
    /// Made when somebody asks for the owners after every move.
    owned: OnceLock<Box<Ownership>>,
}

/// Only one thread writes, so a plain load and store is enough.
fn add(sum: &AtomicI64, amount: i64) {
    sum.store(sum.load(Relaxed) + amount, Relaxed);
}

fn count(sum: &AtomicU64, amount: u64) {
    sum.store(sum.load(Relaxed) + amount, Relaxed);
}

impl Ownership {
    fn new() -> Ownership {
        Ownership {
            sum: std::array::from_fn(|_| AtomicI64::new(0)),
            squares: std::array::from_fn(|_| AtomicI64::new(0)),
        }
    }

    fn clear(&self) {
        self.sum.iter().chain(&self.squares).for_each(|sum| sum.store(0, Relaxed));
    }

    fn add(&self, point: Point, black: f32) {
        add(&self.sum[point.index()], (black * UNIT) as i64);
        add(&self.squares[point.index()], (black * black * UNIT) as i64);
    }
}

/// The end of one simulation, as the playout and perhaps the net see it.
pub struct Ending<'a> {
    /// The position in which the playout ended.
    pub board: &'a Board,
    pub outcome: &'a Outcome,
    /// What the net thinks of the leaf, how much that counts, and a score drawn from its opinion.
    pub net: Option<(&'a Evaluation, f32, Option<f32>)>,
    /// The move at the root that led here.
    pub first: Option<Move>,
}

impl Ending<'_> {
    fn black_owns(&self, point: Point) -> f32 {
        let played = self.outcome.owner(point) as i8 as f32;
        match self.net.and_then(|(net, share, _)| Some((net.black_ownership(point)?, share))) {
            Some((expected, share)) => (1.0 - share) * played + share * expected,
            None => played,
        }
    }

    /// Black's score for the mean: the playout's, and the net's expectation by its share.
    pub fn black_score(&self) -> f32 {
        let played = self.outcome.black_score;
        match self.net.and_then(|(net, share, _)| Some((net.value.black_score()?, share))) {
            Some((expected, share)) => (1.0 - share) * played + share * expected,
            None => played,
        }
    }
}

impl Tally {
    pub fn new() -> Tally {
        Tally {
            simulations: AtomicU64::new(0),
            played: AtomicI64::new(0),
            board: AtomicI64::new(0),
            boards: AtomicU64::new(0),
            owned: Ownership::new(),
            scores: std::array::from_fn(|_| AtomicU64::new(0)),
            all_scores: ScoreTally::default(),
            after: std::array::from_fn(|_| MoveTally::default()),
        }
    }

    pub fn clear(&self) {
        self.simulations.store(0, Relaxed);
        self.played.store(0, Relaxed);
        self.board.store(0, Relaxed);
        self.boards.store(0, Relaxed);
        self.owned.clear();
        self.scores.iter().for_each(|count| count.store(0, Relaxed));
        self.all_scores.clear();
        for after in &self.after {
            after.simulations.store(0, Relaxed);
            after.scores.clear();
            if let Some(owned) = after.owned.get() {
                owned.clear();
            }
        }
    }

    /// `by_move`: also remember the owners for every move at the root.
    pub fn add(&self, ending: &Ending<'_>, by_move: bool) {
        count(&self.simulations, 1);
        add(&self.played, (ending.outcome.black_score * 2.0) as i64);
        if let Some(territory) = ending.net.and_then(|(net, ..)| net.black_territory()) {
            add(&self.board, (territory * 2.0) as i64);
            count(&self.boards, 1);
        }
        self.add_score(ending);
        let expected = ending.net.and_then(|(net, ..)| net.value.black_score());
        self.all_scores.add(ending.outcome.black_score, expected);
        let after = ending.first.map(|mv| &self.after[mv.point().map_or(0, |point| point.index())]);
        if let Some(after) = after {
            count(&after.simulations, 1);
            after.scores.add(ending.outcome.black_score, expected);
        }
        let owned_after = after.filter(|_| by_move).map(|after| after.owned.get_or_init(|| Box::new(Ownership::new())));
        for point in ending.board.points() {
            let black = ending.black_owns(point);
            self.owned.add(point, black);
            if let Some(owned) = owned_after {
                owned.add(point, black);
            }
        }
    }

    fn add_score(&self, ending: &Ending<'_>) {
        let slot = |score: f32| {
            let reach = MAX_POINTS as f32;
            &self.scores[(score.round().clamp(-reach, reach) + reach) as usize]
        };
        // One score drawn from the net's distribution for each playout: together they follow the mixed opinion.
        let drawn = ending.net.and_then(|(_, share, drawn)| Some((drawn?, share)));
        let net_share = drawn.map_or(0.0, |(_, share)| share);
        count(slot(ending.outcome.black_score), ((1.0 - net_share) * UNIT) as u64);
        if let Some((score, share)) = drawn {
            count(slot(score), (share * UNIT) as u64);
        }
    }
}

/// All threads together: who owns the points.
pub fn ownership<'a>(tallies: impl Iterator<Item = &'a Tally> + Clone) -> OwnershipEstimate {
    let simulations = tallies.clone().map(|tally| tally.simulations.load(Relaxed)).sum();
    estimate(tallies.map(|tally| &tally.owned), simulations)
}

/// The same after a move at the root, if that was asked for and the move was simulated.
pub fn ownership_after<'a>(
    tallies: impl Iterator<Item = &'a Tally> + Clone,
    mv: Move,
) -> Option<Box<OwnershipEstimate>> {
    let after = tallies.map(|tally| &tally.after[mv.point().map_or(0, |point| point.index())]);
    let simulations = after.clone().map(|after| after.simulations.load(Relaxed)).sum::<u64>();
    let owned = after.filter_map(|after| after.owned.get().map(|owned| &**owned));
    (simulations > 0 && owned.clone().next().is_some()).then(|| Box::new(estimate(owned, simulations)))
}

fn estimate<'a>(owned: impl Iterator<Item = &'a Ownership> + Clone, simulations: u64) -> OwnershipEstimate {
    let share = 1.0 / (simulations.max(1) as f32 * UNIT);
    let mean: [f32; GRID] =
        std::array::from_fn(|i| owned.clone().map(|owned| owned.sum[i].load(Relaxed)).sum::<i64>() as f32 * share);
    let stdev = std::array::from_fn(|i| {
        let squares = owned.clone().map(|owned| owned.squares[i].load(Relaxed)).sum::<i64>() as f32 * share;
        (squares - mean[i] * mean[i]).max(0.0).sqrt()
    });
    OwnershipEstimate { mean, stdev }
}

/// How often simulations ended with each score.
pub fn scores<'a>(tallies: impl Iterator<Item = &'a Tally> + Clone) -> ScoreCounts {
    let counts = (0..=2 * MAX_POINTS)
        .map(|i| (i as i32 - MAX_POINTS as i32, tallies.clone().map(|tally| tally.scores[i].load(Relaxed)).sum()))
        .filter(|&(_, count)| count > 0)
        .collect();
    ScoreCounts::new(counts)
}

/// Sums over the simulations so far, for dynamic komi.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    played: (f64, u64),
    board: (f64, u64),
}

impl Totals {
    pub fn of<'a>(tallies: impl Iterator<Item = &'a Tally>) -> Totals {
        let mut totals = Totals::default();
        for tally in tallies {
            totals.played.0 += tally.played.load(Relaxed) as f64 / 2.0;
            totals.played.1 += tally.simulations.load(Relaxed);
            totals.board.0 += tally.board.load(Relaxed) as f64 / 2.0;
            totals.board.1 += tally.boards.load(Relaxed);
        }
        totals
    }

    /// Black's mean score in the playouts since `earlier`.
    pub fn played_since(&self, earlier: &Totals) -> Option<f32> {
        mean_since(self.played, earlier.played)
    }

    /// Black's mean territory in the net's eyes since `earlier`.
    pub fn board_since(&self, earlier: &Totals) -> Option<f32> {
        mean_since(self.board, earlier.board)
    }
}

fn mean_since((sum, count): (f64, u64), (old_sum, old_count): (f64, u64)) -> Option<f32> {
    (count > old_count).then(|| ((sum - old_sum) / (count - old_count) as f64) as f32)
}

/// Black's scores in all simulations.
pub fn score_summary<'a>(tallies: impl Iterator<Item = &'a Tally>) -> ScoreSummary {
    ScoreSummary::of(tallies.map(|tally| &tally.all_scores))
}

/// Black's scores after a move at the root.
pub fn score_summary_after<'a>(tallies: impl Iterator<Item = &'a Tally>, mv: Move) -> ScoreSummary {
    ScoreSummary::of(tallies.map(|tally| &tally.after[mv.point().map_or(0, |point| point.index())].scores))
}
