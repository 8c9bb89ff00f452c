//! How a program judged a move it made, in its own words: `winrate 0.62 score 3.5 playouts 1000`.
//!
//! Our engine answers the GTP command `jigo-last_evaluation` with this line; any part may be missing. Win rate
//! (0 to 1) and score lead (points) are those of the player who moved.

use jigo_board::{Color, Score, WinRate};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveEvaluation {
    pub mover_winrate: Option<f32>,
    pub mover_lead: Option<f32>,
    pub playouts: Option<u64>,
}

impl MoveEvaluation {
    /// Reads the answer; words it does not know are skipped with their value.
    pub fn parse(answer: &str) -> Option<Self> {
        let mut evaluation = Self::default();
        let mut words = answer.split_whitespace();
        while let (Some(key), Some(value)) = (words.next(), words.next()) {
            match key {
                "winrate" => evaluation.mover_winrate = value.parse().ok().filter(|rate| (0.0..=1.0).contains(rate)),
                "score" => evaluation.mover_lead = value.parse().ok().filter(|lead: &f32| lead.is_finite()),
                "playouts" => evaluation.playouts = value.parse().ok(),
                _ => {}
            }
        }
        (evaluation != Self::default()).then_some(evaluation)
    }

    pub fn win_rate(&self, mover: Color) -> Option<WinRate> {
        self.mover_winrate.map(|share| WinRate::of(mover, share))
    }

    pub fn score(&self, mover: Color) -> Option<Score> {
        self.mover_lead.map(|lead| Score::of(mover, lead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_may_be_missing_or_unknown() {
        let whole = MoveEvaluation::parse("winrate 0.25 score -3.5 playouts 900").unwrap();
        assert_eq!(whole.mover_winrate, Some(0.25));
        assert_eq!(whole.win_rate(Color::White).map(|rate| rate.share_of(Color::Black)), Some(0.75));
        assert_eq!(whole.score(Color::White), Some(Score::black_lead(3.5)));
        assert_eq!(whole.playouts, Some(900));
        let part = MoveEvaluation::parse("mood 7 playouts 12").unwrap();
        assert_eq!((part.mover_winrate, part.playouts), (None, Some(12)));
    }

    #[test]
    fn nonsense_is_no_evaluation() {
        for answer in ["", "winrate", "winrate 7", "score nan", "hello world"] {
            assert_eq!(MoveEvaluation::parse(answer), None, "{answer}");
        }
    }
}
