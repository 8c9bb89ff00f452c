//! Lines that a search thinks about: just the positions a net is asked about when it plays, fights and refutations among them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jigo_board::{Game, Move, Rng};
use jigo_net::Backend;
use jigo_search::{Limits, Parameters, SearchReport, SearchRequest, Searcher, TreeSearcher};

/// Simulations of a search, beside what the move before left in the tree: few enough that making a position costs less than an
/// answer about it.
const SIMULATIONS: u64 = 48;
/// The game goes on by so many moves of the search before another is taken up.
const MOVES: usize = 8;
/// Lines taken from one search, and how far they are followed at most.
const LINES: usize = 3;
const DEPTH: usize = 6;

/// Goes on with a game as a search would, and returns what came to its mind on the way: whole games, each up to one position.
pub fn think_aloud(net: &Arc<dyn Backend>, mut game: Game, rng: &mut Rng) -> Vec<Vec<Move>> {
    let mut searcher = TreeSearcher::new(Parameters::default(), Some(net.clone()), 1, rng.next_u64());
    let mut lines = Vec::new();
    let played = |game: &Game| game.moves().iter().map(|&(_, mv)| mv).collect::<Vec<Move>>();
    for _ in 0..MOVES {
        let stop = AtomicBool::new(false);
        let limits = Limits { playouts: Some(SIMULATIONS), ..Limits::default() };
        let request = SearchRequest { may_settle: false, ..SearchRequest::new(&game, game.to_move(), limits, &stop) };
        let report = searcher.search(&request, None);
        for _ in 0..LINES {
            let mut line = played(&game);
            line.extend(draw_line(&report, rng));
            lines.push(line);
        }
        let Some(mv) = draw_move(&report, rng) else { break };
        if game.play(game.to_move(), mv).is_err() || game.is_over() {
            break;
        }
    }
    lines
}

/// Some way along the continuation of any move that was looked at: refuted ones are where a net has most to learn.
fn draw_line<'a>(report: &'a SearchReport, rng: &mut Rng) -> &'a [Move] {
    let looked = report.moves.iter().take_while(|found| found.visits > 0).count();
    if looked == 0 {
        return &[];
    }
    let line = &report.moves[rng.below(looked)].variation;
    let longest = line.len().min(DEPTH);
    &line[..(1 + rng.below(longest.max(1))).min(longest)]
}

/// A move as often as it was looked at.
fn draw_move(report: &SearchReport, rng: &mut Rng) -> Option<Move> {
    let mut left = rng.below(report.moves.iter().map(|found| found.visits as usize).sum::<usize>().max(1));
    let drawn = report.moves.iter().find(|found| {
        let here = left < found.visits as usize;
        left = left.saturating_sub(found.visits as usize);
        here
    });
    drawn.map(|found| found.mv)
}
