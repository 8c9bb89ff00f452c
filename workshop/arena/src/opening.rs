//! First moves that no player chose, so that games between deterministic programs differ.

use std::path::{Path, PathBuf};

use jigo_board::{Board, Color, Game, Move, Point, Rng, Rules};
use jigo_sgf::{Collection, GameRecord, Repetition};
use thiserror::Error;

use crate::seed::random_part;
use crate::spec::{MatchSpec, Openings};

/// Random openings are drawn this often, and the most balanced one is kept.
const DRAWS: usize = 20;

/// The board counts lines from the edge, beginning with zero.
const FIRST_LINE: usize = 0;
const THIRD_LINE: usize = 2;

#[derive(Debug, Error)]
pub enum OpeningError {
    #[error("cannot read the opening {}: {error}", path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("the opening {} is no game we can use: {reason}", path.display())]
    Unusable { path: PathBuf, reason: String },
    #[error("no opening was found in the files given")]
    None,
    #[error("the opening is no game: {0}")]
    Illegal(String),
}

/// Where the openings of a match come from, read once.
pub enum OpeningBook {
    EmptyBoard,
    Random { plies: usize, size: usize, seed: u64 },
    Lines(Vec<Vec<(Color, Move)>>),
}

impl OpeningBook {
    pub fn open(spec: &MatchSpec, rules: Rules) -> Result<Self, OpeningError> {
        match &spec.openings {
            Openings::EmptyBoard => Ok(Self::EmptyBoard),
            Openings::Random { plies } => Ok(Self::Random { plies: *plies, size: spec.size, seed: spec.seed }),
            Openings::Files { files, plies } => {
                let mut lines = Vec::new();
                for file in sgf_files(files)? {
                    lines.extend(read_lines(&file, spec.size, rules, plies.unwrap_or(usize::MAX))?);
                }
                if lines.is_empty() { Err(OpeningError::None) } else { Ok(Self::Lines(lines)) }
            }
        }
    }

    /// One opening for all games, whoever says so.
    pub fn of_moves(moves: Vec<(Color, Move)>, size: usize, rules: Rules) -> Result<Self, OpeningError> {
        let mut game = Game::new(size, rules);
        for &(color, mv) in &moves {
            game.play(color, mv).map_err(|illegal| OpeningError::Illegal(illegal.to_string()))?;
        }
        Ok(Self::Lines(vec![moves]))
    }

    pub fn moves(&self, number: u64) -> Vec<(Color, Move)> {
        match self {
            Self::EmptyBoard => Vec::new(),
            Self::Random { plies, size, seed } => {
                balanced_plies(*size, *plies, &mut random_part(*seed, "opening", number))
            }
            Self::Lines(lines) => lines[(number % lines.len() as u64) as usize].clone(),
        }
    }
}

/// Files as given; a folder stands for the SGF files in it, by name.
fn sgf_files(given: &[PathBuf]) -> Result<Vec<PathBuf>, OpeningError> {
    let mut files = Vec::new();
    for path in given {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let read = |error| OpeningError::Read { path: path.clone(), error };
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).map_err(read)? {
            let file = entry.map_err(read)?.path();
            if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf")) {
                found.push(file);
            }
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// The main line of every game in a file.
fn read_lines(path: &Path, size: usize, rules: Rules, plies: usize) -> Result<Vec<Vec<(Color, Move)>>, OpeningError> {
    let unusable = |reason: String| OpeningError::Unusable { path: path.to_path_buf(), reason };
    let bytes = std::fs::read(path).map_err(|error| OpeningError::Read { path: path.to_path_buf(), error })?;
    let collection = Collection::from_bytes(&bytes).map_err(|error| unusable(error.to_string()))?;
    let mut lines = Vec::new();
    for tree in &collection.games {
        let record = GameRecord::main_line(tree).map_err(|error| unusable(error.to_string()))?;
        if record.playable_size() != Ok(size) {
            return Err(unusable(format!("it is played on {}, the match on {size}x{size}", record.size)));
        }
        if record.setup().is_some() {
            return Err(unusable("it sets up stones, and a match can only play moves".to_string()));
        }
        let game = record.replay(plies, rules, Repetition::Judge).map_err(|error| unusable(error.to_string()))?;
        lines.push(game.moves().to_vec());
    }
    Ok(lines)
}

/// Alternating stones away from the edge and out of contact, the most balanced of several draws. Which side a point
/// belongs to is judged by the nearer stone: crude, but it throws out openings that are lost before they begin.
fn balanced_plies(size: usize, plies: usize, rng: &mut Rng) -> Vec<(Color, Move)> {
    (0..DRAWS)
        .map(|_| scattered_plies(size, plies, rng))
        .min_by_key(|moves| (plies - moves.len(), imbalance(size, moves)))
        .unwrap_or_default()
}

fn scattered_plies(size: usize, plies: usize, rng: &mut Rng) -> Vec<(Color, Move)> {
    let lowest_line = if size >= 9 { THIRD_LINE } else { FIRST_LINE };
    let mut free: Vec<Point> = Board::new(size).points().filter(|point| point.line(size) >= lowest_line).collect();
    let mut moves = Vec::new();
    let mut color = Color::Black;
    for _ in 0..plies {
        let Some(point) = rng.pick(&free) else { break };
        free.retain(|&other| other != point && !point.neighbours().contains(&other));
        moves.push((color, Move::Play(point)));
        color = color.opponent();
    }
    moves
}

fn imbalance(size: usize, moves: &[(Color, Move)]) -> u32 {
    let distance_to = |color: Color, from: Point| {
        let stones = moves.iter().filter(|&&(owner, _)| owner == color).filter_map(|(_, mv)| mv.point());
        stones.map(|stone| stone.col().abs_diff(from.col()) + stone.row().abs_diff(from.row())).min()
    };
    let black_lead: i32 = Board::new(size)
        .points()
        .map(|point| match (distance_to(Color::Black, point), distance_to(Color::White, point)) {
            (Some(black), Some(white)) => (white as i32 - black as i32).signum(),
            _ => 0,
        })
        .sum();
    black_lead.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_openings_are_repeatable_even_and_out_of_contact() {
        let book = OpeningBook::Random { plies: 6, size: 9, seed: 3 };
        for number in 0..50 {
            let moves = book.moves(number);
            assert_eq!(moves, book.moves(number));
            assert_eq!(moves.len(), 6);
            let mut game = Game::new(9, Rules::default());
            for &(color, mv) in &moves {
                assert_eq!(game.to_move(), color);
                game.play(color, mv).unwrap();
                let point = mv.point().unwrap();
                assert!(point.line(9) >= THIRD_LINE);
                assert_eq!(game.board().liberty_count(point), 4);
            }
            assert!(imbalance(9, &moves) <= 20, "{}", game.board());
        }
        assert_ne!(book.moves(0), book.moves(1));
    }

    #[test]
    fn an_opening_that_is_no_game_is_refused() {
        // Vertices count their rows from below, so the same text is another point on another board.
        let open = |written_for: usize, moves: &[&str]| {
            let moves = moves.iter().zip(Color::BOTH.into_iter().cycle());
            let moves = moves.map(|(text, color)| (color, Move::parse(text, written_for).unwrap())).collect();
            OpeningBook::of_moves(moves, 9, Rules::default()).map(|book| book.moves(7).len())
        };
        assert_eq!(open(9, &["E5", "pass", "C3"]).unwrap(), 3);
        assert!(matches!(open(9, &["E5", "E5"]), Err(OpeningError::Illegal(_))));
        assert!(matches!(open(19, &["Q16"]), Err(OpeningError::Illegal(_))));
    }

    #[test]
    fn a_small_board_takes_as_many_plies_as_fit() {
        let book = OpeningBook::Random { plies: 30, size: 3, seed: 1 };
        assert!(book.moves(0).len() < 9);
    }
}
