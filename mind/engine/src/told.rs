//! What people are told of a search. A tree averages over what both sides could do, good and bad, and so stays nearer to even than
//! what it has found out, and beside the count where nothing is left to play.

use jigo_board::{Color, Game};
use jigo_search::SearchReport;

use crate::judgement::Judgement;

/// In log-odds a searched win rate of our own net should be so many times as far from even, on boards of 9 and of 19 lines: 1,000
/// and 600 counted games, 100 visits (`jigo lab calibration`, docs/experiments/judgement.md).
const SURER: [(f32, f32); 2] = [(9.0, 2.16), (19.0, 1.5)];
/// The same for nets that count by the rules, as KataGo's and the one in the box do, where the owner of every point is known; how open a
/// board is whose win rates are true as the tree says them; and how near to even they come on boards more open than that: people lose
/// more leads than the net would. 2,500 counted games of 9 lines and 4,400 decided ones of 19, 100 visits.
const SURER_BY_RULES: [(f32, f32); 2] = [(9.0, 2.65), (19.0, 1.9)];
const OPEN_BY_RULES: [(f32, f32); 2] = [(9.0, 0.8), (19.0, 0.47)];
const LEAST_BY_RULES: [(f32, f32); 2] = [(9.0, 1.0), (19.0, 0.85)];
/// With so many visits more than the first look, which is the net's own word, half of that.
const HALF_SURER: f32 = 6.0;
/// The spread of our own net's scores should be so many times as wide, on the same boards: 323 and 142 counted games.
const WIDTH: [(f32, f32); 2] = [(9.0, 1.0), (19.0, 0.6)];
/// The same for nets that count by the rules: 1,315 and 733 counted games.
const WIDTH_BY_RULES: [(f32, f32); 2] = [(9.0, 1.08), (19.0, 0.52)];
/// On 19 lines a board whose owners are known is told this many times as wide again, one that is open by `OPEN` or more as wide as
/// that: chosen on 1,350 games, seen on 650 others.
const SETTLED_WIDTH: [(f32, f32); 2] = [(9.0, 1.0), (19.0, 0.7)];
const OPEN: f32 = 0.43;

/// From what the tree says to what people are told. Playouts mean what they say; a game with nothing left to play is counted.
pub(crate) fn told(game: &Game, report: &SearchReport, seed: u64) -> SearchReport {
    let mut told = report.clone();
    let Some(look) = report.raw_net() else { return told };
    let (side, openness) = (game.board().size(), openness(game, report));
    if look.counts_by_rules() {
        told.sharpen(times_surer_by_rules(side, openness, report.visits));
        told.widen(by_size(WIDTH_BY_RULES, side));
    } else {
        told.sharpen(times_surer(side, report.visits));
        told.widen(times_as_wide(side, openness));
    }
    if let Some(score) = Judgement::settled_score(game, report, seed) {
        let black_score = score.lead_of(Color::Black) + game.effective_komi();
        told.shift(black_score - report.black_score);
    }
    told
}

fn times_surer(side: usize, visits: u32) -> f32 {
    1.0 + (by_size(SURER, side) - 1.0) * searched(visits)
}

fn times_surer_by_rules(side: usize, openness: f32, visits: u32) -> f32 {
    let settled = 1.0 - openness / by_size(OPEN_BY_RULES, side);
    let times = 1.0 + (by_size(SURER_BY_RULES, side) - 1.0) * settled;
    1.0 + (times.max(by_size(LEAST_BY_RULES, side)) - 1.0) * searched(visits)
}

/// From 0 for the first look towards 1 for a long search.
fn searched(visits: u32) -> f32 {
    let beyond_first_look = visits.saturating_sub(1) as f32;
    beyond_first_look / (beyond_first_look + HALF_SURER)
}

fn times_as_wide(side: usize, openness: f32) -> f32 {
    let settled = by_size(SETTLED_WIDTH, side);
    by_size(WIDTH, side) * (settled + (1.0 - settled) * (openness / OPEN).min(1.0))
}

/// From 0, where the owner of every point is known, to 1, where nothing is.
fn openness(game: &Game, report: &SearchReport) -> f32 {
    let board = game.board();
    let open: f32 = board.points().map(|point| 1.0 - report.ownership(point).abs()).sum();
    open / board.points().count() as f32
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
    fn nets_that_count_by_the_rules_are_told_surer_as_the_board_settles() {
        assert_eq!(times_surer_by_rules(9, 0.0, 1), 1.0);
        for side in [9, 13, 19] {
            let falling: Vec<f32> = [0.0, 0.2, 0.4, 1.0].map(|open| times_surer_by_rules(side, open, 100)).to_vec();
            assert!(falling.is_sorted_by(|a, b| a >= b) && falling[0] > 1.5 && falling[3] <= 1.0, "{falling:?}");
        }
        assert_eq!(times_surer_by_rules(9, 1.0, 1000), 1.0);
        let least = times_surer_by_rules(19, 1.0, 1000);
        assert!(least > 0.8 && least < 1.0, "{least}");
    }

    #[test]
    fn boards_between_two_that_were_measured_are_told_what_lies_between() {
        let width = |side| by_size(WIDTH, side);
        assert_eq!([width(7), width(9), width(19)], [1.0, 1.0, 0.6]);
        assert!((width(14) - 0.8).abs() < 1e-6);
    }

    #[test]
    fn leads_of_large_boards_spread_less_as_owners_become_known() {
        let widths: Vec<f32> = [0.0, 0.2, 0.43, 1.0].map(|openness| times_as_wide(19, openness)).to_vec();
        assert!(widths.is_sorted(), "{widths:?}");
        assert!((widths[0] - 0.42).abs() < 1e-6 && (widths[2] - 0.6).abs() < 1e-6, "{widths:?}");
        assert_eq!(widths[2], widths[3]);
        assert_eq!(times_as_wide(9, 0.0), 1.0);
    }
}
