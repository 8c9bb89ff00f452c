//! The layers of an older KataGo net (`jigo_katago::model`), forward and backward, on boards of one size.
//!
//! Its batch norms are merged into scales and biases and stay so: they are learnt like all other numbers, no batch is measured, and a
//! batch can be worked through in small parts.

use jigo_katago::model::{Block, Conv, Model, NormAct, PLANES, Tip};
use jigo_katago::{Inputs, RawOutput};
use jigo_net::Grid;
use jigo_net::kernel::{Aligned, Finish, Gemm, Isa, gemm};

use super::boards::{Boards, Pooled};
use super::products::{add, add_scaled, dense, dense_back, product, product_back};
use crate::kernel::{ProductGradient, product_gradient};
use crate::model::{BatchShape, ConvLayer, LayerScratch, transposed};

/// One thread's way through the layers, on up to `images` boards of one size at once.
pub struct Network {
    isa: Isa,
    grid: Grid,
    images: usize,
    shape: BatchShape,
    channels: usize,
    blocks: Vec<BlockPass>,
    /// The running tensor after the last block, the tip's output, and the gradients of both.
    stream: Aligned<f32>,
    tip: Aligned<f32>,
    stream_gradient: Aligned<f32>,
    tip_gradient: Aligned<f32>,
    policy: HeadPass,
    pool: HeadPass,
    value: HeadPass,
    /// `[images][3 * channels]`
    policy_pooled: Pooled,
    value_pooled: Vec<f32>,
    hidden: Vec<f32>,
    scratch: LayerScratch,
    /// Gradients inside a block, of its widest layer.
    inner_gradient: [Aligned<f32>; 4],
}

/// What the forward pass through a block leaves for the way back.
struct BlockPass {
    before: Aligned<f32>,
    entered: Aligned<f32>,
    /// Behind the first convolution, before and after its norm.
    middle: Aligned<f32>,
    ready: Aligned<f32>,
    first: ConvLayer,
    second: ConvLayer,
    pooling: Option<PoolPass>,
}

struct PoolPass {
    conv: ConvLayer,
    sums: Aligned<f32>,
    ready: Aligned<f32>,
    pooled: Pooled,
}

/// A head's 1x1 convolution, before and after its norm, with gradients.
struct HeadPass {
    channels: usize,
    sums: Aligned<f32>,
    ready: Aligned<f32>,
    sums_gradient: Aligned<f32>,
    ready_gradient: Aligned<f32>,
}

/// Can this net be taught further?
pub fn is_known(model: &Model) -> bool {
    let threes = |conv: &Conv| (conv.height, conv.width) == (3, 3);
    let ones = |conv: &Conv| (conv.height, conv.width) == (1, 1);
    let sixteens = |conv: &Conv| conv.inputs.is_multiple_of(16) && conv.outputs.is_multiple_of(16);
    let block = |block: &Block| match block {
        Block::Ordinary(b) => [&b.first, &b.second].into_iter().all(|conv| threes(conv) && sixteens(conv)),
        Block::Pooling(b) => [&b.regular, &b.pool, &b.last].into_iter().all(|conv| threes(conv) && sixteens(conv)),
        _ => false,
    };
    let heads = [&model.policy.conv, &model.policy.pool_conv, &model.value.conv];
    model.version <= 10
        && model.trunk.metadata.is_none()
        && matches!(model.trunk.tip, Tip::Batch(_))
        && model.trunk.blocks.iter().all(block)
        && heads.into_iter().all(|conv| ones(conv) && sixteens(conv))
        && ones(&model.policy.out)
        && ones(&model.value.ownership)
}

fn tip(model: &Model) -> &NormAct {
    match &model.trunk.tip {
        Tip::Batch(norm) => norm,
        Tip::Rms(_) => unreachable!("`is_known` was asked"),
    }
}

fn tip_mut(model: &mut Model) -> &mut NormAct {
    match &mut model.trunk.tip {
        Tip::Batch(norm) => norm,
        Tip::Rms(_) => unreachable!("`is_known` was asked"),
    }
}

impl Network {
    pub fn new(isa: Isa, model: &Model, side: usize, images: usize) -> Network {
        let shape = BatchShape::new(&[(side, images)]);
        let (cells, channels) = (shape.cells(), model.trunk.channels());
        let buffer = |channels: usize| Aligned::zeroed(cells * channels);
        let layer = |conv: &Conv| ConvLayer::new(isa, conv.inputs, conv.outputs, 0..conv.weights.len());
        let block = |block: &Block| {
            let (first, second, pooling) = match block {
                Block::Ordinary(b) => (&b.first, &b.second, None),
                Block::Pooling(b) => (&b.regular, &b.last, Some(&b.pool)),
                _ => unreachable!("`is_known` was asked"),
            };
            BlockPass {
                before: buffer(channels),
                entered: buffer(channels),
                middle: buffer(first.outputs),
                ready: buffer(first.outputs),
                first: layer(first),
                second: layer(second),
                pooling: pooling.map(|conv| PoolPass {
                    conv: layer(conv),
                    sums: buffer(conv.outputs),
                    ready: buffer(conv.outputs),
                    pooled: Pooled::default(),
                }),
            }
        };
        let head = |conv: &Conv| HeadPass {
            channels: conv.outputs,
            sums: buffer(conv.outputs),
            ready: buffer(conv.outputs),
            sums_gradient: buffer(conv.outputs),
            ready_gradient: buffer(conv.outputs),
        };
        let widest = model.trunk.blocks.iter().map(inner_channels).max().unwrap_or(0).max(channels);
        Network {
            isa,
            grid: Grid::new(side),
            images,
            channels,
            blocks: model.trunk.blocks.iter().map(block).collect(),
            stream: buffer(channels),
            tip: buffer(channels),
            stream_gradient: buffer(channels),
            tip_gradient: buffer(channels),
            policy: head(&model.policy.conv),
            pool: head(&model.policy.pool_conv),
            value: head(&model.value.conv),
            policy_pooled: Pooled::default(),
            value_pooled: Vec::new(),
            hidden: Vec::new(),
            scratch: LayerScratch::default(),
            inner_gradient: std::array::from_fn(|_| buffer(widest)),
            shape,
        }
    }

    pub fn images(&self) -> usize {
        self.images
    }

    /// Takes the filters of a net; to be called whenever they have changed.
    pub fn load(&mut self, model: &Model) {
        for (pass, block) in self.blocks.iter_mut().zip(&model.trunk.blocks) {
            match block {
                Block::Ordinary(b) => {
                    pass.first.load(&b.first.weights, &mut self.scratch);
                    pass.second.load(&b.second.weights, &mut self.scratch);
                }
                Block::Pooling(b) => {
                    pass.first.load(&b.regular.weights, &mut self.scratch);
                    pass.second.load(&b.last.weights, &mut self.scratch);
                    if let Some(pooling) = &mut pass.pooling {
                        pooling.conv.load(&b.pool.weights, &mut self.scratch);
                    }
                }
                _ => unreachable!("`is_known` was asked"),
            }
        }
    }

    /// Runs as many boards as this network is for.
    pub fn forward(&mut self, model: &Model, inputs: &[Inputs]) -> Vec<RawOutput> {
        assert_eq!(inputs.len(), self.images);
        self.stem(model, inputs);
        let (boards, largeness) = (Boards { grid: self.grid, images: self.images }, self.grid.side() as f32 - 14.0);
        for (pass, block) in self.blocks.iter_mut().zip(&model.trunk.blocks) {
            pass.before.copy_from_slice(&self.stream);
            let (shape, scratch) = (&self.shape, &mut self.scratch);
            let (norm1, norm2) = match block {
                Block::Ordinary(b) => (&b.norm1, &b.norm2),
                Block::Pooling(b) => (&b.norm1, &b.norm2),
                _ => unreachable!("`is_known` was asked"),
            };
            boards.norm(norm1, &pass.before, &mut pass.entered);
            pass.first.forward(shape, &pass.entered, None, &mut pass.middle, scratch);
            if let (Some(pool), Block::Pooling(b)) = (&mut pass.pooling, block) {
                pool.conv.forward(shape, &pass.entered, None, &mut pool.sums, scratch);
                boards.norm(&b.pool_norm, &pool.sums, &mut pool.ready);
                boards.pool(b.pool.outputs, largeness, &pool.ready, &mut pool.pooled);
                boards.shift(&product(&b.spread, &pool.pooled.numbers), &mut pass.middle);
            }
            boards.norm(norm2, &pass.middle, &mut pass.ready);
            // The running tensor takes the block's output in addition.
            pass.second.add_forward(shape, &pass.ready, &mut self.stream, scratch);
        }
        boards.norm(tip(model), &self.stream, &mut self.tip);
        self.heads(model, boards, largeness)
    }

    fn stem(&mut self, model: &Model, inputs: &[Inputs]) {
        let (stem, channels, grid) = (&model.trunk.stem, self.channels, self.grid);
        self.stream.fill(0.0);
        for (image, board) in inputs.iter().enumerate() {
            let shift = product(&model.trunk.globals, &board.globals);
            let stream = &mut self.stream[image * grid.cells() * channels..][..grid.cells() * channels];
            for cell in grid.point_cells() {
                stream[cell * channels..][..channels].copy_from_slice(&shift);
            }
            each_tap(grid, stem, board, |cell, tap, plane, value| {
                let weights = &stem.weights[(tap * PLANES + plane) * channels..][..channels];
                add_scaled(&mut stream[cell * channels..][..channels], weights, value);
            });
        }
    }

    fn heads(&mut self, model: &Model, boards: Boards, largeness: f32) -> Vec<RawOutput> {
        let (policy, value) = (&model.policy, &model.value);
        let (isa, cells) = (self.isa, self.shape.cells());
        let project = |conv: &Conv, input: &[f32], output: &mut [f32]| {
            let (inner, columns) = (conv.inputs, conv.outputs);
            gemm(isa, Gemm { rows: cells, inner, columns, a: input, b: &conv.weights, c: output });
        };
        project(&policy.pool_conv, &self.tip, &mut self.pool.sums);
        boards.norm(&policy.pool_norm, &self.pool.sums, &mut self.pool.ready);
        boards.pool(self.pool.channels, largeness, &self.pool.ready, &mut self.policy_pooled);
        project(&policy.conv, &self.tip, &mut self.policy.sums);
        boards.shift(&product(&policy.spread, &self.policy_pooled.numbers), &mut self.policy.sums);
        boards.norm(&policy.norm, &self.policy.sums, &mut self.policy.ready);
        let passes = product(&policy.pass, &self.policy_pooled.numbers);

        project(&value.conv, &self.tip, &mut self.value.sums);
        boards.norm(&value.norm, &self.value.sums, &mut self.value.ready);
        self.value_pooled = boards.means(self.value.channels, largeness, &self.value.ready);
        self.hidden = dense(&value.dense, &self.value_pooled);
        self.hidden.iter_mut().for_each(|number| *number = number.max(0.0));
        let (values, scores) = (dense(&value.value, &self.hidden), dense(&value.score, &self.hidden));

        let (pass_width, score_width) = (policy.pass.outputs, value.score.bias.len());
        (0..self.images)
            .map(|image| RawOutput {
                policy_channels: policy.out.outputs,
                policy: boards.outputs(image, &policy.out, &self.policy.ready),
                pass: passes[image * pass_width..][..pass_width].to_vec(),
                value: std::array::from_fn(|at| values[3 * image + at]),
                score: scores[image * score_width..][..score_width].to_vec(),
                ownership: boards.outputs(image, &value.ownership, &self.value.ready),
            })
            .collect()
    }

    /// From the gradients of the outputs of the last forward pass to those of all numbers, added to `to`.
    pub fn backward(&mut self, model: &Model, inputs: &[Inputs], outputs: &[RawOutput], to: &mut Model) {
        let (boards, largeness) = (Boards { grid: self.grid, images: self.images }, self.grid.side() as f32 - 14.0);
        self.heads_backward(model, boards, largeness, outputs, to);
        self.stream_gradient.fill(0.0);
        let tip_norm = tip_mut(to);
        boards.norm_back(tip(model), &self.stream, &self.tip, &self.tip_gradient, tip_norm, &mut self.stream_gradient);
        let blocks = self.blocks.iter_mut().zip(&model.trunk.blocks).zip(&mut to.trunk.blocks);
        let (shape, scratch) = (&self.shape, &mut self.scratch);
        let gradient = &mut self.stream_gradient;
        let [of_ready, of_middle, of_pool, of_entered] = &mut self.inner_gradient;
        for ((pass, block), to) in blocks.rev() {
            let len = |channels: usize| shape.cells() * channels;
            match (block, to) {
                (Block::Ordinary(b), Block::Ordinary(to)) => {
                    let (of_ready, of_middle) =
                        (&mut of_ready[..len(b.first.outputs)], &mut of_middle[..len(b.first.outputs)]);
                    pass.second.learn(shape, &pass.ready, gradient, &mut to.second.weights, scratch);
                    pass.second.backward(shape, gradient, Finish::Store, of_ready, scratch);
                    of_middle.fill(0.0);
                    boards.norm_back(&b.norm2, &pass.middle, &pass.ready, of_ready, &mut to.norm2, of_middle);
                    pass.first.learn(shape, &pass.entered, of_middle, &mut to.first.weights, scratch);
                    let of_entered = &mut of_entered[..len(self.channels)];
                    pass.first.backward(shape, of_middle, Finish::Store, of_entered, scratch);
                    boards.norm_back(&b.norm1, &pass.before, &pass.entered, of_entered, &mut to.norm1, gradient);
                }
                (Block::Pooling(b), Block::Pooling(to)) => {
                    let regular = len(b.regular.outputs);
                    let (of_ready, of_middle) = (&mut of_ready[..regular], &mut of_middle[..regular]);
                    pass.second.learn(shape, &pass.ready, gradient, &mut to.last.weights, scratch);
                    pass.second.backward(shape, gradient, Finish::Store, of_ready, scratch);
                    of_middle.fill(0.0);
                    boards.norm_back(&b.norm2, &pass.middle, &pass.ready, of_ready, &mut to.norm2, of_middle);
                    let Some(pool) = &mut pass.pooling else { unreachable!("made together with the block") };
                    let of_shift = boards.sums(b.regular.outputs, of_middle);
                    let of_pooled = product_back(&b.spread, &pool.pooled.numbers, &of_shift, &mut to.spread);
                    let of_pool = &mut of_pool[..len(b.pool.outputs)];
                    // The gradient of the pooled tensor and then of its sums, in turn in the place of `of_ready`.
                    let mut of_pool_ready = vec![0.0; of_pool.len()];
                    boards.unpool(b.pool.outputs, largeness, &pool.pooled, &of_pooled, &mut of_pool_ready);
                    of_pool.fill(0.0);
                    boards.norm_back(&b.pool_norm, &pool.sums, &pool.ready, &of_pool_ready, &mut to.pool_norm, of_pool);
                    pass.first.learn(shape, &pass.entered, of_middle, &mut to.regular.weights, scratch);
                    pool.conv.learn(shape, &pass.entered, of_pool, &mut to.pool.weights, scratch);
                    let of_entered = &mut of_entered[..len(self.channels)];
                    pass.first.backward(shape, of_middle, Finish::Store, of_entered, scratch);
                    pool.conv.backward(shape, of_pool, Finish::Accumulate, of_entered, scratch);
                    boards.norm_back(&b.norm1, &pass.before, &pass.entered, of_entered, &mut to.norm1, gradient);
                }
                _ => unreachable!("a gradient has the shape of its net"),
            }
        }
        self.stem_backward(model, inputs, to);
    }

    fn stem_backward(&mut self, model: &Model, inputs: &[Inputs], to: &mut Model) {
        let (channels, grid) = (self.channels, self.grid);
        let boards = Boards { grid, images: self.images };
        let sums = boards.sums(channels, &self.stream_gradient);
        for (image, board) in inputs.iter().enumerate() {
            product_back(
                &model.trunk.globals,
                &board.globals,
                &sums[image * channels..][..channels],
                &mut to.trunk.globals,
            );
            let gradient = &self.stream_gradient[image * grid.cells() * channels..][..grid.cells() * channels];
            let weights = &mut to.trunk.stem.weights;
            each_tap(grid, &model.trunk.stem, board, |cell, tap, plane, value| {
                let from = &gradient[cell * channels..][..channels];
                add_scaled(&mut weights[(tap * PLANES + plane) * channels..][..channels], from, value);
            });
        }
    }

    fn heads_backward(&mut self, model: &Model, boards: Boards, largeness: f32, outputs: &[RawOutput], to: &mut Model) {
        let (policy, value) = (&model.policy, &model.value);
        let of_passes: Vec<f32> = outputs.iter().flat_map(|output| &output.pass).copied().collect();
        let of_values: Vec<f32> = outputs.iter().flat_map(|output| output.value).collect();
        let of_scores: Vec<f32> = outputs.iter().flat_map(|output| &output.score).copied().collect();

        let mut of_hidden = dense_back(&value.value, &self.hidden, &of_values, &mut to.value.value);
        add(&mut of_hidden, &dense_back(&value.score, &self.hidden, &of_scores, &mut to.value.score));
        for (gradient, number) in of_hidden.iter_mut().zip(&self.hidden) {
            *gradient = if *number > 0.0 { *gradient } else { 0.0 };
        }
        let of_pooled = dense_back(&value.dense, &self.value_pooled, &of_hidden, &mut to.value.dense);
        let pass = &mut self.value;
        pass.ready_gradient.fill(0.0);
        boards.unmean(pass.channels, largeness, &of_pooled, &mut pass.ready_gradient);
        for (image, output) in outputs.iter().enumerate() {
            let (gradient, ready) = (&mut pass.ready_gradient, &pass.ready);
            boards.outputs_back(image, &value.ownership, ready, &output.ownership, &mut to.value.ownership, gradient);
        }
        pass.sums_gradient.fill(0.0);
        boards.norm_back(
            &value.norm,
            &pass.sums,
            &pass.ready,
            &pass.ready_gradient,
            &mut to.value.norm,
            &mut pass.sums_gradient,
        );

        let pass = &mut self.policy;
        pass.ready_gradient.fill(0.0);
        for (image, output) in outputs.iter().enumerate() {
            let (gradient, ready) = (&mut pass.ready_gradient, &pass.ready);
            boards.outputs_back(image, &policy.out, ready, &output.policy, &mut to.policy.out, gradient);
        }
        pass.sums_gradient.fill(0.0);
        boards.norm_back(
            &policy.norm,
            &pass.sums,
            &pass.ready,
            &pass.ready_gradient,
            &mut to.policy.norm,
            &mut pass.sums_gradient,
        );
        let of_shift = boards.sums(pass.channels, &pass.sums_gradient);
        let pooled = &self.policy_pooled;
        let mut of_pooled = product_back(&policy.spread, &pooled.numbers, &of_shift, &mut to.policy.spread);
        add(&mut of_pooled, &product_back(&policy.pass, &pooled.numbers, &of_passes, &mut to.policy.pass));
        let pool = &mut self.pool;
        pool.ready_gradient.fill(0.0);
        boards.unpool(pool.channels, largeness, pooled, &of_pooled, &mut pool.ready_gradient);
        pool.sums_gradient.fill(0.0);
        boards.norm_back(
            &policy.pool_norm,
            &pool.sums,
            &pool.ready,
            &pool.ready_gradient,
            &mut to.policy.pool_norm,
            &mut pool.sums_gradient,
        );

        self.tip_gradient.fill(0.0);
        let heads = [
            (&self.policy, &policy.conv, &mut to.policy.conv),
            (&self.pool, &policy.pool_conv, &mut to.policy.pool_conv),
            (&self.value, &value.conv, &mut to.value.conv),
        ];
        let mut part = Aligned::zeroed(self.tip_gradient.len());
        for (pass, conv, to) in heads {
            let (rows, inputs, outputs) = (self.shape.cells(), conv.inputs, conv.outputs);
            let (a, b, c) = (&self.tip[..], &pass.sums_gradient[..], &mut to.weights[..]);
            product_gradient(self.isa, ProductGradient { rows, inputs, outputs, a, b, c });
            let turned = transposed(&conv.weights, outputs);
            gemm(self.isa, Gemm { rows, inner: outputs, columns: inputs, a: b, b: &turned, c: &mut part });
            add(&mut self.tip_gradient, &part);
        }
    }
}

fn inner_channels(block: &Block) -> usize {
    match block {
        Block::Ordinary(b) => b.first.outputs,
        Block::Pooling(b) => b.regular.outputs.max(b.pool.outputs),
        _ => 0,
    }
}

/// Calls `each(cell, tap, plane, value)` for everything the first convolution of this board multiplies: its inputs are mostly zeros.
fn each_tap(grid: Grid, stem: &Conv, board: &Inputs, mut each: impl FnMut(usize, usize, usize, f32)) {
    let side = grid.side();
    for (point, planes) in board.planes.chunks_exact(PLANES).enumerate() {
        let (row, column) = (point / side, point % side);
        for (plane, &value) in planes.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            for tap in 0..stem.height * stem.width {
                // The output whose window has this point at `tap`.
                let to_row = (row + stem.height / 2).checked_sub(tap / stem.width);
                let to_column = (column + stem.width / 2).checked_sub(tap % stem.width);
                if let (Some(r), Some(c)) = (to_row.filter(|r| *r < side), to_column.filter(|c| *c < side)) {
                    each(grid.cell(r, c), tap, plane, value);
                }
            }
        }
    }
}
