//! One thread's share of a training step: it runs its own model and owns its own gradients.

use jigo_board::{Board, Color, Move, Rng, Symmetry};
use jigo_net::Architecture;
use jigo_net::architecture::POLICY_STEPS;
use jigo_net::kernel::Isa;
use jigo_net::planes::{HISTORY, PlaneWriter, Position};
use jigo_records::{Library, Record, Sample};

use crate::loss::{self, LossSums, LossWeights};
use crate::model::{BatchShape, Model};
use crate::self_play::is_sensible;
use crate::target::{Target, place};
use crate::teach::Lesson;

/// A position to learn from.
pub struct Example {
    pub board: Board,
    pub to_move: Color,
    pub recent: [Option<Move>; HISTORY],
    pub symmetry: Symmetry,
    pub target: Target,
}

impl Example {
    /// A position of a recorded game, laid out at random.
    pub fn draw(library: &Library, rng: &mut Rng) -> Example {
        let (record, ply) = library.locate(rng.below(library.positions()));
        Example::of(record, ply, rng)
    }

    /// This position of it, laid out at random.
    pub fn of(record: &Record, ply: usize, rng: &mut Rng) -> Example {
        let sample = Sample::of(record, ply);
        let symmetry = Symmetry::from_index(rng.below(8));
        let target = Target::of(&sample, symmetry);
        Example { board: sample.board, to_move: sample.to_move, recent: sample.recent, symmetry, target }
    }

    /// What a teacher said about a position, laid out at random; none of a lesson that makes no sense, which no journal gives.
    pub fn of_lesson(lesson: &Lesson, rng: &mut Rng) -> Option<Example> {
        let game = lesson.game()?;
        let symmetry = Symmetry::from_index(rng.below(8));
        let Position { to_move, recent, .. } = Position::of_game(&game);
        let target = Target::of_lesson(lesson, symmetry);
        Some(Example { board: game.board().clone(), to_move, recent, symmetry, target })
    }

    /// Only the result teaches: these moves were drawn from a policy that has nothing to learn from them.
    pub fn without_moves(mut self) -> Example {
        self.target.moves = [None; POLICY_STEPS];
        self
    }

    /// The move was drawn from the policy among the sensible ones. Then its cross-entropy over just these pulls a net that
    /// still has this policy nowhere, on average, and one that has strayed back to it.
    pub fn drawn_from_policy(mut self) -> Example {
        let Example { board, to_move, symmetry, target, .. } = &mut self;
        let (size, pass) = (board.size(), board.area());
        target.moves = [target.moves[0].filter(|&place| place != pass), None, None];
        let senseless = board.points().filter(|&point| !is_sensible(board, *to_move, point));
        target.barred = senseless.map(|point| place(Move::Play(point), *symmetry, size)).chain([pass]).collect();
        self
    }
}

pub struct TrainingThread {
    architecture: Architecture,
    writer: PlaneWriter,
    model: Model,
    targets: Vec<Target>,
}

impl TrainingThread {
    /// `boards` are board sizes and how many of each a step takes.
    pub fn new(isa: Isa, architecture: &Architecture, boards: &[(usize, usize)]) -> TrainingThread {
        TrainingThread {
            architecture: architecture.clone(),
            writer: PlaneWriter::new(architecture.planes),
            model: Model::new(isa, architecture, BatchShape::new(boards)),
            targets: Vec::new(),
        }
    }

    /// Fills the model's input with the examples `next` gives for each board size asked for.
    fn fill(&mut self, mut next: impl FnMut(usize) -> Example) {
        self.targets.clear();
        let channels = self.architecture.planes.channels();
        let shape = self.model.shape().clone();
        for segment in shape.segments() {
            let images = segment.of_mut(&mut self.model.planes, channels);
            for image in images.chunks_exact_mut(segment.grid.cells() * channels) {
                let example = next(segment.grid.side());
                let Example { board, to_move, recent, symmetry, target } = &example;
                let position = Position { board, to_move: *to_move, recent: *recent };
                self.writer.write(&position, *symmetry, image);
                self.targets.push(target.clone());
            }
        }
    }

    /// Computes this thread's gradients. `batch` is the size of the whole batch over all threads.
    pub fn step(
        &mut self,
        values: &[f32],
        weights: &LossWeights,
        batch: usize,
        next: impl FnMut(usize) -> Example,
    ) -> LossSums {
        self.fill(next);
        let (architecture, targets) = (&self.architecture, &self.targets);
        self.model.step(values, |outputs| loss::evaluate(architecture, weights, targets, batch, outputs))
    }

    /// Measures the normalisations' statistics instead.
    pub fn measure(&mut self, values: &[f32], next: impl FnMut(usize) -> Example) {
        self.fill(next);
        self.model.measure(values);
    }

    pub fn gradients(&self) -> &[f32] {
        &self.model.gradients
    }
}
