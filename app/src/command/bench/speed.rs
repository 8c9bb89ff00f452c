//! Work per second, measured in short rounds.

use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};

/// The best round tells what the code can do, the median what this machine gives it at the moment.
pub struct Speed {
    pub best: f64,
    pub median: f64,
}

/// Runs `work` once to warm up and then once a round; it returns how much it did.
pub fn measure(rounds: usize, work: impl FnMut() -> usize) -> Speed {
    let start = Instant::now();
    measure_by(rounds, || start.elapsed(), work)
}

/// The same by the processor time of this thread, which other programs on a busy machine do not lengthen much.
pub fn measure_thread(rounds: usize, work: impl FnMut() -> usize) -> Speed {
    let start = ThreadTime::now();
    measure_by(rounds, || start.elapsed(), work)
}

/// The same by the processor time of all our threads together.
pub fn measure_process(rounds: usize, work: impl FnMut() -> usize) -> Speed {
    let start = ProcessTime::now();
    measure_by(rounds, || start.elapsed(), work)
}

fn measure_by(rounds: usize, clock: impl Fn() -> Duration, mut work: impl FnMut() -> usize) -> Speed {
    work();
    let mut rates: Vec<f64> = (0..rounds.max(1))
        .map(|_| {
            let start = clock();
            let done = work();
            done as f64 / (clock() - start).as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    Speed { best: rates[rates.len() - 1], median: rates[rates.len() / 2] }
}
