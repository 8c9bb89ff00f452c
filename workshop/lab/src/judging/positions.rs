//! Positions of recorded games, drawn by chance but always the same.

use std::path::PathBuf;

use jigo_arena::seed::random_part;
use jigo_board::{Board, Color, Move};
use jigo_records::{Counting, Record, mover, read_folder};

use crate::run::LabError;

/// Where positions come from.
#[derive(Clone, Debug)]
pub struct Source {
    pub data: PathBuf,
    /// Files whose names contain one of these words.
    pub files: Vec<String>,
    pub size: usize,
    /// The rules the games were played by.
    pub rules: String,
    pub seed: u64,
}

/// A game up to some move, with what became of it.
#[derive(Clone, Debug)]
pub struct GamePosition {
    pub size: usize,
    pub komi: f32,
    pub rules: String,
    pub moves: Vec<(Color, Move)>,
    /// The move of the record.
    pub played: Option<Move>,
    pub winner: Option<Color>,
    /// Black's final score, komi counted, if the game was counted.
    pub black_score: Option<f32>,
}

/// Opening, middle game and endgame end when these shares of the board have been played.
const STAGES: [(&str, f32); 3] = [("opening", 0.15), ("middle", 0.45), ("endgame", f32::INFINITY)];

impl GamePosition {
    fn of(record: &Record, ply: usize, rules: &str) -> GamePosition {
        GamePosition {
            size: record.size,
            komi: record.komi,
            rules: rules.to_string(),
            moves: (0..ply).map(|ply| (mover(ply), record.mv(ply))).collect(),
            played: (ply < record.len()).then(|| record.mv(ply)),
            winner: record.result.winner_on_the_board(),
            black_score: record.result.score().map(|score| score.lead_of(Color::Black)),
        }
    }

    pub fn to_move(&self) -> Color {
        mover(self.moves.len())
    }

    pub fn after(&self, mv: Move) -> GamePosition {
        let mut next = self.clone();
        next.moves.push((self.to_move(), mv));
        next
    }

    /// The board after its moves.
    pub fn board(&self) -> Board {
        let mut board = Board::new(self.size);
        for &(color, mv) in &self.moves {
            if let Move::Play(point) = mv {
                board.play(color, point);
            }
        }
        board
    }

    pub fn stage(&self) -> usize {
        let share = self.moves.len() as f32 / (self.size * self.size) as f32;
        STAGES.iter().position(|&(_, end)| share < end).unwrap_or(0)
    }

    pub fn stage_name(stage: usize) -> &'static str {
        STAGES[stage].0
    }
}

impl Source {
    /// One position each of so many games that somebody won on the board.
    pub fn draw(&self, count: usize) -> Result<Vec<GamePosition>, LabError> {
        let records = self.records(|record| record.result.winner_on_the_board().is_some())?;
        let position = |(number, record): (usize, &Record)| {
            let ply = random_part(self.seed, "position", number as u64).below(record.len().max(1));
            GamePosition::of(record, ply, &self.rules)
        };
        Ok(records.iter().take(count).enumerate().map(position).collect())
    }

    /// So many counted games, this many moves before their end.
    pub fn endings(&self, count: usize, moves_before: usize) -> Result<Vec<GamePosition>, LabError> {
        // Where dead stones are listed beside the games, only games whose count could be rebuilt are certain.
        let is_counted = |record: &Record| record.result.score().is_some() && record.len() > moves_before;
        let mut records = self.records(is_counted)?;
        if records.iter().any(has_dead_stones) {
            records.retain(has_dead_stones);
        }
        let position = |record: &Record| GamePosition::of(record, record.len() - moves_before, &self.rules);
        Ok(records.iter().take(count).map(position).collect())
    }

    /// The games of the right size, shuffled.
    fn records(&self, wanted: impl Fn(&Record) -> bool) -> Result<Vec<Record>, LabError> {
        let splits = read_folder(&self.data, |name| self.files.iter().any(|part| name.contains(part)))?;
        let split = splits.into_iter().find(|split| split.size == self.size).ok_or(LabError::NoGames(self.size))?;
        let mut records: Vec<Record> = split.into_games().filter(wanted).collect();
        random_part(self.seed, "games", 0).shuffle(&mut records);
        if records.is_empty() { Err(LabError::NoGames(self.size)) } else { Ok(records) }
    }
}

fn has_dead_stones(record: &Record) -> bool {
    matches!(record.counting, Counting::Dead { .. })
}
