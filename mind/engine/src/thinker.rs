//! Who chooses the moves. The engine cannot tell one thinker from another.

use jigo_board::random_game::random_point;
use jigo_board::{Color, Game, Move, Rng};

use crate::stop::StopFlag;

/// What a thinker makes of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought {
    pub best: Move,
    /// How likely the player who asked is to win, if the thinker has an opinion.
    pub win_rate: Option<f32>,
}

/// Chooses a move for `color`, which need not be the player the game expects next.
///
/// Contract: answers soon after `stop` is raised, and keeps no hold on the game. The engine checks the move against the
/// rules of the whole game, so a thinker may know simple ko only.
pub trait Thinker: Send {
    fn think(&mut self, game: &Game, color: Color, stop: &StopFlag) -> Thought;
}

/// Uniformly random moves that fill no own eye: legal, quick and hopeless.
pub struct RandomThinker {
    rng: Rng,
}

impl RandomThinker {
    pub fn new(seed: u64) -> RandomThinker {
        RandomThinker { rng: Rng::new(seed) }
    }
}

/// Draws before a thinker concludes that superko leaves it nothing but a pass.
const DRAWS: usize = 32;

impl Thinker for RandomThinker {
    fn think(&mut self, game: &Game, color: Color, _stop: &StopFlag) -> Thought {
        let best = (0..DRAWS)
            .map_while(|_| random_point(game.board(), color, &mut self.rng).map(Move::Play))
            .find(|&mv| game.check(color, mv).is_ok())
            .unwrap_or(Move::Pass);
        Thought { best, win_rate: None }
    }
}
