//! The four architectures of CGI IV.A: one trunk, one set of games, one seed; only the value's form and the board
//! evaluation differ.

use std::path::{Path, PathBuf};

use jigo_net::Architecture;
use jigo_train::classroom::Classroom;
use jigo_train::loss::LossWeights;
use jigo_train::optimizer::Schedule;
use jigo_train::supervised::{SupervisedSettings, Taught, TrainError, read_sources, train_on};

pub struct ValueNet {
    pub name: &'static str,
    value: &'static str,
    ownership: &'static str,
    /// Average error in games with a komi of 7.5 (CGI table 2).
    pub paper_error: f64,
}

/// In the order of CGI table 2; the last one has everything.
pub const FOUR: [ValueNet; 4] = [
    ValueNet { name: "VN", value: "single", ownership: "no", paper_error: 0.35388 },
    ValueNet { name: "ML-VN", value: "labels", ownership: "no", paper_error: 0.346082 },
    ValueNet { name: "BV-VN", value: "single", ownership: "yes", paper_error: 0.35366 },
    ValueNet { name: "BV-ML-VN", value: "labels", ownership: "yes", paper_error: 0.348138 },
];

/// Small enough that a few minutes teach it something.
const TRUNK: &str = "planes=compact-1 channels=32 blocks=rrpr head=32 hidden=64";
const HIGHEST_RATE: f32 = 0.006;
const FINAL_SHARE: f32 = 0.005;
const WARM_UP: u64 = 100;
/// A look at the games kept aside costs as much as some thirty steps, so a long run takes no more than this many.
const LOOKS: u64 = 40;
const VALIDATE_EVERY: u64 = 250;
const VALIDATION_POSITIONS: usize = 800;

/// How the four are trained.
pub struct Training {
    pub data: PathBuf,
    /// Parts of names of the files to learn from.
    pub files: Vec<String>,
    /// Positions of each board size per worker and step.
    pub boards: Vec<(usize, usize)>,
    pub steps: u64,
    pub workers: usize,
    pub seed: u64,
    /// A teacher's answers to learn from as well: the same for all four.
    pub taught: Option<Taught>,
}

impl ValueNet {
    fn architecture(&self) -> Architecture {
        let text = format!("{TRUNK} value={} ownership={}", self.value, self.ownership);
        text.parse().expect("the four architectures are sound; a test reads them")
    }
}

/// Where a net of the four lies in the folder of their training runs.
pub fn net_file(nets: &Path, name: &str) -> PathBuf {
    nets.join(name).join("net.safetensors")
}

/// Trains the four one after another, each in a folder of its own; what has been trained is not trained again.
pub fn train_four(nets: &Path, training: &Training) -> Result<(), TrainError> {
    let runs = FOUR.each_ref().map(|net| settings(net, nets.join(net.name), training));
    // All four have the same settings, and so the same sources.
    let classroom = training.taught.as_ref().map(Classroom::open).transpose()?;
    let sources = read_sources(&runs[0], classroom.as_ref())?;
    runs.iter().try_for_each(|run| train_on(run, &sources, classroom.as_ref()))
}

fn settings(net: &ValueNet, run: PathBuf, training: &Training) -> SupervisedSettings {
    let schedule = Schedule { peak: HIGHEST_RATE, final_share: FINAL_SHARE, warm_up: WARM_UP, steps: training.steps };
    SupervisedSettings {
        data: training.data.clone(),
        files: training.files.clone(),
        run,
        architecture: net.architecture(),
        start: None,
        seed: training.seed,
        threads: training.workers,
        boards: training.boards.clone(),
        schedule,
        validate_every: VALIDATE_EVERY.max(training.steps / LOOKS),
        validation_positions: VALIDATION_POSITIONS,
        loss: LossWeights::default(),
        self_play: None,
        taught: training.taught.clone(),
    }
}

#[cfg(test)]
mod tests {
    use jigo_net::architecture::ValueForm;
    use jigo_net::cgi::CgiForm;

    use super::*;

    #[test]
    fn the_four_are_those_of_the_paper() {
        let told: Vec<_> = FOUR.iter().map(|net| (net.architecture().value, net.architecture().ownership)).collect();
        assert_eq!(
            told,
            [
                (ValueForm::Cgi(CgiForm::Single), false),
                (ValueForm::Cgi(CgiForm::Labels), false),
                (ValueForm::Cgi(CgiForm::Single), true),
                (ValueForm::Cgi(CgiForm::Labels), true)
            ]
        );
    }

    #[test]
    fn all_four_are_asked_the_same_and_answered_the_same() {
        let taught = Taught::in_journals(&["answers".into()], 0.6);
        let (data, files, boards) = ("data".into(), vec!["train".into()], vec![(9, 6), (19, 2)]);
        let training = Training { data, files, boards, steps: 90, workers: 1, seed: 7, taught };
        let told = |net: &ValueNet| {
            let settings = settings(net, "run".into(), &training);
            format!("{:?}", SupervisedSettings { architecture: FOUR[0].architecture(), ..settings })
        };
        assert!(told(&FOUR[0]).contains("answers"));
        assert!(FOUR.iter().all(|net| told(net) == told(&FOUR[0])));
    }
}
