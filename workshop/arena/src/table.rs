//! A match as text: what the terminal shows at the end and `summary.txt` keeps.

use std::fmt::Write;

use crate::run::MatchResult;
use crate::standings::{PairingLine, SprtLine};
use crate::statistics::{Outcomes, SprtVerdict, Trinomial};

/// Forfeits listed in full; the rest is in `games.jsonl`.
const FAILURES_SHOWN: usize = 10;

impl MatchResult {
    /// The summary of the match, ready to print.
    pub fn summary(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_heading(&mut text);
        let _ = self.write_players(&mut text);
        let _ = match self.spec.players.len() {
            2 => self.write_duel(&mut text),
            _ => self.write_crosstable(&mut text),
        };
        let _ = self.write_remarks(&mut text);
        text
    }

    fn write_heading(&self, text: &mut String) -> std::fmt::Result {
        let spec = &self.spec;
        let handicap = if spec.handicap > 0 { format!(", handicap {}", spec.handicap) } else { String::new() };
        writeln!(
            text,
            "{} games on {}x{}, {} rules, komi {}{handicap}, time {}, seed {}\n",
            self.records.len(),
            spec.size,
            spec.size,
            spec.rules,
            spec.komi,
            spec.time,
            spec.seed
        )
    }

    /// Wins, draws and losses by colour, and what each player spent.
    fn write_players(&self, text: &mut String) -> std::fmt::Result {
        let mut rows =
            vec![["player", "as black", "as white", "total", "s/move", "slowest", "playouts"].map(String::from)];
        for player in &self.standings.players {
            let per_move = |value: Option<f64>, digits: usize| value.map_or("-".into(), |v| format!("{v:.digits$}"));
            rows.push([
                player.name.clone(),
                record_text(&player.as_black),
                record_text(&player.as_white),
                record_text(&player.total()),
                per_move(player.effort.seconds_per_move(), 3),
                format!("{:.2}", player.effort.slowest),
                per_move(player.effort.playouts_per_move(), 0),
            ]);
        }
        text.push_str(&align(&rows, 0));
        writeln!(text, "(wins-draws-losses)\n")
    }

    fn write_duel(&self, text: &mut String) -> std::fmt::Result {
        let Some(pairing) = self.standings.pairings.first() else { return Ok(()) };
        let estimate = pairing.estimate();
        let (score, elo) = (estimate.score_interval, estimate.elo_interval);
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        writeln!(text, "{} against {}", self.name(pairing.first), self.name(pairing.second))?;
        writeln!(
            text,
            "  score {} (95 %: {} .. {})",
            percent(estimate.score),
            percent(score.low),
            percent(score.high)
        )?;
        writeln!(text, "  Elo {} (95 %: {} .. {})", elo_text(estimate.elo), elo_text(elo.low), elo_text(elo.high))?;
        writeln!(text, "  likelihood of superiority {}", percent(estimate.superiority))?;
        if pairing.pairs.observations() > 0 {
            let [none, half, one, more, both] = pairing.pairs.0;
            writeln!(text, "  pairs scoring 0, 1/2, 1, 3/2, 2: {none} {half} {one} {more} {both}")?;
        }
        if let (Some(sprt), Some(line)) = (self.spec.sprt, self.standings.sprt) {
            let (low, high) = sprt.bounds();
            writeln!(
                text,
                "  SPRT elo0 {} elo1 {} alpha {} beta {}: LLR {:.2} ({low:.2} .. {high:.2}) after {}, {}",
                sprt.elo0,
                sprt.elo1,
                sprt.alpha,
                sprt.beta,
                line.log_likelihood_ratio,
                line.observations,
                verdict_text(&line)
            )?;
        }
        writeln!(text)
    }

    /// Ratings, and everyone's score against everyone.
    fn write_crosstable(&self, text: &mut String) -> std::fmt::Result {
        let players = self.spec.players.len();
        let mut order: Vec<usize> = (0..players).collect();
        order.sort_by(|&a, &b| self.standings.ratings[b].elo.total_cmp(&self.standings.ratings[a].elo));
        let mut heading = vec!["".to_string(), "player".into(), "Elo".into(), "95 %".into(), "score".into()];
        heading.extend((1..=players).map(|rank| rank.to_string()));
        let mut rows = vec![heading];
        for (rank, &player) in order.iter().enumerate() {
            let rating = self.standings.ratings[player];
            let total = self.standings.players[player].total();
            let mut row = vec![
                (rank + 1).to_string(),
                self.name(player).to_string(),
                elo_text(rating.elo),
                format!("±{:.0}", rating.interval.high - rating.elo),
                format!("{:.1} %", 100.0 * total.score()),
            ];
            row.extend(order.iter().map(|&opponent| self.points_between(player, opponent)));
            rows.push(row);
        }
        text.push_str(&align(&rows, 1));
        writeln!(text, "(points out of games against each)\n")
    }

    fn points_between(&self, player: usize, opponent: usize) -> String {
        let points = |games: &Trinomial| games.wins as f64 + games.draws as f64 / 2.0;
        let found = self.standings.pairings.iter().find_map(|line: &PairingLine| {
            let games = line.games.games();
            if (line.first, line.second) == (player, opponent) {
                Some((points(&line.games), games))
            } else if (line.second, line.first) == (player, opponent) {
                Some((games as f64 - points(&line.games), games))
            } else {
                None
            }
        });
        found.map_or("-".to_string(), |(points, games)| format!("{points}/{games}"))
    }

    fn write_remarks(&self, text: &mut String) -> std::fmt::Result {
        if self.standings.duplicates > 0 {
            writeln!(text, "{} games repeat an earlier one move by move", self.standings.duplicates)?;
        }
        for player in &self.standings.players {
            let failures = &player.losses_by_failure;
            if failures.is_empty() {
                continue;
            }
            writeln!(text, "{} lost {} by failure or on time:", player.name, count_games(failures.len()))?;
            for failure in failures.iter().take(FAILURES_SHOWN) {
                writeln!(text, "  {failure}")?;
            }
            if failures.len() > FAILURES_SHOWN {
                writeln!(text, "  and {} more", failures.len() - FAILURES_SHOWN)?;
            }
        }
        let disagreements = self.records.iter().filter(|record| record.black_lead.is_some() && record.note.is_some());
        match disagreements.count() {
            0 => Ok(()),
            count => writeln!(text, "in {} the players disagreed about dead stones", count_games(count)),
        }
    }

    fn name(&self, player: usize) -> &str {
        &self.spec.players[player].name
    }
}

/// Signed and whole, also for the ends of intervals that nothing bounds.
pub fn elo_text(elo: f64) -> String {
    if elo.is_infinite() { format!("{}inf", if elo > 0.0 { "+" } else { "-" }) } else { format!("{elo:+.0}") }
}

pub(crate) fn verdict_text(line: &SprtLine) -> &'static str {
    match line.verdict {
        SprtVerdict::Undecided => "undecided",
        SprtVerdict::AcceptElo0 => "elo0 accepted",
        SprtVerdict::AcceptElo1 => "elo1 accepted",
    }
}

fn record_text(games: &Trinomial) -> String {
    format!("{}-{}-{}", games.wins, games.draws, games.losses)
}

fn count_games(count: usize) -> String {
    if count == 1 { "1 game".to_string() } else { format!("{count} games") }
}

/// Columns as wide as their widest cell and two spaces apart; names to the left, everything else to the right.
pub fn align<R: AsRef<[String]>>(rows: &[R], name_column: usize) -> String {
    let columns = rows.first().map_or(0, |row| row.as_ref().len());
    let width = |column: usize| rows.iter().map(|row| row.as_ref()[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.as_ref().iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == name_column { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}
