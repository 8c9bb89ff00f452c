//! Games made to be asked about: two players who draw their moves from the policy, as wild and as careless as wanted.

use std::sync::Arc;

use jigo_board::random_game::random_point;
use jigo_board::{Board, Color, Move, Point, Rng, Symmetry};
use jigo_net::{Evaluator, Net, Position, View};

use crate::self_play::is_sensible;

/// A game longer than this many times the board is stopped: cycles of long kos.
const LONGEST: usize = 2;
/// Ideas that come to nobody's mind, whatever the temperature.
const LEAST_POLICY: f32 = 0.0005;

/// One who plays what comes to mind.
#[derive(Clone, Copy, Debug)]
pub struct PolicyPlayer {
    /// Above one wilder than the policy, below one surer.
    pub temperature: f32,
    /// The chance of a move anywhere instead.
    pub slip: f32,
    /// The chance of a pass instead.
    pub pass: f32,
}

/// What a game is to be like.
#[derive(Clone, Debug)]
pub struct Plan {
    pub given: Vec<Point>,
    /// Moves at random before the players take over.
    pub opening: usize,
    /// Black and White.
    pub players: [PolicyPlayer; 2],
    /// Nobody passes as long as there is a move that fills no own eye.
    pub to_the_bitter_end: bool,
}

/// A game in progress or finished.
pub struct PolicyGame {
    pub plan: Plan,
    pub board: Board,
    pub moves: Vec<Move>,
    /// Moves that were not chosen but happened.
    pub slips: Vec<usize>,
    is_over: bool,
}

impl PolicyGame {
    /// After the moves at random that the plan begins with.
    pub fn opened(size: usize, plan: Plan, rng: &mut Rng) -> PolicyGame {
        let mut game = PolicyGame::new(size, plan);
        for _ in 0..game.plan.opening {
            if let Some(point) = random_point(&game.board, game.to_move(), rng) {
                game.play(Move::Play(point));
            }
        }
        game
    }

    /// After moves that others have made.
    pub fn after(size: usize, moves: &[Move], player: PolicyPlayer) -> PolicyGame {
        let plan = Plan { given: Vec::new(), opening: 0, players: [player; 2], to_the_bitter_end: false };
        let mut game = PolicyGame::new(size, plan);
        moves.iter().for_each(|&mv| game.play(mv));
        game
    }

    pub fn is_over(&self) -> bool {
        self.is_over
    }

    pub fn new(size: usize, plan: Plan) -> PolicyGame {
        let mut board = Board::new(size);
        for &point in &plan.given {
            board.play(Color::Black, point);
        }
        PolicyGame { plan, board, moves: Vec::new(), slips: Vec::new(), is_over: false }
    }

    pub fn to_move(&self) -> Color {
        mover(!self.plan.given.is_empty(), self.moves.len())
    }

    fn position(&self) -> Position<'_> {
        let recent = std::array::from_fn(|age| self.moves.iter().rev().nth(age).copied());
        Position { board: &self.board, to_move: self.to_move(), recent }
    }

    fn play(&mut self, mv: Move) {
        let color = self.to_move();
        match mv {
            Move::Pass => {
                self.board.pass();
                self.is_over = self.moves.last() == Some(&Move::Pass);
            }
            Move::Play(point) => drop(self.board.play(color, point)),
        }
        self.moves.push(mv);
        self.is_over |= self.moves.len() >= LONGEST * self.board.area();
    }

    /// A move that nobody chose.
    fn slip(&mut self, rng: &mut Rng) {
        let mv = random_point(&self.board, self.to_move(), rng).map_or(Move::Pass, Move::Play);
        self.slips.push(self.moves.len());
        self.play(mv);
    }

    /// One move of a player to whom these moves come to mind, each with its chance.
    pub fn take_turn(&mut self, policy: &[(Move, f32)], rng: &mut Rng) {
        let player = self.plan.players[self.to_move().index()];
        if rng.chance(player.slip) {
            return self.slip(rng);
        }
        let mv = if rng.chance(player.pass) { Move::Pass } else { self.idea(&player, policy, rng) };
        self.play(mv);
    }

    /// Drawn from the policy; a pass with its own chance whatever the temperature, so that the wild do not stop early.
    fn idea(&self, player: &PolicyPlayer, policy: &[(Move, f32)], rng: &mut Rng) -> Move {
        let pass = policy.iter().find(|(mv, _)| *mv == Move::Pass).map_or(0.0, |(_, chance)| *chance);
        if !self.plan.to_the_bitter_end && rng.chance(pass) {
            return Move::Pass;
        }
        let sensible = |point| is_sensible(&self.board, self.to_move(), point);
        let weight = |&(mv, policy): &(Move, f32)| {
            let point = mv.point().filter(|&point| sensible(point))?;
            let least = if self.plan.to_the_bitter_end { 1e-12 } else { LEAST_POLICY };
            (policy >= least).then(|| (point, policy.powf(1.0 / player.temperature)))
        };
        let choices: Vec<(Point, f32)> = policy.iter().filter_map(weight).collect();
        let mut left = rng.unit() * choices.iter().map(|(_, weight)| weight).sum::<f32>();
        let drawn = choices.iter().find(|(_, weight)| {
            left -= weight;
            left <= 0.0
        });
        // Who names only the likelier moves still goes on to the bitter end.
        let anything =
            || if self.plan.to_the_bitter_end { random_point(&self.board, self.to_move(), rng) } else { None };
        drawn.or(choices.last()).map(|&(point, _)| point).or_else(anything).map_or(Move::Pass, Move::Play)
    }
}

/// Who makes move `ply`: with stones given White begins.
pub fn mover(with_stones_given: bool, ply: usize) -> Color {
    if ply.is_multiple_of(2) != with_stones_given { Color::Black } else { Color::White }
}

/// Plays games of one board size side by side.
pub fn play_all(net: &Arc<Net>, size: usize, plans: Vec<Plan>, rng: &mut Rng) -> Vec<PolicyGame> {
    let mut evaluator = Evaluator::new(Arc::clone(net));
    let mut games: Vec<PolicyGame> = plans.into_iter().map(|plan| PolicyGame::opened(size, plan, rng)).collect();
    while take_turns(&mut evaluator, &mut games, rng) {}
    games
}

/// A move in each game that is not over, all on boards of one size; false if there is none.
pub fn take_turns(evaluator: &mut Evaluator, games: &mut [PolicyGame], rng: &mut Rng) -> bool {
    let mut turn: Vec<&mut PolicyGame> = games.iter_mut().filter(|game| !game.is_over).collect();
    if turn.is_empty() {
        return false;
    }
    let symmetry = Symmetry::from_index(rng.below(8));
    let requests: Vec<View<'_>> = turn.iter().map(|game| View::of(game.position(), symmetry)).collect();
    let evaluations = evaluator.evaluate_batch(&requests);
    for (game, evaluation) in turn.iter_mut().zip(&evaluations) {
        game.take_turn(&evaluation.moves().collect::<Vec<_>>(), rng);
    }
    true
}
