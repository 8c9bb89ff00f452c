//! What a search found out: plain data, the only thing that leaves this room.

use std::time::Duration;

use jigo_board::{Color, GRID, Move, Point, WinRate};
use jigo_net::Evaluation;

use crate::telling::sharper;

/// One move that was looked at.
#[derive(Clone, Debug)]
pub struct MoveReport {
    pub mv: Move,
    /// The move that was searched in its place, where the position looks the same from both sides.
    pub image_of: Option<Move>,
    pub visits: u32,
    /// Under the imagined komi.
    pub win_rate: WinRate,
    /// For the player to move it is hardly below this, as far as chance goes.
    pub win_rate_lcb: WinRate,
    /// Black's lead, komi not counted: what the net expects, or how playouts ended where no net says so.
    pub black_score: f32,
    /// How far the scores of simulations spread around it.
    pub black_score_stdev: f32,
    /// Share of trust before any simulation.
    pub policy: f32,
    pub amaf_win_rate: Option<WinRate>,
    /// How much owning the point decides the game (Pachi 4.3).
    pub criticality: f32,
    /// The expected continuation, this move first.
    pub variation: Vec<Move>,
    /// How often each move of the variation was simulated there.
    pub variation_visits: Vec<u32>,
    pub(crate) ownership: Option<Box<OwnershipEstimate>>,
}

impl MoveReport {
    /// A move of which nothing is known but how often it was looked at, and what share of that its player won.
    pub fn new(mv: Move, visits: u32, mover: Color, share: f32) -> MoveReport {
        MoveReport {
            mv,
            image_of: None,
            visits,
            win_rate: WinRate::of(mover, share),
            win_rate_lcb: WinRate::of(mover, 0.0),
            black_score: 0.0,
            black_score_stdev: 0.0,
            policy: 0.0,
            amaf_win_rate: None,
            criticality: 0.0,
            variation: vec![mv],
            variation_visits: vec![visits],
            ownership: None,
        }
    }

    /// From -1 (White's) to 1 (Black's) after this move, if the request asked for it and the move was simulated.
    pub fn ownership(&self, point: Point) -> Option<f32> {
        self.ownership.as_ref().map(|estimate| estimate.mean[point.index()])
    }

    /// How much simulations disagree about it.
    pub fn ownership_stdev(&self, point: Point) -> Option<f32> {
        self.ownership.as_ref().map(|estimate| estimate.stdev[point.index()])
    }
}

/// Who owns the points at the end of simulations, as Black sees it, and how much simulations disagree.
#[derive(Clone, Debug)]
pub(crate) struct OwnershipEstimate {
    pub mean: [f32; GRID],
    pub stdev: [f32; GRID],
}

impl Default for OwnershipEstimate {
    fn default() -> OwnershipEstimate {
        OwnershipEstimate { mean: [0.0; GRID], stdev: [0.0; GRID] }
    }
}

#[derive(Clone, Debug)]
pub struct SearchReport {
    pub to_move: Color,
    /// Simulations of this search.
    pub playouts: u64,
    /// Simulations in the tree, kept ones included.
    pub visits: u32,
    pub elapsed: Duration,
    /// Under the imagined komi.
    pub win_rate: WinRate,
    /// Black's lead, komi not counted: what the net expects, or how playouts ended where no net says so.
    pub black_score: f32,
    /// Points added to the real komi, as Black sees it: the program's bound on the score.
    pub extra_komi: f32,
    pub komi: f32,
    /// Most visited first.
    pub moves: Vec<MoveReport>,
    pub(crate) ownership: Box<OwnershipEstimate>,
    /// How many simulations ended with each score.
    pub(crate) scores: ScoreCounts,
    pub(crate) raw_net: Option<Evaluation>,
    /// Points by which everything is told to be better for Black than simulations say, how many times surer, and how many times as
    /// far scores are told to spread.
    pub(crate) shifted: f32,
    pub(crate) sharpness: f32,
    pub(crate) width: f32,
    /// Nodes in the tree.
    pub nodes: usize,
}

impl SearchReport {
    /// Nothing found yet.
    pub fn new(to_move: Color, komi: f32) -> SearchReport {
        SearchReport {
            to_move,
            playouts: 0,
            visits: 0,
            elapsed: Duration::ZERO,
            win_rate: WinRate::EVEN,
            black_score: 0.0,
            extra_komi: 0.0,
            komi,
            moves: Vec::new(),
            ownership: Box::default(),
            scores: ScoreCounts::default(),
            raw_net: None,
            shifted: 0.0,
            sharpness: 1.0,
            width: 1.0,
            nodes: 0,
        }
    }

    /// The most simulated move (Pachi footnote 14).
    pub fn best(&self) -> Option<&MoveReport> {
        self.moves.first()
    }

    /// From -1 (White's at the end of every simulation) to 1 (Black's).
    pub fn ownership(&self, point: Point) -> f32 {
        self.ownership.mean[point.index()]
    }

    /// How much simulations disagree about it.
    pub fn ownership_stdev(&self, point: Point) -> f32 {
        self.ownership.stdev[point.index()]
    }

    /// How far the scores of simulations spread.
    pub fn black_score_stdev(&self) -> f32 {
        self.width * self.scores.spread()
    }

    /// The komi at which simulations say the game is even.
    pub fn fair_komi(&self) -> Option<f32> {
        self.scores.median().map(|median| median + self.shifted)
    }

    /// What the net alone thinks of the position, if there is one and the request asked for it.
    pub fn raw_net(&self) -> Option<&Evaluation> {
        self.raw_net.as_ref()
    }

    /// The share of simulations won if komi were this.
    pub fn win_rate_at(&self, komi: f32) -> Option<WinRate> {
        self.scores.win_rate_at(komi - self.shifted).map(|rate| sharper(rate, self.sharpness))
    }
}

/// A histogram of final scores; the counts are in any unit.
#[derive(Clone, Debug, Default)]
pub struct ScoreCounts {
    /// Score and how often, lowest score first.
    counts: Vec<(i32, u64)>,
}

impl ScoreCounts {
    pub(crate) fn new(counts: Vec<(i32, u64)>) -> ScoreCounts {
        ScoreCounts { counts }
    }

    /// Black wins the simulations in which the score is above komi; ties count half.
    pub(crate) fn win_rate_at(&self, komi: f32) -> Option<WinRate> {
        let total: u64 = self.counts.iter().map(|&(_, n)| n).sum();
        let share = |&(score, n): &(i32, u64)| match (score as f32 - komi).total_cmp(&0.0) {
            std::cmp::Ordering::Greater => n as f32,
            std::cmp::Ordering::Equal => n as f32 / 2.0,
            std::cmp::Ordering::Less => 0.0,
        };
        (total > 0).then(|| WinRate::black(self.counts.iter().map(share).sum::<f32>() / total as f32))
    }

    /// Half of what the middle two thirds span, which is a normal distribution's standard deviation. The few scores far out, where a
    /// living group dies, would make the standard deviation twice as wide as games turn out.
    fn spread(&self) -> f32 {
        match (self.quantile(0.159), self.quantile(0.841)) {
            (Some(low), Some(high)) => (high - low) / 2.0,
            _ => 0.0,
        }
    }

    /// This share of simulations ended below it; each count is spread over a point.
    fn quantile(&self, share: f64) -> Option<f32> {
        let wanted = share * self.counts.iter().map(|&(_, n)| n).sum::<u64>() as f64;
        let mut below = 0.0;
        let found = self.counts.iter().find(|&&(_, n)| {
            below += n as f64;
            below >= wanted
        });
        found.map(|&(score, n)| score as f32 + 0.5 - ((below - wanted) / n as f64) as f32)
    }

    fn median(&self) -> Option<f32> {
        let total: u64 = self.counts.iter().map(|&(_, n)| n).sum();
        let mut below = 0;
        let middle = self.counts.iter().find(|&&(_, n)| {
            below += n;
            below * 2 >= total
        });
        middle.map(|&(score, _)| score as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_win_rate_falls_as_komi_rises() {
        let scores = ScoreCounts::new(vec![(-5, 1), (3, 2), (7, 1)]);
        let at = |komi| scores.win_rate_at(komi).unwrap().share_of(Color::Black);
        assert_eq!([at(-10.0), at(0.5), at(3.0), at(5.5), at(7.5)], [1.0, 0.75, 0.5, 0.25, 0.0]);
        assert_eq!(ScoreCounts::default().win_rate_at(0.0), None);
    }

    #[test]
    fn scores_have_a_middle_and_a_spread() {
        let scores = ScoreCounts::new(vec![(-5, 1), (3, 2), (7, 1)]);
        assert_eq!(scores.median(), Some(3.0));
        assert_eq!((ScoreCounts::default().median(), ScoreCounts::default().spread()), (None, 0.0));
        // Normal with a standard deviation of 6, and a few games in which everything dies.
        let bell = (-40..=40).map(|score: i32| (score, (1e6 * (-(score * score) as f64 / 72.0).exp()) as u64));
        let bell = ScoreCounts::new([(-300, 100_000)].into_iter().chain(bell).collect());
        assert!((bell.spread() - 6.0).abs() < 0.1, "{}", bell.spread());
    }
}
