//! Memory, file handles and threads of the programs, as the system sees them, and whether they grow.

use std::fs;
use std::time::Duration;

/// What `/proc` says of one process at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    pub time: Duration,
    pub megabytes: f32,
    pub handles: usize,
    pub threads: usize,
}

/// Is there a `/proc` to look into?
pub fn can_watch() -> bool {
    Usage::take(std::process::id(), Duration::ZERO).is_some()
}

impl Usage {
    /// None if the process is gone, or going.
    pub fn take(process: u32, time: Duration) -> Option<Usage> {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<usize>().ok()
        };
        let handles = fs::read_dir(format!("/proc/{process}/fd")).ok()?.count();
        let megabytes = field("VmRSS:")? as f32 / 1024.0;
        Some(Usage { time, megabytes, handles, threads: field("Threads:")? })
    }
}

/// A program watched for less is still filling the memory it is allowed.
const WARM_UP: Duration = Duration::from_secs(600);

/// What one program used: in its present life, and at most in all of them.
#[derive(Default)]
pub struct UsageHistory {
    life: u32,
    samples: Vec<Usage>,
    pub most_megabytes: f32,
    pub most_handles: usize,
}

/// From the second third of the undisturbed part to its last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    pub watched: Duration,
    pub before: Usage,
    pub after: Usage,
}

impl UsageHistory {
    pub fn add(&mut self, life: u32, sample: Usage) {
        if life != self.life {
            self.life = life;
            self.samples.clear();
        }
        self.samples.push(sample);
        self.most_megabytes = self.most_megabytes.max(sample.megabytes);
        self.most_handles = self.most_handles.max(sample.handles);
    }

    /// The first third of the quiet time is for warming up. Medians, since memory has peaks that mean nothing.
    pub fn growth(&self, quiet_from: Duration) -> Option<Growth> {
        let quiet: Vec<Usage> = self.samples.iter().copied().filter(|sample| sample.time >= quiet_from).collect();
        let third = quiet.len() / 3;
        let (first, last) = (*quiet.first()?, *quiet.last()?);
        let (before, after) = (median(quiet.get(third..2 * third)?)?, median(&quiet[2 * third..])?);
        Some(Growth { watched: last.time - first.time, before, after })
    }
}

impl Growth {
    /// More than chance explains? While it warms up more is allowed: trees and games fill their memory, and every open game has its
    /// thread.
    pub fn is_growth(&self) -> bool {
        let is_warming_up = self.watched < WARM_UP;
        let (share, megabytes, handles, threads) = if is_warming_up { (2.0, 64.0, 64, 32) } else { (1.1, 8.0, 8, 4) };
        self.after.megabytes > share * self.before.megabytes + megabytes
            || self.after.handles > self.before.handles + handles
            || self.after.threads > self.before.threads + threads
    }
}

fn median(samples: &[Usage]) -> Option<Usage> {
    let middle = samples.len() / 2;
    let of = |value: &dyn Fn(&Usage) -> f32| {
        let mut values: Vec<f32> = samples.iter().map(value).collect();
        values.sort_by(f32::total_cmp);
        values.get(middle).copied()
    };
    Some(Usage {
        time: samples.get(middle)?.time,
        megabytes: of(&|sample| sample.megabytes)?,
        handles: of(&|sample| sample.handles as f32)? as usize,
        threads: of(&|sample| sample.threads as f32)? as usize,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(megabytes: impl Fn(u64) -> f32, handles: impl Fn(u64) -> usize) -> Growth {
        let mut record = UsageHistory::default();
        // A former life does not count.
        record.add(1, Usage { time: Duration::ZERO, megabytes: 1.0, handles: 1, threads: 1 });
        for second in 0..90 {
            let time = Duration::from_secs(20 * second);
            record.add(2, Usage { time, megabytes: megabytes(second), handles: handles(second), threads: 4 });
        }
        record.growth(Duration::from_secs(600)).unwrap()
    }

    #[test]
    fn what_warms_up_or_peaks_does_not_grow() {
        let warm = growth(|second| 100.0f32.min(second as f32 * 5.0), |_| 10);
        assert!(!warm.is_growth());
        assert_eq!((warm.before.megabytes, warm.after.megabytes), (100.0, 100.0));
        assert!(!growth(|second| if second % 7 == 0 { 900.0 } else { 50.0 }, |_| 10).is_growth());
    }

    #[test]
    fn what_grows_is_noticed() {
        assert!(growth(|second| 8.0 * second as f32, |_| 10).is_growth());
        assert!(growth(|_| 50.0, |second| 10 + second as usize).is_growth());
    }
}
