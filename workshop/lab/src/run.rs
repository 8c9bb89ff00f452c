//! Plays an experiment match by match. Each match has a folder of its own in the arena's manner, so what was played once is
//! never played again, and the report is written anew after each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jigo_arena::journal::{JournalError, write_whole};
use jigo_arena::{
    ArenaError, CommandLineError, Estimate, Failure, MatchProgress, MatchResult, PlayerLine, RunOptions, run_match,
    run_match_by,
};
use jigo_board::TimeControl;
use jigo_charts::ChartError;
use jigo_records::ReadError;
use jigo_train::checkpoint::CheckpointError;
use jigo_train::history::PlotError;
use jigo_train::supervised::TrainError;
use thiserror::Error;

use crate::contest::{Conditions, Opponent};
use crate::experiment::{Experiment, Variant};
#[cfg(unix)]
use crate::machines::Workers;
use crate::report::{Report, Row};

#[derive(Debug, Error)]
pub enum LabError {
    #[error(transparent)]
    Arena(#[from] ArenaError),
    #[error(transparent)]
    CommandLine(#[from] CommandLineError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Chart(#[from] ChartError),
    #[error(
        "nothing of this experiment can be played: it needs GNU Go, the nets of --nets, the games of --data or a \
             program built with the feature cluster"
    )]
    NothingToPlay,
    #[error("{}: {_1}", _0.display())]
    Folder(PathBuf, std::io::Error),
    #[error("{} holds no findings of the lab: {_1}", _0.display())]
    NoFindings(PathBuf, serde_json::Error),
    #[error("no game of this size ends half a point apart; CGI IV.E needs some")]
    NoEndgames,
    #[error("the files hold no game of size {0} that can be used")]
    NoGames(usize),
    #[error("{command}: {why}")]
    Analyst { command: String, why: String },
    #[error("a program {0}")]
    Program(#[from] Failure),
    #[error(transparent)]
    Games(#[from] ReadError),
    #[error(transparent)]
    Net(#[from] CheckpointError),
    #[error(transparent)]
    Training(#[from] TrainError),
    #[error(transparent)]
    Plot(#[from] PlotError),
    #[error("the workers of a cluster could not be started: {0}")]
    Machines(std::io::Error),
    #[error("{0}")]
    Soak(String),
}

/// Where a run is: the match now played, among how many.
pub struct RunProgress<'a> {
    pub place: usize,
    pub matches: usize,
    pub label: &'a str,
    pub opponent: &'a str,
    pub progress: &'a MatchProgress<'a>,
}

/// Runs an experiment, or carries on with one that was interrupted. The folder then holds `report.md`, `plot.svg` and
/// a folder for every match.
pub fn run_experiment(
    experiment: &'static Experiment,
    conditions: &Conditions,
    folder: &Path,
    jobs: usize,
    watch: &mut dyn FnMut(&RunProgress),
) -> Result<Report, LabError> {
    let mut contests = Vec::new();
    let mut report = Report::new(experiment, conditions.clone());
    for variant in (experiment.variants)(conditions.size) {
        match conditions.contest(experiment, &variant)? {
            Some(spec) => contests.push((variant, spec)),
            None => report.left_out.push(variant.label),
        }
    }
    let matches = contests.len();
    if matches == 0 {
        return Err(LabError::NothingToPlay);
    }
    let mut played: Vec<(String, String, BTreeMap<u64, String>)> = Vec::new();
    for (place, (variant, spec)) in contests.into_iter().enumerate() {
        let opponent = conditions.opponent_name(&variant);
        // A cluster thinks about one game at a time.
        let is_cluster = variant.player.is_cluster() || variant.opponent.is_cluster();
        let jobs = if is_cluster { 1 } else { jobs };
        let options = RunOptions { folder: match_folder(folder, &variant.label, &opponent), jobs };
        let result = if conditions.plays(&variant) {
            #[cfg(unix)]
            let _workers = is_cluster.then(|| Workers::of(&variant, conditions.seed)).transpose()?;
            run_match(&spec, &options, &mut |progress| {
                watch(&RunProgress { place, matches, label: &variant.label, opponent: &opponent, progress });
            })?
        } else if options.folder.is_dir() {
            run_match_by(&spec, &options.folder, &mut |_| {}, |_, _| Ok(()))?
        } else {
            continue;
        };
        let games = games_of(&result);
        let same_as = played.iter().find(|(other, _, theirs)| *other == opponent && *theirs == games);
        let same_as = same_as.map(|(_, label, _)| label.clone());
        played.push((opponent.clone(), variant.label.clone(), games));
        report.rows.push(Row { same_as, ..row(variant, opponent, &result) });
        write_whole(&folder.join("report.md"), &report.markdown())?;
        write_whole(&folder.join("plot.svg"), &report.plot()?)?;
    }
    Ok(report)
}

/// Every game by its fingerprint.
fn games_of(result: &MatchResult) -> BTreeMap<u64, String> {
    result.records.iter().map(|record| (record.game, record.fingerprint.clone())).collect()
}

pub fn default_folder(experiment: &Experiment, conditions: &Conditions) -> PathBuf {
    PathBuf::from("runs").join("lab").join(run_name(experiment, conditions))
}

/// Runs under other conditions are other runs; more games of the same are not.
pub fn run_name(experiment: &Experiment, conditions: &Conditions) -> String {
    let effort = match conditions.clock {
        TimeControl::Unlimited => format!("{}-playouts", conditions.playouts),
        clock => format!("time-{clock}"),
    };
    let opponent = match &conditions.opponent {
        Opponent::Baseline => "self",
        Opponent::GnuGo => "gnugo",
        Opponent::Program(program) => &program.name,
    };
    let name = format!("{}-{}x{}-{effort}-{opponent}", experiment.name, conditions.size, conditions.size);
    file_name(&name)
}

fn match_folder(folder: &Path, label: &str, opponent: &str) -> PathBuf {
    folder.join(file_name(&format!("{label} against {opponent}")))
}

/// In characters every file system likes.
fn file_name(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || "-.=+".contains(c) { c } else { '_' }).collect()
}

fn row(variant: Variant, opponent: String, result: &MatchResult) -> Row {
    let standings = &result.standings;
    let ours = standings.players.iter().find(|player| player.name == variant.label);
    let games = ours.map(PlayerLine::total).unwrap_or_default();
    // Swapped colours make pairs, in which we are named first; otherwise games count one by one.
    let estimate = match &standings.pairings[..] {
        [pairing] if result.spec.players[0].name == variant.label => pairing.estimate(),
        _ => Estimate::of(&games),
    };
    Row {
        label: variant.label,
        opponent,
        games,
        estimate,
        paper: variant.paper,
        curve: variant.curve,
        failures: standings.failures(),
        same_as: None,
    }
}
