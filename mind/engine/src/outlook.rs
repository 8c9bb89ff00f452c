//! A report as people read it: one perspective, Black's, and the real komi.

use jigo_board::{Color, Score};
use jigo_search::{MoveReport, SearchReport};

/// Views of a [`SearchReport`].
#[derive(Clone, Copy)]
pub struct Outlook<'a>(pub &'a SearchReport);

/// Points on each half of a komi curve.
const CURVE_STEPS: i32 = 20;

impl Outlook<'_> {
    /// Black's chance to win under the real komi, whatever komi the search imagined.
    pub fn black_win_rate(&self) -> f32 {
        let report = self.0;
        let told = black_share(report.to_move, report.win_rate);
        if report.extra_komi == 0.0 { told } else { report.black_win_rate_at(report.komi).unwrap_or(told) }
    }

    /// Black's chance after a move, as far as the search knows it: under the komi it imagined.
    pub fn black_win_rate_after(&self, seen: &MoveReport) -> f32 {
        black_share(self.0.to_move, seen.win_rate)
    }

    /// Black's lead with komi counted.
    pub fn black_lead(&self) -> f32 {
        self.0.black_score - self.0.komi
    }

    pub fn black_lead_after(&self, seen: &MoveReport) -> f32 {
        seen.black_score - self.0.komi
    }

    /// Points a move is worse than the best one, for the player to move; never below zero.
    pub fn points_behind_best(&self, seen: &MoveReport) -> f32 {
        let lead = |black_score| Score::black_lead(black_score).lead_of(self.0.to_move);
        self.0.best().map_or(0.0, |best| (lead(best.black_score) - lead(seen.black_score)).max(0.0))
    }

    /// Black's chance for every komi in which there is something to win or lose, komi rising.
    pub fn komi_curve(&self) -> Vec<(f32, f32)> {
        let Some(centre) = self.0.fair_komi() else { return Vec::new() };
        let step = (self.0.black_score_stdev() * 3.0 / CURVE_STEPS as f32).round().max(1.0);
        let at = |steps: i32| centre.floor() + 0.5 + steps as f32 * step;
        let point = |komi: f32| Some((komi, self.0.black_win_rate_at(komi)?));
        (-CURVE_STEPS..=CURVE_STEPS).filter_map(|steps| point(at(steps))).collect()
    }
}

/// A share of `side`, as Black sees it.
fn black_share(side: Color, share: f32) -> f32 {
    match side {
        Color::Black => share,
        Color::White => 1.0 - share,
    }
}
