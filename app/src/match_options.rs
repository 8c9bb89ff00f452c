//! How the games of a match are played, as options of the subcommands that run matches.

use std::path::PathBuf;

use anyhow::{Context, Result};
use jigo_arena::{Agreement, CommandLine, MatchSpec, Openings, PlayerSpec, RefereeSpec};
use jigo_board::{Rules, TimeControl};

const DEFAULT_GAMES: u64 = 100;

#[derive(clap::Args)]
pub struct MatchOptions {
    /// Board size
    #[arg(short, long, default_value_t = 19)]
    size: usize,

    /// Rules by their KataGo name: chinese, japanese, tromp-taylor, aga, ...
    #[arg(long, default_value = "chinese")]
    rules: String,

    /// Komi [default: that of the rules]
    #[arg(long, allow_negative_numbers = true)]
    komi: Option<f32>,

    /// Handicap stones for Black; White's compensation is that of the rules
    #[arg(long, default_value_t = 0, value_name = "STONES")]
    handicap: usize,

    /// Clock of each player: 5/move, 300 (all moves), 300+30/25 (canadian), 300+3x30 (byoyomi), 300+5 (fischer)
    #[arg(long, default_value = "none")]
    time: TimeControl,

    /// Seconds forgiven on every move of a clock
    #[arg(long, default_value_t = 0.25, value_name = "SECONDS")]
    lag: f64,

    /// Without a clock, a program that takes longer for one answer loses
    #[arg(long, default_value_t = 300.0, value_name = "SECONDS")]
    stall: f64,

    /// Start from this many random plies, scattered and balanced; with --openings, cut those after so many
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,

    /// Start from the main lines of these SGF files or folders, in turn
    #[arg(long, value_name = "SGF")]
    openings: Vec<PathBuf>,

    /// Who names dead stones: players (both must agree), alive (all stones live), or a GTP command line like 'jigo gtp'
    #[arg(long, default_value = "players", value_name = "players|alive|COMMAND")]
    referee: String,

    /// Score the game as it stands after so many moves [default: 3 x size x size]
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,

    /// End a game when both players' evaluations see the same winner ahead by so many points
    #[arg(long, value_name = "POINTS")]
    agree: Option<f64>,

    /// ... for so many moves in a row
    #[arg(long, default_value_t = 6, value_name = "N", requires = "agree")]
    agree_moves: usize,

    /// Seed of the match: openings and {seed} follow from it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl MatchOptions {
    /// A match of these players.
    pub fn spec(&self, players: Vec<PlayerSpec>) -> Result<MatchSpec> {
        let mut spec = MatchSpec::new(players, self.size, DEFAULT_GAMES);
        let rules = Rules::by_name(&self.rules).with_context(|| format!("there is no ruleset {:?}", self.rules))?;
        spec.rules = rules.name().unwrap_or(&self.rules).to_string();
        spec.komi = self.komi.unwrap_or(rules.default_komi);
        spec.handicap = self.handicap;
        spec.time = self.time;
        spec.limits.lag = self.lag;
        spec.limits.stall = self.stall;
        if let Some(moves) = self.max_moves {
            spec.limits.max_moves = moves;
        }
        spec.limits.agreement = self.agree.map(|points| Agreement { points, moves: self.agree_moves });
        spec.openings = match (self.openings.is_empty(), self.opening_plies) {
            (true, None | Some(0)) => Openings::EmptyBoard,
            (true, Some(plies)) => Openings::Random { plies },
            (false, plies) => Openings::Files { files: self.openings.clone(), plies },
        };
        spec.referee = match self.referee.as_str() {
            "players" => RefereeSpec::Players,
            "alive" => RefereeSpec::AllAlive,
            command => RefereeSpec::Program(CommandLine::parse(command)?),
        };
        spec.seed = self.seed;
        Ok(spec)
    }
}
