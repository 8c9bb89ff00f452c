//! Uniformly random moves that fill no own eye: legal, quick and hopeless. For tests of whatever needs a player.

use jigo_board::random_game::random_point;
use jigo_board::{Move, Rng};

use crate::progress::Progress;
use crate::report::{MoveReport, SearchReport};
use crate::searcher::{SearchRequest, Searcher};

pub struct RandomMover {
    rng: Rng,
}

/// Draws before it concludes that superko leaves nothing but a pass.
const DRAWS: usize = 32;

impl RandomMover {
    pub fn new(seed: u64) -> RandomMover {
        RandomMover { rng: Rng::new(seed) }
    }
}

impl Searcher for RandomMover {
    fn search(&mut self, request: &SearchRequest<'_>, _: Option<Progress<'_>>) -> SearchReport {
        let (game, color) = (request.game, request.to_move);
        let mv = (0..DRAWS)
            .map_while(|_| random_point(game.board(), color, &mut self.rng).map(Move::Play))
            .find(|&mv| game.check(color, mv).is_ok())
            .unwrap_or(Move::Pass);
        let mut report = SearchReport::new(color, game.effective_komi());
        report.moves.push(MoveReport::new(mv, 1, color, 0.5));
        report.visits = 1;
        report
    }
}
