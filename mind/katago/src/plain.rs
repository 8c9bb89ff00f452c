//! The layers of a net as plain loops: the definition that fast execution is held to.
//!
//! Any frame of W x H points will do; the board is where plane 0 is set, and nothing outside it reaches the result.

use crate::model::{
    Activation, Attention, Block, Conv, Dense, FeedForward, Matmul, MetadataEncoder, Model, Nested, NormAct, Ordinary,
    PLANES, PolicyHead, Pooling, RmsNorm, RmsTip, Rope, Tip, ValueHead,
};
use crate::outputs::RawOutput;
use crate::tensors::Inputs;

/// Runs the net on one board.
pub fn run(model: &Model, inputs: &Inputs) -> RawOutput {
    let frame = Frame::new(inputs);
    let planes = Tensor { channels: PLANES, data: inputs.planes.clone() };
    let mut t = frame.conv(&model.trunk.stem, &planes);
    t.add_to_all(&matmul(&model.trunk.globals, &inputs.globals));
    if let (Some(encoder), Some(metadata)) = (&model.trunk.metadata, &inputs.metadata) {
        t.add_to_all(&encode(encoder, &metadata[..]));
    }
    for block in &model.trunk.blocks {
        frame.add_block(block, &mut t);
    }
    let z = match &model.trunk.tip {
        Tip::Batch(norm) => frame.norm_act(norm, &t),
        Tip::Rms(tip) => frame.rms_tip(tip, &t),
    };
    let (policy, pass) = frame.policy(&model.policy, &z);
    let (value, score, ownership) = frame.value(&model.value, &z);
    RawOutput { policy_channels: model.policy.channels(), policy, pass, value, score, ownership }
}

/// One vector per point of the frame, row by row.
struct Tensor {
    channels: usize,
    data: Vec<f32>,
}

impl Tensor {
    fn zero(points: usize, channels: usize) -> Tensor {
        Tensor { channels, data: vec![0.0; points * channels] }
    }

    fn at(&self, point: usize) -> &[f32] {
        &self.data[point * self.channels..][..self.channels]
    }

    fn at_mut(&mut self, point: usize) -> &mut [f32] {
        &mut self.data[point * self.channels..][..self.channels]
    }

    fn add(&mut self, other: &Tensor) {
        add(&mut self.data, &other.data);
    }

    fn add_to_all(&mut self, vector: &[f32]) {
        self.data.chunks_exact_mut(self.channels).for_each(|point| add(point, vector));
    }
}

fn add(to: &mut [f32], what: &[f32]) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += what);
}

fn matmul(layer: &Matmul, input: &[f32]) -> Vec<f32> {
    let mut out = vec![0.0; layer.outputs];
    add_product(&mut out, input, &layer.weights);
    out
}

/// `out += input * weights`, the weights `[input][output]`.
fn add_product(out: &mut [f32], input: &[f32], weights: &[f32]) {
    for (&x, row) in input.iter().zip(weights.chunks_exact(out.len())) {
        if x != 0.0 {
            out.iter_mut().zip(row).for_each(|(out, w)| *out += x * w);
        }
    }
}

fn dense(layer: &Dense, input: &[f32]) -> Vec<f32> {
    let mut out = matmul(&layer.matmul, input);
    add(&mut out, &layer.bias);
    out
}

fn activate(activation: Activation, values: &mut [f32]) {
    values.iter_mut().for_each(|x| *x = activated(activation, *x));
}

pub(crate) fn activated(activation: Activation, x: f32) -> f32 {
    match activation {
        Activation::Identity => x,
        Activation::Relu => x.max(0.0),
        Activation::Mish if x > 20.0 => x,
        Activation::Mish => x * x.exp().ln_1p().tanh(),
        Activation::Silu => x / (1.0 + (-x).exp()),
    }
}

pub(crate) fn encode(encoder: &MetadataEncoder, metadata: &[f32]) -> Vec<f32> {
    let mut hidden = dense(&encoder.first, metadata);
    activate(encoder.activation1, &mut hidden);
    let mut hidden = dense(&encoder.second, &hidden);
    activate(encoder.activation2, &mut hidden);
    matmul(&encoder.out, &hidden)
}

/// The grid that the net runs on, and which of its points are the board.
struct Frame {
    width: usize,
    height: usize,
    on_board: Vec<bool>,
    /// Points of the board.
    area: f32,
}

impl Frame {
    fn new(inputs: &Inputs) -> Frame {
        let on_board: Vec<bool> = inputs.planes.chunks_exact(PLANES).map(|point| point[0] != 0.0).collect();
        let area = on_board.iter().filter(|&&on| on).count() as f32;
        Frame { width: inputs.width, height: inputs.height, on_board, area }
    }

    fn points(&self) -> usize {
        self.width * self.height
    }

    fn board_points(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.points()).filter(|&point| self.on_board[point])
    }

    fn conv(&self, conv: &Conv, input: &Tensor) -> Tensor {
        let mut out = Tensor::zero(self.points(), conv.outputs);
        let taps = conv.weights.chunks_exact(conv.inputs * conv.outputs).enumerate();
        for (tap, weights) in taps {
            let (down, right) = (tap / conv.width, tap % conv.width);
            for y in 0..self.height {
                for x in 0..self.width {
                    // Outside the frame everything is zero.
                    let (from_y, from_x) = (y + down, x + right);
                    let (Some(from_y), Some(from_x)) =
                        (from_y.checked_sub(conv.height / 2), from_x.checked_sub(conv.width / 2))
                    else {
                        continue;
                    };
                    if from_y < self.height && from_x < self.width {
                        let input = input.at(from_y * self.width + from_x);
                        add_product(out.at_mut(y * self.width + x), input, weights);
                    }
                }
            }
        }
        out
    }

    /// A product for every point of the board.
    fn project(&self, layer: &Matmul, input: &Tensor) -> Tensor {
        let mut out = Tensor::zero(self.points(), layer.outputs);
        for point in self.board_points() {
            add_product(out.at_mut(point), input.at(point), &layer.weights);
        }
        out
    }

    fn norm_act(&self, norm: &NormAct, input: &Tensor) -> Tensor {
        let mut out = Tensor::zero(self.points(), input.channels);
        for point in self.board_points() {
            let (from, to) = (input.at(point), out.at_mut(point));
            for c in 0..from.len() {
                to[c] = activated(norm.activation, from[c] * norm.scale[c] + norm.bias[c]);
            }
        }
        out
    }

    fn rms_norm(&self, norm: &RmsNorm, input: &Tensor) -> Tensor {
        let mut out = Tensor::zero(self.points(), input.channels);
        for point in self.board_points() {
            let (from, to) = (input.at(point), out.at_mut(point));
            let factor = 1.0 / (mean_square(from) + norm.epsilon).sqrt();
            for c in 0..from.len() {
                to[c] = from[c] * factor * norm.weights[c];
            }
        }
        out
    }

    fn rms_tip(&self, tip: &RmsTip, input: &Tensor) -> Tensor {
        let of_board = self.board_points().map(|point| mean_square(input.at(point))).sum::<f32>() / self.area;
        let mut out = Tensor::zero(self.points(), input.channels);
        for point in self.board_points() {
            let (from, to) = (input.at(point), out.at_mut(point));
            let square = if tip.spatial { of_board } else { mean_square(from) };
            let factor = 1.0 / (square + tip.epsilon).sqrt();
            for c in 0..from.len() {
                to[c] = activated(tip.activation, from[c] * factor * tip.gamma[c] + tip.beta[c]);
            }
        }
        out
    }

    fn mean(&self, input: &Tensor) -> Vec<f32> {
        let mut sum = vec![0.0; input.channels];
        self.board_points().for_each(|point| add(&mut sum, input.at(point)));
        sum.iter().map(|sum| sum / self.area).collect()
    }

    /// How far the board is from 14 x 14.
    fn largeness(&self) -> f32 {
        self.area.sqrt() - 14.0
    }

    /// Mean, mean scaled by the size of the board, and largest value of every channel.
    fn pool(&self, input: &Tensor) -> Vec<f32> {
        let mean = self.mean(input);
        // KataGo starts at -1, below which no activation but the identity falls.
        let mut max = vec![-1.0f32; input.channels];
        for point in self.board_points() {
            max.iter_mut().zip(input.at(point)).for_each(|(max, x)| *max = max.max(*x));
        }
        let scaled = mean.iter().map(|mean| mean * self.largeness() * 0.1);
        mean.iter().copied().chain(scaled).chain(max).collect()
    }

    /// Mean of every channel, and mean scaled by the size of the board in two ways.
    fn pool_for_value(&self, input: &Tensor) -> Vec<f32> {
        let (mean, large) = (self.mean(input), self.largeness());
        let factors = [1.0, large * 0.1, large * large * 0.01 - 0.1];
        factors.iter().flat_map(|factor| mean.iter().map(move |mean| mean * factor)).collect()
    }

    fn add_block(&self, block: &Block, t: &mut Tensor) {
        let change = match block {
            Block::Ordinary(block) => self.ordinary(block, t),
            Block::Pooling(block) => self.pooling(block, t),
            Block::Nested(block) => self.nested(block, t),
            Block::Attention(block) => self.attention(block, t),
            Block::FeedForward(block) => self.feed_forward(block, t),
        };
        t.add(&change);
    }

    fn ordinary(&self, block: &Ordinary, t: &Tensor) -> Tensor {
        let u = self.conv(&block.first, &self.norm_act(&block.norm1, t));
        self.conv(&block.second, &self.norm_act(&block.norm2, &u))
    }

    fn pooling(&self, block: &Pooling, t: &Tensor) -> Tensor {
        let u = self.norm_act(&block.norm1, t);
        let mut r = self.conv(&block.regular, &u);
        let g = self.pool(&self.norm_act(&block.pool_norm, &self.conv(&block.pool, &u)));
        r.add_to_all(&matmul(&block.spread, &g));
        self.conv(&block.last, &self.norm_act(&block.norm2, &r))
    }

    fn nested(&self, block: &Nested, t: &Tensor) -> Tensor {
        let mut u = self.conv(&block.enter, &self.norm_act(&block.norm1, t));
        block.blocks.iter().for_each(|inner| self.add_block(inner, &mut u));
        self.conv(&block.leave, &self.norm_act(&block.norm2, &u))
    }

    fn attention(&self, block: &Attention, t: &Tensor) -> Tensor {
        let n = self.rms_norm(&block.norm, t);
        let (mut query, mut key) = (self.project(&block.query, &n), self.project(&block.key, &n));
        let value = self.project(&block.value, &n);
        if let Some(rope) = &block.rope {
            self.turn(rope, &mut query, block.heads, block);
            self.turn(rope, &mut key, block.key_heads, block);
        }
        let (dq, dv) = (block.key_channels, block.value_channels);
        let mut seen = Tensor::zero(self.points(), block.heads * dv);
        let points: Vec<usize> = self.board_points().collect();
        for head in 0..block.heads {
            let shared = head / (block.heads / block.key_heads);
            for &point in &points {
                let asked = &query.at(point)[head * dq..][..dq];
                let similarity = |&other: &usize| dot(asked, &key.at(other)[shared * dq..][..dq]) / (dq as f32).sqrt();
                let mut weights: Vec<f32> = points.iter().map(similarity).collect();
                jigo_net::softmax(&mut weights);
                let out = &mut seen.at_mut(point)[head * dv..][..dv];
                for (&other, weight) in points.iter().zip(weights) {
                    let shown = &value.at(other)[shared * dv..][..dv];
                    out.iter_mut().zip(shown).for_each(|(out, v)| *out += weight * v);
                }
            }
        }
        self.project(&block.out, &seen)
    }

    /// Turns pairs of channels by the place of their point.
    fn turn(&self, rope: &Rope, tensor: &mut Tensor, heads: usize, block: &Attention) {
        let pairs = block.key_channels / 2;
        for point in self.board_points() {
            let (x, y) = ((point % self.width) as f32, (point / self.width) as f32);
            for (at, pair) in tensor.at_mut(point).chunks_exact_mut(2).enumerate() {
                let (head, p) = (at / pairs, at % pairs);
                let (sin, cos) = rope.angle(head * block.key_heads / heads, p, pairs, x, y).sin_cos();
                (pair[0], pair[1]) = (pair[0] * cos - pair[1] * sin, pair[0] * sin + pair[1] * cos);
            }
        }
    }

    fn feed_forward(&self, block: &FeedForward, t: &Tensor) -> Tensor {
        let n = self.rms_norm(&block.norm, t);
        let mut inner = self.project(&block.first, &n);
        let gate = self.project(&block.gate, &n);
        inner.data.iter_mut().zip(&gate.data).for_each(|(x, gate)| *x = activated(Activation::Silu, *x) * gate);
        self.project(&block.second, &inner)
    }

    fn policy(&self, head: &PolicyHead, z: &Tensor) -> (Vec<f32>, Vec<f32>) {
        let g = self.pool(&self.norm_act(&head.pool_norm, &self.conv(&head.pool_conv, z)));
        let mut a = self.conv(&head.conv, z);
        a.add_to_all(&matmul(&head.spread, &g));
        let policy = self.conv(&head.out, &self.norm_act(&head.norm, &a)).data;
        let mut pass = matmul(&head.pass, &g);
        if let Some(last) = &head.pass_out {
            add(&mut pass, &last.bias);
            activate(last.activation, &mut pass);
            pass = matmul(&last.out, &pass);
        }
        (policy, pass)
    }

    fn value(&self, head: &ValueHead, z: &Tensor) -> ([f32; 3], Vec<f32>, Vec<f32>) {
        let w = self.norm_act(&head.norm, &self.conv(&head.conv, z));
        let mut h = dense(&head.dense, &self.pool_for_value(&w));
        activate(head.activation, &mut h);
        let value = dense(&head.value, &h);
        let ownership = self.conv(&head.ownership, &w).data;
        ([value[0], value[1], value[2]], dense(&head.score, &h), ownership)
    }
}

impl Rope {
    /// The angle of pair `p` of `pairs` at column `x` and row `y`, for a key head.
    pub fn angle(&self, key_head: usize, p: usize, pairs: usize, x: f32, y: f32) -> f32 {
        match self {
            Rope::Learned(frequencies) => {
                let at = 2 * (key_head * pairs + p);
                x * frequencies[at] + y * frequencies[at + 1]
            }
            Rope::Fixed { theta } => {
                let half = pairs / 2;
                let (along, p) = if p < half { (y, p) } else { (x, p - half) };
                along * theta.powf(-2.0 * p as f32 / pairs as f32)
            }
        }
    }
}

fn mean_square(vector: &[f32]) -> f32 {
    dot(vector, vector) / vector.len() as f32
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
