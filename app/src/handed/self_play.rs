//! Games of a net against itself, handed out in batches. The nets are lent: a worker asks for those it does not have.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jigo_board::{MAX_SIZE, MIN_SIZE};
use jigo_cluster::{ClusterLink, Fetch, JobServer, LinkOptions, ParcelName};
use jigo_net::weights::{Precision, Weights};
use jigo_train::self_play::{Batch, PlayedGame, Players, SelfPlayError, play_batch};
use jigo_train::{games_as_text, games_from_text};
use serde::{Deserialize, Serialize};

use super::Job;
use super::nets::Nets;

/// One batch to be played elsewhere.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchJob {
    /// Names of what is lent.
    nets: [ParcelName; 2],
    size: usize,
    komi: f32,
    pub games: usize,
    seed: u64,
}

/// More games at once than anybody asks for.
const MOST_GAMES: usize = 256;

/// The workers of a cluster, who play instead of this machine.
pub struct Workers {
    jobs: JobServer,
    /// The number of the next job: none is ever used twice.
    next: u64,
}

impl Workers {
    pub fn of_cluster(link: &LinkOptions) -> anyhow::Result<Workers> {
        let link = Arc::new(ClusterLink::open(link)?);
        let jobs = JobServer::open(link, env!("CARGO_PKG_VERSION"))?;
        Ok(Workers { jobs, next: 0 })
    }

    fn lend(&self, net: &Weights) -> Result<ParcelName, String> {
        // Notes are written in any order; without them equal nets have equal names, and are sent once.
        let plain = Weights { notes: HashMap::new(), ..net.clone() };
        Ok(self.jobs.lend(plain.to_bytes(Precision::Half).map_err(|error| error.to_string())?))
    }

    fn hand_out(
        &mut self,
        nets: [&Weights; 2],
        batches: &[Batch],
        finished: &mut dyn FnMut(usize),
    ) -> Result<Vec<PlayedGame>, String> {
        let nets = [self.lend(nets[0])?, self.lend(nets[1])?];
        let first = self.next;
        for &Batch { size, komi, games, seed } in batches {
            let job = Job::SelfPlay(BatchJob { nets, size, komi, games, seed });
            self.jobs.put(self.next, job.to_text()?);
            self.next += 1;
        }
        let mut played = BTreeMap::new();
        while let Some((number, result)) = self.jobs.next() {
            let batch = &batches[(number - first) as usize];
            let games = games_from_text(&result?, batch.size)?;
            if games.len() != batch.games {
                return Err(format!("{} games came back instead of {}", games.len(), batch.games));
            }
            finished(games.len());
            played.insert(number, games);
        }
        Ok(played.into_values().flatten().collect())
    }
}

impl Players for Workers {
    fn play(
        &mut self,
        nets: [&Weights; 2],
        batches: &[Batch],
        finished: &mut dyn FnMut(usize),
    ) -> Result<Vec<PlayedGame>, SelfPlayError> {
        self.hand_out(nets, batches, finished).map_err(SelfPlayError::Elsewhere)
    }
}

/// Plays one batch for somebody else.
pub fn play(job: &BatchJob, nets: &Nets, fetch: &Fetch<'_>) -> Result<String, String> {
    let &BatchJob { nets: [first, second], size, komi, games, seed } = job;
    if !(MIN_SIZE..=MAX_SIZE).contains(&size) || !komi.is_finite() || games > MOST_GAMES {
        return Err("no such games can be played".into());
    }
    let (first, second) = (nets.net(first, fetch)?, nets.net(second, fetch)?);
    Ok(games_as_text(&play_batch([&first, &second], &Batch { size, komi, games, seed })))
}
