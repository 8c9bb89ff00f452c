//! `jigo match`: games between any GTP programs, with Elo, intervals and sequential tests.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use jigo_arena::statistics::Sprt;
use jigo_arena::{
    Agreement, Colors, CommandLine, MatchBar, MatchSpec, Openings, Pairings, PlayerSpec, RefereeSpec, RunOptions,
    TimeControl, distinct_names, parse_player, read_spec, run_match,
};
use jigo_board::Rules;

const EXAMPLES: &str = "\
Examples:
  jigo match -p 'jigo gtp --playouts 1000' -p 'gnugo --mode gtp --level 10' --size 9 --games 100 -j 2
  jigo match -p 'new=jigo gtp --set rave=1' -p 'old=jigo gtp' --size 9 --sprt 0:20 --games 5000 --opening-plies 4
  jigo match --resume runs/new-vs-old

Players are command lines, optionally with a name: NAME=COMMAND. `jigo` is this very binary. In a command line
{seed} becomes a seed of its own for every game (derived from --seed) and {game} the number of the game.

The folder of a match holds match.json (these settings), games.jsonl (one line per game), games/ (SGF), summary.txt,
elo.svg and scores.svg. An interrupted match is carried on by the same command, or by --resume.";

#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A player's GTP command line, at least two; more than two play a round robin
    #[arg(short, long = "player", value_name = "[NAME=]COMMAND", required_unless_present = "resume")]
    players: Vec<String>,

    /// Carry on the match in this folder with its own settings
    #[arg(long, value_name = "DIR", conflicts_with_all = ["players", "out"])]
    resume: Option<PathBuf>,

    /// Where the match is kept [default: runs/FIRST-vs-SECOND]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Games of each pairing
    #[arg(short = 'n', long, value_name = "N")]
    games: Option<u64>,

    /// Games played at the same time
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,

    #[command(flatten)]
    setting: Setting,
}

/// Everything that makes two matches different.
#[derive(clap::Args)]
struct Setting {
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

    /// The player named first is always Black, instead of swapping colours on every opening
    #[arg(long)]
    fixed_colors: bool,

    /// The first player meets each of the others, instead of everyone meeting everyone
    #[arg(long)]
    gauntlet: bool,

    /// Who names dead stones: players (both must agree), alive (all stones live), or a GTP command line
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

    /// Stop as soon as it is decided whether the first player is ELO1 or only ELO0 stronger
    #[arg(long, value_name = "ELO0:ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,

    /// Probability of accepting ELO1 though ELO0 is true
    #[arg(long, default_value_t = 0.05, requires = "sprt")]
    alpha: f64,

    /// Probability of accepting ELO0 though ELO1 is true
    #[arg(long, default_value_t = 0.05, requires = "sprt")]
    beta: f64,

    /// Seed of the match: openings and {seed} follow from it
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

const DEFAULT_GAMES: u64 = 100;

pub fn run(args: Args) -> Result<()> {
    let (mut spec, folder) = match args.resume {
        Some(folder) => (read_spec(&folder)?, folder),
        None => {
            let spec = args.setting.spec(&args.players)?;
            let folder = args.out.unwrap_or_else(|| default_folder(&spec));
            (spec, folder)
        }
    };
    if let Some(games) = args.games {
        spec.games = games;
    }
    ensure!(spec.games > 0, "a match needs at least one game");

    let options = RunOptions { folder: folder.clone(), jobs: args.jobs };
    let mut bar = MatchBar::default();
    let result = run_match(&spec, &options, &mut |progress| bar.show(progress));
    bar.finish();
    println!("{}Kept in {}", result?.summary(), folder.display());
    Ok(())
}

impl Setting {
    fn spec(&self, players: &[String]) -> Result<MatchSpec> {
        let parsed = players.iter().map(|text| parse_player(text)).collect::<Result<Vec<_>, _>>()?;
        let names = distinct_names(&parsed);
        let commands = parsed.into_iter().map(|(_, command)| command);
        let players = names.into_iter().zip(commands).map(|(name, command)| PlayerSpec { name, command }).collect();

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
        spec.openings = self.openings();
        if self.fixed_colors {
            spec.colors = Colors::FirstIsBlack;
        }
        if self.gauntlet {
            spec.pairings = Pairings::Gauntlet;
        }
        spec.referee = match self.referee.as_str() {
            "players" => RefereeSpec::Players,
            "alive" => RefereeSpec::AllAlive,
            command => RefereeSpec::Program(CommandLine::parse(command)?),
        };
        spec.sprt = self.sprt.as_deref().map(|text| self.read_sprt(text)).transpose()?;
        spec.seed = self.seed;
        Ok(spec)
    }

    fn openings(&self) -> Openings {
        match (self.openings.is_empty(), self.opening_plies) {
            (true, None | Some(0)) => Openings::EmptyBoard,
            (true, Some(plies)) => Openings::Random { plies },
            (false, plies) => Openings::Files { files: self.openings.clone(), plies },
        }
    }

    fn read_sprt(&self, text: &str) -> Result<Sprt> {
        let numbers = text.split_once(':').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
        let (elo0, elo1) = numbers.with_context(|| format!("--sprt wants ELO0:ELO1 like 0:20, not {text:?}"))?;
        Ok(Sprt::new(elo0, elo1, self.alpha, self.beta)?)
    }
}

/// Named after the players, in characters every file system likes.
fn default_folder(spec: &MatchSpec) -> PathBuf {
    let plain = |name: &str| -> String {
        name.chars().map(|c| if c.is_alphanumeric() || "-_.=".contains(c) { c } else { '_' }).collect()
    };
    let names: Vec<String> = spec.players.iter().take(2).map(|player| plain(&player.name)).collect();
    let others = if spec.players.len() > 2 { "-and-others" } else { "" };
    PathBuf::from("runs").join(format!("{}{others}", names.join("-vs-")))
}
