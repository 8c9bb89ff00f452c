//! `jigo bench board`.

use jigo_board::Rng;
use jigo_board::random_game::{fingerprint, play_random_games};

use super::speed::measure;

#[derive(clap::Args)]
pub struct Args {
    /// Rounds to measure on each board size, about ten milliseconds each
    #[arg(long, default_value_t = 60)]
    rounds: usize,
}

pub fn run(args: Args) -> anyhow::Result<()> {
    println!("Uniformly random games from the empty board, one thread:");
    println!("{:>6} {:>12} {:>12} {:>11}", "size", "best", "median", "moves/game");
    for (size, games) in [(9, 1_000), (19, 250)] {
        let mut rng = Rng::new(size as u64);
        let mut moves = 0;
        let speed = measure(args.rounds, || {
            moves = play_random_games(size, games, &mut rng).moves;
            games
        });
        let length = moves as f64 / games as f64;
        println!("{:>6} {:>10.0}/s {:>10.0}/s {:>11.1}", format!("{size}x{size}"), speed.best, speed.median, length);
    }
    println!("fingerprint {:016x}", fingerprint());
    Ok(())
}
