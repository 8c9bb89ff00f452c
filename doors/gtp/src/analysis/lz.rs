//! A report as Leela Zero writes it: whole numbers, win rates in 10000 parts.

use super::{AnalyzeArguments, View};

pub fn render(view: &View<'_>, arguments: &AnalyzeArguments) -> String {
    let moves = view.moves(arguments.min_moves, arguments.max_moves).enumerate();
    let segments = moves.map(|(order, told)| {
        format!(
            "info move {} visits {} winrate {} prior {} lcb {} order {order} pv {}",
            view.vertex(told.mv),
            told.visits,
            parts(view.win_rate_after(told)),
            parts(told.policy),
            parts(view.win_rate_lcb_after(told)),
            view.vertices(&told.variation),
        )
    });
    segments.collect::<Vec<_>>().join(" ")
}

fn parts(share: f32) -> i32 {
    (share.clamp(0.0, 1.0) * 10_000.0).round() as i32
}
