//! The blocks of a transformer. Their norm is a factor per point; what it does per channel lies in the matrix behind it.

use jigo_net::kernel::points::{
    Attend, Frame, Kernel, LayerFinish, Matrix, Norm, ResidualStream, Rotation, Rows, attend, padded, rms_factors,
    rotate,
};
use jigo_net::kernel::{Aligned, Isa};

use super::block::Level;
use super::{Batch, Tools};
use crate::model::{self, Matmul, RmsNorm, Rope};

/// The largest side of a board.
const SIDE: usize = 19;
/// Points that go through both halves of a feed-forward layer together, so that what is between them stays in the cache.
const AT_ONCE: usize = 96;

/// Queries and keys hold the first numbers of all their pairs in front of the second ones, so that a rotation works on whole registers;
/// the products of both do not notice.
pub struct AttentionLayer {
    kernel: Kernel,
    norm: Factors,
    heads: usize,
    key_heads: usize,
    key_channels: usize,
    value_channels: usize,
    /// To queries, keys and values at once.
    project: Matrix,
    out: Matrix,
    /// `[row][column][key head][cosines, sines]` on the largest board.
    turns: Option<Aligned<f32>>,
}

pub struct FeedForwardLayer {
    norm: Factors,
    /// To the hidden channels, both halves of SwiGLU at once.
    widen: Matrix,
    narrow: Matrix,
}

/// The part of an RMS norm that depends on the point.
struct Factors {
    channels: usize,
    epsilon: f32,
}

impl Factors {
    fn of(norm: &RmsNorm) -> Factors {
        Factors { channels: norm.channels(), epsilon: norm.epsilon }
    }

    fn run(&self, isa: Isa, batch: Batch, level: &Level, factors: &mut Vec<f32>) {
        factors.resize(batch.rows(), 0.0);
        rms_factors(isa, &level.stream, padded(self.channels), self.channels, self.epsilon, 1, factors);
    }
}

impl AttentionLayer {
    pub fn new(kernel: Kernel, block: &model::Attention) -> AttentionLayer {
        let (heads, key_heads) = (block.heads, block.key_heads);
        let half = padded(block.key_channels.div_ceil(2));
        let (key_channels, value_channels) = (2 * half, padded(block.value_channels));
        let inputs = block.norm.channels();
        let first_value = (heads + key_heads) * key_channels;
        let columns = first_value + key_heads * value_channels;
        let mut project = vec![0.0; inputs * columns];
        let mut place = |matmul: &Matmul, start: usize, channels: usize, scale: f32| {
            for (i, row) in matmul.weights.chunks_exact(matmul.outputs).enumerate() {
                for (o, weight) in row.iter().enumerate() {
                    let (head, channel) = (o / channels, o % channels);
                    let column = match start < first_value {
                        true => start + head * key_channels + channel % 2 * half + channel / 2,
                        false => start + head * value_channels + channel,
                    };
                    project[i * columns + column] = weight * block.norm.weights[i] * scale;
                }
            }
        };
        place(&block.query, 0, block.key_channels, 1.0 / (block.key_channels as f32).sqrt());
        place(&block.key, heads * key_channels, block.key_channels, 1.0);
        place(&block.value, first_value, block.value_channels, 1.0);
        let mut out = vec![0.0; heads * value_channels * block.out.outputs];
        for (i, row) in block.out.weights.chunks_exact(block.out.outputs).enumerate() {
            let input = i / block.value_channels * value_channels + i % block.value_channels;
            out[input * block.out.outputs..][..block.out.outputs].copy_from_slice(row);
        }
        AttentionLayer {
            kernel,
            norm: Factors::of(&block.norm),
            heads,
            key_heads,
            key_channels,
            value_channels,
            project: Matrix::new(kernel, inputs, columns, &project),
            out: Matrix::new(kernel, heads * value_channels, block.out.outputs, &out),
            turns: block.rope.as_ref().map(|rope| turns(rope, key_heads, block.key_channels / 2, half)),
        }
    }

    pub fn run(&self, isa: Isa, batch: Batch, level: &mut Level, next: Option<&Norm>, tools: &mut Tools) {
        let Tools { attention, wide, middle, factors, .. } = tools;
        let Batch { frame, images } = batch;
        let &AttentionLayer { heads, key_heads, key_channels, value_channels, .. } = self;
        self.norm.run(isa, batch, level, factors);
        wide.reserve_len(batch.rows() * self.project.outputs());
        let finish = LayerFinish { row_factors: Some(factors), ..LayerFinish::store(wide) };
        self.project.run(frame, images, Rows { values: &level.stream, stride: self.project.inputs() }, finish);
        if let Some(turns) = &self.turns {
            let stride = self.project.outputs();
            let rows = &mut wide[..batch.rows() * stride];
            rotate(isa, Rotation { frame, rows, stride, heads, key_heads, channels: key_channels, turns, side: SIDE });
        }
        middle.reserve_len(batch.rows() * self.out.inputs());
        let (projected, to, scratch) = (&wide[..], &mut middle[..], attention);
        let job = Attend { frame, images, heads, key_heads, key_channels, value_channels, projected, to, scratch };
        attend(self.kernel, job);
        let rows = Rows { values: middle, stride: self.out.inputs() };
        self.out.run(frame, images, rows, level.finish(next));
    }
}

/// Cosines and sines for every point of the largest board; pairs that only fill up do not turn.
fn turns(rope: &Rope, key_heads: usize, pairs: usize, half: usize) -> Aligned<f32> {
    let mut turns = Aligned::zeroed(SIDE * SIDE * key_heads * 2 * half);
    for (at, turn) in turns.chunks_exact_mut(2 * half).enumerate() {
        let (point, head) = (at / key_heads, at % key_heads);
        let (x, y) = ((point % SIDE) as f32, (point / SIDE) as f32);
        for p in 0..pairs {
            let (sine, cosine) = rope.angle(head, p, pairs, x, y).sin_cos();
            (turn[p], turn[half + p]) = (cosine, sine);
        }
    }
    turns
}

impl FeedForwardLayer {
    pub fn new(kernel: Kernel, block: &model::FeedForward) -> FeedForwardLayer {
        let (inputs, hidden) = (block.first.inputs, block.first.outputs);
        let normed = |matmul: &Matmul| -> Vec<f32> {
            let rows = matmul.weights.chunks_exact(hidden).zip(&block.norm.weights);
            rows.flat_map(|(row, factor)| row.iter().map(move |weight| weight * factor)).collect()
        };
        FeedForwardLayer {
            norm: Factors::of(&block.norm),
            widen: Matrix::gated(kernel, inputs, hidden, &normed(&block.first), &normed(&block.gate)),
            narrow: Matrix::new(kernel, hidden, block.second.outputs, &block.second.weights),
        }
    }

    pub fn run(&self, isa: Isa, batch: Batch, level: &mut Level, next: Option<&Norm>, tools: &mut Tools) {
        let Tools { middle, factors, .. } = tools;
        self.norm.run(isa, batch, level, factors);
        let (inputs, hidden, outputs) = (self.widen.inputs(), self.widen.outputs(), self.narrow.outputs());
        middle.reserve_len(AT_ONCE * hidden);
        let Level { stream, ready } = level;
        for first in (0..batch.rows()).step_by(AT_ONCE) {
            let rows = first..batch.rows().min(first + AT_ONCE);
            let frame = Frame { width: rows.len(), height: 1 };
            let finish = LayerFinish { row_factors: Some(&factors[rows.clone()]), ..LayerFinish::store(middle) };
            let run = if first == 0 { Matrix::run } else { Matrix::run_again };
            run(&self.widen, frame, 1, Rows { values: &stream[first * inputs..], stride: inputs }, finish);
            let finish = LayerFinish {
                row_factors: None,
                image_shift: None,
                stream: ResidualStream::Add(&mut stream[first * outputs..]),
                activated: next.map(|norm| (norm, &mut ready[first * outputs..])),
            };
            run(&self.narrow, frame, 1, Rows { values: middle, stride: hidden }, finish);
        }
    }
}
