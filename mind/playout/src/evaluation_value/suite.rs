//! The status suite: positions of our own making whose statuses are known, to find what playouts misjudge.
//!
//! A file per subject under `suite/`. A position is a block of lines: its title, who is to move, the diagram, and then
//! what must hold, one point a line. A stone's line speaks of its whole chain.
//!
//! ```text
//! three in a row in the corner
//! black to move
//! . . . O X
//! O O O O X
//! X X X X X
//! . . . . .
//! . . . . .
//! D5 unsettled
//! ```
//!
//! `alive` and `dead` chains stay so whoever plays first (in ladders: with this side to move); `unsettled` ones are
//! decided by whoever plays there first, or by a ko; `black` and `white` own an empty point. `#` begins a remark.

use jigo_board::{Board, Color, DiagramError, Point};

use super::status::{GroupStatus, expectation};
use super::value::EvaluationValue;
use crate::simulation::StartPosition;

/// A position and what is known of it.
pub struct StatusPosition {
    pub category: &'static str,
    pub title: String,
    pub to_move: Color,
    pub board: Board,
    /// Stones (each standing for its chain) and empty points, with their statuses.
    pub expected: Vec<(Point, GroupStatus)>,
}

impl StatusPosition {
    /// Where playouts start; nobody knows what was played before.
    pub fn start(&self) -> StartPosition {
        StartPosition::new(self.board.clone(), self.to_move, Vec::new())
    }

    /// The claims that the playouts judge otherwise.
    pub fn wrong<'a>(&'a self, evaluation: &'a EvaluationValue) -> impl Iterator<Item = (Point, GroupStatus)> + 'a {
        self.expected.iter().copied().filter(|&(point, status)| !evaluation.meets(point, status))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    #[error("the position {0:?} does not say who is to move")]
    NobodyToMove(String),
    #[error("the diagram of {0:?} is wrong: {1}")]
    Diagram(String, DiagramError),
    #[error("the position {0:?} expects nothing")]
    NothingExpected(String),
    #[error("the position {0:?} cannot expect {1:?}")]
    BadExpectation(String, String),
}

const FILES: [(&str, &str); 10] = [
    ("life and death", include_str!("../../suite/life_and_death.txt")),
    ("nakade", include_str!("../../suite/nakade.txt")),
    ("false eyes", include_str!("../../suite/false_eyes.txt")),
    ("semeai", include_str!("../../suite/semeai.txt")),
    ("seki", include_str!("../../suite/seki.txt")),
    ("bent four", include_str!("../../suite/bent_four.txt")),
    ("ladders", include_str!("../../suite/ladders.txt")),
    ("ko", include_str!("../../suite/ko.txt")),
    ("two safe groups", include_str!("../../suite/two_safe_groups.txt")),
    ("endgame territory", include_str!("../../suite/endgame_territory.txt")),
];

/// All positions of the suite.
pub fn load() -> Result<Vec<StatusPosition>, SuiteError> {
    let mut positions = Vec::new();
    for (category, text) in FILES {
        positions.extend(parse(category, text)?);
    }
    Ok(positions)
}

/// The positions of one file.
pub fn parse(category: &'static str, text: &str) -> Result<Vec<StatusPosition>, SuiteError> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.starts_with('#')).collect();
    let blocks = lines.split(|line| line.is_empty()).filter(|block| !block.is_empty());
    blocks.map(|block| parse_position(category, block)).collect()
}

fn parse_position(category: &'static str, block: &[&str]) -> Result<StatusPosition, SuiteError> {
    let title = block[0].to_string();
    let to_move = block.get(1).and_then(|line| line.strip_suffix(" to move")).and_then(Color::parse);
    let Some(to_move) = to_move else { return Err(SuiteError::NobodyToMove(title)) };
    let is_row = |line: &&str| line.split_whitespace().all(|word| matches!(word, "." | "X" | "O"));
    let rows = block[2..].iter().take_while(|line| is_row(line)).count();
    let (diagram, expectations) = block[2..].split_at(rows);
    let board = Board::parse_diagram(&diagram.join("\n")).map_err(|error| SuiteError::Diagram(title.clone(), error))?;
    if expectations.is_empty() {
        return Err(SuiteError::NothingExpected(title));
    }
    let expected = expectations
        .iter()
        .map(|line| {
            let (vertex, word) = line.split_once(' ').unwrap_or((line, ""));
            expectation(&board, vertex, word).ok_or_else(|| SuiteError::BadExpectation(title.clone(), line.to_string()))
        })
        .collect::<Result<_, _>>()?;
    Ok(StatusPosition { category, title, to_move, board, expected })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "three in a row\nblack to move\n. . . O X\nO O O O X\nX X X X X\n. . . . .\n. . . . .\n";

    fn error(text: &str) -> String {
        parse("test", text).err().expect("this is no suite").to_string()
    }

    #[test]
    fn blocks_become_positions() {
        let positions =
            parse("test", &format!("# a remark\n\n{GOOD}D5 unsettled\nA1 black\n\n\n{GOOD}E5 alive\n")).unwrap();
        assert_eq!(positions.len(), 2);
        let first = &positions[0];
        assert_eq!((first.category, first.title.as_str(), first.to_move), ("test", "three in a row", Color::Black));
        let vertices: Vec<_> = first.expected.iter().map(|(p, s)| (p.vertex(5), *s)).collect();
        assert_eq!(vertices, [("D5".into(), GroupStatus::Unsettled), ("A1".into(), GroupStatus::Owned(Color::Black))]);
    }

    #[test]
    fn what_is_wrong_is_said_in_one_sentence() {
        assert_eq!(error("t\n. .\n. .\nA1 black"), "the position \"t\" does not say who is to move");
        assert_eq!(error("t"), "the position \"t\" does not say who is to move");
        assert_eq!(error(GOOD), "the position \"three in a row\" expects nothing");
        for bad in ["D5 asleep", "Z9 alive", "D5", "A1 alive", "D5 black"] {
            let expected = format!("the position \"three in a row\" cannot expect {bad:?}");
            assert_eq!(error(&format!("{GOOD}{bad}\n")), expected);
        }
        assert!(error("t\nwhite to move\n. . .\n. .\nA1 black").starts_with("the diagram of \"t\" is wrong: "));
    }
}
