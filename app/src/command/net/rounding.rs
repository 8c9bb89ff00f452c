//! `jigo net rounding`: what a net says in faster arithmetic beside what it says in f32.
//!
//! It is compared with the same net in f32 that looks at the board from another side: a difference far below that one is lost among those
//! that every player of the net lives with.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use jigo_board::{Game, Move, Rules, Symmetry};
use jigo_katago::{KataNet, Model};
use jigo_net::kernel::points::Kernel;
use jigo_net::{Backend, Evaluate, Evaluation, Manner, Position, Told, View};
use jigo_records::{Record, read_folder};

use crate::nets;

#[derive(clap::Args)]
pub struct RoundingArgs {
    /// A net of KataGo's: a file, or the name of one you keep
    net: String,
    /// Folder with game records (.tsv.xz)
    #[arg(long)]
    data: PathBuf,
    /// Read files whose names contain one of these words
    #[arg(long, value_delimiter = ',', default_value = "tygem-test,nine-cgos-test")]
    files: Vec<String>,
    /// Positions of each board size, spread over games and their stages
    #[arg(long, default_value_t = 250)]
    positions: usize,
    /// Kernels to compare with f32, by the names that `jigo bench net NET` prints [default: the one this machine uses]
    #[arg(long, value_delimiter = ',')]
    kernel: Vec<Kernel>,
}

pub fn run(args: &RoundingArgs) -> anyhow::Result<()> {
    let file = nets::find(&args.net)?;
    let bytes = std::fs::read(&file).with_context(|| format!("the net {} cannot be read", file.display()))?;
    let model = Model::read(&bytes).with_context(|| format!("{} cannot be used", file.display()))?;
    let evaluator = |kernel| Arc::new(KataNet::new(&model, kernel)).evaluator();
    let kernels = if args.kernel.is_empty() { vec![Kernel::best()] } else { args.kernel.clone() };
    let mut exact = evaluator(Kernel::exact());
    let mut others: Vec<_> = kernels.iter().map(|&kernel| evaluator(kernel)).collect();
    println!("{}, beside {} in f32:", model.name, Kernel::exact());
    for split in read_folder(&args.data, |name| args.files.iter().any(|part| name.contains(part)))? {
        let size = split.size;
        let games: Vec<Record> = split.into_games().collect();
        ensure!(!games.is_empty(), "there are no games of {size}x{size}");
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, left {eta_precise}")?;
        let bar = ProgressBar::new(args.positions as u64).with_style(style);
        let mut differences = vec![Differences::default(); others.len() + 1];
        for at in bar.wrap_iter(0..args.positions) {
            let game = position(&games, at);
            let side = Symmetry::from_index((game.board().hash() >> 32) as usize % 8);
            let other_side = Symmetry::from_index((game.board().hash() >> 40) as usize % 8);
            let truth = look(&mut *exact, &game, side);
            for (other, differences) in others.iter_mut().zip(&mut differences) {
                differences.add(&truth, &look(&mut **other, &game, side), &game);
            }
            if other_side != side {
                differences[kernels.len()].add(&truth, &look(&mut *exact, &game, other_side), &game);
            }
        }
        bar.finish_and_clear();
        let names = kernels.iter().map(Kernel::to_string).chain(["f32, another side of the board".into()]);
        for (name, differences) in names.zip(&differences) {
            println!("{size}x{size}, {name}: {differences}");
        }
    }
    Ok(())
}

/// Position `at` of a walk through the games in which every stage comes up equally often.
fn position(games: &[Record], at: usize) -> Arc<Game> {
    // Steps by the golden ratio fill a range evenly however many are taken.
    let share = (at as f64 * 0.618_033_988_75).fract();
    let record = &games[at * 7919 % games.len()];
    let mut game = Game::new(record.size, Rules::default());
    game.set_komi(record.komi);
    for ply in 0..(share * record.len() as f64) as usize {
        if game.play(game.to_move(), record.mv(ply)).is_err() {
            break; // the record's rules allowed more than ours
        }
    }
    Arc::new(game)
}

fn look(evaluator: &mut dyn Evaluate, game: &Arc<Game>, symmetry: Symmetry) -> Evaluation {
    let told = Told { game, moves: &[], komi: game.effective_komi(), manner: Manner::PLAIN };
    let view = View { position: Position::of_game(game), symmetry, told: Some(told) };
    evaluator.evaluate_batch(&[view]).remove(0)
}

/// How far answers are from the true ones.
#[derive(Clone, Default)]
struct Differences {
    positions: usize,
    same_first: usize,
    win_rate: Spread,
    lead: Spread,
    /// Of the most different probability.
    policy: Spread,
    divergence: f64,
}

#[derive(Clone, Copy, Default)]
struct Spread {
    sum: f64,
    largest: f64,
}

impl Spread {
    fn add(&mut self, difference: f64) {
        self.sum += difference.abs();
        self.largest = self.largest.max(difference.abs());
    }
}

impl Differences {
    fn add(&mut self, truth: &Evaluation, other: &Evaluation, game: &Game) {
        self.positions += 1;
        let komi = game.effective_komi();
        let (a, b) = (truth.forecast(komi), other.forecast(komi));
        self.win_rate.add(f64::from(a.black_win - b.black_win));
        self.lead.add(f64::from(a.black_lead - b.black_lead));
        let mut largest = 0.0f64;
        for (mv, p) in truth.moves() {
            let q = other.probability(mv);
            largest = largest.max(f64::from((p - q).abs()));
            if p > 0.0 {
                self.divergence += f64::from(p) * f64::from(p / q.max(1e-30)).ln();
            }
        }
        self.policy.add(largest);
        self.same_first += usize::from(first(truth) == first(other));
    }
}

fn first(evaluation: &Evaluation) -> Option<Move> {
    evaluation.moves().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(mv, _)| mv)
}

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.positions.max(1) as f64;
        let Differences { positions, same_first, win_rate, lead, policy, divergence } = self;
        write!(
            f,
            "{positions} positions, same first move {:.1} %; mean and largest difference of win rate {:.3} and {:.2} %, lead {:.3} \
             and {:.2} points, policy {:.2} and {:.1} %; KL x 1000 {:.3}",
            100.0 * *same_first as f64 / count,
            100.0 * win_rate.sum / count,
            100.0 * win_rate.largest,
            lead.sum / count,
            lead.largest,
            100.0 * policy.sum / count,
            100.0 * policy.largest,
            1000.0 * divergence / count,
        )
    }
}
