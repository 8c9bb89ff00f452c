//! All threads together: one step of learning, each on its own share.

use jigo_board::Rng;
use jigo_net::Architecture;
use jigo_net::kernel::Isa;
use jigo_net::weights::Layout;

use crate::loss::{LossSums, LossWeights};
use crate::training_thread::{Example, TrainingThread};

pub struct Team {
    layout: Layout,
    threads: Vec<TrainingThread>,
    batch: usize,
    /// After a step: gradients summed over threads, statistics averaged.
    pub gradients: Vec<f32>,
}

impl Team {
    /// `boards` are board sizes and how many positions of each one thread takes in a step.
    pub fn new(architecture: &Architecture, threads: usize, boards: &[(usize, usize)]) -> Team {
        let layout = Layout::new(architecture);
        Team {
            gradients: vec![0.0; layout.len()],
            layout,
            threads: (0..threads)
                .map(|_| TrainingThread::new(Isa::best_for_training(), architecture, boards))
                .collect(),
            batch: threads * boards.iter().map(|(_, count)| count).sum::<usize>(),
        }
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// One step at `values`; `next` draws an example for a board size. Each thread gets its own generator from `rng`.
    pub fn step(
        &mut self,
        values: &[f32],
        weights: &LossWeights,
        rng: &mut Rng,
        next: impl Fn(usize, &mut Rng) -> Example + Sync,
    ) -> LossSums {
        let batch = self.batch;
        let shares =
            self.each_thread(rng, |thread, mut rng| thread.step(values, weights, batch, |side| next(side, &mut rng)));
        self.gather();
        let mut sums = LossSums::default();
        shares.iter().for_each(|share| sums.add(share));
        sums
    }

    /// Puts statistics into `values` that fit its weights, measured over `rounds` batches. Averaged weights need this:
    /// the average of the statistics is not the statistics of the average.
    pub fn calibrate(
        &mut self,
        values: &mut [f32],
        rounds: usize,
        rng: &mut Rng,
        next: impl Fn(usize, &mut Rng) -> Example + Sync,
    ) {
        let mut measured = vec![0.0; values.len()];
        for _ in 0..rounds {
            let values = &*values;
            self.each_thread(rng, |thread, mut rng| thread.measure(values, |side| next(side, &mut rng)));
            self.gather();
            for (sum, value) in measured.iter_mut().zip(&self.gradients) {
                *sum += value / rounds as f32;
            }
        }
        for tensor in self.layout.tensors.iter().filter(|tensor| !tensor.role.is_trained()) {
            values[tensor.range()].copy_from_slice(&measured[tensor.range()]);
        }
    }

    /// Runs `work` on every thread, each with its own generator.
    fn each_thread<T: Send>(&mut self, rng: &mut Rng, work: impl Fn(&mut TrainingThread, Rng) -> T + Sync) -> Vec<T> {
        let work = &work;
        std::thread::scope(|scope| {
            let threads: Vec<_> = self
                .threads
                .iter_mut()
                .map(|thread| {
                    let rng = rng.fork();
                    scope.spawn(move || work(thread, rng))
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }

    fn gather(&mut self) {
        self.gradients.fill(0.0);
        for thread in &self.threads {
            for (sum, gradient) in self.gradients.iter_mut().zip(thread.gradients()) {
                *sum += gradient;
            }
        }
        let share = 1.0 / self.threads.len() as f32;
        for tensor in self.layout.tensors.iter().filter(|tensor| !tensor.role.is_trained()) {
            self.gradients[tensor.range()].iter_mut().for_each(|value| *value *= share);
        }
    }
}
