//! How long to think about the next move (Pachi 4.1).

use std::time::Duration;

use jigo_board::{Clock, Color, Remaining, TimeControl};
use jigo_search::TimeBudget;

/// Share of the board's points that stay empty in a final position (Pachi footnote 13).
const EMPTY_AT_END: f32 = 0.25;
/// However late in the game, so many moves may still come (Pachi footnote 13).
const LEAST_MOVES: f32 = 30.0;
/// The middle game, as shares of the board that have been played (Pachi 4.1).
const MIDDLE_BEGINS: f32 = 0.2;
const MIDDLE_ENDS: f32 = 0.4;
/// t_m over t_d: in main time, in main time with overtime to come, in the last overtime period (Pachi 4.1).
const OVERSPEND: f32 = 2.0;
const OVERSPEND_WITH_OVERTIME: f32 = 3.0;
const OVERSPEND_IN_OVERTIME: f32 = 1.1;
/// Never more than this share of what is left goes into one move: a slow machine must not cost the game.
const LARGEST_SHARE: f32 = 0.5;
const LARGEST_SHARE_OF_PERIOD: f32 = 0.9;

/// How far the game is.
#[derive(Clone, Copy)]
pub struct GameStage {
    pub area: usize,
    pub moves: usize,
}

impl GameStage {
    fn played(&self) -> f32 {
        self.moves as f32 / self.area as f32
    }

    /// Our own moves still to come when this share of the board has been played.
    fn moves_left_at(&self, played: f32) -> f32 {
        let both = (1.0 - EMPTY_AT_END - played) * self.area as f32;
        (both / 2.0).max(LEAST_MOVES)
    }
}

/// The time for the next move, or none if there is no limit. `lag` is lost on every move.
pub fn budget(clock: &Clock, color: Color, stage: GameStage, lag: Duration) -> Option<TimeBudget> {
    let lag = lag.as_secs_f32();
    let (desired, maximum, hard) = match (clock.remaining(color)?, clock.control()) {
        (Remaining::Main { time }, TimeControl::Fischer { increment, per_move, .. }) => {
            let (desired, maximum) = main_time(time.as_secs_f32(), stage, OVERSPEND);
            let increment = increment.as_secs_f32();
            let allowed = per_move.map_or(f32::INFINITY, |allowed| allowed.as_secs_f32());
            (desired + increment, maximum + increment, (time.as_secs_f32() * LARGEST_SHARE).min(allowed))
        }
        (Remaining::Main { time }, TimeControl::Overtime { period, moves, periods, .. }) if periods > 0 => {
            let per_move = period.as_secs_f32() / moves.max(1) as f32;
            // All periods but the last are spent as main time.
            let spare = period.as_secs_f32() * (periods - 1) as f32;
            let (desired, maximum) = main_time(time.as_secs_f32() + spare, stage, OVERSPEND_WITH_OVERTIME);
            let hard = time.as_secs_f32() + spare + per_move * LARGEST_SHARE_OF_PERIOD;
            (desired.max(per_move), maximum.max(per_move), hard)
        }
        (Remaining::Main { time }, _) => {
            let (desired, maximum) = main_time(time.as_secs_f32(), stage, OVERSPEND);
            (desired, maximum, time.as_secs_f32() * LARGEST_SHARE)
        }
        (Remaining::Overtime { time, moves, .. }, _) => {
            // The referee may be counting periods that we would rather keep: only this one is spent.
            let desired = time.as_secs_f32() / moves.max(1) as f32;
            let hard = if moves <= 1 {
                time.as_secs_f32() * LARGEST_SHARE_OF_PERIOD
            } else {
                time.as_secs_f32() * LARGEST_SHARE
            };
            (desired, desired * OVERSPEND_IN_OVERTIME, hard)
        }
    };
    let hard = (hard - lag).max(0.0);
    let spend = |seconds: f32| Duration::from_secs_f32((seconds - lag).clamp(0.0, hard));
    Some(TimeBudget { desired: spend(desired), maximum: spend(maximum) })
}

/// The same budget, but never more than so many seconds; zero is no limit.
pub fn at_most(budget: Option<TimeBudget>, seconds: f32) -> Option<TimeBudget> {
    if seconds <= 0.0 {
        return budget;
    }
    let most = Duration::from_secs_f32(seconds);
    let TimeBudget { desired, maximum } = budget.unwrap_or(TimeBudget { desired: most, maximum: most });
    Some(TimeBudget { desired: desired.min(most), maximum: maximum.min(most) })
}

/// t_d and t_m of main time: spread evenly, but rising to a plateau in the middle game.
fn main_time(time: f32, stage: GameStage, overspend: f32) -> (f32, f32) {
    let even = time / stage.moves_left_at(stage.played());
    let plateau = overspend * time / stage.moves_left_at(MIDDLE_ENDS);
    let desired = match stage.played() {
        played if played < MIDDLE_BEGINS => even + (plateau - even).max(0.0) * played / MIDDLE_BEGINS,
        played if played < MIDDLE_ENDS => plateau.max(even),
        _ => even,
    };
    (desired, desired * overspend)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secs(seconds: f32) -> Duration {
        Duration::from_secs_f32(seconds)
    }

    fn at(control: TimeControl, moves: usize) -> TimeBudget {
        let stage = GameStage { area: 361, moves };
        budget(&Clock::new(control), Color::Black, stage, secs(0.1)).unwrap()
    }

    #[test]
    fn without_a_limit_there_is_no_budget() {
        let stage = GameStage { area: 361, moves: 0 };
        assert_eq!(budget(&Clock::new(TimeControl::Unlimited), Color::Black, stage, secs(0.1)), None);
    }

    #[test]
    fn the_middle_game_gets_most() {
        let control = TimeControl::absolute(secs(600.0));
        let [opening, early, middle, late] = [0, 40, 100, 200].map(|moves| at(control, moves).desired);
        assert!(opening < early && early < middle && late < middle, "{opening:?} {early:?} {middle:?} {late:?}");
        assert_eq!(opening, secs(600.0 / 135.375 - 0.1));
    }

    #[test]
    fn a_game_played_at_the_maximum_never_runs_out() {
        for control in [
            TimeControl::absolute(secs(30.0)),
            TimeControl::absolute(secs(1.0)),
            TimeControl::japanese(secs(10.0), secs(1.0), 1),
            TimeControl::japanese(secs(0.0), secs(5.0), 3),
            TimeControl::canadian(secs(10.0), secs(20.0), 25),
            TimeControl::canadian(secs(0.0), secs(5.0), 5),
            TimeControl::Fischer { main: secs(10.0), increment: secs(1.0), cap: None, per_move: None },
            TimeControl::Fischer {
                main: secs(2.0),
                increment: secs(0.5),
                cap: Some(secs(3.0)),
                per_move: Some(secs(0.4)),
            },
        ] {
            let mut clock = Clock::new(control);
            for moves in 0..200 {
                let stage = GameStage { area: 361, moves: 2 * moves };
                let budget = budget(&clock, Color::Black, stage, secs(0.1)).unwrap();
                let left = match clock.remaining(Color::Black).unwrap() {
                    Remaining::Main { time } => match control {
                        TimeControl::Overtime { period, periods, .. } => time + period * periods,
                        _ => time,
                    },
                    Remaining::Overtime { time, .. } => time,
                };
                assert!(budget.desired <= budget.maximum);
                assert!(budget.maximum < left, "{control:?}, move {moves}: {budget:?} of {left:?}");
                clock.spend(Color::Black, budget.maximum);
            }
        }
    }

    #[test]
    fn the_last_period_is_spent_almost_whole() {
        let budget = at(TimeControl::japanese(secs(0.0), secs(30.0), 1), 100);
        assert!(budget.maximum > secs(26.0) && budget.maximum < secs(30.0), "{budget:?}");
    }

    #[test]
    fn a_limit_of_our_own_holds_with_and_without_a_clock() {
        let clocked = at(TimeControl::absolute(secs(600.0)), 100);
        assert_eq!(at_most(Some(clocked), 0.0), Some(clocked));
        assert_eq!(at_most(None, 0.0), None);
        let second = TimeBudget { desired: secs(1.0), maximum: secs(1.0) };
        assert_eq!(at_most(Some(clocked), 1.0), Some(second));
        assert_eq!(at_most(None, 1.0), Some(second));
        assert_eq!(at_most(Some(clocked), 1000.0), Some(clocked));
    }
}
