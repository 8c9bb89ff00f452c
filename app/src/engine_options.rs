//! What every engine is made from, as options of the subcommands that think.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use jigo_board::Game;
#[cfg(feature = "cluster")]
use jigo_cluster::ClusterSearcher;
use jigo_engine::{Engine, Level, NetCard, OpenNet, PRESETS, Parameters, Preset, Profile, Setting};
use jigo_net::{Backend, Cache};
use jigo_parameters::SetError;
use jigo_search::{Searcher, TreeSearcher};

use crate::config::Config;
#[cfg(feature = "cluster")]
use crate::handed::{HandedNet, HandedPlayer};
use crate::installed_nets::{InstalledNets, NONE};
use crate::nearest::did_you_mean;
use crate::nets::{self, AnyNet};

/// The name of the net that Jigo plays with unless somebody says otherwise.
pub const EMBEDDED: &str = "embedded";
/// The name of the smaller and faster one beside it, which tells a win rate for every komi at one look.
pub const FAST: &str = "fast";

/// What a search on this machine needs.
#[derive(Clone, clap::Args)]
pub struct MachineOptions {
    /// Number that decides everything left to chance; by default another one each time
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Search threads; by default all cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,

    /// A neural net, ours or KataGo's: a file, a name (see jigo net list), or none to judge by playouts alone; by default
    /// the net that comes with Jigo
    #[arg(long, value_name = "FILE|NAME|none")]
    net: Option<String>,

    /// Compute KataGo's nets in f32 throughout, as KataGo does; slower than products of 16 bits, which change win rates by about
    /// a thousandth
    #[arg(long)]
    exact: bool,
}

#[derive(clap::Args)]
pub struct EngineOptions {
    #[command(flatten)]
    machine: MachineOptions,

    /// A net for human play beside the other one: a file or a name
    #[arg(long, value_name = "FILE|NAME")]
    human_net: Option<String>,

    /// Play like a person of this profile, by the net for human play: rank_5k, preaz_1d, proyear_1950 ...
    #[arg(long, value_name = "PROFILE")]
    like: Option<Profile>,

    /// Read settings from this file; by default from jigo.toml in your configuration folder, if there is one
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Play as a paper's program as published: pachi, baudis, go-intellect or cgi; see jigo config --preset NAME [default: jigo]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Set any parameter, such as --set search.criticality=0.5; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,

    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: crate::cluster_options::CoordinatorArgs,
}

impl MachineOptions {
    /// What is not said here is said by the file.
    fn or(&self, config: &Config) -> MachineOptions {
        MachineOptions {
            seed: self.seed.or(config.seed),
            threads: self.threads.or(config.threads),
            net: self.net.clone().or_else(|| config.net.clone()),
            exact: self.exact,
        }
    }

    /// A preset without a net has none unless one is named, and one that needs every komi has the net that tells it.
    fn of(mut self, preset: &Preset) -> MachineOptions {
        if let Some(name) = usual_net(preset) {
            self.net.get_or_insert_with(|| name.to_owned());
        }
        self
    }

    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| RandomState::new().hash_one("seed"))
    }

    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, |threads| threads as usize)
    }

    #[cfg(feature = "cluster")]
    pub fn net(&self) -> anyhow::Result<Option<Arc<dyn Backend>>> {
        Ok(InstalledNets::new(self.exact, None).open_net(self.net_name())?.net)
    }

    fn net_name(&self) -> &str {
        self.net.as_deref().unwrap_or(EMBEDDED)
    }
}

/// The net in a file, or one that is kept by this name.
pub fn load_net(wanted: &str) -> anyhow::Result<Arc<dyn Backend>> {
    Ok(AnyNet::read(&nets::find(wanted)?)?.backend())
}

impl EngineOptions {
    /// `short` are parameters that have options of their own; what `--set` says comes after them.
    pub fn maker(&self, short: &[(&str, &str)]) -> anyhow::Result<EngineMaker> {
        let config = self.config()?;
        let preset = self.preset(&config)?;
        let machine = self.machine.or(&config).of(preset);
        let nets = self.installed_nets(&machine)?;
        let mut net = nets.open_net(machine.net_name())?;
        if self.like.is_some() {
            let human = net.human.take();
            let human = human.context("--like needs a net for human play: --human-net FILE")?;
            net.human = Some(human.like(self.like.clone()));
        }
        let parameters = self.parameters(&config, preset, short)?;
        for (setting, now) in preset.contradictions(&parameters) {
            let Setting { name, value, source } = setting;
            eprintln!("note: {name} is {now}, and in the preset {} it is {value} ({source})", preset.name);
        }
        if net.net.is_some() && !preset.uses_net {
            eprintln!("note: a net is used, and the preset {} has none", preset.name);
        } else {
            for name in preset.set_in_vain(&parameters) {
                eprintln!("note: {name} has no effect in the preset {}", preset.name);
            }
        }
        Ok(EngineMaker {
            parameters,
            #[cfg(feature = "cluster")]
            cluster: self.cluster.join(net.net.as_deref())?,
            nets: Arc::new(nets),
            net,
            threads: machine.threads(),
            seed: machine.seed(),
            level: None,
            cache: None,
        })
    }

    /// The nets to choose from; one for human play, if it is named, stands beside all of them.
    fn installed_nets(&self, machine: &MachineOptions) -> anyhow::Result<InstalledNets> {
        let nets = InstalledNets::new(machine.exact, machine.net.clone());
        let Some(wanted) = self.human_net.as_deref() else { return Ok(nets) };
        let human = nets.open_net(wanted)?.human;
        let human = human.with_context(|| format!("{wanted} is not a net for human play: it knows no players"))?;
        Ok(nets.with_human(human))
    }

    /// What workers of a cluster need to know of this player, but for its strength.
    #[cfg(feature = "cluster")]
    pub fn handed(
        &self,
        config: &Config,
        short: &[(&str, &str)],
        lend: &mut crate::handed::Lend<'_>,
    ) -> anyhow::Result<HandedPlayer> {
        anyhow::ensure!(!self.cluster.is_asked_for(), "a worker does not coordinate");
        let is_plain = self.human_net.is_none() && self.like.is_none() && !self.machine.exact;
        anyhow::ensure!(is_plain, "--human-net, --like and --exact are not for games elsewhere");
        let preset = self.preset(config)?;
        let machine = self.machine.or(config).of(preset);
        Ok(HandedPlayer {
            playouts: None,
            level: None,
            threads: machine.threads.map(|threads| threads as u16),
            seed: machine.seed(),
            net: match machine.net.as_deref() {
                None | Some(EMBEDDED) => HandedNet::Embedded,
                Some(FAST) => HandedNet::Fast,
                Some(NONE) => HandedNet::None,
                Some(wanted) => HandedNet::Lent(lend(&nets::find(wanted)?).map_err(anyhow::Error::msg)?),
            },
            settings: HandedPlayer::settings_of(&self.parameters(config, preset, short)?),
        })
    }

    fn preset(&self, config: &Config) -> anyhow::Result<&'static Preset> {
        self.preset.as_deref().map_or_else(|| config.preset(), preset_named)
    }

    /// The preset's word comes first, then the file's, then that of `short`, then that of `--set`: the later counts more.
    fn parameters(&self, config: &Config, preset: &Preset, short: &[(&str, &str)]) -> anyhow::Result<Parameters> {
        let mut parameters = config.parameters(preset)?;
        for (name, value) in short {
            parameters.set(name, value)?;
        }
        for setting in &self.set {
            let (name, value) =
                setting.split_once('=').with_context(|| format!("--set takes NAME=VALUE, not {setting:?}"))?;
            parameters.set(name.trim(), value).map_err(with_hint)?;
        }
        Ok(parameters)
    }

    pub fn config(&self) -> anyhow::Result<Config> {
        Config::load(self.config_path())
    }

    /// The file that was named on the command line.
    pub fn config_path(&self) -> Option<&Path> {
        self.config.as_deref()
    }
}

/// The net of a preset, where it is not the embedded one.
pub fn usual_net(preset: &Preset) -> Option<&'static str> {
    match preset {
        Preset { uses_net: false, .. } => Some(NONE),
        Preset { every_komi: true, .. } => Some(FAST),
        _ => None,
    }
}

/// A preset, or the one that may have been meant.
pub fn preset_named(name: &str) -> anyhow::Result<&'static Preset> {
    let hint = || did_you_mean(name, PRESETS.map(|preset| preset.name));
    Preset::named(name).map_err(|error| anyhow!("{error}{}", hint()))
}

/// A parameter nobody knows is answered with the one that may have been meant.
pub fn with_hint(error: SetError) -> anyhow::Error {
    match &error {
        SetError::Unknown(name) => {
            anyhow!("{error}{}", did_you_mean(name, Parameters::table().map(|parameter| parameter.name)))
        }
        _ => error.into(),
    }
}

/// Makes engines that share one net.
#[derive(Clone)]
pub struct EngineMaker {
    pub parameters: Parameters,
    pub net: OpenNet,
    /// Other nets to change to.
    pub nets: Arc<InstalledNets>,
    pub threads: usize,
    pub seed: u64,
    /// Plays as well as this and no better.
    pub level: Option<Level>,
    /// What nets said to any of these engines; without it each remembers for itself.
    pub cache: Option<Arc<Cache>>,
    #[cfg(feature = "cluster")]
    pub cluster: Option<jigo_cluster::Coordination>,
}

impl EngineMaker {
    /// The net in use, if there is one.
    pub fn net_card(&self) -> Option<NetCard> {
        self.net.net.is_some().then(|| self.net.card.clone())
    }

    pub fn make(&self, game: Game) -> Engine {
        let wanted = &self.parameters.searching;
        let mut tree = TreeSearcher::new(wanted.clone(), self.net.net.clone(), self.threads, self.seed);
        if let Some(cache) = &self.cache {
            tree = tree.with_shared_cache(Arc::clone(cache));
        }
        let parameters = Parameters { searching: tree.parameters().clone(), ..self.parameters.clone() };
        let (memory, threads) = (parameters.searching.search.tree_megabytes, tree.threads());
        if memory < wanted.search.tree_megabytes || threads < self.threads {
            eprintln!(
                "note: this machine has no more than {memory} MB for the tree and {threads} threads for a search"
            );
        }
        let mut engine = Engine::new(game, self.searcher(tree), self.seed).with_parameters(parameters);
        if let Some(level) = self.level {
            engine.set_level(level);
        }
        engine.set_human(self.net.human.clone());
        engine
    }

    /// Alone, or with a cluster around it.
    fn searcher(&self, tree: TreeSearcher) -> Box<dyn Searcher> {
        #[cfg(feature = "cluster")]
        if let Some(cluster) = &self.cluster {
            return Box::new(ClusterSearcher::new(tree, cluster));
        }
        Box::new(tree)
    }

    /// The same for several engines at work at once: each has its share of threads and memory.
    pub fn shared_by(mut self, engines: usize) -> EngineMaker {
        let search = &mut self.parameters.searching.search;
        search.tree_megabytes = (search.tree_megabytes / engines as u32).max(SMALLEST_TREE_MEGABYTES);
        self.threads = (self.threads / engines).max(1);
        self
    }
}

/// The least that the parameter allows.
const SMALLEST_TREE_MEGABYTES: u32 = 8;
