//! Games handed to the workers of a cluster: those of a match, and those that training learns from. What comes back is the
//! same whoever plays them, and counts once.

mod match_games;
mod self_play;

pub use match_games::run_handed_match;
pub use self_play::Workers;

use std::fmt;

use jigo_cluster::Fetch;
use serde::{Deserialize, Serialize};

/// What a worker may be asked to do.
#[derive(Serialize, Deserialize)]
enum Job {
    Game(Box<match_games::GameJob>),
    SelfPlay(self_play::BatchJob),
}

impl Job {
    fn to_text(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Job::Game(game) => write!(f, "game {} of a match", game.game),
            Job::SelfPlay(batch) => write!(f, "{} games of self-play", batch.games),
        }
    }
}

/// Does jobs for somebody else.
#[derive(Default)]
pub struct Labourer {
    nets: self_play::Nets,
}

impl Labourer {
    pub fn work(&self, job: &str, fetch: &Fetch<'_>) -> Result<String, String> {
        let job = serde_json::from_str(job).map_err(|error| format!("not a job: {error}"))?;
        eprintln!("jigo worker: plays {job}");
        match job {
            Job::Game(game) => match_games::play_game(&game),
            Job::SelfPlay(batch) => self_play::play(&batch, &self.nets, fetch),
        }
    }
}
