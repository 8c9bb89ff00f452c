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

/// From this evaluation value on (004 sec 2: -10 is White's for sure, 10 Black's) a simulation calls a point decided:
/// it then goes one way in at least two playouts of three.
pub const DECIDED: f32 = 3.0;

/// Up to this evaluation value a simulation calls a point open: it goes the other way in at least one playout of four.
pub const OPEN: f32 = 5.0;

/// What is known of a chain or a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Alive,
    Dead,
    Unsettled,
    Owned(Color),
}

impl Status {
    fn parse(word: &str) -> Option<Status> {
        Some(match word {
            "alive" => Status::Alive,
            "dead" => Status::Dead,
            "unsettled" => Status::Unsettled,
            "black" => Status::Owned(Color::Black),
            "white" => Status::Owned(Color::White),
            _ => return None,
        })
    }

    /// Does an evaluation value, high for Black, judge this right? `stone` is the colour of the stone on the point. What
    /// is unsettled may lean to the side to move, for it plays first.
    pub fn is_met(self, stone: Option<Color>, to_move: Color, black_value: f32) -> bool {
        let owner = match (self, stone) {
            (Status::Unsettled, _) if black_value.abs() <= OPEN => return true,
            (Status::Unsettled, _) => Some(to_move),
            (Status::Owned(owner), _) => Some(owner),
            (Status::Alive, stone) => stone,
            (Status::Dead, stone) => stone.map(Color::opponent),
        };
        match owner {
            Some(Color::Black) => black_value >= DECIDED,
            Some(Color::White) => black_value <= -DECIDED,
            None => false,
        }
    }
}

/// A position and what is known of it.
pub struct StatusPosition {
    pub category: &'static str,
    pub title: String,
    pub to_move: Color,
    pub board: Board,
    /// Stones (each standing for its chain) and empty points, with their statuses.
    pub expected: Vec<(Point, Status)>,
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
    ("life and death", include_str!("../suite/life_and_death.txt")),
    ("nakade", include_str!("../suite/nakade.txt")),
    ("false eyes", include_str!("../suite/false_eyes.txt")),
    ("semeai", include_str!("../suite/semeai.txt")),
    ("seki", include_str!("../suite/seki.txt")),
    ("bent four", include_str!("../suite/bent_four.txt")),
    ("ladders", include_str!("../suite/ladders.txt")),
    ("ko", include_str!("../suite/ko.txt")),
    ("two safe groups", include_str!("../suite/two_safe_groups.txt")),
    ("endgame territory", include_str!("../suite/endgame_territory.txt")),
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
            parse_expectation(&board, line).ok_or_else(|| SuiteError::BadExpectation(title.clone(), line.to_string()))
        })
        .collect::<Result<_, _>>()?;
    Ok(StatusPosition { category, title, to_move, board, expected })
}

/// A line such as `C3 alive`: stones live or die, empty points belong to somebody.
fn parse_expectation(board: &Board, line: &str) -> Option<(Point, Status)> {
    let (vertex, word) = line.split_once(' ')?;
    let point = Point::parse(vertex, board.size())?;
    let status = Status::parse(word.trim())?;
    let speaks_of_stone = !matches!(status, Status::Owned(_));
    (speaks_of_stone == board.color_at(point).is_some()).then_some((point, status))
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
        assert_eq!(vertices, [("D5".into(), Status::Unsettled), ("A1".into(), Status::Owned(Color::Black))]);
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

    #[test]
    fn values_are_judged_by_sign_with_a_margin() {
        let met = |status: Status, stone: Option<Color>, value: f32| status.is_met(stone, Color::Black, value);
        let (black, white) = (Some(Color::Black), Some(Color::White));
        assert!(met(Status::Alive, black, 9.0) && !met(Status::Alive, black, 2.9));
        assert!(met(Status::Alive, white, -3.0) && !met(Status::Alive, white, 9.0));
        assert!(met(Status::Dead, black, -8.0) && !met(Status::Dead, black, 0.0));
        assert!(met(Status::Dead, white, 8.0) && !met(Status::Alive, None, 10.0));
        assert!(met(Status::Owned(Color::Black), None, 4.0) && !met(Status::Owned(Color::White), None, 4.0));
        // Black is to move: it may take what is unsettled, White may not.
        assert!(met(Status::Unsettled, black, -5.0) && !met(Status::Unsettled, black, -5.1));
        assert!(met(Status::Unsettled, white, 8.0) && !met(Status::Unsettled, white, -8.0));
    }
}
