//! One thread's share of a training step: it draws its own positions, runs its own model, owns its own gradients.

use std::sync::Arc;

use jigo_board::{Rng, Symmetry};
use jigo_net::Architecture;
use jigo_net::kernel::Isa;
use jigo_net::planes::{PlaneWriter, Position};
use jigo_records::{Library, Sample};

use crate::loss::{self, LossSums, LossWeights};
use crate::model::{BatchShape, Model};
use crate::target::Target;

/// Where positions of one board size come from, and how many of them a worker learns from in one step.
pub struct Source {
    pub library: Arc<Library>,
    pub size: usize,
    pub per_step: usize,
}

pub struct Worker {
    architecture: Architecture,
    writer: PlaneWriter,
    model: Model,
    targets: Vec<Target>,
}

impl Worker {
    pub fn new(isa: Isa, architecture: &Architecture, boards: &[(usize, usize)]) -> Worker {
        Worker {
            architecture: architecture.clone(),
            writer: PlaneWriter::new(architecture.planes),
            model: Model::new(isa, architecture, BatchShape::new(boards)),
            targets: Vec::new(),
        }
    }

    /// Draws positions from `sources` (one per board size of the model's shape) and computes this worker's gradients.
    pub fn step(
        &mut self,
        values: &[f32],
        sources: &[Source],
        weights: &LossWeights,
        batch: usize,
        rng: &mut Rng,
    ) -> LossSums {
        self.targets.clear();
        let channels = self.architecture.planes.channels();
        let shape = self.model.shape().clone();
        for segment in shape.segments() {
            let source = sources.iter().find(|source| source.size == segment.grid.side()).expect("a source per size");
            let images = segment.of_mut(&mut self.model.planes, channels);
            for image in images.chunks_exact_mut(segment.grid.cells() * channels) {
                let (record, ply) = source.library.locate(rng.below(source.library.positions()));
                let sample = Sample::of(record, ply);
                let symmetry = Symmetry::from_index(rng.below(8));
                let position = Position { board: &sample.board, to_move: sample.to_move, recent: sample.recent };
                self.writer.write(&position, symmetry, image);
                self.targets.push(Target::of(&sample, symmetry));
            }
        }
        let (architecture, targets) = (&self.architecture, &self.targets);
        self.model.step(values, |outputs| loss::evaluate(architecture, weights, targets, batch, outputs))
    }

    pub fn gradients(&self) -> &[f32] {
        &self.model.gradients
    }
}
