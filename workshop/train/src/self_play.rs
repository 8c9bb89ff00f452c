//! Games a net plays against itself or an earlier self, many at once, moves drawn from the policy.

use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, mpsc};

use jigo_board::{Board, Color, Count, Move, Point, PointSet, Rng, Symmetry};
use jigo_net::kernel::Isa;
use jigo_net::planes::HISTORY;
use jigo_net::weights::Weights;
use jigo_net::{Evaluation, Evaluator, Net, Position, View};

use crate::checkpoint::CheckpointError;

/// A game longer than this many times the board is stopped and counted as it stands: cycles of long kos.
const LONGEST: usize = 3;
/// Games played side by side: enough to keep the net's kernels busy, few enough for a message with all their moves.
const ABREAST: usize = 32;

/// Games that are played side by side. One seed, the same games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Batch {
    pub size: usize,
    pub komi: f32,
    pub games: usize,
    pub seed: u64,
}

impl Batch {
    /// So many games, in batches.
    pub fn split(size: usize, komi: f32, games: usize, rng: &mut Rng) -> Vec<Batch> {
        let batch = |first| Batch { size, komi, games: ABREAST.min(games - first), seed: rng.next_u64() };
        (0..games).step_by(ABREAST).map(batch).collect()
    }
}

/// Who plays the games that training needs: this machine, or others.
pub trait Players {
    /// All games of these batches in their order, between two nets or one and itself. `finished` hears how many have ended.
    fn play(
        &mut self,
        nets: [&Weights; 2],
        batches: &[Batch],
        finished: &mut dyn FnMut(usize),
    ) -> Result<Vec<PlayedGame>, SelfPlayError>;
}

#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("the games could not be played: {0}")]
    Elsewhere(String),
    #[error("{0} does not hold the games of this run: {1}; remove it to have them played again")]
    Kept(PathBuf, String),
}

/// Plays them here and now, a batch on every core. Batches have seeds of their own, so the games do not depend on the cores.
pub struct ThisMachine;

impl Players for ThisMachine {
    fn play(
        &mut self,
        nets: [&Weights; 2],
        batches: &[Batch],
        finished: &mut dyn FnMut(usize),
    ) -> Result<Vec<PlayedGame>, SelfPlayError> {
        let nets = nets.map(|weights| Arc::new(Net::new(weights, Isa::best())));
        let next = AtomicUsize::new(0);
        let (sender, results) = mpsc::channel();
        let mut played: Vec<Vec<PlayedGame>> = batches.iter().map(|_| Vec::new()).collect();
        std::thread::scope(|scope| {
            let (nets, next) = (&nets, &next);
            let play = move |sender: mpsc::Sender<_>| {
                while let Some((number, batch)) = batches.iter().enumerate().nth(next.fetch_add(1, Relaxed)) {
                    if sender.send((number, play_batch([&nets[0], &nets[1]], batch))).is_err() {
                        return;
                    }
                }
            };
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let start = |_: &usize| {
                let sender = sender.clone();
                std::thread::Builder::new().spawn_scoped(scope, move || play(sender)).is_ok()
            };
            // A core without a thread leaves its batches to the others; without any they are played here.
            if (0..cores).filter(start).count() == 0 {
                play(sender.clone());
            }
            drop(sender);
            for (number, games) in results {
                finished(games.len());
                played[number] = games;
            }
        });
        Ok(played.into_iter().flatten().collect())
    }
}

/// One game in progress or finished.
pub struct PlayedGame {
    pub board: Board,
    pub moves: Vec<Move>,
    /// Black's win rate at the game's komi before each move, as the mover saw it.
    pub black_win_rates: Vec<f32>,
    /// Which of the two nets plays Black.
    pub black: usize,
    is_over: bool,
}

impl PlayedGame {
    pub(crate) fn new(size: usize, black: usize) -> PlayedGame {
        PlayedGame { board: Board::new(size), moves: Vec::new(), black_win_rates: Vec::new(), black, is_over: false }
    }

    pub fn to_move(&self) -> Color {
        jigo_records::mover(self.moves.len())
    }

    /// The last moves before move `ply`, newest first.
    pub fn recent(&self, ply: usize) -> [Option<Move>; HISTORY] {
        std::array::from_fn(|age| (ply > age).then(|| self.moves[ply - 1 - age]))
    }

    /// The net to move: 0 or 1.
    fn player(&self) -> usize {
        if self.to_move() == Color::Black { self.black } else { 1 - self.black }
    }

    /// Black's area minus White's. Games are played until no sensible move is left, so every stone is alive.
    pub fn black_margin(&self) -> f32 {
        let count = Count::new(&self.board, &PointSet::EMPTY);
        let area = |color: Color| (count.stones[color.index()].len() + count.territory[color.index()].len()) as f32;
        area(Color::Black) - area(Color::White)
    }

    /// What net 0 gets for this game: 1 for a win, 0 for a loss, a half for the draw that a whole komi allows.
    pub fn points_of_first(&self, komi: f32) -> f32 {
        let black_points = match self.black_margin().total_cmp(&komi) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        };
        if self.black == 0 { black_points } else { 1.0 - black_points }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(crate) fn play(&mut self, mv: Move) {
        let color = self.to_move();
        match mv {
            Move::Pass => {
                self.board.pass();
                self.is_over = self.moves.last() == Some(&Move::Pass);
            }
            Move::Play(point) => {
                self.board.play(color, point);
            }
        }
        self.moves.push(mv);
        self.is_over |= self.moves.len() > LONGEST * self.board.area();
    }

    /// A move drawn from the policy among the sensible ones; a pass only when there is none.
    fn draw(&self, evaluation: &Evaluation, rng: &mut Rng) -> Move {
        let sensible = |mv: &Move| mv.point().is_some_and(|point| is_sensible(&self.board, self.to_move(), point));
        let choices: Vec<(Move, f32)> = evaluation.moves().filter(|(mv, _)| sensible(mv)).collect();
        let total: f32 = choices.iter().map(|(_, chance)| chance).sum();
        let mut left = rng.unit() * total;
        for (mv, chance) in &choices {
            left -= chance;
            if left <= 0.0 {
                return *mv;
            }
        }
        choices.last().map_or(Move::Pass, |(mv, _)| *mv)
    }
}

/// Games are played with moves that fill no eye of the mover. So play goes on until the owner of every point is decided
/// (CGI III.A).
pub fn is_sensible(board: &Board, color: Color, point: Point) -> bool {
    board.is_legal(color, point) && !board.around(point).is_eye_of(color)
}

/// Plays the games of a batch between two nets (or one with itself), colours alternating, all side by side.
pub fn play_batch(nets: [&Arc<Net>; 2], batch: &Batch) -> Vec<PlayedGame> {
    let &Batch { size, komi, games, seed } = batch;
    let mut rng = Rng::new(seed);
    let mut evaluators = nets.map(|net| Evaluator::new(Arc::clone(net)));
    let mut played: Vec<PlayedGame> = (0..games).map(|game| PlayedGame::new(size, game % 2)).collect();
    while played.iter().any(|game| !game.is_over) {
        for (player, evaluator) in evaluators.iter_mut().enumerate() {
            let mut turn: Vec<&mut PlayedGame> =
                played.iter_mut().filter(|game| !game.is_over && game.player() == player).collect();
            let views: Vec<View<'_>> = turn
                .iter()
                .map(|game| View {
                    position: Position {
                        board: &game.board,
                        to_move: game.to_move(),
                        recent: game.recent(game.moves.len()),
                    },
                    symmetry: Symmetry::from_index(rng.below(8)),
                    told: None,
                })
                .collect();
            let evaluations = evaluator.evaluate_batch(&views);
            for (game, evaluation) in turn.iter_mut().zip(&evaluations) {
                let mv = game.draw(evaluation, &mut rng);
                game.black_win_rates.push(evaluation.value.black_win_rate(komi));
                game.play(mv);
            }
        }
    }
    played
}
