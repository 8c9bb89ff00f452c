//! What every game begins with, as options of the subcommands that play.

use std::sync::Arc;

use anyhow::{Context, anyhow, ensure};
use jigo_board::{Game, MAX_SIZE, MIN_SIZE, RULESETS, Rules};
use jigo_engine::{Engine, HIGHEST_LEVEL, LOWEST_LEVEL, Level, NetCard};

use crate::config::Config;
use crate::engine_options::EngineOptions;
#[cfg(feature = "cluster")]
use crate::handed::{HandedPlayer, Lend};
use crate::installed_nets::InstalledNets;

#[derive(clap::Args)]
pub struct GameOptions {
    /// Lines of the board, 2 to 19 [default: 19]
    #[arg(long, value_name = "N")]
    size: Option<usize>,

    /// White's compensation in points; by default that of the rules
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    komi: Option<f32>,

    /// Rules by name: tromp-taylor, chinese, chinese-kgs, japanese, korean, aga, new-zealand, stone-scoring, ... [default: chinese]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,

    /// New simulations for each move, what the tree keeps from before not counted; by default the clock decides, or about 3 seconds without one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,

    /// Simulations in the tree for each move, what it keeps from before counted; alone or as a second limit beside --playouts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    visits: Option<u32>,

    /// Strength from 1 (a beginner's) to 12 (all it can do)
    #[arg(long, value_name = "N", conflicts_with = "playouts")]
    #[arg(value_parser = clap::value_parser!(u64).range(LOWEST_LEVEL..=HIGHEST_LEVEL))]
    level: Option<u64>,

    /// Think on the opponent's time too (short for --set engine.ponder=on)
    #[arg(long)]
    ponder: bool,

    /// Dynamic komi: none, linear, score, value, adaptive, ss-r, ss-b, ss-m, vs-m or ml-dk (short for --set search.komi_method=...)
    #[arg(long, value_name = "METHOD")]
    dynkomi: Option<String>,

    #[command(flatten)]
    engine: EngineOptions,
}

impl GameOptions {
    /// Was a komi asked for?
    pub fn names_komi(&self) -> bool {
        self.komi.is_some()
    }

    pub fn new_engine(&self) -> anyhow::Result<Engine> {
        Ok(self.new_engine_with_nets()?.0)
    }

    /// An engine, the net it thinks with and the others there are.
    pub fn new_engine_with_nets(&self) -> anyhow::Result<(Engine, Option<NetCard>, Arc<InstalledNets>)> {
        let config = self.engine.config()?;
        let size = self.size.or(config.size).unwrap_or(MAX_SIZE);
        ensure!((MIN_SIZE..=MAX_SIZE).contains(&size), "a board has {MIN_SIZE} to {MAX_SIZE} lines, not {size}");
        let rules = self.rules.as_deref().or(config.rules.as_deref()).map(rules_by_name).transpose()?;
        let mut maker = self.engine.maker(&self.short_settings())?;
        let (playouts, level) = self.strength(&config)?;
        if let Some(visits) = self.visits.or(config.visits) {
            maker.parameters.engine.most_visits = visits;
        }
        if let Some(playouts) = playouts {
            maker.parameters.set("engine.most_playouts", &playouts.to_string())?;
        }
        maker.level = level.map(Level::numbered);
        let mut engine = maker.make(Game::new(size, rules.unwrap_or_default()));
        if let Some(komi) = self.komi.or(config.komi) {
            let refused = |_| anyhow!("komi is in whole or half points from -400 to 400, not {komi}");
            engine.set_komi(komi).map_err(refused)?;
        }
        Ok((engine, maker.net_card(), maker.nets))
    }

    /// The same player for the workers of a cluster, who start it themselves; nets are lent to them.
    #[cfg(feature = "cluster")]
    pub fn handed(&self, lend: &mut Lend<'_>) -> anyhow::Result<HandedPlayer> {
        let config = self.engine.config()?;
        let (playouts, level) = self.strength(&config)?;
        let mut player = self.engine.handed(&config, &self.short_settings(), lend)?;
        let visits = self.visits.or(config.visits);
        player.settings.extend(visits.map(|visits| ("engine.most_visits".to_string(), visits.to_string())));
        Ok(HandedPlayer { playouts, level, ..player })
    }

    /// Playouts or level. One named on the command line stands for both ways of naming it.
    fn strength(&self, config: &Config) -> anyhow::Result<(Option<u64>, Option<u64>)> {
        let (playouts, level) = match (self.playouts, self.level) {
            (None, None) => (config.playouts, config.level),
            named => named,
        };
        let levels = LOWEST_LEVEL..=HIGHEST_LEVEL;
        ensure!(level.is_none_or(|level| levels.contains(&level)), "levels go from {LOWEST_LEVEL} to {HIGHEST_LEVEL}");
        Ok((playouts.map(|playouts| playouts.max(1)), level))
    }

    /// Parameters with options of their own.
    fn short_settings(&self) -> Vec<(&'static str, &str)> {
        let method = self.dynkomi.as_deref().map(|method| ("search.komi_method", method));
        method.into_iter().chain(self.ponder.then_some(("engine.ponder", "on"))).collect()
    }
}

pub fn rules_by_name(name: &str) -> anyhow::Result<Rules> {
    Rules::by_name(name).with_context(|| {
        let known: Vec<&str> = RULESETS.iter().map(|(name, _)| *name).collect();
        format!("there are no rules called {name:?}; known are {}", known.join(", "))
    })
}
