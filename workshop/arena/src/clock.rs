//! The clock as the arena keeps it for the players, and as it tells them about it.
//!
//! A move's time runs from sending `genmove` to reading the answer. The lag allowance is forgiven on every move, and
//! only the time beyond it is charged, so a slow pipe costs nobody a game.

use std::time::Duration;

use jigo_board::{Clock, Color, TimeControl};

/// The clock of one game, with its lag allowance.
#[derive(Clone, Debug)]
pub struct GameClock {
    clock: Clock,
    lag: Duration,
}

/// The flag fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFell;

impl GameClock {
    pub fn new(control: TimeControl, lag: Duration) -> Self {
        Self { clock: Clock::new(control), lag }
    }

    /// How long an answer may take before the flag has certainly fallen; `None` without a clock.
    pub fn deadline(&self, color: Color) -> Option<Duration> {
        self.clock.until_flag(color).map(|time| time + self.lag)
    }

    /// Charges a move.
    pub fn spend(&mut self, color: Color, thought: Duration) -> Result<(), FlagFell> {
        let charged = thought.saturating_sub(self.lag);
        if self.clock.until_flag(color).is_some_and(|time| charged > time) {
            return Err(FlagFell);
        }
        self.clock.spend(color, charged);
        Ok(())
    }

    /// The last two words of `time_left`; `None` without a clock.
    pub fn time_left(&self, color: Color) -> Option<String> {
        let (time, count) = self.clock.time_left(color)?;
        Some(format!("{} {count}", gtp_seconds(time)))
    }
}

/// The GTP commands that announce a time control, best first; a program gets the first one it knows.
/// The plain `time_settings` comes last and is as near as that command can come.
pub fn announcements(control: TimeControl) -> Vec<String> {
    match control {
        TimeControl::Unlimited => vec![],
        TimeControl::Overtime { main, periods: 0, .. } => vec![format!("time_settings {} 0 0", gtp_seconds(main))],
        TimeControl::Overtime { main, period, moves, periods } => {
            let (main, period) = (gtp_seconds(main), gtp_seconds(period));
            let byoyomi =
                (moves == 1 && periods > 1).then(|| format!("kgs-time_settings byoyomi {main} {period} {periods}"));
            byoyomi.into_iter().chain([format!("time_settings {main} {period} {moves}")]).collect()
        }
        TimeControl::Fischer { main, increment, cap, per_move } => {
            let [exact_main, increment] = [main, increment].map(|time| time.as_secs_f64());
            let limit = |time: Option<Duration>| time.map_or(-1.0, |time| time.as_secs_f64());
            let fischer = match (cap, per_move) {
                (None, None) => format!("kata-time_settings fischer {exact_main} {increment}"),
                _ => format!(
                    "kata-time_settings fischer-capped {exact_main} {increment} {} {}",
                    limit(cap),
                    limit(per_move)
                ),
            };
            vec![fischer, format!("time_settings {} 0 0", gtp_seconds(main))]
        }
    }
}

/// GTP 2 wants whole seconds; rounding down never promises a program time it does not have. Below a second there is
/// nothing to round to, and a program that reads fractions is better off.
fn gtp_seconds(time: Duration) -> String {
    if time.as_secs() == 0 { time.as_secs_f64().to_string() } else { time.as_secs().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Color = Color::Black;

    fn clock(control: &str) -> GameClock {
        GameClock::new(control.parse().unwrap(), Duration::ZERO)
    }

    fn secs(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn absolute_time_runs_out() {
        let mut clock = clock("10");
        assert_eq!(clock.spend(BLACK, secs(6.0)), Ok(()));
        assert_eq!(clock.time_left(BLACK).unwrap(), "4 0");
        assert_eq!(clock.time_left(Color::White).unwrap(), "10 0");
        assert_eq!(clock.deadline(BLACK), Some(secs(4.0)));
        assert_eq!(clock.spend(BLACK, secs(4.5)), Err(FlagFell));
    }

    #[test]
    fn canadian_periods_are_renewed_after_their_stones() {
        let mut clock = clock("10+6/2");
        assert_eq!(clock.spend(BLACK, secs(12.0)), Ok(()), "two seconds into overtime");
        assert_eq!(clock.time_left(BLACK).unwrap(), "4 1");
        assert_eq!(clock.spend(BLACK, secs(4.0)), Ok(()));
        assert_eq!(clock.time_left(BLACK).unwrap(), "6 2");
        assert_eq!(clock.spend(BLACK, secs(6.5)), Err(FlagFell));
    }

    #[test]
    fn byoyomi_loses_a_period_only_when_it_is_outlasted() {
        let mut clock = clock("0+3x10");
        assert_eq!(clock.spend(BLACK, secs(9.0)), Ok(()));
        assert_eq!(clock.time_left(BLACK).unwrap(), "10 3");
        assert_eq!(clock.spend(BLACK, secs(15.0)), Ok(()));
        assert_eq!(clock.time_left(BLACK).unwrap(), "10 2");
        assert_eq!(clock.deadline(BLACK), Some(secs(20.0)));
        assert_eq!(clock.spend(BLACK, secs(21.0)), Err(FlagFell));
    }

    #[test]
    fn fischer_adds_after_each_move() {
        let mut clock = clock("10+5");
        assert_eq!(clock.deadline(BLACK), Some(secs(10.0)));
        assert_eq!(clock.spend(BLACK, secs(9.0)), Ok(()));
        assert_eq!(clock.time_left(BLACK).unwrap(), "6 0");
        assert_eq!(clock.spend(BLACK, secs(6.5)), Err(FlagFell));
    }

    #[test]
    fn lag_is_forgiven_on_every_move() {
        let mut clock = GameClock::new("1/move".parse().unwrap(), secs(0.5));
        assert_eq!(clock.deadline(BLACK), Some(secs(1.5)));
        for _ in 0..10 {
            assert_eq!(clock.spend(BLACK, secs(1.4)), Ok(()));
        }
        assert_eq!(clock.spend(BLACK, secs(1.6)), Err(FlagFell));
    }

    #[test]
    fn without_a_clock_nothing_is_announced_or_lost() {
        let mut clock = clock("none");
        assert_eq!(clock.spend(BLACK, secs(1e6)), Ok(()));
        assert_eq!((clock.deadline(BLACK), clock.time_left(BLACK)), (None, None));
        assert!(announcements(TimeControl::Unlimited).is_empty());
    }

    #[test]
    fn programs_hear_the_best_announcement_they_know() {
        let told = |control: &str| announcements(control.parse().unwrap());
        assert_eq!(told("60+3x10"), ["kgs-time_settings byoyomi 60 10 3", "time_settings 60 10 1"]);
        assert_eq!(told("5/move"), ["time_settings 0 5 1"]);
        assert_eq!(told("60.5+5"), ["kata-time_settings fischer 60.5 5", "time_settings 60 0 0"]);
        assert_eq!(told("60+5<90"), ["kata-time_settings fischer-capped 60 5 90 -1", "time_settings 60 0 0"]);
    }
}
