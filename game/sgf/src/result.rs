//! The RE property: who won and how.

use std::fmt;

use jigo_board::{Color, Score};

/// The result of a game as SGF tells it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameResult {
    Win {
        winner: Color,
        by: Margin,
    },
    Draw,
    /// No result, or the play was suspended.
    Void,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Margin {
    Points(f32),
    Resignation,
    Time,
    Forfeit,
    /// The file names the winner only.
    Unstated,
}

impl GameResult {
    /// Reads `B+3.5`, `W+R`, `B+Time`, `Draw` and the like; `None` where the result is unknown or told in free words.
    pub fn parse(text: &str) -> Option<GameResult> {
        let text = text.trim().to_ascii_lowercase();
        match text.as_str() {
            "0" | "draw" | "jigo" => return Some(GameResult::Draw),
            "void" => return Some(GameResult::Void),
            _ => {}
        }
        let (winner, margin) = text.split_once('+')?;
        let by = match margin.trim() {
            "" => Margin::Unstated,
            "r" | "resign" => Margin::Resignation,
            "t" | "time" => Margin::Time,
            "f" | "forfeit" => Margin::Forfeit,
            points => Margin::Points(read_points(points)?),
        };
        Some(GameResult::Win { winner: Color::parse(winner.trim())?, by })
    }

    /// A counted game.
    pub fn counted(score: Score) -> GameResult {
        let win = |winner| GameResult::Win { winner, by: Margin::Points(score.lead_of(winner)) };
        score.winner().map_or(GameResult::Draw, win)
    }

    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::Draw | GameResult::Void => None,
            GameResult::Win { winner, .. } => Some(winner),
        }
    }

    /// The winner, where the board decided it: a loss on time or by forfeit says nothing about the position.
    pub fn winner_on_the_board(self) -> Option<Color> {
        match self {
            GameResult::Win { by: Margin::Time | Margin::Forfeit, .. } => None,
            other => other.winner(),
        }
    }

    /// The score, komi included, if the game was counted.
    pub fn score(self) -> Option<Score> {
        match self {
            GameResult::Draw => Some(Score::black_lead(0.0)),
            GameResult::Win { winner, by: Margin::Points(points) } => Some(Score::of(winner, points)),
            GameResult::Win { .. } | GameResult::Void => None,
        }
    }
}

fn read_points(text: &str) -> Option<f32> {
    // "3.5 points" and "3.5 moku" occur; what counts is the number in front.
    let number = text.split_ascii_whitespace().next()?.replace(',', ".");
    let points: f32 = number.parse().ok()?;
    (points.is_finite() && points > 0.0).then_some(points)
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameResult::Draw => f.write_str("0"),
            GameResult::Void => f.write_str("Void"),
            GameResult::Win { winner, by } => write!(f, "{}+{by}", winner.letter()),
        }
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Margin::Points(points) => write!(f, "{points}"),
            Margin::Resignation => f.write_str("R"),
            Margin::Time => f.write_str("T"),
            Margin::Forfeit => f.write_str("F"),
            Margin::Unstated => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_read_and_write() {
        for (text, written) in [
            ("B+3.5", "B+3.5"),
            (" w + 0,5 ", "W+0.5"),
            ("W+Resign", "W+R"),
            ("b+r", "B+R"),
            ("B+Time", "B+T"),
            ("White+F", "W+F"),
            ("B+", "B+"),
            ("Jigo", "0"),
            ("draw", "0"),
            ("Void", "Void"),
            ("W+12 points", "W+12"),
        ] {
            let result = GameResult::parse(text).expect(text);
            assert_eq!(result.to_string(), written);
            assert_eq!(GameResult::parse(written), Some(result));
        }
    }

    #[test]
    fn only_a_count_has_a_score_and_only_the_board_a_winner_of_its_own() {
        let read = |text| GameResult::parse(text).unwrap();
        let black_lead = |text| read(text).score().map(|score| score.lead_of(Color::Black));
        assert_eq!([black_lead("B+3.5"), black_lead("W+2.5"), black_lead("0")], [Some(3.5), Some(-2.5), Some(0.0)]);
        assert_eq!([black_lead("W+R"), black_lead("W+"), black_lead("Void")], [None; 3]);
        assert_eq!(read("W+").winner_on_the_board(), Some(Color::White));
        for text in ["W+T", "W+F"] {
            assert_eq!((read(text).winner(), read(text).winner_on_the_board()), (Some(Color::White), None));
        }
        for text in ["B+3.5", "W+0.5", "0"] {
            assert_eq!(GameResult::counted(read(text).score().unwrap()), read(text));
        }
    }

    #[test]
    fn what_is_not_known_stays_unknown() {
        for text in ["", "?", "B", "X+3", "B+inf", "B+NaN", "B+-3", "B+0", "Black wins", "+", "B++"] {
            assert_eq!(GameResult::parse(text), None, "{text}");
        }
    }
}
