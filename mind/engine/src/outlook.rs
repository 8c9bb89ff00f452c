//! A report as people read it: under the real komi.

use jigo_board::{Color, WinRate};
use jigo_search::{MoveReport, SearchReport};

use crate::mistake::points_lost;

/// Views of a [`SearchReport`].
#[derive(Clone, Copy)]
pub struct Outlook<'a>(pub &'a SearchReport);

/// Points on each half of a komi curve.
const CURVE_STEPS: i32 = 20;

impl Outlook<'_> {
    /// Whatever komi the search imagined.
    pub fn win_rate(&self) -> WinRate {
        let report = self.0;
        let told = report.win_rate;
        if report.extra_komi == 0.0 { told } else { report.win_rate_at(report.komi).unwrap_or(told) }
    }

    pub fn win_rate_after(&self, seen: &MoveReport) -> WinRate {
        self.under_real_komi(seen.win_rate)
    }

    /// A win rate carried over from the komi the search imagined to the real one. The search knows it for the position itself;
    /// its moves are taken to gain or lose as much, in log-odds.
    pub fn under_real_komi(&self, win_rate: WinRate) -> WinRate {
        let (report, mover) = (self.0, self.0.to_move);
        if report.extra_komi == 0.0 {
            return win_rate;
        }
        let log_odds = |rate: WinRate| rate.log_odds_of(mover);
        let carried = log_odds(win_rate) + log_odds(self.win_rate()) - log_odds(report.win_rate);
        WinRate::of_log_odds(mover, carried)
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
        self.0.best().map_or(0.0, |best| points_lost(self.0.to_move, best.black_score, seen.black_score))
    }

    /// Black's chance for every komi in which there is something to win or lose, komi rising.
    pub fn komi_curve(&self) -> Vec<(f32, f32)> {
        let Some(centre) = self.0.fair_komi() else { return Vec::new() };
        let step = (self.0.black_score_stdev() * 3.0 / CURVE_STEPS as f32).round().max(1.0);
        let at = |steps: i32| centre.floor() + 0.5 + steps as f32 * step;
        let point = |komi: f32| Some((komi, self.0.win_rate_at(komi)?.share_of(Color::Black)));
        (-CURVE_STEPS..=CURVE_STEPS).filter_map(|steps| point(at(steps))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Game, Rules};
    use jigo_search::{Limits, Parameters, SearchRequest, Searcher, TreeSearcher};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn chances_are_carried_over_to_the_real_komi() {
        let game = Game::new(5, Rules::default());
        let limits = Limits { playouts: Some(200), visits: None, time: None };
        let stop = AtomicBool::new(false);
        let request = SearchRequest::new(&game, Color::White, limits, &stop);
        let mut report = TreeSearcher::new(Parameters::default(), None, 1, 1).search(&request, None);
        let carried = |report: &SearchReport, imagined: f32| {
            let imagined = WinRate::of(Color::White, imagined);
            Outlook(report).under_real_komi(imagined).share_of(Color::White)
        };
        (report.extra_komi, report.win_rate) = (0.0, WinRate::of(Color::White, 0.7));
        assert_eq!(carried(&report, 0.6), 0.6, "nothing was imagined");
        report.extra_komi = 10.0;
        let real = Outlook(&report).win_rate().share_of(Color::White);
        assert!((carried(&report, 0.7) - real).abs() < 1e-3, "the position itself");
        let carried = [0.0, 0.3, 0.7, 0.9, 1.0].map(|imagined| carried(&report, imagined));
        assert!(carried.is_sorted() && carried.iter().all(|share| (0.0..=1.0).contains(share)), "{carried:?}");
    }
}
