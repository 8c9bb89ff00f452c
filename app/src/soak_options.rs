//! `jigo lab soak`: all doors under random traffic and random kills, for hours.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use jigo_lab::soak::{Soak, soak};

/// All doors under random traffic and random kills: is anything lost, late or grown?
///
/// Web, GTP, analysis and a cluster of three run on this machine alone. Whatever they acknowledged is looked for afterwards, and in
/// the last two fifths of the time nobody is killed, so that growing memory and forgotten file handles are seen. The exit code
/// says whether anything was found.
#[derive(clap::Args)]
pub struct Soaking {
    /// How long
    #[arg(long, value_name = "N", required_unless_present = "minutes", conflicts_with = "minutes")]
    hours: Option<f64>,
    /// The same in minutes
    #[arg(long, value_name = "N")]
    minutes: Option<f64>,
    /// What is asked and who is killed when follows from it
    #[arg(long = "seed", value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// An empty folder for report.md, the journal and what the programs keep [default: a new one in runs/lab]
    #[arg(long = "out", value_name = "DIR")]
    out: Option<PathBuf>,
}

const SHORTEST_MINUTES: f64 = 0.5;
const LONGEST_MINUTES: f64 = 60.0 * 24.0 * 365.0;

impl Soaking {
    pub fn run(&self) -> Result<()> {
        let minutes = self.minutes.or(self.hours.map(|hours| 60.0 * hours)).unwrap_or_default();
        let is_sensible = (SHORTEST_MINUTES..=LONGEST_MINUTES).contains(&minutes);
        ensure!(is_sensible, "a soak takes half a minute at least and a year at most");
        let length = Duration::from_secs_f64(60.0 * minutes);
        let folder = self.out.clone().unwrap_or_else(|| format!("runs/lab/soak-{}", std::process::id()).into());
        let order = Soak { length, seed: self.seed, folder, with_cluster: cfg!(feature = "cluster") };

        let style = ProgressStyle::with_template("{wide_bar} {elapsed_precise} of {msg} min")?;
        let bar = ProgressBar::new(length.as_secs()).with_style(style).with_message(format!("{minutes}"));
        let findings = soak(&order, &mut |over| bar.set_position(over.as_secs()));
        bar.finish_and_clear();
        let findings = findings?;
        print!("{}\nKept in {}\n", findings.text(), order.folder.display());
        ensure!(findings.faults == 0, "the soak found {} faults", findings.faults);
        Ok(())
    }
}
