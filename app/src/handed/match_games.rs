//! Games of a match, handed to the workers of a cluster: each game is a job, its record and SGF are the result.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use jigo_arena::{ArenaError, CommandLine, MatchResult, MatchSpec, Progress, RefereeSpec, play_single, run_match_by};
use jigo_cluster::{ClusterLink, JobOffice, LinkOptions};
use serde::{Deserialize, Serialize};

use super::Job;

/// One game to be played elsewhere.
#[derive(Serialize, Deserialize)]
pub struct GameJob {
    spec: MatchSpec,
    pub game: u64,
}

/// As `run_match`, with all games played by workers.
pub fn run_handed_match(
    spec: &MatchSpec,
    folder: &Path,
    link: &LinkOptions,
    watch: &mut dyn FnMut(&Progress),
) -> Result<MatchResult> {
    let elsewhere = |reason: String| ArenaError::Elsewhere(reason);
    let link = Arc::new(ClusterLink::open(link)?);
    let result = run_match_by(spec, folder, watch, |games, store| {
        let office = JobOffice::open(link, env!("CARGO_PKG_VERSION")).map_err(|error| elsewhere(error.to_string()))?;
        for &game in games {
            let job = Job::Game(Box::new(GameJob { spec: spec.clone(), game }));
            office.put(game, job.to_text().map_err(elsewhere)?);
        }
        while let Some((_, result)) = office.next() {
            let game = result.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
            if !store(game.map_err(elsewhere)?)? {
                office.clear();
            }
        }
        Ok(())
    })?;
    Ok(result)
}

/// Plays one game for somebody else. Only this very program is started for a stranger, and only to play.
pub fn play_game(job: &GameJob) -> Result<String, String> {
    let GameJob { spec, game } = job;
    let referee = match &spec.referee {
        RefereeSpec::Program(command) => Some(command),
        RefereeSpec::Players | RefereeSpec::AllAlive => None,
    };
    let is_ours = |command: &CommandLine| command.text().starts_with("jigo gtp");
    if let Some(other) = spec.players.iter().map(|player| &player.command).chain(referee).find(|c| !is_ours(c)) {
        return Err(format!("workers play with jigo gtp only, not with {:?}", other.text()));
    }
    let finished = play_single(spec, *game).map_err(|error| error.to_string())?;
    serde_json::to_string(&finished).map_err(|error| error.to_string())
}
