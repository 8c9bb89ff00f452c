//! A report told otherwise than the tree averages it: surer, wider or narrower, or with another lead. Every number of it changes alike, so that
//! they go on agreeing with each other and no move changes its place.

use jigo_board::{Color, WinRate};

use crate::report::SearchReport;

impl SearchReport {
    /// All win rates so many times as far from even, in log-odds.
    pub fn sharpen(&mut self, times: f32) {
        self.sharpness *= times;
        self.change_win_rates(|odds| odds * times);
    }

    /// Scores spread so many times as far.
    pub fn widen(&mut self, times: f32) {
        self.width *= times;
        self.moves.iter_mut().for_each(|seen| seen.black_score_stdev *= times);
    }

    /// All leads by so many points more for Black, and the win rates that go with them by the spread of the scores.
    pub fn shift(&mut self, points: f32) {
        let komi = self.komi + self.extra_komi;
        let at = |komi| self.win_rate_at(komi).map_or(0.0, |rate| rate.log_odds_of(Color::Black));
        let gained = at(komi - points) - at(komi);
        self.black_score += points;
        self.shifted += points;
        self.moves.iter_mut().for_each(|seen| seen.black_score += points);
        self.change_win_rates(|odds| odds + gained);
    }

    /// `change` is given Black's log-odds.
    fn change_win_rates(&mut self, change: impl Fn(f32) -> f32) {
        let changed = |rate: WinRate| WinRate::of_log_odds(Color::Black, change(rate.log_odds_of(Color::Black)));
        self.win_rate = changed(self.win_rate);
        for seen in &mut self.moves {
            seen.win_rate = changed(seen.win_rate);
            seen.win_rate_lcb = changed(seen.win_rate_lcb);
        }
    }
}

/// So many times as far from even, in log-odds; one that is not changed keeps its last digit.
pub(crate) fn sharper(rate: WinRate, times: f32) -> WinRate {
    let side = Color::Black;
    if times == 1.0 { rate } else { WinRate::of_log_odds(side, times * rate.log_odds_of(side)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{MoveReport, ScoreCounts};
    use jigo_board::Move;

    fn report() -> SearchReport {
        let mut report = SearchReport::new(Color::White, 7.0);
        report.win_rate = WinRate::of(Color::White, 0.6);
        report.black_score = 6.0;
        report.scores =
            ScoreCounts::new((-10..=10).map(|off: i32| (6 + off, 11 - u64::from(off.unsigned_abs()))).collect());
        report.moves = vec![MoveReport::new(Move::Pass, 3, Color::White, 0.6)];
        report
    }

    #[test]
    fn surer_win_rates_keep_their_side_and_agree() {
        let mut told = report();
        told.sharpen(2.0);
        let white = told.win_rate.share_of(Color::White);
        assert!((white - 0.36 / (0.36 + 0.16)).abs() < 1e-4, "{white}");
        assert_eq!(told.moves[0].win_rate.share_of(Color::White), white);
        let even = told.win_rate_at(6.0).unwrap().share_of(Color::Black);
        assert!((even - 0.5).abs() < 1e-4, "what is even stays even: {even}");
        let (before, after) = (report().win_rate_at(9.0).unwrap(), told.win_rate_at(9.0).unwrap());
        assert!(after.share_of(Color::Black) < before.share_of(Color::Black));
    }

    #[test]
    fn a_narrower_spread_is_that_of_the_moves_too() {
        let mut told = report();
        told.moves[0].black_score_stdev = told.black_score_stdev();
        told.widen(0.5);
        assert_eq!(told.black_score_stdev(), report().black_score_stdev() / 2.0);
        assert_eq!(told.moves[0].black_score_stdev, told.black_score_stdev());
        assert_eq!((told.black_score, told.win_rate), (report().black_score, report().win_rate));
    }

    #[test]
    fn another_lead_has_another_win_rate() {
        let mut told = report();
        told.shift(2.0);
        assert_eq!((told.black_score, told.moves[0].black_score), (8.0, 2.0));
        // A point behind before, a point ahead now.
        assert!(told.win_rate.share_of(Color::Black) > 0.5);
        assert_eq!(told.win_rate_at(8.0).unwrap().share_of(Color::Black), 0.5);
        assert_eq!(told.fair_komi(), Some(8.0));
    }
}
