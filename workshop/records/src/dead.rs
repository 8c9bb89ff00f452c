//! Side files that name the dead chains of counted games: id, area margin and stones, separated by tabs.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use jigo_board::{MAX_SIZE, Point};
use lzma_rust2::XzReader;

use crate::tsv::{BadLine, TsvError};

/// Black's area margin without komi, and one stone of every dead chain, by game.
pub type DeadStones = HashMap<Box<str>, FinalCount>;

pub type FinalCount = (f32, Box<[Point]>);

pub fn read_dead(path: &Path) -> Result<DeadStones, TsvError> {
    let failed = |source| TsvError::Io { path: path.to_path_buf(), source };
    let file = File::open(path).map_err(failed)?;
    let mut dead = DeadStones::new();
    for (number, line) in BufReader::new(XzReader::new(BufReader::new(file), true)).lines().enumerate() {
        let bad = |reason| TsvError::BadLine { path: path.to_path_buf(), line: number + 1, reason };
        let (id, count) = parse(&line.map_err(failed)?).map_err(bad)?;
        dead.insert(id, count);
    }
    Ok(dead)
}

fn parse(line: &str) -> Result<(Box<str>, FinalCount), BadLine> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [id, margin, stones] = columns[..] else {
        return Err(BadLine::Columns { found: columns.len(), wanted: "three" });
    };
    let margin = margin.parse().map_err(|_| BadLine::Margin(margin.to_string()))?;
    let letters = if stones == "-" { "" } else { stones };
    let coordinate = |letter: u8| Some(usize::from(letter.wrapping_sub(b'a'))).filter(|&at| at < MAX_SIZE);
    let stone = |pair: &[u8]| match *pair {
        [column, row] => Some(Point::new(coordinate(column)?, coordinate(row)?)),
        _ => None,
    };
    let bad = |pair| BadLine::Move(String::from_utf8_lossy(pair).into_owned());
    let stones = letters.as_bytes().chunks(2).map(|pair| stone(pair).ok_or_else(|| bad(pair)));
    Ok((id.into(), (margin, stones.collect::<Result<_, _>>()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_stones_or_none() {
        let (id, (margin, stones)) = parse("82259393\t-13\tmcle").unwrap();
        assert_eq!((&*id, margin, &*stones), ("82259393", -13.0, &[Point::new(12, 2), Point::new(11, 4)][..]));
        assert!(parse("1\t5\t-").unwrap().1.1.is_empty());
        assert!(parse("1\t5\tzz").is_err());
        assert_eq!(parse("1\t5").unwrap_err().to_string(), "there are 2 columns instead of three");
        assert_eq!(parse("1\tx\t-").unwrap_err().to_string(), "the margin \"x\" is no number");
    }
}
