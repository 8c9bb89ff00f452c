//! Work per second, measured in short rounds.

use std::time::Instant;

/// The best round tells what the code can do, the median what this machine gives it at the moment.
pub struct Speed {
    pub best: f64,
    pub median: f64,
}

/// Runs `work` once to warm up and then once a round; it returns how much it did.
pub fn measure(rounds: usize, mut work: impl FnMut() -> usize) -> Speed {
    work();
    let mut rates: Vec<f64> = (0..rounds.max(1))
        .map(|_| {
            let start = Instant::now();
            let done = work();
            done as f64 / start.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    Speed { best: rates[rates.len() - 1], median: rates[rates.len() / 2] }
}
