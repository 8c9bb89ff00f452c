//! REINFORCE against a pool of earlier policies (CGI II.A).
//!
//! Each iteration the net plays a set of games against a policy drawn from the pool; every move it chose becomes more
//! likely after a win and less likely after a loss, by how much better the result was than expected. The same games teach
//! the value and ownership heads, which otherwise would be lost as the trunk below them moves.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use indicatif::ProgressBar;
use jigo_board::{Color, Move, Rng};
use jigo_net::Architecture;
use jigo_net::weights::{Precision, Weights};
use jigo_records::Record;

use crate::checkpoint::{Checkpoint, CheckpointError, read_weights, state_path, write_weights};
use crate::loss::LossWeights;
use crate::optimizer::{Optimizer, Schedule};
use crate::self_play::{Batch, PlayedGame, Players, SelfPlayError};
use crate::team::Team;
use crate::training_thread::Example;
use crate::value_games::record;

#[derive(Clone, Debug)]
pub struct ReinforceSettings {
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
    /// The learning rate at first; it falls over the run, since late steps are mostly noise.
    pub rate: f32,
    pub threads: usize,
    /// Expect what the value head says instead of an even game.
    pub baseline: bool,
    /// How much moves of the opponent are learnt, whatever came of them. They were drawn from a policy of the pool, so this
    /// holds the learner to what these know (see [`Example::drawn_from_policy`]). Results alone are so noisy that a net
    /// forgets as fast as it learns.
    pub hold: f32,
    pub seed: u64,
}

/// Positions one thread learns from in a step.
const PER_THREAD: usize = 64;
/// The share of the learning rate left at the end.
const FINAL_RATE: f32 = 0.05;

/// Goes on where the run's folder stands, or starts from the supervised net.
pub fn train(settings: &ReinforceSettings, players: &mut dyn Players) -> Result<(), SelfPlayError> {
    let folder_failed = |source| CheckpointError::File { path: settings.run.clone(), source };
    std::fs::create_dir_all(&settings.run).map_err(folder_failed)?;
    let mut run = Run::open(settings)?;
    let architecture = run.architecture();
    let mut team = Team::new(&architecture, settings.threads, &[(settings.size, PER_THREAD)]);
    let loss = LossWeights { policy: [1.0, 0.0, 0.0], ..LossWeights::default() };
    let schedule =
        Schedule { peak: settings.rate, final_share: FINAL_RATE, warm_up: 0, steps: settings.iterations as u64 };
    let bar = ProgressBar::new(settings.iterations as u64).with_position(run.state.step);
    while run.state.step < settings.iterations as u64 {
        let rate = schedule.rate(run.state.step);
        run.state.step += 1;
        let iteration = run.state.step;
        // What an iteration draws depends on the seed and its number only, so a resumed run goes on exactly.
        let mut rng = Rng::new(settings.seed.wrapping_mul(0x9e37_79b9).wrapping_add(iteration));
        let (met, opponent) = &run.pool[rng.below(run.pool.len())];
        let batches = Batch::split(settings.size, settings.komi, settings.games, &mut rng);
        let optimizer = &mut run.state.optimizer;
        let current = weights(&architecture, &optimizer.values, iteration);
        let games = players.play([&current, opponent], &batches, &mut |_| ())?;
        let won: f32 = games.iter().map(|game| game.points_of_first(settings.komi)).sum();
        let as_record = |game| Some((record(&game, settings.komi, String::new())?, game));
        let games: Vec<(Record, PlayedGame)> = games.into_iter().filter_map(as_record).collect();
        let mut moves = weighted_moves(settings, &games);
        rng.shuffle(&mut moves);
        for chunk in moves.chunks_exact(PER_THREAD * settings.threads) {
            let next = AtomicUsize::new(0);
            team.step(&optimizer.values, &loss, &mut rng, |_, rng| chunk[next.fetch_add(1, Relaxed)].example(rng));
            optimizer.momentum_step(team.layout(), &team.gradients, rate, 0.01);
        }
        bar.inc(1);
        let line = format!("iteration {iteration}: {won} of {} won against iteration {met}", settings.games);
        if bar.is_hidden() {
            println!("{line}")
        } else {
            bar.println(line)
        }
        run.keep(settings)?;
    }
    bar.finish();
    Ok(())
}

/// What a run carries from one iteration to the next.
struct Run {
    /// Its step is the number of iterations done.
    state: Checkpoint,
    /// Policies to play against, with the iteration after which they were taken.
    pool: Vec<(u64, Weights)>,
}

impl Run {
    fn open(settings: &ReinforceSettings) -> Result<Run, CheckpointError> {
        let start = read_weights(&settings.start)?;
        let architecture = start.architecture.to_string();
        let state = match Checkpoint::of_run(&settings.run, &architecture, start.values.len())? {
            Some(state) => state,
            None => Checkpoint { architecture, step: 0, optimizer: Optimizer::new(start.values.clone()) },
        };
        let mut pool = vec![(0, start)];
        for iteration in (1..=state.step).filter(|&iteration| joins_pool(settings, iteration)) {
            pool.push((iteration, read_weights(&pool_path(settings, iteration))?));
        }
        Ok(Run { state, pool })
    }

    /// The first policy's, which all of a run share.
    fn architecture(&self) -> Architecture {
        self.pool[0].1.architecture.clone()
    }

    /// Writes down the iteration that has ended: the state last, since it says that everything else is there.
    fn keep(&mut self, settings: &ReinforceSettings) -> Result<(), CheckpointError> {
        let iteration = self.state.step;
        let average = weights(&self.architecture(), &self.state.optimizer.average, iteration);
        let joins_pool = joins_pool(settings, iteration);
        if joins_pool || iteration == settings.iterations as u64 {
            write_weights(&settings.run.join("net.safetensors"), &average, Precision::Half)?;
        }
        if joins_pool {
            write_weights(&pool_path(settings, iteration), &average, Precision::Full)?;
            self.pool.push((iteration, average));
        }
        self.state.write(&state_path(&settings.run))
    }
}

fn joins_pool(settings: &ReinforceSettings, iteration: u64) -> bool {
    iteration.is_multiple_of(settings.pool_every.max(1) as u64)
}

fn pool_path(settings: &ReinforceSettings, iteration: u64) -> PathBuf {
    settings.run.join(format!("pool-{iteration}.safetensors"))
}

fn weights(architecture: &Architecture, values: &[f32], iteration: u64) -> Weights {
    let notes = HashMap::from([("reinforced".to_string(), format!("{iteration} iterations"))]);
    Weights { architecture: architecture.clone(), values: values.to_vec(), notes }
}

/// One move and how much more likely it should become.
struct WeightedMove<'a> {
    game: &'a Record,
    ply: usize,
    weight: f32,
}

impl WeightedMove<'_> {
    fn example(&self, rng: &mut Rng) -> Example {
        let mut example = Example::of(self.game, self.ply, rng).drawn_from_policy();
        example.target.move_weight = self.weight;
        example
    }
}

fn weighted_moves<'a>(settings: &ReinforceSettings, games: &'a [(Record, PlayedGame)]) -> Vec<WeightedMove<'a>> {
    let (mut moves, mut held) = (Vec::new(), Vec::new());
    for (record, game) in games {
        let learner = if game.black == 0 { Color::Black } else { Color::White };
        let result = 2.0 * game.points_of_first(settings.komi) - 1.0;
        for ply in (0..game.moves.len()).filter(|&ply| game.moves[ply] != Move::Pass) {
            if jigo_records::mover(ply) == learner {
                let black_value = 2.0 * game.black_win_rates[ply] - 1.0;
                let expected = if learner == Color::Black { black_value } else { -black_value };
                let weight = result - if settings.baseline { expected } else { 0.0 };
                moves.push(WeightedMove { game: record, ply, weight });
            } else {
                held.push(WeightedMove { game: record, ply, weight: settings.hold });
            }
        }
    }
    // Several steps are taken on these games. If nearly all moves were to become less likely (a run of lost games, too
    // hopeful a baseline) those steps would drive the policy to moves that nobody has tried; so gains and losses balance.
    let mean = moves.iter().map(|weighted| weighted.weight).sum::<f32>() / moves.len().max(1) as f32;
    moves.iter_mut().for_each(|weighted| weighted.weight -= mean);
    moves.extend(held);
    moves
}

#[cfg(test)]
mod tests {
    use jigo_board::Point;

    use super::*;

    /// Black takes the middle and White a corner below it, then both pass: Black wins on every komi below zero.
    fn game(black: usize) -> (Record, PlayedGame) {
        let mut game = PlayedGame::new(5, black);
        for mv in [Move::Play(Point::new(2, 2)), Move::Play(Point::new(0, 0)), Move::Pass, Move::Pass] {
            game.black_win_rates.push(0.5);
            game.play(mv);
        }
        (record(&game, -3.0, String::new()).unwrap(), game)
    }

    #[test]
    fn moves_of_won_games_gain_what_those_of_lost_games_lose_and_the_opponents_are_held() {
        let settings = ReinforceSettings {
            start: PathBuf::new(),
            run: PathBuf::new(),
            size: 5,
            komi: -3.0,
            iterations: 1,
            games: 3,
            pool_every: 1,
            rate: 0.1,
            threads: 1,
            baseline: false,
            hold: 0.25,
            seed: 1,
        };
        let games = [game(0), game(0), game(1)];
        let mut weights: Vec<f32> = weighted_moves(&settings, &games).iter().map(|weighted| weighted.weight).collect();
        weights.sort_by(f32::total_cmp);
        let expected = [-4.0 / 3.0, 0.25, 0.25, 0.25, 2.0 / 3.0, 2.0 / 3.0];
        assert!(weights.iter().zip(expected).all(|(weight, expected)| (weight - expected).abs() < 1e-6), "{weights:?}");
        assert_eq!(weights.len(), expected.len(), "passes are not learnt");
    }
}
