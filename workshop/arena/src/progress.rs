//! The live line of a match on a terminal: games done, how they went, the rate and the time left.

use indicatif::{ProgressBar, ProgressStyle};

use crate::run::MatchProgress;
use crate::table::elo_text;

pub struct MatchBar {
    bar: ProgressBar,
    begun: bool,
}

impl Default for MatchBar {
    fn default() -> Self {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games  {msg}  {per_sec}, {eta} left")
            .expect("the template is a constant")
            .progress_chars("█▌ ");
        Self { bar: ProgressBar::new(0).with_style(style), begun: false }
    }
}

impl MatchBar {
    /// Shows the match as it stands.
    pub fn show(&mut self, progress: &MatchProgress) {
        self.bar.set_length(progress.total);
        let done = progress.records.len() as u64;
        self.bar.set_position(done);
        self.bar.set_message(message(progress));
        if !self.begun {
            // Games of an earlier run say nothing about the speed of this one.
            self.bar.reset_eta();
            self.begun = true;
        } else if self.bar.is_hidden() {
            log(progress);
        }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Where there is no terminal, a line for every twentieth of the match.
fn log(progress: &MatchProgress) {
    let done = progress.records.len() as u64;
    if done.is_multiple_of(progress.total.div_ceil(20)) {
        eprintln!("{done}/{} games  {}", progress.total, message(progress));
    }
}

fn message(progress: &MatchProgress) -> String {
    let standings = progress.standings;
    let mut parts = Vec::new();
    if let [pairing] = &standings.pairings[..] {
        let (name, games) = (&standings.players[pairing.first].name, pairing.games);
        parts.push(format!("{name} {}-{}-{}", games.wins, games.draws, games.losses));
        if !progress.records.is_empty() {
            let estimate = pairing.estimate();
            let (low, high) = (estimate.elo_interval.low, estimate.elo_interval.high);
            parts.push(format!("Elo {} [{}, {}]", elo_text(estimate.elo), elo_text(low), elo_text(high)));
        }
    }
    if let Some(sprt) = standings.sprt {
        parts.push(format!("LLR {:.2}", sprt.log_likelihood_ratio));
    }
    if standings.failures() > 0 {
        parts.push(format!("{} failures", standings.failures()));
    }
    parts.join("  ")
}
