//! All workers together: one step of learning with every thread on its own share.

use jigo_board::Rng;
use jigo_net::Architecture;
use jigo_net::kernel::Isa;
use jigo_net::weights::Layout;

use crate::loss::{LossSums, LossWeights};
use crate::worker::{Example, Worker};

pub struct Team {
    layout: Layout,
    workers: Vec<Worker>,
    batch: usize,
    /// After a step: gradients summed over workers, statistics averaged.
    pub gradients: Vec<f32>,
}

impl Team {
    /// `boards` are board sizes and how many positions of each one worker takes in a step.
    pub fn new(architecture: &Architecture, workers: usize, boards: &[(usize, usize)]) -> Team {
        let layout = Layout::new(architecture);
        Team {
            gradients: vec![0.0; layout.len()],
            layout,
            workers: (0..workers).map(|_| Worker::new(Isa::best(), architecture, boards)).collect(),
            batch: workers * boards.iter().map(|(_, count)| count).sum::<usize>(),
        }
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// One step at `values`; `next` draws an example for a board size. Each worker gets its own generator from `rng`.
    pub fn step(
        &mut self,
        values: &[f32],
        weights: &LossWeights,
        rng: &mut Rng,
        next: impl Fn(usize, &mut Rng) -> Example + Sync,
    ) -> LossSums {
        let (mut sums, batch, next) = (LossSums::default(), self.batch, &next);
        std::thread::scope(|scope| {
            let threads: Vec<_> = self
                .workers
                .iter_mut()
                .map(|worker| {
                    let mut rng = rng.fork();
                    scope.spawn(move || worker.step(values, weights, batch, |side| next(side, &mut rng)))
                })
                .collect();
            for thread in threads {
                match thread.join() {
                    Ok(share) => sums.add(&share),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        self.gradients.fill(0.0);
        for worker in &self.workers {
            for (sum, gradient) in self.gradients.iter_mut().zip(worker.gradients()) {
                *sum += gradient;
            }
        }
        let share = 1.0 / self.workers.len() as f32;
        for tensor in self.layout.tensors.iter().filter(|tensor| !tensor.role.is_trained()) {
            self.gradients[tensor.range()].iter_mut().for_each(|value| *value *= share);
        }
        sums
    }
}
