//! What is known so far, as lines that can be appended one by one: an interrupted review goes on where it was.
//!
//! The first line says what is examined and how; a journal of anything else is not continued. A last line cut short,
//! as when the power fails, is passed over.

use std::collections::BTreeMap;

use jigo_board::Game;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::review::Opinion;

/// Why a journal cannot be continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum JournalError {
    #[error("the journal is about another game, or about other settings")]
    Other,
    #[error("this is no journal of a review")]
    NoJournal,
}

/// What a journal is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Heading {
    jigo_review: u32,
    positions: usize,
    /// Of all positions and the komi.
    game: u64,
    visits: u64,
    engine: String,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    position: usize,
    opinion: Opinion,
}

/// Of the lines, not of the program.
const VERSION: u32 = 1;

pub struct Journal {
    heading: Heading,
    opinions: BTreeMap<usize, Opinion>,
}

impl Journal {
    /// An empty journal. `engine` is whatever else an opinion depends on: the net, the parameters.
    pub fn new(games: &[Game], visits: u64, engine: &str) -> Journal {
        let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0100_0000_01B3).rotate_left(23);
        let of_game = |hash, game: &Game| mix(mix(hash, game.board().hash()), game.effective_komi().to_bits().into());
        let heading = Heading {
            jigo_review: VERSION,
            positions: games.len(),
            game: games.iter().fold(0, of_game),
            visits,
            engine: engine.to_string(),
        };
        Journal { heading, opinions: BTreeMap::new() }
    }

    /// Takes over what an earlier journal of the same review knew.
    pub fn resume(&mut self, text: &str) -> Result<(), JournalError> {
        let mut lines = text.lines();
        let first = lines.next().ok_or(JournalError::NoJournal)?;
        let heading: Heading = serde_json::from_str(first).map_err(|_| JournalError::NoJournal)?;
        if heading != self.heading {
            return Err(JournalError::Other);
        }
        for entry in lines.filter_map(|line| serde_json::from_str::<Entry>(line).ok()) {
            if entry.position < self.heading.positions {
                self.opinions.insert(entry.position, entry.opinion);
            }
        }
        Ok(())
    }

    /// The first line of the file.
    pub fn heading_line(&self) -> String {
        line(&self.heading)
    }

    /// Keeps an opinion and gives the line to append for it.
    pub fn add(&mut self, position: usize, opinion: Opinion) -> String {
        let entry = Entry { position, opinion };
        let text = line(&entry);
        self.opinions.insert(position, entry.opinion);
        text
    }

    pub fn knows(&self, position: usize) -> bool {
        self.opinions.contains_key(&position)
    }

    pub fn known(&self) -> usize {
        self.opinions.len()
    }

    /// All opinions in order, once there is one on every position.
    pub fn into_opinions(self) -> Option<Vec<Opinion>> {
        (self.opinions.len() == self.heading.positions).then(|| self.opinions.into_values().collect())
    }
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and texts can always be written") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Color, Move, Point, Rules};

    fn games(komi: f32) -> Vec<Game> {
        let mut game = Game::new(5, Rules::default());
        game.set_komi(komi);
        let start = game.clone();
        game.play(Color::Black, Move::Play(Point::new(2, 2))).unwrap();
        vec![start, game]
    }

    fn opinion() -> Opinion {
        Opinion {
            visits: 7,
            black_win_rate: 0.25,
            black_lead: -3.5,
            candidates: Vec::new(),
            black_ownership: vec![0.5; 25],
            policy: vec![-1.0; 26],
        }
    }

    #[test]
    fn a_journal_goes_on_where_it_was_interrupted() {
        let mut journal = Journal::new(&games(7.5), 100, "net");
        let text = journal.heading_line() + &journal.add(1, opinion());
        let mut next = Journal::new(&games(7.5), 100, "net");
        next.resume(&format!("{text}{{\"position\":0,\"opin")).unwrap();
        assert!(next.knows(1) && !next.knows(0) && next.known() == 1);
        next.add(0, opinion());
        assert_eq!(next.into_opinions(), Some(vec![opinion(), opinion()]));
    }

    #[test]
    fn a_journal_of_anything_else_is_refused() {
        let text = Journal::new(&games(7.5), 100, "net").heading_line();
        let resume = |komi, visits, engine| Journal::new(&games(komi), visits, engine).resume(&text);
        assert_eq!(resume(7.5, 100, "net"), Ok(()));
        assert_eq!(resume(6.5, 100, "net"), Err(JournalError::Other));
        assert_eq!(resume(7.5, 200, "net"), Err(JournalError::Other));
        assert_eq!(resume(7.5, 100, "none"), Err(JournalError::Other));
        assert_eq!(Journal::new(&games(7.5), 1, "").resume("(;SZ[9])"), Err(JournalError::NoJournal));
    }
}
