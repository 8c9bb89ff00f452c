//! `jigo train further`: a net of KataGo's, small and old enough to be written again, learns from a stronger teacher's answers.
//!
//! It keeps its form, so it can be used wherever the net it comes from can: `network.rs` are its layers, forward and backward, `loss.rs`
//! what it should say, `numbers.rs` all its numbers as one row.

mod boards;
mod loss;
mod network;
mod numbers;
mod products;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use jigo_board::Rng;
use jigo_katago::{KataNet, Model, ReadError};
use jigo_net::Backend;
use jigo_net::kernel::Isa;
use jigo_net::kernel::points::Kernel;
use jigo_tactics::Reader;

use crate::checkpoint::{Checkpoint, CheckpointError, read, state_path, write_atomically};
use crate::optimizer::{Optimizer, Schedule};
use crate::teach::{Lesson, TeachError, agreement, put_right, read_lessons};
use loss::{Losses, SeenLesson, gradient};
use network::{Network, is_known};
pub use numbers::between;
use numbers::{drain_into, half_as_long, numbers, set_numbers, zeros_like};

#[derive(Clone, Debug)]
pub struct FurtherSettings {
    /// Journals of teachers' answers.
    pub journals: Vec<PathBuf>,
    /// The net to begin with.
    pub start: PathBuf,
    /// What the new net is called inside its file.
    pub name: String,
    /// The folder of this run: `net.bin.gz`, and the state to go on from.
    pub run: PathBuf,
    /// Board sizes and positions of each per thread and step.
    pub boards: Vec<(usize, usize)>,
    pub schedule: Schedule,
    pub threads: usize,
    pub seed: u64,
    /// Steps between looks at the answers kept aside.
    pub validate_every: u64,
    pub validation_positions: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum FurtherError {
    #[error(transparent)]
    Teach(#[from] TeachError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("{path}: {source}")]
    Net { path: PathBuf, source: ReadError },
    #[error("{0} cannot be taught further: only nets of model version 8 to 10 with channels in sixteens can")]
    Unknown(PathBuf),
    #[error(transparent)]
    Write(#[from] jigo_katago::CannotWrite),
    #[error("there are no answers about boards of {0}x{0}")]
    NoLessons(usize),
}

/// Boards that go through the layers together: few enough for the processor's cache.
const TOGETHER: usize = 8;
const CHECKPOINT_EVERY: Duration = Duration::from_secs(120);
/// The weights' average looks back over about this many steps.
const AVERAGE_STEPS: u64 = 300;

pub fn train_further(settings: &FurtherSettings) -> Result<(), FurtherError> {
    let bytes = read(&settings.start)?;
    let failed = |source| FurtherError::Net { path: settings.start.clone(), source };
    let mut model = Model::read(&bytes).map_err(failed)?;
    if !is_known(&model) {
        return Err(FurtherError::Unknown(settings.start.clone()));
    }
    model.name.clone_from(&settings.name);
    let lessons = Lessons::read(settings)?;
    let folder_failed = |source| CheckpointError::File { path: settings.run.clone(), source };
    std::fs::create_dir_all(&settings.run).map_err(folder_failed)?;
    let mut run = Run::open(settings, model)?;
    let bar = ProgressBar::new(settings.schedule.steps).with_position(run.step).with_style(style());
    report(&bar, &lessons.describe());
    let mut pupils: Vec<Pupil> = (0..settings.threads).map(|_| Pupil::new(&run.model, &settings.boards)).collect();
    let (mut recent, mut since, mut saved) = (Losses::default(), Instant::now(), Instant::now());
    while run.step < settings.schedule.steps {
        recent.add(&run.step(settings, &lessons, &mut pupils));
        bar.set_position(run.step);
        let finished = run.step == settings.schedule.steps;
        if run.step.is_multiple_of(settings.validate_every) || finished {
            let rate = recent.examples / since.elapsed().as_secs_f64();
            report(
                &bar,
                &format!(
                    "step {}: {}\n{rate:.0} positions/s; kept aside: {}",
                    run.step,
                    summary(&recent),
                    run.examine(settings, &lessons)?
                ),
            );
            (recent, since) = (Losses::default(), Instant::now());
        }
        if saved.elapsed() > CHECKPOINT_EVERY || finished {
            run.save(settings)?;
            saved = Instant::now();
        }
    }
    bar.finish();
    Ok(())
}

fn style() -> ProgressStyle {
    let template = "{wide_bar} {pos}/{len} {elapsed_precise} left {eta_precise}";
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A line above the bar; in a log file, where there is no bar, a line by itself.
fn report(bar: &ProgressBar, text: &str) {
    if bar.is_hidden() { println!("{text}") } else { bar.println(text) }
}

fn summary(sums: &Losses) -> String {
    let each = |sum: f64| sum / sums.examples.max(1.0);
    format!(
        "policy {:.4}  value {:.4}  ownership {:.4}  lead {:.2}",
        sums.policy / sums.moved.max(1.0),
        each(sums.value),
        each(sums.ownership),
        each(sums.lead)
    )
}

/// Answers by board size, some kept aside.
struct Lessons {
    training: BTreeMap<usize, Vec<Lesson>>,
    kept_aside: Vec<Lesson>,
    teachers: Vec<String>,
}

impl Lessons {
    fn read(settings: &FurtherSettings) -> Result<Lessons, FurtherError> {
        let (mut lessons, teachers) = read_lessons(&settings.journals)?;
        lessons.iter_mut().for_each(|lesson| {
            put_right(lesson);
        });
        let (kept_aside, rest): (Vec<Lesson>, Vec<Lesson>) = lessons.into_iter().partition(Lesson::is_kept_aside);
        let mut training = BTreeMap::<usize, Vec<Lesson>>::new();
        for lesson in rest {
            training.entry(lesson.exercise.size.into()).or_default().push(lesson);
        }
        match settings.boards.iter().find(|(size, _)| !training.contains_key(size)) {
            Some((size, _)) => Err(FurtherError::NoLessons(*size)),
            None => Ok(Lessons { training, kept_aside, teachers }),
        }
    }

    fn describe(&self) -> String {
        let counts: Vec<String> =
            self.training.iter().map(|(size, lessons)| format!("{} on {size}x{size}", lessons.len())).collect();
        format!("answers of {}: {}; {} kept aside", self.teachers.join(", "), counts.join(", "), self.kept_aside.len())
    }

    fn draw(&self, size: usize, rng: &mut Rng, reader: &mut Reader) -> SeenLesson {
        let lessons = &self.training[&size];
        loop {
            // All were games when they were read.
            if let Some(example) = SeenLesson::of(&lessons[rng.below(lessons.len())], rng, reader) {
                return example;
            }
        }
    }
}

/// One thread's share of a step.
struct Pupil {
    /// Networks by board size, and how many parts of each.
    networks: Vec<(usize, Network, usize)>,
    gradient: Model,
    reader: Reader,
}

impl Pupil {
    fn new(model: &Model, boards: &[(usize, usize)]) -> Pupil {
        let network = |&(size, count): &(usize, usize)| {
            let images = count.min(TOGETHER);
            (size, Network::new(Isa::best_for_training(), model, size, images), count.div_ceil(images))
        };
        Pupil { networks: boards.iter().map(network).collect(), gradient: zeros_like(model), reader: Reader::new() }
    }

    fn positions(&self) -> usize {
        self.networks.iter().map(|(_, network, parts)| network.images() * parts).sum()
    }

    fn learn(&mut self, model: &Model, lessons: &Lessons, share: f32, rng: &mut Rng) -> Losses {
        let mut losses = Losses::default();
        for (size, network, parts) in &mut self.networks {
            network.load(model);
            for _ in 0..*parts {
                let examples: Vec<SeenLesson> =
                    (0..network.images()).map(|_| lessons.draw(*size, rng, &mut self.reader)).collect();
                let (inputs, answers): (Vec<_>, Vec<_>) = examples.into_iter().map(SeenLesson::split).unzip();
                let mut outputs = network.forward(model, &inputs);
                for (answer, output) in answers.iter().zip(&mut outputs) {
                    losses.add(&gradient(answer, &model.multipliers, output, share));
                }
                network.backward(model, &inputs, &outputs, &mut self.gradient);
            }
        }
        losses
    }
}

/// A run between two steps.
struct Run {
    model: Model,
    step: u64,
    optimizer: Optimizer,
}

impl Run {
    fn open(settings: &FurtherSettings, model: Model) -> Result<Run, FurtherError> {
        let start = numbers(&model);
        let kind = format!("{} {}", model.name, start.len());
        let (step, optimizer) = match Checkpoint::of_run(&settings.run, &kind, start.len())? {
            Some(checkpoint) => (checkpoint.step, checkpoint.optimizer),
            None => (0, Optimizer::new(start)),
        };
        let mut run = Run { model, step, optimizer };
        set_numbers(&mut run.model, &run.optimizer.values);
        Ok(run)
    }

    /// One step. What it draws depends on the seed and the step number only.
    fn step(&mut self, settings: &FurtherSettings, lessons: &Lessons, pupils: &mut [Pupil]) -> Losses {
        let mut rng = Rng::new(settings.seed.wrapping_mul(0x9e37_79b9).wrapping_add(self.step));
        let share = 1.0 / pupils.iter().map(Pupil::positions).sum::<usize>() as f32;
        let model = &self.model;
        let shares: Vec<Losses> = std::thread::scope(|scope| {
            let threads: Vec<_> = pupils
                .iter_mut()
                .map(|pupil| {
                    let mut rng = rng.fork();
                    scope.spawn(move || pupil.learn(model, lessons, share, &mut rng))
                })
                .collect();
            let joined = threads.into_iter().map(|thread| thread.join());
            joined.map(|losses| losses.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        });
        let mut gradients = vec![0.0; self.optimizer.values.len()];
        pupils.iter_mut().for_each(|pupil| drain_into(&mut pupil.gradient, &mut gradients));
        let average_rate = 1.0 / (self.step + 1).min(AVERAGE_STEPS) as f32;
        self.optimizer.plain_step(&gradients, settings.schedule.rate(self.step), self.step, average_rate);
        set_numbers(&mut self.model, &self.optimizer.values);
        self.step += 1;
        let mut losses = Losses::default();
        shares.iter().for_each(|share| losses.add(share));
        losses
    }

    /// Writes the averaged net, and says how near it is to its teachers.
    fn examine(&self, settings: &FurtherSettings, lessons: &Lessons) -> Result<String, FurtherError> {
        let mut model = self.model.clone();
        let rounded: Vec<f32> = self.optimizer.average.iter().map(|&number| half_as_long(number)).collect();
        set_numbers(&mut model, &rounded);
        write_atomically(&settings.run.join("net.bin.gz"), &model.to_bytes()?)?;
        let net: Arc<dyn Backend> = Arc::new(KataNet::new(&model, Kernel::best()));
        let some: Vec<&Lesson> = lessons.kept_aside.iter().take(settings.validation_positions).collect();
        let distance = agreement(net, &some).all;
        let percent = |number: Option<f64>| 100.0 * number.unwrap_or(f64::NAN);
        Ok(format!(
            "first move {:.1} %, win rate {:.2} % off (squares {:.4}), owners' squares {:.4}",
            percent(distance.first_move.value()),
            percent(distance.win_rate.value()),
            distance.win_rate_square.value().unwrap_or(f64::NAN),
            distance.ownership_square.value().unwrap_or(f64::NAN)
        ))
    }

    fn save(&self, settings: &FurtherSettings) -> Result<(), FurtherError> {
        let architecture = format!("{} {}", self.model.name, self.optimizer.values.len());
        let checkpoint = Checkpoint { architecture, step: self.step, optimizer: self.optimizer.clone() };
        Ok(checkpoint.write(&state_path(&settings.run))?)
    }
}

#[cfg(test)]
mod tests;
