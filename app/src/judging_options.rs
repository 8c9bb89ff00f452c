//! `jigo lab losses`, `endings`, `calibration` and `spread`: how good judgement is, measured on recorded games.

use std::path::PathBuf;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use jigo_arena::{CommandLine, distinct_names, parse_player};
use jigo_lab::judging::{
    Calibration, Endings, Losses, Source, Spread, calibrate, judge_endings, measure_losses, measure_spread,
};

/// What judges is a command line that speaks KataGo's analysis protocol; what plays or counts speaks GTP. `jigo` is this very
/// binary, and in a command line {seed} becomes a number.
#[derive(clap::Subcommand)]
pub enum Judging {
    /// Points lost per move in the eyes of a strong judge, by players and by programs in the same positions
    Losses {
        #[command(flatten)]
        source: SourceOptions,
        /// The judge
        #[arg(long, value_name = "COMMAND", default_value = "jigo analysis --seed 1")]
        judge: String,
        /// Visits of the judge for each position
        #[arg(long, value_name = "N", default_value_t = 200)]
        judge_visits: u64,
        /// A GTP program to be compared
        #[arg(short, long = "program", value_name = "[NAME=]COMMAND")]
        programs: Vec<String>,
        /// Positions, each from another game
        #[arg(long, value_name = "N", default_value_t = 200)]
        positions: usize,
    },
    /// The winner and the score of counted games, at their end or before it
    Endings {
        #[command(flatten)]
        source: SourceOptions,
        /// Moves left out before the end of each game
        #[arg(long, value_name = "N", default_value_t = 0)]
        before: usize,
        /// An analysing program to be asked for the lead
        #[arg(short, long = "analyst", value_name = "[NAME=]COMMAND")]
        analysts: Vec<String>,
        /// Its visits
        #[arg(long, value_name = "N", default_value_t = 100)]
        visits: u64,
        /// A GTP program to be asked for final_score
        #[arg(short, long = "program", value_name = "[NAME=]COMMAND")]
        programs: Vec<String>,
        /// Only games whose winner this GTP program confirms
        #[arg(long, value_name = "COMMAND")]
        trusted: Option<String>,
        /// Games to be counted
        #[arg(short = 'n', long, value_name = "N", default_value_t = 60)]
        games: usize,
        /// Draw the positions in which an answer was far off
        #[arg(long)]
        show: bool,
    },
    /// Win rates beside games won, leads beside scores, by stage of the game
    Calibration {
        #[command(flatten)]
        source: SourceOptions,
        /// An analysing program; several are drawn into one picture
        #[arg(short, long = "analyst", value_name = "[NAME=]COMMAND", default_value = "jigo=jigo analysis --seed 1")]
        analysts: Vec<String>,
        /// Visits for each position, one measurement for each number
        #[arg(long, value_delimiter = ',', default_value = "1,25,100")]
        visits: Vec<u64>,
        /// Positions, spread over games and their stages
        #[arg(long, value_name = "N", default_value_t = 500)]
        positions: usize,
        /// Draw the curves into this file
        #[arg(long, value_name = "SVG")]
        picture: Option<PathBuf>,
    },
    /// How much opinions depend on chance
    Spread {
        #[command(flatten)]
        source: SourceOptions,
        /// The analysing program
        #[arg(long, value_name = "COMMAND", default_value = "jigo analysis --seed {seed}")]
        analyst: String,
        /// Visits for each position, one measurement for each number
        #[arg(long, value_delimiter = ',', default_value = "1,10,25,100")]
        visits: Vec<u64>,
        /// Seeds to be compared
        #[arg(long, value_name = "N", default_value_t = 20)]
        seeds: u32,
        /// Positions to be asked about
        #[arg(long, value_name = "N", default_value_t = 50)]
        positions: usize,
    },
}

/// Which games.
#[derive(clap::Args)]
pub struct SourceOptions {
    /// Folder with game records (.tsv.xz or .sgf)
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Files whose names contain one of these words
    #[arg(long, value_delimiter = ',', default_value = "tygem-test")]
    files: Vec<String>,
    /// Board size
    #[arg(long, value_name = "N", default_value_t = 19)]
    size: usize,
    /// The rules the games were played by
    #[arg(long, value_name = "NAME", default_value = "japanese")]
    rules: String,
    /// Which games and positions are drawn
    #[arg(long = "draw", value_name = "SEED", default_value_t = 1)]
    seed: u64,
}

impl SourceOptions {
    fn source(&self) -> Source {
        Source {
            data: self.data.clone(),
            files: self.files.clone(),
            size: self.size,
            rules: self.rules.clone(),
            seed: self.seed,
        }
    }
}

impl Judging {
    pub fn run(&self) -> Result<()> {
        let bar = ProgressBar::new_spinner()
            .with_style(ProgressStyle::with_template("{spinner} {pos} positions, {elapsed_precise}")?);
        let mut tell = |done: usize| bar.set_position(done as u64);
        let text = match self {
            Judging::Losses { source, judge, judge_visits, programs, positions } => {
                let measurement = Losses {
                    source: source.source(),
                    positions: *positions,
                    judge: CommandLine::parse(judge)?,
                    judge_visits: *judge_visits,
                    programs: named(programs)?,
                };
                measure_losses(&measurement, &mut tell)
            }
            Judging::Endings { source, before, analysts, visits, programs, trusted, games, show } => {
                let measurement = Endings {
                    source: source.source(),
                    games: *games,
                    moves_before: *before,
                    analysts: named(analysts)?,
                    visits: *visits,
                    programs: named(programs)?,
                    trusted: trusted.as_deref().map(CommandLine::parse).transpose()?,
                    shows: *show,
                };
                judge_endings(&measurement, &mut tell)
            }
            Judging::Calibration { source, analysts, visits, positions, picture } => {
                let measurement = Calibration {
                    source: source.source(),
                    positions: *positions,
                    analysts: named(analysts)?,
                    visits: visits.clone(),
                };
                let calibrated = calibrate(&measurement, &mut tell)?;
                if let Some(path) = picture {
                    std::fs::write(path, calibrated.picture()?).with_context(|| path.display().to_string())?;
                }
                Ok(calibrated.text())
            }
            Judging::Spread { source, analyst, visits, seeds, positions } => {
                let measurement = Spread {
                    source: source.source(),
                    positions: *positions,
                    analyst: CommandLine::parse(analyst)?,
                    visits: visits.clone(),
                    seeds: *seeds,
                };
                measure_spread(&measurement, &mut tell)
            }
        };
        bar.finish_and_clear();
        print!("{}", text?);
        Ok(())
    }
}

/// Command lines, each with a name of its own.
fn named(texts: &[String]) -> Result<Vec<(String, CommandLine)>> {
    let parsed = texts.iter().map(|text| parse_player(text)).collect::<Result<Vec<_>, _>>()?;
    let names = distinct_names(&parsed);
    Ok(names.into_iter().zip(parsed.into_iter().map(|(_, command)| command)).collect())
}
