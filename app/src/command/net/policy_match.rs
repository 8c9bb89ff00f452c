//! `jigo net match`: which of two policies is the stronger, without search.

use std::path::PathBuf;

use anyhow::ensure;
use indicatif::ProgressBar;
use jigo_arena::statistics::{Outcomes, Trinomial};
use jigo_board::Rng;
use jigo_train::checkpoint::read_weights;
use jigo_train::self_play::{Batch, Players, ThisMachine};

use crate::command::train::parse_size;

#[derive(clap::Args)]
pub struct MatchArgs {
    /// A net file
    first: PathBuf,
    /// Another
    second: PathBuf,
    /// Games, colours alternating; they are played until the owner of every point is decided
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Board size
    #[arg(long, default_value_t = 9, value_parser = parse_size)]
    size: usize,
    /// Komi
    #[arg(long, default_value_t = 7.0, allow_negative_numbers = true)]
    komi: f32,
    /// Decides the moves that are drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(args: &MatchArgs) -> anyhow::Result<()> {
    ensure!(args.games > 0, "a match needs at least one game");
    let (first, second) = (read_weights(&args.first)?, read_weights(&args.second)?);
    let batches = Batch::split(args.size, args.komi, args.games, &mut Rng::new(args.seed));
    let bar = ProgressBar::new(args.games as u64);
    let games = ThisMachine.play([&first, &second], &batches, &mut |games| bar.inc(games as u64))?;
    bar.finish_and_clear();
    let mut results = Trinomial::default();
    games.iter().for_each(|game| results.add(game.points_of_first(args.komi).into()));
    let Trinomial { wins, draws, losses } = results;
    let (score, interval) = (100.0 * results.score(), results.score_interval());
    let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
    println!("{} games: the first won {wins}, drew {draws}, lost {losses}", args.games);
    println!("{score:.1} % [{low:.1}, {high:.1}]");
    Ok(())
}
