//! REINFORCE against a pool of earlier policies (003 sec II.A).
//!
//! Each iteration the net plays a set of games against a policy drawn from the pool; every move it chose becomes more
//! likely after a win and less likely after a loss, by how much better the result was than expected.

use std::collections::HashMap;
use std::path::PathBuf;

use indicatif::ProgressBar;
use jigo_board::{Board, Color, Move, Rng, Symmetry};
use jigo_net::Architecture;
use jigo_net::weights::{Precision, Weights};

use crate::checkpoint::{CheckpointError, read_weights, write_weights};
use crate::loss::LossWeights;
use crate::optimizer::Optimizer;
use crate::self_play::{Batch, PlayedGame, Players, SelfPlayError};
use crate::target::{Target, place};
use crate::team::Team;
use crate::worker::Example;

#[derive(Clone, Debug)]
pub struct Settings {
    /// The supervised net to start from.
    pub start: PathBuf,
    /// The folder for the result and the pool.
    pub run: PathBuf,
    pub size: usize,
    pub komi: f32,
    pub iterations: usize,
    /// Games per iteration; 128 in the paper.
    pub games: usize,
    /// Iterations between two additions to the pool; 500 in the paper.
    pub pool_every: usize,
    pub rate: f32,
    pub workers: usize,
    /// Expect what the value head says instead of an even game.
    pub baseline: bool,
    pub seed: u64,
}

/// Positions one worker learns from in a step.
const PER_WORKER: usize = 64;

pub fn train(settings: &Settings, players: &mut dyn Players) -> Result<(), SelfPlayError> {
    let folder_failed = |source| CheckpointError::File { path: settings.run.clone(), source };
    std::fs::create_dir_all(&settings.run).map_err(folder_failed)?;
    let start = read_weights(&settings.start)?;
    let architecture = start.architecture.clone();
    let mut optimizer = Optimizer::new(start.values.clone());
    let mut team = Team::new(&architecture, settings.workers, &[(settings.size, PER_WORKER)]);
    let loss = LossWeights { policy: [1.0, 0.0, 0.0], value: 0.0, ownership: 0.0 };
    let mut pool = vec![start];
    let mut rng = Rng::new(settings.seed);
    let bar = ProgressBar::new(settings.iterations as u64);
    for iteration in 1..=settings.iterations {
        let current = weights(&architecture, &optimizer.values, iteration);
        let opponent = &pool[rng.below(pool.len())];
        let batches = Batch::split(settings.size, settings.komi, settings.games, &mut rng);
        let games = players.play([&current, opponent], &batches, &mut |_| ())?;
        let won: f32 = games.iter().map(|game| game.points_of_first(settings.komi)).sum();
        let mut lessons = lessons(settings, &games);
        rng.shuffle(&mut lessons);
        let batch = PER_WORKER * settings.workers;
        for chunk in lessons.chunks_exact(batch) {
            let next = std::sync::atomic::AtomicUsize::new(0);
            team.step(&optimizer.values, &loss, &mut rng, |_, rng| {
                let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                chunk[at].example(&games, Symmetry::from_index(rng.below(8)))
            });
            optimizer.step(team.layout(), &team.gradients, settings.rate, 0.01);
        }
        bar.inc(1);
        let line = format!("iteration {iteration}: {won} of {} won", settings.games);
        if bar.is_hidden() {
            println!("{line}")
        } else {
            bar.println(line)
        }
        if iteration % settings.pool_every == 0 || iteration == settings.iterations {
            let average = weights(&architecture, &optimizer.average, iteration);
            write_weights(&settings.run.join("net.safetensors"), &average, Precision::Half)?;
            pool.push(average);
        }
    }
    bar.finish();
    Ok(())
}

fn weights(architecture: &Architecture, values: &[f32], iteration: usize) -> Weights {
    let notes = HashMap::from([("reinforced".to_string(), format!("{iteration} iterations"))]);
    Weights { architecture: architecture.clone(), values: values.to_vec(), notes }
}

/// One move of the learner, net 0, and what it was worth.
struct Lesson {
    game: usize,
    ply: usize,
    advantage: f32,
}

fn lessons(settings: &Settings, games: &[PlayedGame]) -> Vec<Lesson> {
    let mut lessons = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let learner = if game.black == 0 { Color::Black } else { Color::White };
        let result = 2.0 * game.points_of_first(settings.komi) - 1.0;
        for (ply, mv) in game.moves.iter().enumerate() {
            if jigo_records::mover(ply) == learner && *mv != Move::Pass {
                let black_value = 2.0 * game.black_win_rates[ply] - 1.0;
                let expected = if learner == Color::Black { black_value } else { -black_value };
                let advantage = result - if settings.baseline { expected } else { 0.0 };
                lessons.push(Lesson { game: number, ply, advantage });
            }
        }
    }
    lessons
}

impl Lesson {
    fn example(&self, games: &[PlayedGame], symmetry: Symmetry) -> Example {
        let game = &games[self.game];
        let size = game.board.size();
        let mut board = Board::new(size);
        for (ply, mv) in game.moves[..self.ply].iter().enumerate() {
            match mv {
                Move::Pass => board.pass(),
                Move::Play(point) => {
                    board.play(jigo_records::mover(ply), *point);
                }
            }
        }
        let to_move = jigo_records::mover(self.ply);
        let target = Target {
            to_move_is_black: to_move == Color::Black,
            moves: [Some(place(game.moves[self.ply], symmetry, size)), None, None],
            move_weight: self.advantage,
            ..Target::default()
        };
        Example { board, to_move, recent: game.recent(self.ply), symmetry, target }.drawn_from_policy()
    }
}
