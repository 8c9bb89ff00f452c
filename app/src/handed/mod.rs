//! Work handed to the workers of a cluster: the games of a match, those that training learns from, and questions to a teacher.
//! What comes back is the same whoever does it, and counts once.

mod bounds;
mod labels;
mod match_games;
mod nets;
mod player;
mod self_play;

pub use bounds::bind;
pub use labels::{MOST_QUESTIONS, ask_workers};
pub use match_games::run_handed_match;
pub use player::{HandedNet, HandedPlayer};
pub use self_play::Workers;

use std::fmt;
use std::path::Path;

use jigo_cluster::{Fetch, ParcelName};
use serde::{Deserialize, Serialize};

/// Lends the net in a file to the workers, and gives the name under which they ask for it.
pub type Lend<'a> = dyn FnMut(&Path) -> Result<ParcelName, String> + 'a;

/// What a worker may be asked to do: one of these, with typed settings. Nothing in a job is ever run, opened or looked up.
#[derive(Serialize, Deserialize)]
enum Job {
    Game(Box<match_games::GameJob>),
    SelfPlay(self_play::BatchJob),
    Labels(labels::LabelJob),
}

impl Job {
    fn to_text(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Job::Game(game) => write!(f, "plays game {} of a match", game.game),
            Job::SelfPlay(batch) => write!(f, "plays {} games of self-play", batch.games),
            Job::Labels(asked) => write!(f, "answers {} questions", asked.exercises.len()),
        }
    }
}

/// Does jobs for somebody else, within what its owner lends.
pub struct JobRunner {
    /// Memory for the tree and the cache of each player of a game.
    megabytes: u32,
    nets: nets::Nets,
    teachers: labels::Teachers,
}

impl JobRunner {
    pub fn new(megabytes: u32) -> JobRunner {
        JobRunner { megabytes, nets: nets::Nets::default(), teachers: labels::Teachers::default() }
    }

    pub fn run(&self, job: &str, fetch: &Fetch<'_>) -> Result<String, String> {
        let job = serde_json::from_str(job).map_err(|error| format!("not a job: {error}"))?;
        eprintln!("jigo worker: {job}");
        match job {
            Job::Game(game) => match_games::play_game(&game, self.megabytes, &self.nets, fetch),
            Job::SelfPlay(batch) => self_play::play(&batch, &self.nets, fetch),
            Job::Labels(asked) => self.teachers.answer(&asked, self.megabytes, &self.nets, fetch),
        }
    }
}
