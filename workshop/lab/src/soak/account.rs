//! What one visitor asked, how long it waited, and what was not as it should be.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A visitor that finds more has found enough.
const MOST_FAULTS: usize = 100;
/// Of a question, in the report.
const LONGEST_QUESTION: usize = 40;

/// Everything that happens, line by line as it happens, so that an interrupted soak has something to tell too.
pub struct SoakJournal {
    begun: Instant,
    file: Mutex<File>,
}

impl SoakJournal {
    pub fn create(folder: &Path) -> std::io::Result<SoakJournal> {
        Ok(SoakJournal { begun: Instant::now(), file: Mutex::new(File::create(folder.join("journal.txt"))?) })
    }

    pub fn note(&self, who: &str, what: &str) {
        let mut line = String::new();
        let _ = write!(line, "{:10.3} {who}: {what}", self.begun.elapsed().as_secs_f64());
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A full disk is no reason to stop: the report is still printed.
        let _ = writeln!(file, "{line}");
    }
}

pub struct Account<'a> {
    pub visitor: &'static str,
    journal: &'a SoakJournal,
    /// Milliseconds from question to answer.
    waits: Vec<f32>,
    longest_wait: f32,
    /// The question that was waited for longest.
    pub slowest: String,
    /// Acknowledged things that were looked for later.
    pub checked: u64,
    pub faults: Vec<String>,
}

impl<'a> Account<'a> {
    pub fn new(visitor: &'static str, journal: &'a SoakJournal) -> Account<'a> {
        Account {
            visitor,
            journal,
            waits: Vec::new(),
            longest_wait: 0.0,
            slowest: String::new(),
            checked: 0,
            faults: Vec::new(),
        }
    }

    pub fn answered(&mut self, question: &str, asked: Instant) {
        let wait = 1000.0 * asked.elapsed().as_secs_f32();
        if wait > self.longest_wait {
            self.longest_wait = wait;
            self.slowest = question.chars().take(LONGEST_QUESTION).collect();
        }
        self.waits.push(wait);
    }

    pub fn answers(&self) -> usize {
        self.waits.len()
    }

    pub fn fault(&mut self, what: impl Into<String>) {
        let what = what.into();
        self.journal.note(self.visitor, &format!("FAULT {what}"));
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(what);
        }
    }

    pub fn is_full(&self) -> bool {
        self.faults.len() >= MOST_FAULTS
    }

    /// How long half of the answers took at most, 99 of 100, and all.
    pub fn waits(&self) -> [Duration; 3] {
        let mut sorted = self.waits.clone();
        sorted.sort_by(f32::total_cmp);
        let last = sorted.len().saturating_sub(1);
        [0.5, 0.99, 1.0].map(|share| {
            let place = (share * last as f64).round() as usize;
            Duration::from_secs_f32(sorted.get(place).map_or(0.0, |wait| wait / 1000.0))
        })
    }
}
