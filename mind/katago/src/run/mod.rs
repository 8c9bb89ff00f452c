//! The layers of a net on the kernels of `jigo-net`: what [`crate::plain`] defines, as fast as the processor allows.
//!
//! A [`Net`] is read-only and shared by all threads; each thread brings its own [`Workspace`]. The frame of the inputs must be the board
//! itself: then every point is on the board and no layer needs a mask.

mod attention;
mod block;
mod heads;
mod layers;

use jigo_net::kernel::points::{
    AttentionScratch, Frame, Kernel, LayerFinish, Norm, PointsConvScratch, ResidualStream, Stem, finish_rows, padded,
    rms_factors,
};
use jigo_net::kernel::{Aligned, Isa};

use crate::model::{MetadataEncoder, Model, Tip};
use crate::{Inputs, RawOutput};
use block::{Level, Stack};
use heads::Heads;
use layers::{BoardMatmul, norm};

/// A loaded net, its weights in the form that the processor's best kernels want.
pub struct Net {
    kernel: Kernel,
    stem: Stem,
    globals: BoardMatmul,
    metadata: Option<MetadataEncoder>,
    trunk: Stack,
    tip: Option<RmsTip>,
    heads: Heads,
}

/// A tip that needs the trunk's whole output before it can begin; a batch norm is finished with the last block.
struct RmsTip {
    channels: usize,
    epsilon: f32,
    spatial: bool,
    norm: Norm,
}

/// Working memory of one thread; it grows to the largest batch seen.
#[derive(Default)]
pub struct Workspace {
    /// Running tensors: the trunk's, and those of the stacks inside it.
    levels: Vec<Level>,
    tools: Tools,
    planes: Vec<f32>,
}

/// Memory that a layer uses and leaves.
#[derive(Default)]
struct Tools {
    conv: PointsConvScratch,
    attention: AttentionScratch,
    /// What a layer makes for the next one.
    wide: Aligned<f32>,
    middle: Aligned<f32>,
    factors: Vec<f32>,
    pooled: Aligned<f32>,
    shift: Aligned<f32>,
}

/// A batch of boards of one size.
#[derive(Clone, Copy)]
struct Batch {
    frame: Frame,
    images: usize,
}

impl Batch {
    fn rows(self) -> usize {
        self.images * self.frame.points()
    }
}

impl Net {
    /// On the fastest kernel of this machine that keeps the net's answers.
    pub fn best(model: &Model) -> Net {
        Net::with_kernel(model, Kernel::best())
    }

    /// All in f32.
    pub fn new(model: &Model, isa: Isa) -> Net {
        Net::with_kernel(model, isa.into())
    }

    /// The blocks' products are computed as the kernel says; stem, heads, norms and activations stay f32.
    pub fn with_kernel(model: &Model, kernel: Kernel) -> Net {
        let isa = kernel.isa;
        let trunk = &model.trunk;
        let stem = &trunk.stem;
        let (after, tip) = match &trunk.tip {
            Tip::Batch(batch) => (Some(batch), None),
            Tip::Rms(tip) => {
                let norm = Norm::new(&tip.gamma, &tip.beta, tip.activation);
                let (epsilon, spatial) = (tip.epsilon, tip.spatial);
                (None, Some(RmsTip { channels: trunk.channels(), epsilon, spatial, norm }))
            }
        };
        Net {
            kernel,
            stem: Stem::new(isa, stem.height, stem.width, stem.inputs, stem.outputs, &stem.weights),
            globals: BoardMatmul::new(&trunk.globals),
            metadata: trunk.metadata.clone(),
            trunk: Stack::new(kernel, &trunk.blocks, after.map(norm)),
            tip,
            heads: Heads::new(isa, model),
        }
    }

    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Runs boards in order; those of one size that follow each other run as one batch.
    pub fn run(&self, inputs: &[Inputs], workspace: &mut Workspace) -> Vec<RawOutput> {
        let mut outputs = Vec::with_capacity(inputs.len());
        for boards in inputs.chunk_by(|a, b| (a.width, a.height) == (b.width, b.height)) {
            let frame = Frame { width: boards[0].width, height: boards[0].height };
            let batch = Batch { frame, images: boards.len() };
            self.run_trunk(batch, boards, workspace);
            self.heads.run(self.kernel.isa, batch, &workspace.levels[0].ready, &mut workspace.tools, &mut outputs);
        }
        outputs
    }

    fn run_trunk(&self, batch: Batch, boards: &[Inputs], workspace: &mut Workspace) {
        let Workspace { levels, tools, planes } = workspace;
        let channels = self.stem.outputs();
        levels.resize_with(levels.len().max(1 + self.trunk.depth()), Level::default);
        let (level, deeper) = levels.split_first_mut().expect("at least the trunk's");
        level.reserve(batch, channels);
        planes.clear();
        tools.shift.reserve_len(batch.images * channels);
        for (board, shift) in boards.iter().zip(tools.shift.chunks_exact_mut(channels)) {
            planes.extend_from_slice(&board.planes);
            self.globals.run(&board.globals, shift);
            if let (Some(encoder), Some(metadata)) = (&self.metadata, &board.metadata) {
                let encoded = crate::plain::encode(encoder, &metadata[..]);
                shift.iter_mut().zip(encoded).for_each(|(to, more)| *to += more);
            }
        }
        let finish = LayerFinish {
            row_factors: None,
            image_shift: Some(&tools.shift),
            stream: ResidualStream::Write(&mut level.stream),
            activated: self.trunk.entry().map(|norm| (norm, &mut level.ready[..])),
        };
        self.stem.run(batch.frame, batch.images, planes, finish);
        self.trunk.run(self.kernel.isa, batch, level, deeper, tools);
        if let Some(tip) = &self.tip {
            tip.run(self.kernel.isa, batch, level, tools);
        }
    }
}

impl RmsTip {
    fn run(&self, isa: Isa, batch: Batch, level: &mut Level, tools: &mut Tools) {
        let width = padded(self.channels);
        tools.factors.resize(batch.rows(), 0.0);
        let together = if self.spatial { batch.frame.points() } else { 1 };
        rms_factors(isa, &level.stream, width, self.channels, self.epsilon, together, &mut tools.factors);
        let finish =
            LayerFinish { row_factors: Some(&tools.factors), ..LayerFinish::activate(&self.norm, &mut level.ready) };
        finish_rows(isa, batch.frame, batch.images, width, &level.stream, width, finish);
    }
}
