//! What people are told of a search. A tree averages over what both sides could do, good and bad, and so stays nearer to even than
//! what it has found out, and beside the count where nothing is left to play.

use jigo_board::{Color, Game};
use jigo_search::SearchReport;

use crate::judgement::Judgement;

/// In log-odds a searched win rate of our own net should be so many times as far from even, on boards of 9 and of 19 lines: 1,000
/// and 600 counted games, 100 visits (`jigo lab calibration`, docs/experiments/judgement.md).
const SURER: [(f32, f32); 2] = [(9.0, 2.16), (19.0, 1.5)];
/// With so many visits more than the first look, which is the net's own word, half of that.
const HALF_SURER: f32 = 6.0;
/// The spread of its scores should be so many times as wide, on the same boards: 323 and 142 counted games.
const WIDTH: [(f32, f32); 2] = [(9.0, 1.0), (19.0, 0.6)];

/// From what the tree says to what people are told. Playouts and nets that count by the rules mean what they say; a game with nothing
/// left to play is counted.
pub(crate) fn told(game: &Game, report: &SearchReport, seed: u64) -> SearchReport {
    let mut told = report.clone();
    let Some(look) = report.raw_net() else { return told };
    if !look.counts_by_rules() {
        let side = game.board().size();
        told.sharpen(times_surer(side, report.visits));
        told.widen(by_size(WIDTH, side));
    }
    if let Some(score) = Judgement::settled_score(game, report, seed) {
        let black_score = score.lead_of(Color::Black) + game.effective_komi();
        told.shift(black_score - report.black_score);
    }
    told
}

fn times_surer(side: usize, visits: u32) -> f32 {
    let beyond_first_look = visits.saturating_sub(1) as f32;
    1.0 + (by_size(SURER, side) - 1.0) * beyond_first_look / (beyond_first_look + HALF_SURER)
}

/// What was measured on two boards, and for the sizes between them what lies between.
fn by_size([(small, on_small), (large, on_large)]: [(f32, f32); 2], side: usize) -> f32 {
    let at = ((side as f32 - small) / (large - small)).clamp(0.0, 1.0);
    on_small + at * (on_large - on_small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_look_is_told_as_it_is_and_long_searches_surer() {
        assert_eq!(times_surer(9, 1), 1.0);
        let rising: Vec<f32> = [1, 2, 10, 100, 1000].map(|visits| times_surer(13, visits)).to_vec();
        assert!(rising.is_sorted() && rising[4] < 2.0, "{rising:?}");
        assert!(times_surer(19, 100) < times_surer(9, 100));
    }

    #[test]
    fn boards_between_two_that_were_measured_are_told_what_lies_between() {
        let width = |side| by_size(WIDTH, side);
        assert_eq!([width(7), width(9), width(19)], [1.0, 1.0, 0.6]);
        assert!((width(14) - 0.8).abs() < 1e-6);
    }
}
