//! A report as the player to move sees it.

use jigo_board::{Color, Move, Point, Score, WinRate};
use jigo_engine::{MoveReport, Outlook, SearchReport};

/// Every dialect writes numbers for the player to move; here the sides are turned, and nowhere else.
pub struct View<'a> {
    pub report: &'a SearchReport,
    size: usize,
}

impl<'a> View<'a> {
    pub fn new(report: &'a SearchReport, size: usize) -> View<'a> {
        View { report, size }
    }

    /// The moves worth telling: those that were looked at, filled up to at least `least` with others, the best first.
    /// One is always told, if there is one.
    pub fn moves(&self, least: usize, most: usize) -> impl Iterator<Item = &'a MoveReport> + use<'a> {
        let report = self.report;
        let (mut told, others): (Vec<_>, Vec<_>) =
            report.moves.iter().partition(|told| told.visits > 0 && !is_fluke(told, report));
        let count = told.len().max(least).min(most).max(1);
        told.extend(others);
        told.into_iter().take(count)
    }

    /// The mover's chances, under the real komi as all that follows.
    pub fn win_rate(&self) -> f32 {
        self.movers(self.report.win_rate)
    }

    pub fn win_rate_after(&self, told: &MoveReport) -> f32 {
        self.movers(told.win_rate)
    }

    /// What the chances are hardly below.
    pub fn win_rate_lcb_after(&self, told: &MoveReport) -> f32 {
        self.movers(told.win_rate_lcb)
    }

    fn movers(&self, win_rate: WinRate) -> f32 {
        Outlook(self.report).under_real_komi(win_rate).share_of(self.report.to_move)
    }

    /// The mover's lead on the board, komi counted.
    pub fn lead(&self) -> f32 {
        self.lead_at(self.report.black_score)
    }

    pub fn lead_after(&self, told: &MoveReport) -> f32 {
        self.lead_at(told.black_score)
    }

    /// The expected result in tenths of points, as `B+3.5`.
    pub fn score(&self) -> Score {
        Score::black_lead(((self.report.black_score - self.report.komi) * 10.0).round() / 10.0)
    }

    fn lead_at(&self, black_score: f32) -> f32 {
        Score::black_lead(black_score - self.report.komi).lead_of(self.report.to_move)
    }

    fn mine(&self, black_ownership: f32) -> f32 {
        ownership_of(self.report.to_move, black_ownership)
    }

    pub fn ownership(&self) -> impl Iterator<Item = f32> + '_ {
        self.points().map(|point| self.mine(self.report.ownership(point)))
    }

    pub fn ownership_stdev(&self) -> impl Iterator<Item = f32> + '_ {
        self.points().map(|point| self.report.ownership_stdev(point))
    }

    /// Who owns what after a move; as in the position itself where the search did not look.
    pub fn ownership_after<'b>(&'b self, told: &'b MoveReport) -> impl Iterator<Item = f32> + 'b {
        self.points().map(move |point| self.mine(told.ownership(point).unwrap_or_else(|| self.report.ownership(point))))
    }

    pub fn ownership_stdev_after<'b>(&'b self, told: &'b MoveReport) -> impl Iterator<Item = f32> + 'b {
        self.points()
            .map(move |point| told.ownership_stdev(point).unwrap_or_else(|| self.report.ownership_stdev(point)))
    }

    fn points(&self) -> impl Iterator<Item = Point> + use<'a> {
        View::points_of(self.size)
    }

    /// All points, row by row from A19 (or what is the upper left corner) on.
    pub fn points_of(size: usize) -> impl Iterator<Item = Point> {
        (0..size * size).map(move |at| Point::new(at % size, at / size))
    }

    pub fn vertex(&self, mv: Move) -> String {
        mv.vertex(self.size)
    }

    pub fn vertices(&self, moves: &[Move]) -> String {
        moves.iter().map(|mv| self.vertex(*mv)).collect::<Vec<_>>().join(" ")
    }
}

/// A move that was hardly looked at and yet seems better than the best. Sabaki takes the largest win rate of all for that of the
/// position, so that one lucky simulation would decide what people see.
fn is_fluke(told: &MoveReport, report: &SearchReport) -> bool {
    let Some(best) = report.best() else { return false };
    let share = |told: &MoveReport| told.win_rate.share_of(report.to_move);
    told.visits < best.visits / HARDLY && share(told) > share(best)
}

/// One visit in so many of the best move's is hardly a look.
const HARDLY: u32 = 20;

/// What Black owns to some degree, as `color` sees it.
pub fn ownership_of(color: Color, black_ownership: f32) -> f32 {
    match color {
        Color::Black => black_ownership,
        Color::White => -black_ownership,
    }
}
