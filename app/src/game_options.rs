//! What every game begins with, as options of the subcommands that play.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use anyhow::{Context, anyhow, ensure};
use jigo_board::{Game, MAX_SIZE, MIN_SIZE, RULESETS, Rules};
use jigo_engine::{Engine, HIGHEST_LEVEL, LOWEST_LEVEL, Level, Parameters, SearchThinker};
use jigo_net::Net;
use jigo_search::TreeSearcher;

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

    /// Simulations for each move; by default the clock decides, or about 3 seconds without one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,

    /// Strength from 1 (a beginner's) to 12 (all it can do)
    #[arg(long, value_name = "N", conflicts_with = "playouts")]
    #[arg(value_parser = clap::value_parser!(u64).range(LOWEST_LEVEL..=HIGHEST_LEVEL))]
    level: Option<u64>,

    /// Search threads; by default all cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,

    /// Weights of a neural net, or none to judge by playouts alone; by default the net that comes with Jigo
    #[arg(long, value_name = "FILE|none")]
    net: Option<String>,

    /// Think on the opponent's time too (short for --set engine.ponder=on)
    #[arg(long)]
    ponder: bool,

    /// Dynamic komi: none, linear, score, value, adaptive, ss-r, ss-b, ss-m, vs-m or ml-dk (short for --set search.komi_method=...)
    #[arg(long, value_name = "METHOD")]
    dynkomi: Option<String>,

    /// Set any parameter, such as --set search.criticality=0.5; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
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
        let parameters = self.parameters()?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or(cores, |threads| threads as usize);
        let searcher = TreeSearcher::new(parameters.searching.clone(), self.net()?, threads, seed);
        let thinker = match self.level {
            Some(level) => Level::numbered(level).thinker(Box::new(searcher), seed),
            None => Box::new(SearchThinker::new(Box::new(searcher), self.playouts)),
        };
        let mut engine = Engine::new(Game::new(self.size, rules), thinker, seed);
        engine.set_parameters(parameters);
        if let Some(komi) = self.komi {
            let refused = |_| anyhow!("komi is in whole or half points from -400 to 400, not {komi}");
            engine.set_komi(komi).map_err(refused)?;
        }
        Ok(engine)
    }

    fn parameters(&self) -> anyhow::Result<Parameters> {
        let mut parameters = Parameters::default();
        if let Some(method) = &self.dynkomi {
            parameters.set("search.komi_method", method)?;
        }
        if self.ponder {
            parameters.set("engine.ponder", "on")?;
        }
        for setting in &self.set {
            let (name, value) =
                setting.split_once('=').with_context(|| format!("--set takes NAME=VALUE, not {setting:?}"))?;
            parameters.set(name.trim(), value)?;
        }
        Ok(parameters)
    }

    fn net(&self) -> anyhow::Result<Option<Arc<Net>>> {
        match self.net.as_deref() {
            None => Ok(Some(Net::embedded())),
            Some("none") => Ok(None),
            Some(file) => {
                let bytes = std::fs::read(file).with_context(|| format!("the net {file} cannot be read"))?;
                let net = Net::from_bytes(&bytes).with_context(|| format!("{file} is not a net of ours"))?;
                Ok(Some(Arc::new(net)))
            }
        }
    }
}
