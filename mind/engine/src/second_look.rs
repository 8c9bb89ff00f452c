//! A pass gives the opponent two moves in a row: before offering it, look at what they would do with them.

use std::time::Duration;

use jigo_board::{Color, Game, Move, Score};
use jigo_search::{Limits, MoveReport, SearchReport, Searcher, TimeBudget};

use crate::analysis::AnalysisRequest;
use crate::outlook::Outlook;
use crate::stop::StopFlag;

/// Simulations of the second look.
const SIMULATIONS: u64 = 400;
/// With fewer, the clock having run out, the first opinion stands.
const ENOUGH: u32 = 50;
/// A pass that costs more points, or more of the chance to win, is no pass. A little is always lost: the move itself.
const POINTS: f32 = 3.0;
const CHANCE: f32 = 0.15;

/// What to play instead of passing, if the opponent would profit from the pass. `seen` is what the search for our own move found.
pub(crate) fn instead_of_pass(
    game: &Game,
    color: Color,
    seen: &SearchReport,
    searcher: &mut dyn Searcher,
    time: Option<Duration>,
    stop: &StopFlag,
) -> Option<Move> {
    let mut passed = game.clone();
    passed.play(color, Move::Pass).ok()?;
    let time = time.map(|time| TimeBudget { desired: time, maximum: time });
    let limits = Limits { playouts: Some(SIMULATIONS), visits: None, time };
    let after = AnalysisRequest::quick(color.opponent(), limits).run(searcher, &passed, stop, &mut |_| {});
    if after.visits < ENOUGH || !is_regretted(color, seen, &after) {
        return None;
    }
    let is_playable = |found: &&MoveReport| found.mv != Move::Pass && game.check(color, found.mv).is_ok();
    let refutation = after.best().map(|reply| reply.mv);
    // Their best point is often ours too.
    let mut playable = seen.moves.iter().filter(is_playable);
    let first = playable.next()?;
    let share = |found: &MoveReport| found.win_rate.share_of(color);
    let vital = playable.find(|found| Some(found.mv) == refutation && share(found) + CHANCE >= share(first));
    Some(vital.unwrap_or(first).mv)
}

fn is_regretted(color: Color, before: &SearchReport, after: &SearchReport) -> bool {
    let lead = |report| Score::black_lead(Outlook(report).black_lead()).lead_of(color);
    let chance = |report| Outlook(report).win_rate().share_of(color);
    lead(before) - lead(after) > POINTS || chance(before) - chance(after) > CHANCE
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Diagram, Rules};
    use jigo_search::{Parameters, TreeSearcher};

    /// What White, to move, plays instead of passing.
    fn instead(text: &str) -> Option<Move> {
        let board = Diagram::parse(text).unwrap().board;
        let mut game = Game::new(board.size(), Rules::default());
        for point in board.points() {
            if let Some(color) = board.color_at(point) {
                game.play(color, Move::Play(point)).unwrap();
            }
        }
        game.play(Color::Black, Move::Pass).unwrap();
        game.play(Color::White, Move::Pass).unwrap();
        game.play(Color::Black, Move::Pass).unwrap();
        let mut searcher = TreeSearcher::new(Parameters::default(), None, 1, 1);
        let limits = Limits { playouts: Some(1000), visits: None, time: None };
        let stop = StopFlag::default();
        let seen = AnalysisRequest::quick(Color::White, limits).run(&mut searcher, &game, &stop, &mut |_| {});
        instead_of_pass(&game, Color::White, &seen, &mut searcher, None, &stop)
    }

    #[test]
    fn a_cut_that_would_cost_three_stones_is_mended() {
        // From a game against GNU Go: White passed, Black cut at G2.
        let played = instead(
            ". . X . . . . . .
             . X . X O . . . .
             X X X O X X X X .
             X X O O O O O X X
             X O O . X . O O X
             X X O . . . O X X
             X O O . X . O X X
             O O . O O . . O X
             . . . . . . . O O",
        );
        let mends = ["G2", "G1", "F2", "F1"].map(|vertex| Move::parse(vertex, 9));
        assert!(mends.contains(&played), "{played:?}");
    }

    #[test]
    fn with_nothing_left_to_do_the_pass_stands() {
        let played = instead(
            ". X . X O .
             X X X X O O
             . X X O O .
             X X X O O O
             . X X O . O
             X X X O O .",
        );
        assert_eq!(played, None);
    }
}
