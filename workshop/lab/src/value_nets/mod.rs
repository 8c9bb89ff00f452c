//! CGI IV.A to IV.C and IV.F: the four value networks measured on the same games.

mod four;
mod report;

use std::path::PathBuf;
use std::sync::Arc;

use indicatif::ProgressBar;
use jigo_arena::journal::{JournalError, write_whole};
use jigo_net::kernel::Isa;
use jigo_net::{Backend, Net};
use jigo_records::{Library, read_folder};
use jigo_train::checkpoint::read_weights;
use jigo_train::report::{Report as Measured, plot_all};

use crate::run::LabError;

pub use four::{FOUR, Training, net_file, train_four};
pub use report::ValueNetsReport;

/// As `jigo lab --list` shows it.
pub const NAME: &str = "value-nets";
pub const SOURCE: &str = "CGI table 2";
pub const ABOUT: &str =
    "VN, ML-VN, BV-VN and BV-ML-VN: error by move, score prediction, agreement (CGI fig. 4-7, 9, 10)";

/// Positions of a game are much alike; every so many is enough.
const EVERY: usize = 5;

/// Where the nets and the games are, and where the results go.
pub struct Measurement {
    /// The folder of the four training runs.
    pub nets: PathBuf,
    pub data: PathBuf,
    /// Parts of names of files with games that no net has learnt from.
    pub test_files: Vec<String>,
    pub size: usize,
    pub games: usize,
    pub out: PathBuf,
}

/// Measures all four nets and writes `report.md` and the plots.
pub fn measure(measurement: &Measurement, bar: &ProgressBar) -> Result<ValueNetsReport, LabError> {
    let library = test_games(measurement)?;
    let mut nets = Vec::new();
    for net in &FOUR {
        let weights = read_weights(&net_file(&measurement.nets, net.name))?;
        bar.set_message(net.name);
        bar.reset();
        let runnable: Arc<dyn Backend> = Arc::new(Net::new(&weights, Isa::best()));
        nets.push((net, Measured::measure(&runnable, &library, measurement.games, EVERY, bar)));
    }
    let report = ValueNetsReport { nets };
    let failed = |error| JournalError::Io { path: measurement.out.clone(), error };
    std::fs::create_dir_all(&measurement.out).map_err(failed)?;
    write_whole(&measurement.out.join("report.md"), &report.markdown())?;
    for (name, svg) in report.error_plots()? {
        write_whole(&measurement.out.join(name), &svg)?;
    }
    if let Some((_, measured)) = report.nets.last() {
        plot_all(measured, &measurement.out)?;
    }
    Ok(report)
}

/// Files of test games were never learnt from, so both sides of the split serve.
fn test_games(measurement: &Measurement) -> Result<Library, LabError> {
    let wanted = |name: &str| measurement.test_files.iter().any(|part| name.contains(part));
    let splits = read_folder(&measurement.data, wanted)?;
    let mut library = Library::default();
    for split in splits.into_iter().filter(|split| split.size == measurement.size) {
        split.into_games().for_each(|record| library.push(record));
    }
    Ok(library)
}
