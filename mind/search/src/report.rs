//! What a search found out: plain data, the only thing that leaves this room.

use std::time::Duration;

use jigo_board::{Color, GRID, Move, Point};

/// One move that was looked at.
#[derive(Clone, Debug)]
pub struct MoveReport {
    pub mv: Move,
    pub visits: u32,
    /// For the player to move, under the imagined komi.
    pub win_rate: f32,
    /// Black's mean lead at the end of simulations, komi not counted.
    pub black_score: f32,
    /// Share of trust before any simulation.
    pub policy: f32,
    pub amaf_win_rate: Option<f32>,
    /// How much owning the point decides the game (001 sec 4.3).
    pub criticality: f32,
    /// The expected continuation, this move first.
    pub variation: Vec<Move>,
}

#[derive(Clone, Debug)]
pub struct SearchReport {
    pub to_move: Color,
    /// Simulations of this search.
    pub playouts: u64,
    /// Simulations in the tree, kept ones included.
    pub visits: u32,
    pub elapsed: Duration,
    /// For the player to move, under the imagined komi.
    pub win_rate: f32,
    /// Black's mean lead at the end of simulations, komi not counted.
    pub black_score: f32,
    /// Points added to the real komi, as Black sees it: the program's bound on the score.
    pub extra_komi: f32,
    pub komi: f32,
    /// Most visited first.
    pub moves: Vec<MoveReport>,
    ownership: Box<[f32; GRID]>,
    /// How many simulations ended with each score.
    scores: ScoreCounts,
    /// Nodes in the tree.
    pub nodes: usize,
}

impl SearchReport {
    pub(crate) fn new(to_move: Color, komi: f32) -> SearchReport {
        SearchReport {
            to_move,
            playouts: 0,
            visits: 0,
            elapsed: Duration::ZERO,
            win_rate: 0.5,
            black_score: 0.0,
            extra_komi: 0.0,
            komi,
            moves: Vec::new(),
            ownership: Box::new([0.0; GRID]),
            scores: ScoreCounts::default(),
            nodes: 0,
        }
    }

    pub(crate) fn set_tallies(&mut self, ownership: Box<[f32; GRID]>, scores: ScoreCounts) {
        self.ownership = ownership;
        self.scores = scores;
    }

    /// The most simulated move (001 footnote 14).
    pub fn best(&self) -> Option<&MoveReport> {
        self.moves.first()
    }

    /// From -1 (White's at the end of every simulation) to 1 (Black's).
    pub fn ownership(&self, point: Point) -> f32 {
        self.ownership[point.index()]
    }

    /// Black's share of simulations won if komi were this.
    pub fn black_win_rate_at(&self, komi: f32) -> Option<f32> {
        self.scores.share_above(komi)
    }
}

/// A histogram of final scores.
#[derive(Clone, Debug, Default)]
pub struct ScoreCounts {
    /// Score and how often, lowest score first.
    counts: Vec<(i32, u32)>,
}

impl ScoreCounts {
    pub(crate) fn new(counts: Vec<(i32, u32)>) -> ScoreCounts {
        ScoreCounts { counts }
    }

    /// The share of simulations in which Black's score is above komi; ties count half.
    fn share_above(&self, komi: f32) -> Option<f32> {
        let total: u32 = self.counts.iter().map(|&(_, n)| n).sum();
        let share = |&(score, n): &(i32, u32)| match (score as f32 - komi).total_cmp(&0.0) {
            std::cmp::Ordering::Greater => n as f32,
            std::cmp::Ordering::Equal => n as f32 / 2.0,
            std::cmp::Ordering::Less => 0.0,
        };
        (total > 0).then(|| self.counts.iter().map(share).sum::<f32>() / total as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_win_rate_falls_as_komi_rises() {
        let scores = ScoreCounts::new(vec![(-5, 1), (3, 2), (7, 1)]);
        let at = |komi| scores.share_above(komi).unwrap();
        assert_eq!([at(-10.0), at(0.5), at(3.0), at(5.5), at(7.5)], [1.0, 0.75, 0.5, 0.25, 0.0]);
        assert_eq!(ScoreCounts::default().share_above(0.0), None);
    }
}
