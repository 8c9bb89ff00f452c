//! One thread's access to a net.

use std::sync::Arc;

use jigo_board::Symmetry;

use crate::Grid;
use crate::backend::{Backend, Evaluate, View};
use crate::evaluation::Evaluation;
use crate::network::{Net, Workspace};
use crate::planes::{PlaneWriter, Position};

/// Evaluates positions with its own working memory; make one per thread, they share the net.
pub struct Evaluator {
    net: Arc<Net>,
    writer: PlaneWriter,
    workspace: Workspace,
}

impl Evaluator {
    pub fn new(net: Arc<Net>) -> Evaluator {
        let writer = PlaneWriter::new(net.architecture().planes);
        Evaluator { net, writer, workspace: Workspace::default() }
    }

    pub fn net(&self) -> &Arc<Net> {
        &self.net
    }

    pub fn evaluate(&mut self, position: &Position<'_>, symmetry: Symmetry) -> Evaluation {
        let view = [View::of(*position, symmetry)];
        self.evaluate_batch(&view).pop().expect("one view, one evaluation")
    }

    /// Evaluates several positions, in order. Boards of one size that follow each other run as one batch.
    pub fn evaluate_batch(&mut self, views: &[View<'_>]) -> Vec<Evaluation> {
        let mut evaluations = Vec::with_capacity(views.len());
        for batch in views.chunk_by(|a, b| a.position.board.size() == b.position.board.size()) {
            self.run_batch(batch, &mut evaluations);
        }
        evaluations
    }

    fn run_batch(&mut self, batch: &[View<'_>], evaluations: &mut Vec<Evaluation>) {
        let Evaluator { net, writer, workspace } = self;
        let grid = Grid::new(batch[0].position.board.size());
        let channels = net.architecture().planes.channels();
        let planes = workspace.planes(net, grid, batch.len());
        for (view, image) in batch.iter().zip(planes.chunks_exact_mut(grid.cells() * channels)) {
            writer.write(&view.position, view.symmetry, image);
        }
        net.run(grid, batch.len(), workspace);
        for (image, view) in batch.iter().enumerate() {
            let raw = net.output(grid, image, workspace);
            evaluations.push(Evaluation::new(net, &view.position, view.symmetry, &raw));
        }
    }
}

impl Evaluate for Evaluator {
    fn evaluate_batch(&mut self, views: &[View<'_>]) -> Vec<Evaluation> {
        Evaluator::evaluate_batch(self, views)
    }

    fn fingerprint(&mut self, view: &View<'_>) -> u64 {
        view.position.fingerprint()
    }
}

impl Backend for Net {
    fn evaluator(self: Arc<Net>) -> Box<dyn Evaluate> {
        Box::new(Evaluator::new(self))
    }

    fn judges_alone(&self) -> bool {
        false
    }

    fn description(&self) -> String {
        self.architecture().to_string()
    }

    fn digest(&self) -> u64 {
        Net::digest(self)
    }
}
