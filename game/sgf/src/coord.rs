//! Points as SGF writes them: two letters, column first, from the upper left corner.

use std::fmt;

use crate::value::Value;

/// `a`..`z`, `A`..`Z`: SGF has letters for this many lines and no more.
const MAX_LINES: u8 = 52;

/// A point; row 0 is at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Coord {
    pub row: u8,
    pub col: u8,
}

/// The size of a board as a file states it, not necessarily square and not necessarily one we can play on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardSize {
    pub columns: u8,
    pub rows: u8,
}

/// A rectangle of points, often a single one. Lists are kept in this form: a few letters may stand for a whole board,
/// and a file full of such lists must not need more memory than its length accounts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub top_left: Coord,
    pub bottom_right: Coord,
}

impl Area {
    /// All points of the area, row by row.
    pub fn coords(self) -> impl Iterator<Item = Coord> {
        let rows = self.top_left.row..=self.bottom_right.row;
        rows.flat_map(move |row| (self.top_left.col..=self.bottom_right.col).map(move |col| Coord { row, col }))
    }
}

impl Coord {
    /// The two letters of the point.
    pub fn letters(self) -> String {
        [letter(self.col), letter(self.row)].iter().collect()
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl BoardSize {
    /// The size when a file names none.
    pub const DEFAULT: BoardSize = BoardSize::square(19);

    pub const fn square(lines: u8) -> BoardSize {
        BoardSize { columns: lines, rows: lines }
    }

    /// Reads the value of SZ: `19`, or `19:13` for columns and rows.
    pub(crate) fn read(value: &Value) -> Option<BoardSize> {
        let (columns, rows) = value.split().unwrap_or_else(|| (value.clone(), value.clone()));
        Some(BoardSize { columns: read_lines(&columns)?, rows: read_lines(&rows)? })
    }

    /// Reads a move: a point, or `None` within for a pass, which is an empty value or, on boards up to 19x19, `tt`.
    pub fn read_move(self, value: &Value) -> Option<Option<Coord>> {
        let letters = value.simple_text();
        let has_old_pass = self.columns <= 19 && self.rows <= 19;
        if letters.is_empty() || (has_old_pass && letters == "tt") {
            Some(None)
        } else {
            self.read_point(&letters).map(Some)
        }
    }

    /// Reads a value of a point list: a point, a rectangle given by two corners, or `None` within for nothing at all.
    pub fn read_area(self, value: &Value) -> Option<Option<Area>> {
        if value.simple_text().is_empty() {
            return Some(None);
        }
        let (one, other) = value.split().unwrap_or_else(|| (value.clone(), value.clone()));
        let one = self.read_point(&one.simple_text())?;
        let other = self.read_point(&other.simple_text())?;
        Some(Some(Area {
            top_left: Coord { row: one.row.min(other.row), col: one.col.min(other.col) },
            bottom_right: Coord { row: one.row.max(other.row), col: one.col.max(other.col) },
        }))
    }

    fn read_point(self, letters: &str) -> Option<Coord> {
        let &[column, row] = letters.as_bytes() else {
            return None;
        };
        let coord = Coord { row: letter_index(row)?, col: letter_index(column)? };
        (coord.col < self.columns && coord.row < self.rows).then_some(coord)
    }
}

fn read_lines(value: &Value) -> Option<u8> {
    let lines = value.simple_text().parse().ok()?;
    (1..=MAX_LINES).contains(&lines).then_some(lines)
}

fn letter_index(letter: u8) -> Option<u8> {
    match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    }
}

fn letter(index: u8) -> char {
    char::from(if index < 26 { b'a' + index } else { b'A' + index - 26 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        Value::from_raw(text)
    }

    #[test]
    fn every_point_reads_back() {
        let size = BoardSize::square(MAX_LINES);
        for row in 0..MAX_LINES {
            for col in 0..MAX_LINES {
                let coord = Coord { row, col };
                assert_eq!(size.read_move(&value(&coord.letters())), Some(Some(coord)));
            }
        }
    }

    #[test]
    fn sizes_are_square_or_composed() {
        assert_eq!(BoardSize::read(&value("9")), Some(BoardSize::square(9)));
        let wide = BoardSize { columns: 19, rows: 13 };
        assert_eq!(BoardSize::read(&value(" 19 : 13 ")), Some(wide));
        for bad in ["", "0", "53", "-9", "9:", ":9", "9:0", "9:9:9", "9x9", "1e1", "300"] {
            assert_eq!(BoardSize::read(&value(bad)), None, "{bad}");
        }
    }

    #[test]
    fn tt_is_a_pass_until_the_board_has_that_point() {
        let pass = Some(None);
        let point = Some(Some(Coord { row: 19, col: 19 }));
        for (lines, expected) in [(9, pass), (19, pass), (20, point)] {
            let size = BoardSize::square(lines);
            assert_eq!(size.read_move(&value("tt")), expected);
            assert_eq!(size.read_move(&value(" ")), pass);
        }
    }

    #[test]
    fn points_off_the_board_and_other_letters_are_refused() {
        for bad in ["ja", "aj", "a", "abc", "a1", "éa", "é", "AA", "[]", "a:"] {
            assert_eq!(BoardSize::square(9).read_move(&value(bad)), None, "{bad}");
        }
    }

    #[test]
    fn rectangles_stand_for_all_their_points() {
        let size = BoardSize::square(9);
        let letters = |text| {
            let area = size.read_area(&value(text)).expect(text);
            area.into_iter().flat_map(Area::coords).map(Coord::letters).collect::<Vec<_>>()
        };
        assert_eq!(letters("bc:cd"), ["bc", "cc", "bd", "cd"]);
        assert_eq!(letters("cd:bc"), ["bc", "cc", "bd", "cd"]);
        assert_eq!(letters("ee"), ["ee"]);
        assert!(letters("").is_empty());
        assert_eq!(size.read_area(&value("aa:jj")), None);
    }
}
