//! Supervised learning from game records (CGI II.A).

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use jigo_board::Rng;
use jigo_net::kernel::Isa;
use jigo_net::weights::{Layout, Precision, Weights};
use jigo_net::{Architecture, Net};
use jigo_records::{ReadError, Split, read_folder};

use crate::checkpoint::{Checkpoint, CheckpointError, read_weights, state_path, write_atomically, write_weights};
use crate::classroom::Classroom;
use crate::grow::grow;
use crate::history::{History, Row};
use crate::loss::{LossSums, LossWeights};
use crate::optimizer::{Optimizer, Schedule, initial_values};
use crate::self_play::{Players, SelfPlayError};
use crate::teach::TeachError;
use crate::team::Team;
use crate::training_thread::Example;
use crate::validation::{Validation, validate};
use crate::value_games::{self, Wanted};

#[derive(Clone, Debug)]
pub struct SupervisedSettings {
    /// A folder of game records.
    pub data: PathBuf,
    /// Parts of file names; a file is read if its name contains one of them.
    pub files: Vec<String>,
    /// The folder of this run: state, net, history, plots.
    pub run: PathBuf,
    pub architecture: Architecture,
    /// A net to start from instead of noise; it may have fewer blocks.
    pub start: Option<PathBuf>,
    pub seed: u64,
    pub threads: usize,
    /// Board sizes and positions of each per thread and step.
    pub boards: Vec<(usize, usize)>,
    pub schedule: Schedule,
    /// Steps between looks at the validation games.
    pub validate_every: u64,
    pub validation_positions: usize,
    pub loss: LossWeights,
    /// Games of the starting net with itself to learn results from as well.
    pub self_play: Option<SelfPlay>,
    /// Answers of a teacher to learn from as well.
    pub taught: Option<Taught>,
}

/// Journals of teachers' answers.
#[derive(Clone, Debug)]
pub struct Taught {
    pub journals: Vec<PathBuf>,
    /// The share of positions taken from them; all of them on boards that no records are of.
    pub share: f32,
}

impl Taught {
    /// None without a journal.
    pub fn in_journals(journals: &[PathBuf], share: f32) -> Option<Taught> {
        (!journals.is_empty()).then(|| Taught { journals: journals.to_vec(), share })
    }
}

/// Strong players' games never show what a large dead group is worth. A net that also learns from games drawn from its own
/// policy, played to the very end (CGI III.A), does see that.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay {
    /// Games on each board size.
    pub games: usize,
    /// The share of positions taken from them.
    pub share: f32,
}

#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("{0} holds no games on {1}x{1}")]
    NoGames(PathBuf, usize),
    #[error(transparent)]
    Plot(#[from] crate::history::PlotError),
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    #[error("only a net that is there already can play itself: say which one to start from")]
    NobodyToPlay,
    #[error(transparent)]
    Teach(#[from] TeachError),
}

/// The longest time between two checkpoints.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(120);
/// Batches that statistics of the averaged weights are measured over.
const CALIBRATION_ROUNDS: usize = 12;
/// The komi of self-play. Every point's owner is known at the end, so each game labels all komi.
const SELF_PLAY_KOMI: f32 = 7.5;
/// The weights' average looks back over about this many steps.
const AVERAGE_STEPS: u64 = 500;

/// `players` play what is to be learnt from self-play.
pub fn train(settings: &SupervisedSettings, players: &mut dyn Players) -> Result<(), TrainError> {
    let classroom = settings.taught.as_ref().map(Classroom::open).transpose()?;
    let records = read_sources(settings, classroom.as_ref())?;
    let played = play_first(settings, players)?;
    let share = settings.self_play.map_or(0.0, |wanted| wanted.share);
    let classroom = classroom.as_ref();
    learn(settings, &Sources { records: &records, played: &played, share, hold_policy: false, classroom })
}

/// The games of self-play that the settings ask for, one split per board size. They are kept in the run's folder.
fn play_first(settings: &SupervisedSettings, players: &mut dyn Players) -> Result<Vec<Split>, TrainError> {
    let Some(wanted) = settings.self_play else { return Ok(Vec::new()) };
    let net = settings.start.as_ref().ok_or(TrainError::NobodyToPlay)?;
    std::fs::create_dir_all(&settings.run)
        .map_err(|source| CheckpointError::File { path: settings.run.clone(), source })?;
    let mut splits = Vec::new();
    for &(size, _) in &settings.boards {
        let wanted = Wanted { size, komi: SELF_PLAY_KOMI, games: wanted.games, seed: settings.seed };
        let kept = self_play_path(&settings.run, size);
        splits.push(value_games::generate(net, wanted, players, &kept)?);
    }
    Ok(splits)
}

/// Where a run keeps what its net played with itself.
pub fn self_play_path(run: &Path, size: usize) -> PathBuf {
    run.join(format!("self-play-{size}.txt"))
}

/// Where the examples come from, one split per board size each.
struct Sources<'a> {
    records: &'a [Split],
    played: &'a [Split],
    /// The share of examples from self-play.
    share: f32,
    /// Do its moves hold the policy where it is, or do they teach nothing?
    hold_policy: bool,
    classroom: Option<&'a Classroom>,
}

impl Sources<'_> {
    fn draw(&self, side: usize, rng: &mut Rng) -> Example {
        let on = |split: &&Split| split.size == side;
        let records = self.records.iter().find(on);
        if let Some(example) = self.classroom.and_then(|room| room.draw(side, records.is_some(), rng)) {
            return example;
        }
        match self.played.iter().find(on) {
            Some(played) if rng.chance(self.share) => {
                let example = Example::draw(&played.training, rng);
                if self.hold_policy { example.drawn_from_policy() } else { example.without_moves() }
            }
            _ => Example::draw(&records.expect("a split per size").training, rng),
        }
    }
}

/// The games the settings ask for, one split per board size; sizes without games will do if a teacher has spoken about them.
pub fn read_sources(settings: &SupervisedSettings, classroom: Option<&Classroom>) -> Result<Vec<Split>, TrainError> {
    let mut splits = read_folder(&settings.data, |name| settings.files.iter().any(|part| name.contains(part)))?;
    let mut sources = Vec::new();
    for &(size, _) in &settings.boards {
        let split = splits.iter_mut().find(|split| split.size == size && split.training.positions() > 0);
        if split.is_none() && classroom.is_some_and(|room| room.knows(size)) {
            continue;
        }
        sources.push(std::mem::take(split.ok_or_else(|| TrainError::NoGames(settings.data.clone(), size))?));
    }
    Ok(sources)
}

/// Learns from games already in memory, one split per board size of the settings, and from a teacher's answers beside them.
pub fn train_on(
    settings: &SupervisedSettings,
    records: &[Split],
    classroom: Option<&Classroom>,
) -> Result<(), TrainError> {
    learn(settings, &Sources { records, played: &[], share: 0.0, hold_policy: false, classroom })
}

/// Learns results and ownership from games the starting net has played with itself, one split per board size. It keeps its
/// policy.
pub fn train_on_self_play(settings: &SupervisedSettings, played: &[Split]) -> Result<(), TrainError> {
    learn(settings, &Sources { records: &[], played, share: 1.0, hold_policy: true, classroom: None })
}

fn learn(settings: &SupervisedSettings, sources: &Sources<'_>) -> Result<(), TrainError> {
    let folder_failed = |source| CheckpointError::File { path: settings.run.clone(), source };
    std::fs::create_dir_all(&settings.run).map_err(folder_failed)?;
    let mut run = Run::open(settings)?;
    let bar = ProgressBar::new(settings.schedule.steps).with_position(run.step).with_style(style());
    report(&bar, &describe(sources, settings));
    let mut team = Team::new(&settings.architecture, settings.threads, &settings.boards);
    let mut last_checkpoint = Instant::now();
    let mut recent = LossSums::default();
    let mut timer = (Instant::now(), 0.0);
    while run.step < settings.schedule.steps {
        let sums = run.step(settings, sources, &mut team);
        recent.fade(0.995);
        recent.add(&sums);
        timer.1 += sums.positions;
        let rate = timer.1 / timer.0.elapsed().as_secs_f64();
        bar.set_position(run.step);
        bar.set_message(summary(&recent, rate));
        let finished = run.step == settings.schedule.steps;
        if run.step.is_multiple_of(settings.validate_every) || finished {
            report(&bar, &run.validate(settings, sources, &mut team, &recent, rate)?.to_string());
            timer = (Instant::now(), 0.0);
        }
        if last_checkpoint.elapsed() > CHECKPOINT_EVERY || finished {
            run.save(settings)?;
            last_checkpoint = Instant::now();
        }
    }
    bar.finish();
    Ok(())
}

/// A line above the bar; in a log file, where there is no bar, a line by itself.
fn report(bar: &ProgressBar, text: &str) {
    if bar.is_hidden() { println!("{text}") } else { bar.println(text) }
}

fn style() -> ProgressStyle {
    let template = "{wide_bar} {pos}/{len} {elapsed_precise} left {eta_precise}\n{msg}";
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn describe(sources: &Sources<'_>, settings: &SupervisedSettings) -> String {
    let mut text = format!("{} on {}", settings.architecture, Isa::best_for_training());
    let splits = if sources.records.is_empty() { sources.played } else { sources.records };
    for (size, count) in &settings.boards {
        let _ = write!(text, "\n{size}x{size}: {count} a step and thread");
        if let Some(split) = splits.iter().find(|split| split.size == *size) {
            let (games, positions) = (split.training.games().len(), split.training.positions());
            let _ = write!(text, ", {games} games, {positions} positions");
        }
        if let Some(room) = sources.classroom {
            let _ = write!(text, ", {} answers", room.lessons(*size));
        }
    }
    if let Some(room) = sources.classroom {
        let _ = write!(text, "\nreading put {} points of the answers right", room.put_right);
    }
    text
}

fn summary(sums: &LossSums, rate: f64) -> String {
    format!(
        "policy {:.3}  top-1 {:.1} %  value {:.3}  ownership {:.3}  {rate:.0} positions/s",
        sums.policy / sums.moved.max(1.0),
        100.0 * sums.hits / sums.moved.max(1.0),
        sums.value / sums.valued.max(1.0),
        sums.ownership / sums.owned.max(1.0),
    )
}

/// A training run between two steps.
struct Run {
    step: u64,
    optimizer: Optimizer,
    history: History,
}

impl Run {
    /// Goes on where the folder's checkpoint stands; else starts from the given net, else from noise.
    fn open(settings: &SupervisedSettings) -> Result<Run, TrainError> {
        let len = Layout::new(&settings.architecture).len();
        let kept = Checkpoint::of_run(&settings.run, &settings.architecture.to_string(), len)?;
        let (step, optimizer) = if let Some(checkpoint) = kept {
            (checkpoint.step, checkpoint.optimizer)
        } else if let Some(start) = &settings.start {
            let values = grow(&read_weights(start)?, &settings.architecture, &mut Rng::new(settings.seed));
            (0, Optimizer::new(values))
        } else {
            let layout = Layout::new(&settings.architecture);
            (0, Optimizer::new(initial_values(&layout, &mut Rng::new(settings.seed))))
        };
        let history = History::open(&settings.run.join("history.tsv"), step);
        Ok(Run { step, optimizer, history })
    }

    /// One step. What it draws depends on the seed and the step number only, so a resumed run goes on exactly.
    fn step(&mut self, settings: &SupervisedSettings, sources: &Sources<'_>, team: &mut Team) -> LossSums {
        let mut rng = Rng::new(settings.seed.wrapping_mul(0x9e37_79b9).wrapping_add(self.step));
        let next = |side: usize, rng: &mut Rng| sources.draw(side, rng);
        let sums = team.step(&self.optimizer.values, &settings.loss, &mut rng, next);
        let rate = settings.schedule.rate(self.step);
        let average_rate = 1.0 / (self.step + 1).min(AVERAGE_STEPS) as f32;
        // What only holds a policy is noise around nothing, and must not be followed as if it were a direction.
        let follow = if sources.hold_policy { Optimizer::momentum_step } else { Optimizer::step };
        follow(&mut self.optimizer, team.layout(), &team.gradients, rate, average_rate);
        self.step += 1;
        sums
    }

    /// Looks at the games kept aside with the averaged weights, and writes them and the history.
    fn validate(
        &mut self,
        settings: &SupervisedSettings,
        sources: &Sources<'_>,
        team: &mut Team,
        recent: &LossSums,
        rate: f64,
    ) -> Result<Row, TrainError> {
        let mut weights = self.weights(settings, sources);
        let next = |side: usize, rng: &mut Rng| sources.draw(side, rng);
        team.calibrate(&mut weights.values, CALIBRATION_ROUNDS, &mut Rng::new(settings.seed), next);
        write_weights(&settings.run.join("net.safetensors"), &weights, Precision::Half)?;
        let net = Arc::new(Net::new(&weights, Isa::best_for_training()));
        let look = |splits: &[Split]| -> Vec<(usize, Validation)> {
            let kept_aside = splits.iter().filter(|split| split.validation.positions() > 0);
            kept_aside.map(|s| (s.size, validate(&net, &s.validation, settings.validation_positions))).collect()
        };
        let (looks, played) = (look(sources.records), look(sources.played));
        let row = Row {
            step: self.step,
            learning_rate: settings.schedule.rate(self.step),
            positions_per_second: rate,
            policy: recent.policy / recent.moved.max(1.0),
            top1: recent.hits / recent.moved.max(1.0),
            value: recent.value / recent.valued.max(1.0),
            ownership: recent.ownership / recent.owned.max(1.0),
            validation: looks.iter().map(|(size, look)| (*size, look.top1, look.value_mse)).collect(),
            self_play: played.iter().map(|(size, look)| (*size, look.value_mse)).collect(),
            taught: sources.classroom.and_then(|room| room.examine(&net, settings.validation_positions)),
        };
        self.history.push(row.clone());
        write_atomically(&settings.run.join("history.tsv"), self.history.to_tsv().as_bytes())?;
        self.history.plot(&settings.run.join("history.svg"))?;
        Ok(row)
    }

    fn weights(&self, settings: &SupervisedSettings, sources: &Sources<'_>) -> Weights {
        let mut notes = HashMap::from([
            ("steps".to_string(), self.step.to_string()),
            ("sizes".to_string(), settings.boards.iter().map(|(s, _)| s.to_string()).collect::<Vec<_>>().join(",")),
            ("seed".to_string(), settings.seed.to_string()),
        ]);
        if let Some(room) = sources.classroom {
            notes.insert("teacher".to_string(), room.teachers());
            notes.insert("answers".to_string(), room.answers().to_string());
        }
        Weights { architecture: settings.architecture.clone(), values: self.optimizer.average.clone(), notes }
    }

    fn save(&self, settings: &SupervisedSettings) -> Result<(), TrainError> {
        let (architecture, step, optimizer) = (settings.architecture.to_string(), self.step, self.optimizer.clone());
        Checkpoint { architecture, step, optimizer }.write(&state_path(&settings.run))?;
        Ok(())
    }
}
