//! Clocks, kept by the arena and never by the players.
//!
//! A move's time runs from sending `genmove` to reading the answer. The lag allowance is forgiven on every move, and
//! only the time beyond it is charged, so a slow pipe costs nobody a game.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum TimeControl {
    /// No clock; only the stall limit guards against a program that never answers.
    #[default]
    Unlimited,
    /// So many seconds for each move.
    PerMove { seconds: f64 },
    /// All moves within the main time.
    Absolute { main: f64 },
    /// After the main time, `stones` moves within each `period`.
    Canadian { main: f64, period: f64, stones: u32 },
    /// After the main time, `periods` periods; one is lost each time a move outlasts it.
    Byoyomi { main: f64, period: f64, periods: u32 },
    /// The increment is added after every move.
    Fischer { main: f64, increment: f64 },
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "cannot read the time {0:?}: use 5/move, 300 (all moves), 300+30/25 (canadian, 25 moves in 30 s), \
     300+3x30 (byoyomi, 3 periods of 30 s), 300+5 (fischer, 5 s added each move) or none"
)]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        parse(text.trim()).ok_or_else(|| TimeControlError(text.to_string()))
    }
}

fn parse(text: &str) -> Option<TimeControl> {
    if text == "none" {
        return Some(TimeControl::Unlimited);
    }
    if let Some(seconds) = text.strip_suffix("/move") {
        let seconds = positive(seconds)?;
        return Some(TimeControl::PerMove { seconds });
    }
    let Some((main, overtime)) = text.split_once('+') else {
        let main = positive(text)?;
        return Some(TimeControl::Absolute { main });
    };
    let main = not_negative(main)?;
    if let Some((period, stones)) = overtime.split_once('/') {
        return Some(TimeControl::Canadian {
            main,
            period: positive(period)?,
            stones: stones.parse().ok().filter(|&stones| stones > 0)?,
        });
    }
    if let Some((periods, period)) = overtime.split_once('x') {
        return Some(TimeControl::Byoyomi {
            main,
            period: positive(period)?,
            periods: periods.parse().ok().filter(|&periods| periods > 0)?,
        });
    }
    let increment = positive(overtime)?;
    Some(TimeControl::Fischer { main, increment })
}

fn not_negative(text: &str) -> Option<f64> {
    let seconds: f64 = text.parse().ok()?;
    // A day is more than any game needs, and keeps every sum representable.
    (0.0..=86_400.0).contains(&seconds).then_some(seconds)
}

fn positive(text: &str) -> Option<f64> {
    not_negative(text).filter(|&seconds| seconds > 0.0)
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::Unlimited => write!(f, "none"),
            Self::PerMove { seconds } => write!(f, "{seconds}/move"),
            Self::Absolute { main } => write!(f, "{main}"),
            Self::Canadian { main, period, stones } => write!(f, "{main}+{period}/{stones}"),
            Self::Byoyomi { main, period, periods } => write!(f, "{main}+{periods}x{period}"),
            Self::Fischer { main, increment } => write!(f, "{main}+{increment}"),
        }
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<Self, TimeControlError> {
        text.parse()
    }
}

impl TimeControl {
    /// The GTP commands that announce this control, best first; a program gets the first one it knows.
    /// The plain `time_settings` comes last and is as near as that command can come.
    pub fn announcements(&self) -> Vec<String> {
        match *self {
            Self::Unlimited => vec![],
            Self::PerMove { seconds } => vec![format!("time_settings 0 {} 1", gtp_seconds(seconds))],
            Self::Absolute { main } => vec![format!("time_settings {} 0 0", gtp_seconds(main))],
            Self::Canadian { main, period, stones } => {
                vec![format!("time_settings {} {} {stones}", gtp_seconds(main), gtp_seconds(period))]
            }
            Self::Byoyomi { main, period, periods } => vec![
                format!("kgs-time_settings byoyomi {} {} {periods}", gtp_seconds(main), gtp_seconds(period)),
                format!("time_settings {} {} 1", gtp_seconds(main), gtp_seconds(period)),
            ],
            Self::Fischer { main, increment } => vec![
                format!("kata-time_settings fischer {main} {increment}"),
                format!("time_settings {} 0 0", gtp_seconds(main)),
            ],
        }
    }
}

/// GTP 2 wants whole seconds; rounding down never promises a program time it does not have. Below a second there is
/// nothing to round to, and a program that reads fractions is better off.
fn gtp_seconds(seconds: f64) -> String {
    if seconds < 1.0 { format!("{seconds}") } else { format!("{}", seconds.floor()) }
}

/// One player's clock.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    lag: f64,
    main: f64,
    /// In overtime: what is left of the period, and of its stones or periods.
    period: f64,
    left: u32,
}

/// The flag fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFell;

impl Clock {
    pub fn new(control: TimeControl, lag: Duration) -> Self {
        let (main, period, left) = match control {
            TimeControl::Unlimited => (0.0, 0.0, 0),
            TimeControl::PerMove { seconds } => (0.0, seconds, 1),
            TimeControl::Absolute { main } => (main, 0.0, 0),
            TimeControl::Canadian { main, period, stones } => (main, period, stones),
            TimeControl::Byoyomi { main, period, periods } => (main, period, periods),
            TimeControl::Fischer { main, increment } => (main + increment, 0.0, 0),
        };
        Self { control, lag: lag.as_secs_f64(), main, period, left }
    }

    /// How long an answer may take before the flag has certainly fallen; `None` without a clock.
    pub fn deadline(&self) -> Option<Duration> {
        let seconds = match self.control {
            TimeControl::Unlimited => return None,
            TimeControl::Byoyomi { period, .. } => self.main + period * f64::from(self.left),
            _ => self.main + self.period,
        };
        Some(Duration::from_secs_f64(seconds + self.lag))
    }

    /// Charges a move.
    pub fn spend(&mut self, thought: Duration) -> Result<(), FlagFell> {
        let charged = (thought.as_secs_f64() - self.lag).max(0.0);
        let beyond_main = charged - self.main;
        self.main = (self.main - charged).max(0.0);
        match self.control {
            TimeControl::Unlimited => Ok(()),
            TimeControl::PerMove { seconds } => flag(charged <= seconds),
            TimeControl::Absolute { .. } => flag(beyond_main <= 0.0),
            TimeControl::Fischer { increment, .. } => {
                flag(beyond_main <= 0.0)?;
                self.main += increment;
                Ok(())
            }
            TimeControl::Canadian { period, stones, .. } => {
                // A move that leaves some main time is no overtime move.
                if self.main > 0.0 {
                    return Ok(());
                }
                self.period -= beyond_main.max(0.0);
                flag(self.period >= 0.0)?;
                self.left -= 1;
                if self.left == 0 {
                    (self.period, self.left) = (period, stones);
                }
                Ok(())
            }
            TimeControl::Byoyomi { period, .. } => {
                if self.main > 0.0 {
                    return Ok(());
                }
                let used_up = (beyond_main.max(0.0) / period).ceil() as u32;
                let lost = used_up.saturating_sub(1);
                flag(lost < self.left)?;
                self.left -= lost;
                Ok(())
            }
        }
    }

    /// The last two words of `time_left`; `None` without a clock.
    pub fn time_left(&self) -> Option<String> {
        match self.control {
            TimeControl::Unlimited => None,
            _ if self.main > 0.0 => Some(format!("{} 0", gtp_seconds(self.main))),
            TimeControl::Absolute { .. } | TimeControl::Fischer { .. } => Some("0 0".to_string()),
            _ => Some(format!("{} {}", gtp_seconds(self.period), self.left)),
        }
    }
}

fn flag(in_time: bool) -> Result<(), FlagFell> {
    in_time.then_some(()).ok_or(FlagFell)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(control: &str) -> Clock {
        Clock::new(control.parse().unwrap(), Duration::ZERO)
    }

    fn secs(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn every_control_is_read_and_written_alike() {
        for text in ["none", "5/move", "300", "300+30/25", "300+3x30", "300+5", "0+1.5/10"] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
        for text in ["", "-3", "5/stone", "300+0/5", "300+30/0", "1e99", "nan", "3+x"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn absolute_time_runs_out() {
        let mut clock = clock("10");
        assert_eq!(clock.spend(secs(6.0)), Ok(()));
        assert_eq!(clock.time_left().unwrap(), "4 0");
        assert_eq!(clock.deadline(), Some(secs(4.0)));
        assert_eq!(clock.spend(secs(4.5)), Err(FlagFell));
    }

    #[test]
    fn canadian_periods_are_renewed_after_their_stones() {
        let mut clock = clock("10+6/2");
        assert_eq!(clock.spend(secs(12.0)), Ok(()), "two seconds into overtime");
        assert_eq!(clock.time_left().unwrap(), "4 1");
        assert_eq!(clock.spend(secs(4.0)), Ok(()));
        assert_eq!(clock.time_left().unwrap(), "6 2");
        assert_eq!(clock.spend(secs(6.5)), Err(FlagFell));
    }

    #[test]
    fn byoyomi_loses_a_period_only_when_it_is_outlasted() {
        let mut clock = clock("0+3x10");
        assert_eq!(clock.spend(secs(9.0)), Ok(()));
        assert_eq!(clock.time_left().unwrap(), "10 3");
        assert_eq!(clock.spend(secs(15.0)), Ok(()));
        assert_eq!(clock.time_left().unwrap(), "10 2");
        assert_eq!(clock.deadline(), Some(secs(20.0)));
        assert_eq!(clock.spend(secs(21.0)), Err(FlagFell));
    }

    #[test]
    fn fischer_adds_after_each_move() {
        let mut clock = clock("10+5");
        assert_eq!(clock.deadline(), Some(secs(15.0)));
        assert_eq!(clock.spend(secs(14.0)), Ok(()));
        assert_eq!(clock.time_left().unwrap(), "6 0");
        assert_eq!(clock.spend(secs(6.5)), Err(FlagFell));
    }

    #[test]
    fn lag_is_forgiven_on_every_move() {
        let mut clock = Clock::new("1/move".parse().unwrap(), secs(0.5));
        assert_eq!(clock.deadline(), Some(secs(1.5)));
        for _ in 0..10 {
            assert_eq!(clock.spend(secs(1.4)), Ok(()));
        }
        assert_eq!(clock.spend(secs(1.6)), Err(FlagFell));
    }

    #[test]
    fn without_a_clock_nothing_is_announced_or_lost() {
        let mut clock = clock("none");
        assert_eq!(clock.spend(secs(1e6)), Ok(()));
        assert_eq!((clock.deadline(), clock.time_left()), (None, None));
        assert!(TimeControl::Unlimited.announcements().is_empty());
    }

    #[test]
    fn programs_hear_the_best_announcement_they_know() {
        let byoyomi: TimeControl = "60+3x10".parse().unwrap();
        assert_eq!(byoyomi.announcements(), ["kgs-time_settings byoyomi 60 10 3", "time_settings 60 10 1"]);
        let per_move: TimeControl = "5/move".parse().unwrap();
        assert_eq!(per_move.announcements(), ["time_settings 0 5 1"]);
    }
}
