//! Boards as text, in and out. Tests are written in these.
//!
//! `X` is Black (also `#` and `@`), `O` White, `.` empty (also `,` and `+`); a lower-case letter or digit is an empty
//! point with that name. Coordinates around the board, as `showboard` prints them, are skipped.

use crate::board::Board;
use crate::color::{Cell, Color};
use crate::point::{COLUMNS, MAX_SIZE, MIN_SIZE, Move, Point};

/// A parsed diagram: the position and the points that were given names.
pub struct Diagram {
    pub board: Board,
    names: Vec<(char, Point)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiagramError {
    NotSquare { rows: usize, row: usize, cells: usize },
    BadSize(usize),
    UnknownSign(char),
    NoLiberties(Point),
}

impl std::fmt::Display for DiagramError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DiagramError::NotSquare { rows, row, cells } => {
                write!(f, "the diagram has {rows} rows, but row {row} has {cells} points")
            }
            DiagramError::BadSize(size) => write!(f, "a board of size {size} is not between 2 and 19"),
            DiagramError::UnknownSign(sign) => write!(f, "the sign {sign:?} means nothing in a diagram"),
            DiagramError::NoLiberties(point) => {
                write!(f, "a chain has no liberties once column {}, row {} is filled", point.col() + 1, point.row() + 1)
            }
        }
    }
}

impl std::error::Error for DiagramError {}

impl Diagram {
    pub fn parse(text: &str) -> Result<Diagram, DiagramError> {
        let rows: Vec<Vec<char>> = text.lines().map(signs).filter(|row| !row.is_empty()).collect();
        let size = rows.len();
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(DiagramError::BadSize(size));
        }
        let mut stones = Vec::new();
        let mut names = Vec::new();
        for (row, line) in rows.iter().enumerate() {
            if line.len() != size {
                return Err(DiagramError::NotSquare { rows: size, row: row + 1, cells: line.len() });
            }
            for (col, &sign) in line.iter().enumerate() {
                let point = Point::new(col, row);
                match sign {
                    'X' | '#' | '@' => stones.push((Color::Black, point)),
                    'O' => stones.push((Color::White, point)),
                    '.' | ',' | '+' => {}
                    'a'..='z' | '0'..='9' => names.push((sign, point)),
                    other => return Err(DiagramError::UnknownSign(other)),
                }
            }
        }
        let board = Board::with_stones(size, stones).map_err(DiagramError::NoLiberties)?;
        Ok(Diagram { board, names })
    }

    /// The same diagram drawn twice, as it is and with the colours exchanged: what holds for Black in the first holds for
    /// White in the second. Each comes with the colour that stands for Black.
    pub fn parse_for_both(text: &str) -> Result<[(Color, Diagram); 2], DiagramError> {
        let exchanged = |sign| match sign {
            'X' => 'O',
            'O' => 'X',
            other => other,
        };
        let other_way: String = text.chars().map(exchanged).collect();
        Ok([(Color::Black, Diagram::parse(text)?), (Color::White, Diagram::parse(&other_way)?)])
    }

    /// The points with this name, top left first.
    pub fn points(&self, name: char) -> Vec<Point> {
        self.names.iter().filter(|(n, _)| *n == name).map(|&(_, point)| point).collect()
    }

    /// The one point with this name; panics if there is none, since only tests ask.
    pub fn point(&self, name: char) -> Point {
        match self.points(name)[..] {
            [point] => point,
            ref found => panic!("{} points are named {name}", found.len()),
        }
    }
}

/// The signs of one row without blanks, coordinates and star-point brackets.
fn signs(line: &str) -> Vec<char> {
    let is_number = |word: &&str| word.len() <= 2 && word.chars().all(|c| c.is_ascii_digit());
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_header = words.iter().all(|w| w.len() == 1 && COLUMNS.contains(w)) && words.first() == Some(&"A");
    if is_header {
        return Vec::new();
    }
    // A row number stands at both ends; a digit at one end only is a name.
    let numbered = words.len() > 2 && words.first().is_some_and(is_number) && words.first() == words.last();
    let body = if numbered { &words[1..words.len() - 1] } else { &words[..] };
    body.iter().flat_map(|w| w.chars()).filter(|c| !matches!(c, '(' | ')')).collect()
}

impl Board {
    /// A board with these stones. If one stands twice, or a chain has no liberty, that is no position:
    /// the error is the stone whose arrival showed it.
    pub fn with_stones(size: usize, stones: impl IntoIterator<Item = (Color, Point)>) -> Result<Board, Point> {
        let mut board = Board::new(size);
        for (color, point) in stones {
            // While stones are missing every chain has a liberty or a gap that is one, so in a real
            // position no order of placing them captures anything.
            if !board.is_empty(point) || board.is_suicide(color, point) || board.play(color, point) > 0 {
                return Err(point);
            }
        }
        Ok(board)
    }

    pub fn parse_diagram(text: &str) -> Result<Board, DiagramError> {
        Diagram::parse(text).map(|diagram| diagram.board)
    }

    /// The board with coordinates; the last move in brackets.
    pub fn render(&self, last: Option<Move>) -> String {
        let size = self.size();
        let header: String = COLUMNS.chars().take(size).map(|c| format!(" {c}")).collect();
        let mut text = format!("  {header}\n");
        for row in 0..size {
            let number = size - row;
            text.push_str(&format!("{number:>2}"));
            for col in 0..size {
                let point = Point::new(col, row);
                let before = match last {
                    Some(Move::Play(p)) if p == point => '(',
                    Some(Move::Play(p)) if col > 0 && p == Point::new(col - 1, row) => ')',
                    _ => ' ',
                };
                text.push(before);
                text.push(match self.cell(point) {
                    Cell::Black => 'X',
                    Cell::White => 'O',
                    _ if is_star(point, size) => '+',
                    _ => '.',
                });
            }
            let after = if last == Some(Move::Play(Point::new(size - 1, row))) { ')' } else { ' ' };
            text.push_str(&format!("{after}{number}\n"));
        }
        text.push_str(&format!("  {header}\n"));
        text
    }
}

impl std::fmt::Display for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.render(None))
    }
}

fn is_star(point: Point, size: usize) -> bool {
    crate::handicap::star_points(size).contains(&point)
}
