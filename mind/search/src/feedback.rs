//! What a slice of simulations said, for dynamic komi to learn from.

use std::sync::Arc;

use jigo_board::{Score, WinRate};

use crate::komi::{DynamicKomi, black_points};
use crate::shared::Shared;
use crate::tally::{self, Tally, Totals};

/// What the last slice of simulations said, the burden then in force included.
pub struct Feedback<'a> {
    pub our_win_rate: f32,
    /// Our mean lead in points: by the net if it tells, otherwise by playouts.
    pub our_lead: f32,
    /// Our mean lead at the end of playouts.
    pub rollouts_lead: f32,
    /// Our mean lead by the net's ownership; without a net that of the playouts.
    pub board_lead: f32,
    /// How often we would win under a burden, by playouts and the net's labels, if anything is known yet.
    pub win_rate_with: &'a dyn Fn(f32) -> Option<f32>,
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
        let lead = |black_score: f32| Score::black_lead(black_score - shared.komi_at(0)).lead_of(us);
        let mixed = ((later.black_score - self.black_score) / simulations) as f32;
        let rollouts = later.totals.played_since(&self.totals).unwrap_or(mixed);
        let scores = tally::scores(tallies.iter().map(|tally| &**tally));
        let win_rate_with = |burden: f32| {
            let komi = shared.real_komi + black_points(burden, us);
            Some(scores.win_rate_at(komi)?.share_of(us))
        };
        let opponents_share = ((later.opponent_wins - self.opponent_wins) / simulations) as f32;
        let feedback = Feedback {
            our_win_rate: WinRate::of(us.opponent(), opponents_share).share_of(us),
            our_lead: lead(mixed),
            rollouts_lead: lead(rollouts),
            board_lead: lead(later.totals.board_since(&self.totals).unwrap_or(rollouts)),
            win_rate_with: &win_rate_with,
        };
        komi.adjust(shared.parameters, &shared.situation, &feedback);
    }
}
