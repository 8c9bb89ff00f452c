//! The RE property: who won and how.

use std::fmt;

use jigo_board::Color;

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
    fn what_is_not_known_stays_unknown() {
        for text in ["", "?", "B", "X+3", "B+inf", "B+NaN", "B+-3", "B+0", "Black wins", "+", "B++"] {
            assert_eq!(GameResult::parse(text), None, "{text}");
        }
    }
}
