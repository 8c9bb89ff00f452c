//! What is known so far, as lines that can be appended one by one: an interrupted review goes on where it was.
//!
//! The first line says what kind of file it is. Every other line stands for itself: which position, of which game, with how
//! many visits and by whom. So a torn or foreign line costs itself alone, and a journal that holds opinions of other settings is
//! continued beside them.

use std::collections::BTreeMap;
use std::fmt;

use jigo_board::Game;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::review::Opinion;

/// Somebody else's file, which is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("this is no journal of a review")]
pub struct NoJournal;

/// Lines of a journal that do not count in this review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    pub unreadable: usize,
    /// About another game, or by another net or other parameters.
    pub other: usize,
    pub fewer_visits: usize,
}

impl Dropped {
    pub fn is_nothing(self) -> bool {
        self == Dropped::default()
    }
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = |count: usize| if count == 1 { "1 line".to_string() } else { format!("{count} lines") };
        let reasons = [
            (self.unreadable, "that cannot be read"),
            (self.other, "of another game or other settings"),
            (self.fewer_visits, "with fewer visits"),
        ];
        let told = reasons.iter().filter(|(count, _)| *count > 0);
        let told: Vec<String> = told.map(|(count, reason)| format!("{} {reason}", lines(*count))).collect();
        write!(f, "left out: {}", told.join(", "))
    }
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Heading {
    jigo_review: u32,
}

/// How every first line begins, whatever the version.
const BEGINNING: &[u8] = br#"{"jigo_review":"#;
/// Of the lines, not of the program.
const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
struct Entry {
    position: usize,
    /// Of the game up to this position.
    game: u64,
    visits: u64,
    engine: String,
    opinion: Opinion,
}

pub struct ReviewJournal {
    /// For each position, the game up to it.
    games: Vec<u64>,
    visits: u64,
    engine: String,
    opinions: BTreeMap<usize, Opinion>,
}

impl ReviewJournal {
    /// An empty journal. `engine` is whatever else an opinion depends on: the net, the parameters.
    pub fn new(games: &[Game], visits: u64, engine: &str) -> ReviewJournal {
        let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0100_0000_01B3).rotate_left(23);
        let rules = games.first().map_or_else(String::new, |game| format!("{} {:?}", game.size(), game.rules()));
        let mut so_far = rules.bytes().fold(0, |hash, byte| mix(hash, byte.into()));
        let games = games.iter().map(|game| {
            so_far = mix(mix(so_far, game.board().hash()), game.effective_komi().to_bits().into());
            so_far
        });
        ReviewJournal { games: games.collect(), visits, engine: engine.to_string(), opinions: BTreeMap::new() }
    }

    /// Takes over what an earlier journal knew, if it is as sure, and tells what was of no use.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<Dropped, NoJournal> {
        let mut dropped = Dropped::default();
        let mut is_ours = BEGINNING.starts_with(bytes);
        for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
            if line.starts_with(BEGINNING) {
                is_ours = true;
                continue;
            }
            let Ok(entry) = serde_json::from_slice::<Entry>(line) else {
                dropped.unreadable += 1;
                continue;
            };
            is_ours = true;
            if self.games.get(entry.position) != Some(&entry.game) || entry.engine != self.engine {
                dropped.other += 1;
            } else if entry.visits < self.visits {
                dropped.fewer_visits += 1;
            } else {
                self.opinions.insert(entry.position, entry.opinion);
            }
        }
        if is_ours { Ok(dropped) } else { Err(NoJournal) }
    }

    /// The first line of the file.
    pub fn heading_line(&self) -> String {
        line(&Heading { jigo_review: VERSION })
    }

    /// Keeps an opinion and gives the line to append for it.
    pub fn add(&mut self, position: usize, opinion: Opinion) -> String {
        let (game, engine) = (self.games[position], self.engine.clone());
        let entry = Entry { position, game, visits: self.visits, engine, opinion };
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
        (self.opinions.len() == self.games.len()).then(|| self.opinions.into_values().collect())
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

    /// As it lies on the disk after both positions were examined.
    fn written(visits: u64) -> String {
        let mut journal = ReviewJournal::new(&games(7.5), visits, "net");
        journal.heading_line() + &journal.add(0, opinion()) + &journal.add(1, opinion())
    }

    fn resumed(komi: f32, visits: u64, engine: &str, bytes: &[u8]) -> (usize, Dropped) {
        let mut journal = ReviewJournal::new(&games(komi), visits, engine);
        let dropped = journal.resume(bytes).unwrap();
        (journal.known(), dropped)
    }

    #[test]
    fn a_journal_goes_on_where_it_was_interrupted() {
        let mut journal = ReviewJournal::new(&games(7.5), 100, "net");
        let text = journal.heading_line() + &journal.add(1, opinion());
        let mut next = ReviewJournal::new(&games(7.5), 100, "net");
        let dropped = next.resume(format!("{text}{{\"position\":0,\"opin").as_bytes()).unwrap();
        assert_eq!(dropped.to_string(), "left out: 1 line that cannot be read");
        assert!(next.knows(1) && !next.knows(0) && next.known() == 1);
        next.add(0, opinion());
        assert_eq!(next.into_opinions(), Some(vec![opinion(), opinion()]));
    }

    #[test]
    fn a_torn_first_line_and_foreign_bytes_cost_themselves_alone() {
        let whole = written(100).into_bytes();
        let unreadable = |count| Dropped { unreadable: count, ..Dropped::default() };
        assert_eq!(resumed(7.5, 100, "net", &whole), (2, unreadable(0)));
        // The second half of the first line is all that is left of it.
        assert_eq!(resumed(7.5, 100, "net", &whole[7..]), (2, unreadable(1)));
        let mut foreign = whole.clone();
        let second = foreign.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        foreign[second + 3] = 0xFF;
        assert_eq!(resumed(7.5, 100, "net", &foreign), (1, unreadable(1)));
        // Cut off while the first line was written.
        for length in [0, 1, 8, BEGINNING.len()] {
            assert_eq!(resumed(7.5, 100, "net", &whole[..length]).0, 0);
        }
    }

    #[test]
    fn what_fits_is_kept_and_the_rest_is_told() {
        let (text, nothing) = (written(100), Dropped::default());
        assert_eq!(resumed(7.5, 50, "net", text.as_bytes()), (2, nothing), "surer than asked for");
        assert_eq!(resumed(7.5, 200, "net", text.as_bytes()), (0, Dropped { fewer_visits: 2, ..nothing }));
        assert_eq!(resumed(6.5, 100, "net", text.as_bytes()), (0, Dropped { other: 2, ..nothing }));
        assert_eq!(resumed(7.5, 100, "none", text.as_bytes()), (0, Dropped { other: 2, ..nothing }));
        let both = text + &written(200);
        assert_eq!(resumed(7.5, 200, "net", both.as_bytes()), (2, Dropped { fewer_visits: 2, ..nothing }));
    }

    #[test]
    fn somebody_elses_file_is_refused() {
        let resume = |bytes: &[u8]| ReviewJournal::new(&games(7.5), 1, "").resume(bytes);
        assert_eq!(resume(b"(;SZ[9])"), Err(NoJournal));
        assert_eq!(resume(b"{\"players\":2}\n"), Err(NoJournal));
    }
}
