//! What an experiment found, as a small file: conditions, version and counts. Tables and the page of claims are made from these files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use jigo_arena::journal::write_whole;
use jigo_arena::statistics::Trinomial;
use serde::{Deserialize, Serialize};

use crate::report::{Report, Row};
use crate::run::{LabError, run_name};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    pub experiment: String,
    pub preset: String,
    pub size: usize,
    /// Playouts a move or a clock, in words.
    pub effort: String,
    pub seed: u64,
    /// Of Jigo, with its commit.
    pub version: String,
    pub rows: Vec<Finding>,
}

/// One row: one match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    pub label: String,
    pub opponent: String,
    pub games: Trinomial,
    /// Share of games won, and its standard error from pairs of games where there are pairs.
    pub score: f64,
    pub error: f64,
    /// Games lost by a program breaking down.
    #[serde(default)]
    pub failures: usize,
    /// The row whose games were the same move for move: then both are one program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
}

/// A 95 % interval is this many standard errors on each side.
pub const SURE: f64 = 1.96;

impl Findings {
    pub fn of(report: &Report) -> Findings {
        Findings {
            experiment: report.experiment.name.to_string(),
            preset: report.conditions.preset.to_string(),
            size: report.conditions.size,
            effort: report.conditions.effort(),
            seed: report.conditions.seed,
            version: report.conditions.version.clone(),
            rows: report.rows.iter().map(Finding::of).collect(),
        }
    }

    /// Writes them, with their plot, where the page of claims looks for them.
    pub fn keep(report: &Report, folder: &Path) -> Result<(), LabError> {
        let name = run_name(report.experiment, &report.conditions);
        let text = serde_json::to_string_pretty(&Findings::of(report)).expect("plain data");
        fs::create_dir_all(folder).map_err(|error| LabError::Folder(folder.to_path_buf(), error))?;
        write_whole(&folder.join(format!("{name}.json")), &format!("{text}\n"))?;
        write_whole(&folder.join(format!("{name}.svg")), &report.plot()?)?;
        Ok(())
    }

    pub fn games(&self) -> u64 {
        self.rows.iter().map(Finding::count).sum()
    }
}

impl Finding {
    fn of(row: &Row) -> Finding {
        let interval = row.estimate.score_interval;
        Finding {
            label: row.label.clone(),
            opponent: row.opponent.clone(),
            games: row.games,
            score: row.estimate.score,
            error: (interval.high - interval.low) / (2.0 * SURE),
            failures: row.failures,
            same_as: row.same_as.clone(),
        }
    }

    pub fn count(&self) -> u64 {
        self.games.wins + self.games.draws + self.games.losses
    }
}

/// All findings of a folder by file name; a file that is none is named in the error.
pub fn read_all(folder: &Path) -> Result<BTreeMap<String, Findings>, LabError> {
    let unreadable = |path: &Path| {
        let path: PathBuf = path.to_path_buf();
        move |error| LabError::Folder(path, error)
    };
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
        let path = entry.map_err(unreadable(folder))?.path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(unreadable(&path))?;
        let findings = serde_json::from_str(&text).map_err(|error| LabError::NoFindings(path.clone(), error))?;
        found.insert(path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), findings);
    }
    Ok(found)
}
