//! Games between two of our levels, as people will play against them.

use std::sync::Arc;

use jigo_board::{Game, Move, Point, Rng, Rules};
use jigo_engine::{Decision, Engine, LOWEST_LEVEL, Level};
use jigo_net::Net;
use jigo_search::{Parameters, TreeSearcher};

/// Boards up to this size see levels up to the higher number, larger ones up to the lower: games must not take for ever.
const SMALL: usize = 9;
const HIGHEST: [u64; 2] = [9, 7];

/// The moves of a game between two levels drawn at random, until both pass, one resigns, or it is twice as long as the board has points.
pub fn play(net: &Arc<Net>, size: usize, komi: f32, given: &[Point], rng: &mut Rng) -> Vec<Move> {
    let mut game = Game::new(size, Rules::default());
    game.set_komi(komi);
    if !given.is_empty() && game.place_handicap(given).is_err() {
        return Vec::new();
    }
    let highest = HIGHEST[usize::from(size > SMALL)];
    let mut engines = [(); 2].map(|()| {
        let level = Level::numbered(LOWEST_LEVEL + rng.below((highest + 1 - LOWEST_LEVEL) as usize) as u64);
        let seed = rng.next_u64();
        let searcher = TreeSearcher::new(Parameters::default(), Some(net.clone()), 1, seed);
        let mut engine = Engine::new(game.clone(), Box::new(searcher), seed);
        engine.set_level(level);
        engine
    });
    while !game.is_over() && game.moves().len() < 2 * size * size {
        let color = game.to_move();
        let Decision::Move(mv) = engines[color.index()].genmove(color) else { break };
        if game.play(color, mv).is_err() || engines[1 - color.index()].play(color, mv).is_err() {
            break;
        }
    }
    game.moves().iter().map(|&(_, mv)| mv).collect()
}
