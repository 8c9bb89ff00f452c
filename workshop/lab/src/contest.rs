//! From a variant of an experiment to a match of the arena.

use std::path::PathBuf;

use jigo_arena::{Colors, CommandLine, CommandLineError, MatchSpec, Openings, PlayerSpec, parse_player};
use jigo_board::{HANDICAP_KOMI, TimeControl};

use crate::claims::Claim;
use crate::experiment::{Contestant, Experiment, Start, Variant};
use crate::value_nets::net_file;

/// The referee is on the same machine and forgives a quarter of a second: the usual `engine.lag` on every move would leave
/// nothing of a short clock to think in.
const LAG: &str = "engine.lag=0.01";
/// Even games start from this many plies, so that no two pairs are alike.
const OPENING_PLIES: usize = 2;
/// GNU Go's strength where an experiment does not ask for another (Dynamic komi 6, Pachi 1.1, Go Intellect V).
const GNU_GO_LEVEL: u8 = 10;
/// The net of CGI whose place the shipped one can take: it knows every komi and the owner of every point.
const LIKE_SHIPPED: &str = "BV-ML-VN";

/// The circumstances of a run: an experiment's defaults, or what the user asked for.
#[derive(Clone, Debug)]
pub struct Conditions {
    pub size: usize,
    /// Of each variant.
    pub games: u64,
    /// Of each move, where there is no clock.
    pub playouts: u64,
    pub clock: TimeControl,
    pub seed: u64,
    pub opponent: Opponent,
    /// Whether GNU Go is installed.
    pub has_gnu_go: bool,
    /// Whether our program can work in a cluster.
    pub has_cluster: bool,
    /// The folder of the nets of CGI; without it the shipped net stands for the one it is like.
    pub nets: Option<PathBuf>,
    /// Openings for [`Start::Endgames`].
    pub endgames: Option<PathBuf>,
    /// Only rows of these labels are played; all if none is named.
    pub rows: Vec<String>,
    /// The program the experiment is about.
    pub preset: &'static str,
    /// Of Jigo, for the findings.
    pub version: String,
}

/// The opponent of variants that do not name one.
#[derive(Clone, Debug, PartialEq)]
pub enum Opponent {
    /// Our own program with the experiment's baseline settings.
    Baseline,
    GnuGo,
    /// Takes the place of GNU Go also where an experiment names that.
    Program(PlayerSpec),
}

impl Opponent {
    /// A program as the command line of a match names it: `COMMAND` or `NAME=COMMAND`.
    pub fn program(text: &str) -> Result<Opponent, CommandLineError> {
        let (name, command) = parse_player(text)?;
        Ok(Opponent::Program(PlayerSpec { name: name.unwrap_or_else(|| command.text().to_string()), command }))
    }
}

impl Conditions {
    /// The experiment's own defaults, against GNU Go where it is installed.
    pub fn of(experiment: &Experiment, has_gnu_go: bool) -> Self {
        let defaults = experiment.defaults;
        Self {
            size: defaults.size,
            games: defaults.games,
            playouts: defaults.playouts,
            clock: defaults.clock.and_then(|text| text.parse().ok()).unwrap_or_default(),
            seed: 1,
            opponent: if has_gnu_go { Opponent::GnuGo } else { Opponent::Baseline },
            has_gnu_go,
            has_cluster: false,
            nets: None,
            endgames: None,
            rows: Vec::new(),
            preset: experiment.preset,
            version: env!("CARGO_PKG_VERSION").to_string(),
        }
    }

    /// Is this row to be played? Others are shown as far as they were played before.
    pub fn plays(&self, variant: &Variant) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|wanted| self.is_called(variant, wanted))
    }

    /// By its label, the word before a comma, or `LABEL against OPPONENT` where a label has several opponents.
    pub fn is_called(&self, variant: &Variant, wanted: &str) -> bool {
        match wanted.rsplit_once(" against ") {
            Some((label, opponent)) => {
                Claim::is_meant(label, &variant.label) && opponent == self.opponent_name(variant)
            }
            None => Claim::is_meant(wanted, &variant.label),
        }
    }

    /// How much each player may think, in words.
    pub fn effort(&self) -> String {
        match self.clock {
            TimeControl::Unlimited => format!("{} playouts a move", self.playouts),
            clock => format!("time {clock}"),
        }
    }

    /// The match of a variant, our player first among its players or second; none if it needs GNU Go, nets, endgames or a
    /// cluster and there are none, or if it would be a program against itself on even terms.
    pub fn contest(&self, experiment: &Experiment, variant: &Variant) -> Result<Option<MatchSpec>, CommandLineError> {
        let baseline = variant.baseline(experiment.baseline);
        let plays_baseline = variant.opponent == Contestant::Opponent && self.opponent == Opponent::Baseline;
        if variant.start == Start::Even && plays_baseline && variant.player == baseline {
            return Ok(None);
        }
        let opponent = if plays_baseline { &baseline } else { self.opponent_of(variant) };
        let (Some(ours), Some(theirs)) = (self.command(&variant.player)?, self.command(opponent)?) else {
            return Ok(None);
        };
        let ours = PlayerSpec { name: variant.label.clone(), command: ours };
        let theirs = PlayerSpec { name: format!("against {}", self.opponent_name(variant)), command: theirs };
        let we_are_black = matches!(variant.start, Start::Even | Start::Takes(_) | Start::Endgames { .. });
        let players = if we_are_black { vec![ours, theirs] } else { vec![theirs, ours] };

        let mut spec = MatchSpec::new(players, self.size, self.games);
        spec.time = self.clock;
        spec.seed = self.seed;
        match variant.start {
            Start::Even => spec.openings = Openings::Random { plies: OPENING_PLIES },
            Start::Takes(stones) | Start::Gives(stones) => {
                spec.colors = Colors::FirstIsBlack;
                spec.komi = HANDICAP_KOMI;
                // A handicap of one is the first move.
                spec.handicap = if stones > 1 { stones } else { 0 };
            }
            Start::White { komi } => {
                spec.colors = Colors::FirstIsBlack;
                spec.komi = komi;
            }
            Start::Endgames { komi } => {
                let Some(file) = &self.endgames else { return Ok(None) };
                spec.openings = Openings::Files { files: vec![file.clone()], plies: None };
                spec.komi = komi;
            }
        }
        Ok(Some(spec))
    }

    /// Whoever was asked to play us stands in for GNU Go.
    fn opponent_of<'a>(&self, variant: &'a Variant) -> &'a Contestant {
        match (&variant.opponent, &self.opponent) {
            (Contestant::GnuGo { .. }, Opponent::Program(_)) => &Contestant::Opponent,
            (named, _) => named,
        }
    }

    pub fn opponent_name(&self, variant: &Variant) -> String {
        match (self.opponent_of(variant), &self.opponent) {
            (Contestant::Jigo { name, .. }, _) => name.unwrap_or("itself").to_string(),
            (Contestant::GnuGo { level }, _) => format!("GNU Go level {level}"),
            (Contestant::Opponent, Opponent::GnuGo) => format!("GNU Go level {GNU_GO_LEVEL}"),
            (Contestant::Opponent, Opponent::Baseline) => "baseline".to_string(),
            (Contestant::Opponent, Opponent::Program(program)) => program.name.clone(),
        }
    }

    /// None if it takes GNU Go or a net and there is none.
    fn command(&self, player: &Contestant) -> Result<Option<CommandLine>, CommandLineError> {
        let gnu_go = |level: u8| {
            let text = format!("gnugo --mode gtp --chinese-rules --seed {{seed}} --level {level}");
            self.has_gnu_go.then(|| CommandLine::parse(&text)).transpose()
        };
        match (player, &self.opponent) {
            (Contestant::Jigo { machines: 2.., .. }, _) if !self.has_cluster => Ok(None),
            (Contestant::Jigo { settings, effort, threads, machines, net, .. }, _) => {
                let words = self.program(*net).map(|words| [words, self.cluster(*machines)].concat());
                words.map(|words| self.our_command(words, settings, *effort, *threads)).transpose()
            }
            (Contestant::GnuGo { level }, _) => gnu_go(*level),
            (Contestant::Opponent, Opponent::Program(program)) => Ok(Some(program.command.clone())),
            (Contestant::Opponent, Opponent::GnuGo) => gnu_go(GNU_GO_LEVEL),
            (Contestant::Opponent, Opponent::Baseline) => Ok(None),
        }
    }

    /// The paper's program, and the net it has.
    fn program(&self, net: Option<&str>) -> Option<Vec<String>> {
        let file = match (net, &self.nets) {
            (None, _) => Some("none".to_string()),
            (Some(name), Some(folder)) => Some(net_file(folder, name).display().to_string()),
            (Some(LIKE_SHIPPED), None) => None,
            (Some(_), None) => return None,
        };
        let net = file.map(|file| ["--net".to_string(), file]);
        Some(["--preset".to_string(), self.preset.to_string()].into_iter().chain(net.into_iter().flatten()).collect())
    }

    /// The workers are there before the game begins, and nobody's playouts are lost if one of them is slow.
    fn cluster(&self, machines: usize) -> Vec<String> {
        let (name, workers) = (cluster_name(machines, self.seed), (machines - 1).to_string());
        let words = ["--cluster", &name, "--cluster-rule", "total", "--cluster-wait", &workers];
        if machines > 1 { words.map(str::to_string).to_vec() } else { Vec::new() }
    }

    /// Limits that do not depend on the machine.
    fn our_command(
        &self,
        mut words: Vec<String>,
        settings: &[(&str, String)],
        effort: f64,
        threads: usize,
    ) -> Result<CommandLine, CommandLineError> {
        if self.clock == TimeControl::Unlimited {
            let playouts = (self.playouts as f64 * effort).round().max(1.0);
            words.extend(["--playouts".to_string(), playouts.to_string()]);
        } else {
            words.extend(["--set".to_string(), LAG.to_string()]);
        }
        for (name, value) in settings {
            words.extend(["--set".to_string(), format!("{name}={value}")]);
        }
        Ok(CommandLine::parse(&format!("jigo gtp --threads {threads} --seed {{seed}}"))?.with_words(&words))
    }
}

/// Of the machines of one player. It is the same when a match is resumed, since the command lines of its players have it.
pub(crate) fn cluster_name(machines: usize, seed: u64) -> String {
    format!("lab-{machines}-{seed}")
}
