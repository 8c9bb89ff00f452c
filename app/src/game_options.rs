//! What every game begins with, as options of the subcommands that play.

use std::hash::{BuildHasher, RandomState};

use anyhow::{Context, anyhow, ensure};
use jigo_board::{Game, MAX_SIZE, MIN_SIZE, RULESETS, Rules};
use jigo_engine::{Engine, RandomThinker};

#[derive(clap::Args)]
pub struct GameOptions {
    /// Lines of the board, 2 to 19
    #[arg(long, value_name = "N", default_value_t = MAX_SIZE)]
    size: usize,

    /// White's compensation in points; by default that of the rules
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    komi: Option<f32>,

    /// Rules by name: tromp-taylor, chinese, chinese-kgs, japanese, korean, aga, new-zealand, stone-scoring, ...
    #[arg(long, value_name = "NAME", default_value = "chinese")]
    rules: String,

    /// Number that decides everything left to chance; by default another one each time
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl GameOptions {
    /// Was a komi asked for?
    pub fn names_komi(&self) -> bool {
        self.komi.is_some()
    }

    pub fn new_engine(&self) -> anyhow::Result<Engine> {
        ensure!(
            (MIN_SIZE..=MAX_SIZE).contains(&self.size),
            "a board has {MIN_SIZE} to {MAX_SIZE} lines, not {}",
            self.size
        );
        let rules = Rules::by_name(&self.rules).with_context(|| {
            let known: Vec<&str> = RULESETS.iter().map(|(name, _)| *name).collect();
            format!("there are no rules called {:?}; known are {}", self.rules, known.join(", "))
        })?;
        let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one("seed"));
        let mut engine = Engine::new(Game::new(self.size, rules), Box::new(RandomThinker::new(seed)), seed);
        if let Some(komi) = self.komi {
            let refused = |_| anyhow!("komi is in whole or half points from -400 to 400, not {komi}");
            engine.set_komi(komi).map_err(refused)?;
        }
        Ok(engine)
    }
}
