//! How much time the players agreed on, and how it is written.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::clock::Remaining;

/// What the players agreed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeControl {
    #[default]
    Unlimited,
    /// Main time, then `periods` periods of overtime, each renewed when `moves` moves were made within it.
    /// Japanese byoyomi has one move a period, Canadian overtime has one period, absolute time has no periods.
    Overtime { main: Duration, period: Duration, moves: u32, periods: u32 },
    /// Every move adds `increment`, never beyond `cap`; no move may take longer than `per_move`.
    Fischer { main: Duration, increment: Duration, cap: Option<Duration>, per_move: Option<Duration> },
}

impl TimeControl {
    pub fn absolute(main: Duration) -> TimeControl {
        TimeControl::Overtime { main, period: Duration::ZERO, moves: 0, periods: 0 }
    }

    pub fn japanese(main: Duration, period: Duration, periods: u32) -> TimeControl {
        TimeControl::Overtime { main, period, moves: 1, periods }
    }

    pub fn canadian(main: Duration, period: Duration, moves: u32) -> TimeControl {
        TimeControl::Overtime { main, period, moves, periods: 1 }
    }

    /// So much for each move.
    pub fn per_move(time: Duration) -> TimeControl {
        TimeControl::japanese(Duration::ZERO, time, 1)
    }

    /// What each player has before the first move; `None` if there is no limit.
    pub fn at_start(&self) -> Option<Remaining> {
        match *self {
            TimeControl::Unlimited => None,
            TimeControl::Overtime { main, period, moves, periods } if main.is_zero() && periods > 0 => {
                Some(Remaining::Overtime { time: period, moves, periods })
            }
            TimeControl::Overtime { main, .. } | TimeControl::Fischer { main, .. } => {
                Some(Remaining::Main { time: main })
            }
        }
    }
}

/// A time that cannot be read, in the words it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControlError(String);

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cannot read the time {:?}: use 5/move, 300 (all moves), 300+30/25 (canadian, 25 moves in 30 s), \
             300+3x30 (byoyomi, 3 periods of 30 s), 300+5 (fischer, 5 s added each move) or none",
            self.0
        )
    }
}

impl std::error::Error for TimeControlError {}

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
    let Some((main, more)) = text.split_once('+') else {
        return match text.strip_suffix("/move") {
            Some(seconds) => Some(TimeControl::per_move(positive(seconds)?)),
            None => Some(TimeControl::absolute(positive(text)?)),
        };
    };
    let main = seconds(main)?;
    if !more.contains(['x', '/']) || more.ends_with("/move") {
        return fischer(main, more);
    }
    let (periods, rest) = more.split_once('x').unwrap_or(("1", more));
    let (period, moves) = rest.split_once('/').unwrap_or((rest, "1"));
    Some(TimeControl::Overtime { main, period: positive(period)?, moves: count(moves)?, periods: count(periods)? })
}

/// `5`, `5<60` where no more than 60 seconds are ever saved, `5<60,30/move` where no move may take longer than 30.
fn fischer(main: Duration, text: &str) -> Option<TimeControl> {
    let (text, per_move) = match text.strip_suffix("/move") {
        Some(text) => text.split_once(',').map(|(rest, limit)| (rest, Some(limit)))?,
        None => (text, None),
    };
    let (increment, cap) = text.split_once('<').map_or((text, None), |(increment, cap)| (increment, Some(cap)));
    let optional = |text: Option<&str>| text.map_or(Some(None), |text| positive(text).map(Some));
    Some(TimeControl::Fischer {
        main,
        increment: positive(increment)?,
        cap: optional(cap)?,
        per_move: optional(per_move)?,
    })
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    // A day is more than any game needs, and keeps every sum representable.
    (0.0..=86_400.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

fn positive(text: &str) -> Option<Duration> {
    seconds(text).filter(|time| !time.is_zero())
}

fn count(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&count| count > 0)
}

/// As [`FromStr`] reads it.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TimeControl::Unlimited => f.write_str("none"),
            TimeControl::Overtime { main, periods: 0, .. } => write!(f, "{}", main.as_secs_f64()),
            TimeControl::Overtime { main, period, moves: 1, periods: 1 } if main.is_zero() => {
                write!(f, "{}/move", period.as_secs_f64())
            }
            TimeControl::Overtime { main, period, moves, periods } => {
                write!(f, "{}+", main.as_secs_f64())?;
                // Without either number this would be read as Fischer time.
                if periods != 1 || moves == 1 {
                    write!(f, "{periods}x")?;
                }
                write!(f, "{}", period.as_secs_f64())?;
                if moves == 1 { Ok(()) } else { write!(f, "/{moves}") }
            }
            TimeControl::Fischer { main, increment, cap, per_move } => {
                write!(f, "{}+{}", main.as_secs_f64(), increment.as_secs_f64())?;
                if let Some(cap) = cap {
                    write!(f, "<{}", cap.as_secs_f64())?;
                }
                per_move.map_or(Ok(()), |limit| write!(f, ",{}/move", limit.as_secs_f64()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_is_read_and_written_alike() {
        for text in [
            "none",
            "5/move",
            "300",
            "300+30/25",
            "300+3x30",
            "300+1x30",
            "300+2x30/5",
            "300+5",
            "0+1.5/10",
            "300+5<600",
            "300+5,30/move",
            "300+5<600,30/move",
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), text);
        }
        for text in ["", "-3", "5/stone", "300+0/5", "300+30/0", "1e99", "nan", "3+x", "3+-5", "3+5<0", "3+5/move"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }
}
