//! All the numbers of a match, drawn from its records.

use std::collections::HashSet;

use crate::record::{Effort, Ending, GameEntry};
use crate::schedule::Schedule;
use crate::spec::MatchSpec;
use crate::statistics::{Interval, Outcomes, Pairing, Pentanomial, Rating, Sprt, SprtVerdict, Trinomial, ratings};

pub struct Standings {
    pub players: Vec<PlayerLine>,
    pub pairings: Vec<PairingLine>,
    /// In the order of the players.
    pub ratings: Vec<Rating>,
    /// Games that repeat an earlier one move by move.
    pub duplicates: usize,
    pub sprt: Option<SprtLine>,
}

#[derive(Clone, Debug, Default)]
pub struct PlayerLine {
    pub name: String,
    pub as_black: Trinomial,
    pub as_white: Trinomial,
    pub effort: Effort,
    /// Games lost on time or by forfeit, each with its reason.
    pub losses_by_failure: Vec<String>,
}

/// The games of two players, seen from the first.
#[derive(Clone, Debug)]
pub struct PairingLine {
    pub first: usize,
    pub second: usize,
    pub games: Trinomial,
    /// Complete colour-swapped pairs.
    pub pairs: Pentanomial,
}

#[derive(Clone, Copy, Debug)]
pub struct SprtLine {
    /// When the test stopped, or now.
    pub log_likelihood_ratio: f64,
    pub verdict: SprtVerdict,
    /// Pairs (or games, if there are no pairs) looked at until then.
    pub observations: u64,
}

impl Standings {
    /// `records` in the order in which the games ended.
    pub fn new(spec: &MatchSpec, records: &[GameEntry]) -> Self {
        let schedule = Schedule::new(spec);
        let players = spec.players.iter().map(|player| player_line(&player.name, records)).collect();
        let pairings: Vec<PairingLine> = (schedule.pairings().iter())
            .map(|&(first, second)| {
                let mut line = PairingLine::new(first, second);
                line.add_all(spec, &schedule, records, |_| true);
                line
            })
            .collect();
        let for_ratings: Vec<Pairing> = pairings.iter().map(PairingLine::for_ratings).collect();
        let distinct: HashSet<&str> = records.iter().map(|record| record.fingerprint.as_str()).collect();
        Self {
            players,
            ratings: ratings(spec.players.len(), &for_ratings),
            pairings,
            duplicates: records.len() - distinct.len(),
            sprt: sprt_line(spec, &schedule, records),
        }
    }

    /// Whether a sequential test has come to its end.
    pub fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|sprt| sprt.verdict != SprtVerdict::Undecided)
    }

    pub fn failures(&self) -> usize {
        self.players.iter().map(|player| player.losses_by_failure.len()).sum()
    }
}

impl PlayerLine {
    pub fn total(&self) -> Trinomial {
        Trinomial {
            wins: self.as_black.wins + self.as_white.wins,
            draws: self.as_black.draws + self.as_white.draws,
            losses: self.as_black.losses + self.as_white.losses,
        }
    }
}

impl PairingLine {
    fn new(first: usize, second: usize) -> Self {
        Self { first, second, games: Trinomial::default(), pairs: Pentanomial::default() }
    }

    /// Adds records one by one in their order, until `go_on` says no after one of them.
    fn add_all(
        &mut self,
        spec: &MatchSpec,
        schedule: &Schedule,
        records: &[GameEntry],
        mut go_on: impl FnMut(&Self) -> bool,
    ) {
        let names = [self.first, self.second].map(|player| spec.players[player].name.as_str());
        let mut waiting: Vec<(u64, f64)> = Vec::new();
        for record in records {
            let (Some(points), Some(_)) = (record.points_of(names[0]), record.points_of(names[1])) else { continue };
            self.games.add(points);
            if let Some(twin) = schedule.twin(record.game) {
                match waiting.iter().position(|&(game, _)| game == twin) {
                    Some(place) => self.pairs.add(waiting.swap_remove(place).1, points),
                    None => waiting.push((record.game, points)),
                }
            }
            if !go_on(self) {
                return;
            }
        }
    }

    /// Score, its interval and Elo: from pairs when all games are paired, else from single games.
    pub fn estimate(&self) -> Estimate {
        if self.is_paired() { Estimate::of(&self.pairs) } else { Estimate::of(&self.games) }
    }

    fn is_paired(&self) -> bool {
        self.pairs.games() > 0 && self.pairs.games() == self.games.games()
    }

    fn for_ratings(&self) -> Pairing {
        let first_points = self.games.wins as f64 + self.games.draws as f64 / 2.0;
        Pairing { first: self.first, second: self.second, games: self.games.games(), first_points }
    }
}

/// What results say about the first of two players.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    pub score: f64,
    pub score_interval: Interval,
    pub elo: f64,
    pub elo_interval: Interval,
    pub superiority: f64,
}

impl Estimate {
    pub fn of(outcomes: &impl Outcomes) -> Self {
        let (elo, elo_interval) = outcomes.elo();
        Self {
            score: outcomes.score(),
            score_interval: outcomes.score_interval(),
            elo,
            elo_interval,
            superiority: outcomes.likelihood_of_superiority(),
        }
    }
}

fn player_line(name: &str, records: &[GameEntry]) -> PlayerLine {
    let mut line = PlayerLine { name: name.to_string(), ..PlayerLine::default() };
    for record in records {
        let (games, effort) = if record.black == name {
            (&mut line.as_black, &record.black_effort)
        } else if record.white == name {
            (&mut line.as_white, &record.white_effort)
        } else {
            continue;
        };
        let points = record.points_of(name).unwrap_or(0.5);
        games.add(points);
        line.effort.add(effort);
        if points == 0.0 && matches!(record.ending, Ending::Forfeit | Ending::Time) {
            let reason = record.note.as_deref().unwrap_or("lost on time");
            line.losses_by_failure.push(format!("game {}: {reason}", record.game));
        }
    }
    line
}

/// Follows the test through the games as they ended: the first crossing of a bound is the verdict, and games that were
/// still running then do not change it.
fn sprt_line(spec: &MatchSpec, schedule: &Schedule, records: &[GameEntry]) -> Option<SprtLine> {
    let sprt = spec.sprt?;
    let paired = schedule.twin(0).is_some();
    let mut line = SprtLine::of(&sprt, &Pentanomial::default());
    PairingLine::new(0, 1).add_all(spec, schedule, records, |so_far| {
        line = if paired { SprtLine::of(&sprt, &so_far.pairs) } else { SprtLine::of(&sprt, &so_far.games) };
        line.verdict == SprtVerdict::Undecided
    });
    Some(line)
}

impl SprtLine {
    fn of(sprt: &Sprt, outcomes: &impl Outcomes) -> Self {
        Self {
            log_likelihood_ratio: sprt.log_likelihood_ratio(outcomes),
            verdict: sprt.verdict(outcomes),
            observations: outcomes.observations(),
        }
    }
}
