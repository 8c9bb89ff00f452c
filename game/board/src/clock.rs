//! Both players' time as plain data: what is left, and what a move costs.

use std::time::Duration;

use crate::color::Color;
use crate::time_control::TimeControl;

/// What one player has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remaining {
    Main {
        time: Duration,
    },
    /// `time` for the next `moves` moves, with `periods` periods left, this one included.
    Overtime {
        time: Duration,
        moves: u32,
        periods: u32,
    },
}

/// The agreement and both players' time.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    control: TimeControl,
    remaining: [Option<Remaining>; 2],
}

impl Clock {
    pub fn new(control: TimeControl) -> Clock {
        Clock { control, remaining: [control.at_start(); 2] }
    }

    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// `None` means no limit.
    pub fn remaining(&self, color: Color) -> Option<Remaining> {
        self.remaining[color.index()]
    }

    /// Both players have their whole time again.
    pub fn restart(&mut self) {
        *self = Clock::new(self.control);
    }

    /// The referee's word on a player's time. `count` is 0 in main time; in overtime it counts the moves still due in
    /// this period, or the periods left where a period is one move (as KGS and its followers send it).
    pub fn set_remaining(&mut self, color: Color, time: Duration, count: u32) {
        self.remaining[color.index()] = Some(match (count, self.control) {
            (0, _) => Remaining::Main { time },
            (periods, TimeControl::Overtime { moves: 1, .. }) => Remaining::Overtime { time, moves: 1, periods },
            (moves, TimeControl::Overtime { periods, .. }) => {
                Remaining::Overtime { time, moves, periods: periods.max(1) }
            }
            (moves, _) => Remaining::Overtime { time, moves, periods: 1 },
        });
    }

    /// The other way round: what a referee tells a player, as time and count.
    pub fn time_left(&self, color: Color) -> Option<(Duration, u32)> {
        Some(match (self.remaining(color)?, self.control) {
            (Remaining::Main { time }, _) => (time, 0),
            (Remaining::Overtime { time, periods, .. }, TimeControl::Overtime { moves: 1, .. }) => (time, periods),
            (Remaining::Overtime { time, moves, .. }, _) => (time, moves),
        })
    }

    /// What `color` has left after thinking for so long without having moved yet; `None` means no limit.
    pub fn while_thinking(&self, color: Color, spent: Duration) -> Option<Remaining> {
        Some(match (self.remaining(color)?, self.control) {
            (Remaining::Main { time }, TimeControl::Overtime { period, moves, periods, .. })
                if spent >= time && periods > 0 =>
            {
                let overtime = Overtime { time: period, moves, periods, period, moves_each: moves };
                overtime.think(spent - time, false).into()
            }
            (Remaining::Main { time }, _) => Remaining::Main { time: time.saturating_sub(spent) },
            (Remaining::Overtime { time, moves, periods }, TimeControl::Overtime { period, moves: each, .. }) => {
                Overtime { time, moves, periods, period, moves_each: each }.think(spent, false).into()
            }
            (Remaining::Overtime { time, moves, periods }, _) => {
                Remaining::Overtime { time: time.saturating_sub(spent), moves, periods }
            }
        })
    }

    /// How long `color` may think about the next move before the game is lost on time; `None` means for ever.
    pub fn until_flag(&self, color: Color) -> Option<Duration> {
        Some(match (self.remaining(color)?, self.control) {
            (Remaining::Main { time }, TimeControl::Overtime { period, periods, .. }) => {
                time.saturating_add(period.saturating_mul(periods))
            }
            (Remaining::Main { time }, _) => time,
            (Remaining::Overtime { time, periods, .. }, TimeControl::Overtime { period, .. }) => {
                time.saturating_add(period.saturating_mul(periods.saturating_sub(1)))
            }
            (Remaining::Overtime { time, .. }, _) => time,
        })
    }

    /// A move of `color` took this long.
    pub fn spend(&mut self, color: Color, spent: Duration) {
        let control = self.control;
        let remaining = &mut self.remaining[color.index()];
        *remaining = remaining.map(|before| after_move(control, before, spent));
    }
}

/// What is left after a move that took `spent`. A player out of time has zero left: losing on time is the referee's word.
fn after_move(control: TimeControl, before: Remaining, spent: Duration) -> Remaining {
    match (before, control) {
        (Remaining::Main { time }, TimeControl::Fischer { increment, cap, .. }) => {
            let time = time.saturating_sub(spent).saturating_add(increment);
            Remaining::Main { time: cap.map_or(time, |cap| time.min(cap)) }
        }
        (Remaining::Main { time }, TimeControl::Overtime { period, moves, periods, .. })
            if spent >= time && periods > 0 =>
        {
            let overtime = Remaining::Overtime { time: period, moves, periods };
            after_move(control, overtime, spent - time)
        }
        (Remaining::Main { time }, _) => Remaining::Main { time: time.saturating_sub(spent) },
        (Remaining::Overtime { time, moves, periods }, control) => {
            let (period, moves_each) = match control {
                TimeControl::Overtime { period, moves, .. } => (period, moves),
                _ => (time, moves),
            };
            Overtime { time, moves, periods, period, moves_each }.think(spent, true).make_move().into()
        }
    }
}

/// A player's overtime and what the agreement gives for every period.
#[derive(Clone, Copy)]
struct Overtime {
    time: Duration,
    moves: u32,
    periods: u32,
    /// A fresh period.
    period: Duration,
    moves_each: u32,
}

impl Overtime {
    /// Thinks for `spent`: every period used up takes the next one, and the last one stops at zero. A player who is still thinking has
    /// used up a period at its very end; one who moves then was just in time.
    fn think(mut self, mut spent: Duration, moves_now: bool) -> Overtime {
        let just_in_time = Duration::from_nanos(moves_now.into());
        // Empty periods cannot be moved in, only passed through.
        let is_used_up = spent >= self.time.saturating_add(just_in_time)
            && self.periods > 1
            && !(moves_now && self.period.is_zero());
        if is_used_up {
            let into_later_periods = spent - self.time;
            // Counted, not stepped through: there may be billions of them, and they may be empty.
            let used_up = (into_later_periods - just_in_time).as_nanos() / self.period.as_nanos().max(1);
            let used_up = u32::try_from(used_up).unwrap_or(u32::MAX).min(self.periods - 2);
            spent = into_later_periods - self.period * used_up;
            (self.time, self.moves, self.periods) = (self.period, self.moves_each, self.periods - 1 - used_up);
        }
        self.time = self.time.saturating_sub(spent);
        self
    }

    /// A move counts towards renewing the period it was made in.
    fn make_move(mut self) -> Overtime {
        self.moves = self.moves.saturating_sub(1);
        if self.moves == 0 {
            (self.time, self.moves) = (self.period, self.moves_each);
        }
        self
    }
}

impl From<Overtime> for Remaining {
    fn from(Overtime { time, moves, periods, .. }: Overtime) -> Remaining {
        Remaining::Overtime { time, moves, periods }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn after(control: TimeControl, moves: &[u64]) -> Option<Remaining> {
        let mut clock = Clock::new(control);
        for &spent in moves {
            clock.spend(Color::Black, secs(spent));
        }
        clock.remaining(Color::Black)
    }

    #[test]
    fn without_a_limit_nothing_runs_out() {
        assert_eq!(after(TimeControl::Unlimited, &[1000]), None);
    }

    #[test]
    fn absolute_time_stops_at_zero() {
        assert_eq!(after(TimeControl::absolute(secs(60)), &[25]), Some(Remaining::Main { time: secs(35) }));
        assert_eq!(after(TimeControl::absolute(secs(60)), &[25, 90]), Some(Remaining::Main { time: secs(0) }));
    }

    #[test]
    fn a_japanese_period_is_lost_only_when_it_is_used_up() {
        let control = TimeControl::japanese(secs(10), secs(30), 5);
        let overtime = |periods| Some(Remaining::Overtime { time: secs(30), moves: 1, periods });
        assert_eq!(after(control, &[10]), overtime(5));
        assert_eq!(after(control, &[10, 29, 30]), overtime(5));
        assert_eq!(after(control, &[10, 31]), overtime(4));
        assert_eq!(after(control, &[10 + 95]), overtime(2));
        assert_eq!(after(control, &[10, 10_000]), overtime(1));
    }

    #[test]
    fn canadian_overtime_is_renewed_after_its_moves() {
        let control = TimeControl::canadian(secs(0), secs(60), 3);
        let left = |time, moves| Some(Remaining::Overtime { time: secs(time), moves, periods: 1 });
        assert_eq!(after(control, &[]), left(60, 3));
        assert_eq!(after(control, &[20, 10]), left(30, 1));
        assert_eq!(after(control, &[20, 10, 29]), left(60, 3));
    }

    #[test]
    fn fischer_time_grows_up_to_its_cap() {
        let fischer = |cap| TimeControl::Fischer { main: secs(60), increment: secs(10), cap, per_move: None };
        assert_eq!(after(fischer(None), &[5, 0]), Some(Remaining::Main { time: secs(75) }));
        assert_eq!(after(fischer(Some(secs(62))), &[5, 0]), Some(Remaining::Main { time: secs(62) }));
    }

    #[test]
    fn thinking_runs_through_main_time_and_periods_until_the_flag_falls() {
        let clock = Clock::new(TimeControl::japanese(secs(10), secs(30), 3));
        let thinking = |spent| clock.while_thinking(Color::Black, secs(spent));
        assert_eq!(thinking(4), Some(Remaining::Main { time: secs(6) }));
        assert_eq!(thinking(15), Some(Remaining::Overtime { time: secs(25), moves: 1, periods: 3 }));
        assert_eq!(thinking(75), Some(Remaining::Overtime { time: secs(25), moves: 1, periods: 1 }));
        assert_eq!(thinking(1000), Some(Remaining::Overtime { time: secs(0), moves: 1, periods: 1 }));
        assert_eq!(clock.until_flag(Color::Black), Some(secs(100)));
        assert_eq!(Clock::default().until_flag(Color::Black), None);
        let fischer =
            Clock::new(TimeControl::Fischer { main: secs(60), increment: secs(10), cap: None, per_move: None });
        assert_eq!(fischer.until_flag(Color::White), Some(secs(60)));
        assert_eq!(fischer.while_thinking(Color::White, secs(61)), Some(Remaining::Main { time: secs(0) }));
        let tiny = Duration::from_nanos(1);
        let countless = TimeControl::Overtime { main: secs(0), period: tiny, moves: 1, periods: u32::MAX };
        let last = Some(Remaining::Overtime { time: secs(0), moves: 1, periods: 1 });
        assert_eq!(Clock::new(countless).while_thinking(Color::Black, secs(5)), last);
    }

    #[test]
    fn the_referee_counts_moves_or_periods() {
        let mut clock = Clock::new(TimeControl::canadian(secs(60), secs(30), 25));
        clock.set_remaining(Color::White, secs(12), 7);
        assert_eq!(clock.time_left(Color::White), Some((secs(12), 7)));
        assert_eq!(clock.time_left(Color::Black), Some((secs(60), 0)));
        let expected = Remaining::Overtime { time: secs(12), moves: 7, periods: 1 };
        assert_eq!(clock.remaining(Color::White), Some(expected));
        assert_eq!(clock.remaining(Color::Black), Some(Remaining::Main { time: secs(60) }));

        let mut clock = Clock::new(TimeControl::japanese(secs(60), secs(30), 5));
        clock.set_remaining(Color::White, secs(12), 3);
        assert_eq!(clock.time_left(Color::White), Some((secs(12), 3)));
        let expected = Remaining::Overtime { time: secs(12), moves: 1, periods: 3 };
        assert_eq!(clock.remaining(Color::White), Some(expected));
    }
}
