//! Residual blocks in a row.
//!
//! The convolution that ends a block adds to the running tensor and at once norms and activates the sum for the block that follows, so
//! that a block of convolutions finds its input ready.

use jigo_net::kernel::points::{Conv, Kernel, LayerFinish, Norm, Pooled, ResidualStream, Third, finish_rows, pool};
use jigo_net::kernel::{Aligned, Isa};

use super::attention::{AttentionLayer, FeedForwardLayer};
use super::layers::{BoardMatmul, SideBySide, conv, norm};
use super::{Batch, Tools};
use crate::model::{self, NormAct};

/// The running tensor of one stack, and what its next block reads.
#[derive(Default)]
pub struct Level {
    pub stream: Aligned<f32>,
    pub ready: Aligned<f32>,
}

impl Level {
    pub fn reserve(&mut self, batch: Batch, channels: usize) {
        self.stream.reserve_len(batch.rows() * channels);
        self.ready.reserve_len(batch.rows() * channels);
    }

    /// Ends a block: adds to the stream and makes the next block's input, if that begins with a norm of its own.
    pub fn finish<'a>(&'a mut self, next: Option<&'a Norm>) -> LayerFinish<'a> {
        let activated = next.map(|norm| (norm, &mut self.ready[..]));
        LayerFinish { row_factors: None, image_shift: None, stream: ResidualStream::Add(&mut self.stream), activated }
    }
}

/// Blocks that share one running tensor.
pub struct Stack {
    entry: Option<Norm>,
    blocks: Vec<(Block, Option<Norm>)>,
}

enum Block {
    Ordinary { first: Conv, norm: Norm, second: Conv },
    Pooling(Pooling),
    Nested { enter: Conv, inner: Stack, leave: Conv },
    Attention(AttentionLayer),
    FeedForward(FeedForwardLayer),
}

struct Pooling {
    pair: SideBySide,
    pool_norm: Norm,
    spread: BoardMatmul,
    norm: Norm,
    last: Conv,
}

/// The norm with which a block reads the stream; blocks of a transformer norm it themselves.
fn first_norm(block: &model::Block) -> Option<&NormAct> {
    match block {
        model::Block::Ordinary(block) => Some(&block.norm1),
        model::Block::Pooling(block) => Some(&block.norm1),
        model::Block::Nested(block) => Some(&block.norm1),
        model::Block::Attention(_) | model::Block::FeedForward(_) => None,
    }
}

impl Stack {
    /// `after` is how the stack's result is read.
    pub fn new(kernel: Kernel, blocks: &[model::Block], after: Option<Norm>) -> Stack {
        let mut norms: Vec<Option<Norm>> = blocks.iter().map(|block| first_norm(block).map(norm)).collect();
        norms.push(after);
        let mut norms = norms.into_iter();
        let entry = norms.next().flatten();
        Stack { entry, blocks: blocks.iter().map(|block| Block::new(kernel, block)).zip(norms).collect() }
    }

    /// How the first block reads the stream.
    pub fn entry(&self) -> Option<&Norm> {
        self.entry.as_ref()
    }

    /// Stacks inside stacks.
    pub fn depth(&self) -> usize {
        let depth = |(block, _): &(Block, Option<Norm>)| match block {
            Block::Nested { inner, .. } => 1 + inner.depth(),
            _ => 0,
        };
        self.blocks.iter().map(depth).max().unwrap_or(0)
    }

    pub fn run(&self, isa: Isa, batch: Batch, level: &mut Level, deeper: &mut [Level], tools: &mut Tools) {
        for (block, next) in &self.blocks {
            let next = next.as_ref();
            match block {
                Block::Ordinary { first, norm, second } => {
                    tools.middle.reserve_len(batch.rows() * first.outputs());
                    let Tools { conv, middle, .. } = tools;
                    first.run(batch.frame, batch.images, &level.ready, LayerFinish::activate(norm, middle), conv);
                    second.run(batch.frame, batch.images, middle, level.finish(next), conv);
                }
                Block::Pooling(block) => block.run(isa, batch, level, next, tools),
                Block::Nested { enter, inner, leave } => {
                    let (inside, deeper) = deeper.split_first_mut().expect("a level for every stack");
                    inside.reserve(batch, enter.outputs());
                    let activated = inner.entry.as_ref().map(|norm| (norm, &mut inside.ready[..]));
                    let stream = ResidualStream::Write(&mut inside.stream);
                    let finish = LayerFinish { row_factors: None, image_shift: None, stream, activated };
                    enter.run(batch.frame, batch.images, &level.ready, finish, &mut tools.conv);
                    inner.run(isa, batch, inside, deeper, tools);
                    leave.run(batch.frame, batch.images, &inside.ready, level.finish(next), &mut tools.conv);
                }
                Block::Attention(block) => block.run(isa, batch, level, next, tools),
                Block::FeedForward(block) => block.run(isa, batch, level, next, tools),
            }
        }
    }
}

impl Block {
    fn new(kernel: Kernel, block: &model::Block) -> Block {
        match block {
            model::Block::Ordinary(block) => Block::Ordinary {
                first: conv(kernel, &block.first),
                norm: norm(&block.norm2),
                second: conv(kernel, &block.second),
            },
            model::Block::Pooling(block) => Block::Pooling(Pooling {
                pair: SideBySide::new(kernel, &[&block.regular, &block.pool]),
                pool_norm: norm(&block.pool_norm),
                spread: BoardMatmul::of_pooled(&block.spread),
                norm: norm(&block.norm2),
                last: conv(kernel, &block.last),
            }),
            model::Block::Nested(block) => Block::Nested {
                enter: conv(kernel, &block.enter),
                inner: Stack::new(kernel, &block.blocks, Some(norm(&block.norm2))),
                leave: conv(kernel, &block.leave),
            },
            model::Block::Attention(block) => Block::Attention(AttentionLayer::new(kernel, block)),
            model::Block::FeedForward(block) => Block::FeedForward(FeedForwardLayer::new(kernel, block)),
        }
    }
}

impl Pooling {
    fn run(&self, isa: Isa, batch: Batch, level: &mut Level, next: Option<&Norm>, tools: &mut Tools) {
        let Tools { conv, wide, middle, pooled, shift, .. } = tools;
        let Batch { frame, images } = batch;
        let SideBySide { conv: pair, starts, stride } = &self.pair;
        wide.reserve_len(batch.rows() * stride);
        pair.run(frame, images, &level.ready, LayerFinish::store(wide), conv);
        spread(isa, batch, &self.pool_norm, &wide[starts[1]..], *stride, &self.spread, pooled, shift);
        let channels = self.norm.channels();
        middle.reserve_len(batch.rows() * channels);
        let finish = LayerFinish { image_shift: Some(shift), ..LayerFinish::activate(&self.norm, middle) };
        finish_rows(isa, frame, images, channels, &wide[starts[0]..], *stride, finish);
        self.last.run(frame, images, middle, level.finish(next), conv);
    }
}

/// Pools channels and multiplies what was pooled: one vector per board, to be added to every point.
#[allow(clippy::too_many_arguments)]
pub fn spread(
    isa: Isa,
    batch: Batch,
    norm: &Norm,
    input: &[f32],
    stride: usize,
    matmul: &BoardMatmul,
    pooled: &mut Aligned<f32>,
    shift: &mut Aligned<f32>,
) {
    let Batch { frame, images } = batch;
    pooled.reserve_len(images * 3 * norm.channels());
    shift.reserve_len(images * matmul.outputs());
    pool(isa, Pooled { frame, images, norm, input, stride, third: Third::Largest, to: pooled });
    let boards = pooled.chunks_exact(3 * norm.channels()).take(images);
    for (pooled, shift) in boards.zip(shift.chunks_exact_mut(matmul.outputs())) {
        matmul.run(pooled, shift);
    }
}
