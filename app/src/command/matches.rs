//! `jigo match`: games between any GTP programs, with Elo, intervals and sequential tests.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jigo_arena::statistics::Sprt;
use jigo_arena::{
    Colors, MatchBar, MatchResult, MatchSpec, Pairings, PlayerSpec, RunOptions, distinct_names, parse_player,
    read_spec, run_match,
};

#[cfg(feature = "cluster")]
use crate::handed::run_handed_match;
use crate::match_options::MatchOptions;

const EXAMPLES: &str = "\
Examples:
  jigo match -p 'jigo gtp --playouts 1000' -p 'gnugo --mode gtp --level 10' --size 9 --games 100 -j 2
  jigo match -p 'new=jigo gtp --set search.selection=rave' -p 'old=jigo gtp' --size 9 --sprt 0:20 --games 5000 --opening-plies 4
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
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = crate::side_by_side::read)]
    jobs: usize,

    #[command(flatten)]
    options: MatchOptions,

    #[command(flatten)]
    contest: ContestOptions,

    #[cfg(feature = "cluster")]
    #[command(flatten)]
    elsewhere: crate::cluster_options::ElsewhereArgs,
}

/// Who meets whom, and when it is enough.
#[derive(clap::Args)]
struct ContestOptions {
    /// The player named first is always Black, instead of swapping colours on every opening
    #[arg(long)]
    fixed_colors: bool,

    /// The first player meets each of the others, instead of everyone meeting everyone
    #[arg(long)]
    gauntlet: bool,

    /// Stop as soon as it is decided whether the first player is ELO1 or only ELO0 stronger
    #[arg(long, value_name = "ELO0:ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,

    /// Probability of accepting ELO1 though ELO0 is true
    #[arg(long, default_value_t = 0.05, requires = "sprt")]
    alpha: f64,

    /// Probability of accepting ELO0 though ELO1 is true
    #[arg(long, default_value_t = 0.05, requires = "sprt")]
    beta: f64,
}

pub fn run(args: Args) -> Result<()> {
    let (mut spec, folder) = match args.resume {
        Some(folder) => (read_spec(&folder)?, folder),
        None => {
            let mut spec = args.options.spec(read_players(&args.players)?)?;
            args.contest.add_to(&mut spec)?;
            let folder = args.out.unwrap_or_else(|| default_folder(&spec));
            (spec, folder)
        }
    };
    if let Some(games) = args.games {
        spec.games = games;
    }
    ensure!(spec.games > 0, "a match needs at least one game");

    let mut bar = MatchBar::default();
    #[cfg(feature = "cluster")]
    if let Some(link) = args.elsewhere.options()? {
        let result = run_handed_match(&spec, &folder, &link, &mut |progress| bar.show(progress));
        bar.finish();
        return tell(&result?, &folder);
    }
    let options = RunOptions { folder: folder.clone(), jobs: args.jobs };
    let result = run_match(&spec, &options, &mut |progress| bar.show(progress));
    bar.finish();
    tell(&result?, &folder)
}

fn tell(result: &MatchResult, folder: &Path) -> Result<()> {
    println!("{}Kept in {}", result.summary(), folder.display());
    Ok(())
}

impl ContestOptions {
    fn add_to(&self, spec: &mut MatchSpec) -> Result<()> {
        if self.fixed_colors {
            spec.colors = Colors::FirstIsBlack;
        }
        if self.gauntlet {
            spec.pairings = Pairings::Gauntlet;
        }
        spec.sprt = self.sprt.as_deref().map(|text| self.read_sprt(text)).transpose()?;
        Ok(())
    }

    fn read_sprt(&self, text: &str) -> Result<Sprt> {
        let numbers = text.split_once(':').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
        let (elo0, elo1) = numbers.with_context(|| format!("--sprt wants ELO0:ELO1 like 0:20, not {text:?}"))?;
        Ok(Sprt::new(elo0, elo1, self.alpha, self.beta)?)
    }
}

/// Players from their command lines, each with a name of its own.
fn read_players(texts: &[String]) -> Result<Vec<PlayerSpec>> {
    let parsed = texts.iter().map(|text| parse_player(text)).collect::<Result<Vec<_>, _>>()?;
    let names = distinct_names(&parsed);
    let commands = parsed.into_iter().map(|(_, command)| command);
    Ok(names.into_iter().zip(commands).map(|(name, command)| PlayerSpec { name, command }).collect())
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
