//! What one thread saw at the end of its simulations: owners and scores. Only its thread writes, anybody may read.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use jigo_board::{Board, GRID, MAX_POINTS, Move, Point, WinRate};
use jigo_net::Evaluation;
use jigo_playout::Outcome;

use crate::report::{OwnershipEstimate, ScoreCounts};

/// Shares are added up in these units.
const UNIT: f32 = 256.0;
/// Scores drawn evenly from what the net thinks possible.
const DRAWS: usize = 16;

pub struct Tally {
    simulations: AtomicU64,
    /// Black's scores at the end of playouts, added up in half points.
    played: AtomicI64,
    playouts: AtomicU64,
    /// Black's territory by the net's ownership, likewise, and how many leaves that sums up.
    board: AtomicI64,
    boards: AtomicU64,
    owned: Ownership,
    /// How often simulations ended with each score.
    scores: [AtomicU64; 2 * MAX_POINTS + 1],
    /// What came after each move at the root, by grid index; a pass is 0.
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

/// The end of one simulation, as the playout, the rules and perhaps the net see it.
pub struct Ending<'a> {
    /// The position in which the playout ended.
    pub board: &'a Board,
    /// How it ended, if it was played out or both passed.
    pub outcome: Option<&'a Outcome>,
    /// What the net thinks of the leaf.
    pub net: Option<&'a Evaluation>,
    /// How much that counts beside the outcome.
    pub net_share: f32,
    /// Points by which areas, which playouts and most nets speak of, exceed the score by the rules.
    pub area_surplus: f32,
    /// The move at the root that led here.
    pub first: Option<Move>,
}

impl Ending<'_> {
    /// What net and outcome say, each by its share; what only one of them says counts alone.
    fn mixed(&self, net: Option<f32>, outcome: Option<f32>) -> Option<f32> {
        match (net, outcome) {
            (Some(net), Some(outcome)) => Some(self.net_share * net + (1.0 - self.net_share) * outcome),
            (one, other) => one.or(other),
        }
    }

    fn black_owns(&self, point: Point) -> f32 {
        let expected = self.net.and_then(|net| net.black_ownership(point));
        let played = self.outcome.map(|outcome| outcome.owner(point) as i8 as f32);
        self.mixed(expected, played).unwrap_or(0.0)
    }

    /// The same for what the net says: one that is told the rules counts by them.
    fn net_surplus(&self) -> f32 {
        if self.net.is_some_and(Evaluation::counts_by_rules) { 0.0 } else { self.area_surplus }
    }

    /// Who wins. Where the net knows another komi than the game, `net_komi` is the difference.
    pub fn value(&self, komi: f32, net_komi: f32) -> WinRate {
        let expected = self.net.map(|net| net.value.black_win_rate(komi + self.net_surplus() + net_komi));
        let played = self.outcome.map(|outcome| outcome.black_value(komi + self.area_surplus));
        self.mixed(expected, played).map_or(WinRate::EVEN, WinRate::black)
    }

    /// Black's score by the rules: the net's expectation if it has one, else how the playout or the game ended. In an opening
    /// playouts spread by 60 points, and no share of that is worth hearing beside a net.
    pub fn black_score(&self) -> f32 {
        let expected = self.net.and_then(|net| Some(net.value.black_score()? - self.net_surplus()));
        expected.or(self.outcome.map(|outcome| outcome.black_score - self.area_surplus)).unwrap_or(0.0)
    }
}

impl Tally {
    pub fn new() -> Tally {
        Tally {
            simulations: AtomicU64::new(0),
            played: AtomicI64::new(0),
            playouts: AtomicU64::new(0),
            board: AtomicI64::new(0),
            boards: AtomicU64::new(0),
            owned: Ownership::new(),
            scores: std::array::from_fn(|_| AtomicU64::new(0)),
            after: std::array::from_fn(|_| MoveTally::default()),
        }
    }

    pub fn clear(&self) {
        self.simulations.store(0, Relaxed);
        self.played.store(0, Relaxed);
        self.playouts.store(0, Relaxed);
        self.board.store(0, Relaxed);
        self.boards.store(0, Relaxed);
        self.owned.clear();
        self.scores.iter().for_each(|count| count.store(0, Relaxed));
        for after in &self.after {
            after.simulations.store(0, Relaxed);
            if let Some(owned) = after.owned.get() {
                owned.clear();
            }
        }
    }

    /// `by_move`: also remember the owners for every move at the root.
    pub fn add(&self, ending: &Ending<'_>, by_move: bool) {
        count(&self.simulations, 1);
        if let Some(outcome) = ending.outcome {
            add(&self.played, ((outcome.black_score - ending.area_surplus) * 2.0) as i64);
            count(&self.playouts, 1);
        }
        if let Some(territory) = ending.net.and_then(|net| net.black_territory()) {
            add(&self.board, ((territory - ending.area_surplus) * 2.0) as i64);
            count(&self.boards, 1);
        }
        self.add_score(ending);
        let after = ending.first.map(|mv| &self.after[mv.point().map_or(0, |point| point.index())]);
        if let Some(after) = after {
            count(&after.simulations, 1);
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

    /// All that the net thinks possible, or else how the simulation ended.
    fn add_score(&self, ending: &Ending<'_>) {
        let slot = |score: f32| {
            let reach = MAX_POINTS as f32;
            &self.scores[(score.round().clamp(-reach, reach) + reach) as usize]
        };
        for draw in 0..DRAWS {
            let chance = (draw as f32 + 0.5) / DRAWS as f32;
            let drawn = ending.net.and_then(|net| Some(net.value.drawn_black_score(chance)? - ending.net_surplus()));
            let ended = ending.outcome.map(|outcome| outcome.black_score - ending.area_surplus);
            if let Some(score) = drawn.or(ended) {
                count(slot(score), 1);
            }
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
            totals.played.1 += tally.playouts.load(Relaxed);
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
