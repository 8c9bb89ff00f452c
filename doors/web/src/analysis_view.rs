//! A report of the search as an `analysis` message.

use jigo_board::{Board, Color, Point};
use jigo_engine::{MoveReport, Outlook, SearchReport};

use crate::messages::{CandidateView, Found, KomiCurve};
use crate::table::worth;

/// More moves than these nobody looks at.
const MOST_MOVES: usize = 12;

pub fn found(board: &Board, report: &SearchReport, until: u32, is_running: bool) -> Found {
    let size = board.size();
    let outlook = Outlook(report);
    let candidate = |seen: &MoveReport| CandidateView {
        mv: seen.mv.vertex(size),
        visits: seen.visits,
        black_win: rounded(outlook.win_rate_after(seen).share_of(Color::Black)),
        black_lead: rounded(outlook.black_lead_after(seen)),
        lost: rounded(outlook.points_behind_best(seen)),
        policy: rounded(seen.policy),
        criticality: rounded(seen.criticality),
        pv: seen.variation.iter().map(|mv| mv.vertex(size)).collect(),
    };
    let of_point = |value: &dyn Fn(&MoveReport) -> f32| {
        let mut values = vec![0.0; board.area()];
        for seen in &report.moves {
            if let Some(point) = seen.mv.point() {
                values[place(point, size)] = rounded(value(seen));
            }
        }
        values
    };
    let (black_win, black_lead) = worth(report);
    Found {
        to_move: report.to_move.into(),
        visits: report.visits,
        until,
        seconds: rounded(report.elapsed.as_secs_f32()),
        is_running,
        black_win: rounded(black_win),
        black_lead: rounded(black_lead),
        lead_stdev: rounded(report.black_score_stdev()),
        moves: report.moves.iter().filter(|seen| seen.visits > 0).take(MOST_MOVES).map(candidate).collect(),
        ownership: board.points().map(|point| rounded(report.ownership(point))).collect(),
        policy: of_point(&|seen| seen.policy),
        criticality: of_point(&|seen| seen.criticality),
        komi: KomiCurve {
            real: report.komi,
            extra: report.extra_komi,
            even: report.fair_komi(),
            curve: outlook.komi_curve().into_iter().map(|(komi, black_win)| (komi, rounded(black_win))).collect(),
        },
    }
}

fn place(point: Point, size: usize) -> usize {
    point.row() * size + point.col()
}

/// Three digits are all that is seen, and a third of the bytes.
fn rounded(number: f32) -> f32 {
    (number * 1000.0).round() / 1000.0
}
