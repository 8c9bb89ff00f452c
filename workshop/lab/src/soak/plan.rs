//! When who is killed: drawn once from the seed.

use std::time::Duration;

use jigo_arena::seed::random_part;

/// Mean time between two deaths of one program.
const MEAN_LIFE: Duration = Duration::from_secs(20);
/// However long the soak is, no program dies more often than this.
const MOST_KILLS: u32 = 1000;
/// In the last part nobody is killed: what grows is seen in programs that live.
const VIOLENT_SHARE: f64 = 0.6;

pub struct Plan {
    /// Since the beginning of the soak, in order, each with the number of its program.
    kills: Vec<(Duration, usize)>,
    pub quiet_from: Duration,
    pub end: Duration,
}

impl Plan {
    pub fn draw(seed: u64, processes: usize, end: Duration) -> Plan {
        let quiet_from = end.mul_f64(VIOLENT_SHARE);
        let count = ((quiet_from.as_secs_f64() / MEAN_LIFE.as_secs_f64()) as u32).clamp(2, MOST_KILLS);
        let of_process = |process: usize| {
            let mut rng = random_part(seed, "kills", process as u64);
            (0..count).map(move |_| (quiet_from.mul_f32(rng.unit()), process))
        };
        let mut kills: Vec<(Duration, usize)> = (0..processes).flat_map(of_process).collect();
        kills.sort();
        Plan { kills, quiet_from, end }
    }

    /// The processes whose time has come; each kill is told once.
    pub fn due(&mut self, now: Duration) -> Vec<usize> {
        let count = self.kills.partition_point(|&(time, _)| time <= now);
        self.kills.drain(..count).map(|(_, process)| process).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_plan_that_reaches_everybody_and_leaves_time_to_look() {
        let hour = Duration::from_secs(3600);
        let (plan, again, other) = (Plan::draw(1, 6, hour), Plan::draw(1, 6, hour), Plan::draw(2, 6, hour));
        assert_eq!(plan.kills, again.kills);
        assert_ne!(plan.kills, other.kills);
        assert_eq!(plan.kills.len(), 6 * 108);
        assert!(plan.kills.iter().all(|&(time, _)| time < plan.quiet_from));
        let mut short = Plan::draw(1, 6, Duration::from_secs(10));
        assert_eq!(short.due(hour).len(), 12);
        assert!(short.due(hour).is_empty());
    }
}
