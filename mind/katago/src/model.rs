//! A net as its file describes it: plain data, nothing computed but merged batch norms.
//!
//! Everything a reader of this data may rely on has been checked by whoever made it: lengths of weights, channels that agree from layer to
//! layer, finite numbers. Tensors are `[row][column][channel]`, the channel innermost.

pub use jigo_net::kernel::points::Activation;

/// Planes that the first convolution reads, in every version from 8 to 17.
pub const PLANES: usize = 22;
/// Numbers about the whole position.
pub const GLOBALS: usize = 19;
/// Numbers about the players and the occasion, for nets with a [`MetadataEncoder`].
pub const METADATA: usize = 192;

#[derive(Clone, Debug)]
pub struct Model {
    /// The name inside the file, which may differ from the file's.
    pub name: String,
    /// 8 to 17.
    pub version: u32,
    pub multipliers: Multipliers,
    /// The net wants its area planes computed as if suicide of several stones were legal, whatever the rules say.
    pub area_with_suicide: bool,
    pub trunk: Trunk,
    pub policy: PolicyHead,
    pub value: ValueHead,
    /// Numbers in the file.
    pub(crate) numbers: usize,
}

/// What turns outputs into points and probabilities; part of the file from version 13 on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multipliers {
    pub score_mean: f32,
    pub score_stdev: f32,
    pub lead: f32,
    pub variance_time: f32,
    pub value_error: f32,
    pub score_error: f32,
}

/// The body of the net: `stem(planes) + globals`, then the blocks, then the tip. Its output feeds both heads.
#[derive(Clone, Debug)]
pub struct Trunk {
    /// From [`PLANES`] to the trunk's channels; the first nets have 5x5 here, all others 3x3.
    pub stem: Conv,
    /// From [`GLOBALS`] to the trunk's channels; added to every point.
    pub globals: Matmul,
    /// Its output is added to every point as well.
    pub metadata: Option<MetadataEncoder>,
    pub blocks: Vec<Block>,
    pub tip: Tip,
}

/// A residual block: what it computes from the running tensor `t` of its stack is added to `t`.
#[derive(Clone, Debug)]
pub enum Block {
    Ordinary(Ordinary),
    Pooling(Pooling),
    Nested(Nested),
    Attention(Attention),
    FeedForward(FeedForward),
}

/// `t += second(norm2(first(norm1(t))))`
#[derive(Clone, Debug)]
pub struct Ordinary {
    pub norm1: NormAct,
    pub first: Conv,
    pub norm2: NormAct,
    pub second: Conv,
}

/// `u = norm1(t)`, `r = regular(u) + spread(pool(pool_norm(pool(u))))`, `t += last(norm2(r))`; file kind `gpool_block`.
#[derive(Clone, Debug)]
pub struct Pooling {
    pub norm1: NormAct,
    /// Reads the same input as `pool`, with a kernel of its own size.
    pub regular: Conv,
    pub pool: Conv,
    pub pool_norm: NormAct,
    /// From three pooled numbers per channel (mean, mean scaled by board size, max) to the channels of `regular`.
    pub spread: Matmul,
    pub norm2: NormAct,
    pub last: Conv,
}

/// `u = enter(norm1(t))`, the inner blocks run on `u` as a stack of their own, `t += leave(norm2(u))`.
#[derive(Clone, Debug)]
pub struct Nested {
    pub norm1: NormAct,
    pub enter: Conv,
    pub blocks: Vec<Block>,
    pub norm2: NormAct,
    pub leave: Conv,
}

/// Every point looks at every other one. Channels of a projection are head by head.
#[derive(Clone, Debug)]
pub struct Attention {
    pub norm: RmsNorm,
    pub heads: usize,
    /// Heads of keys and values; `heads` is a multiple. Head `h` looks through key head `h / (heads / key_heads)`.
    pub key_heads: usize,
    /// Channels of one query or key.
    pub key_channels: usize,
    /// Channels of one value.
    pub value_channels: usize,
    pub query: Matmul,
    pub key: Matmul,
    pub value: Matmul,
    pub out: Matmul,
    pub rope: Option<Rope>,
}

/// How queries and keys are turned by the place of their point: the adjacent channels `(2p, 2p + 1)` are rotated by an angle.
#[derive(Clone, Debug)]
pub enum Rope {
    /// `[key head][pair][x, y]`: the angle is `x * f[..][0] + y * f[..][1]`.
    Learned(Vec<f32>),
    /// With P pairs and h = P / 2: the angle of pair p is `y * theta^(-2p/P)` below h and `x * theta^(-2(p-h)/P)` from h on.
    Fixed { theta: f32 },
}

/// SwiGLU: `n = norm(t)`, `t += second(silu(first(n)) * gate(n))`.
#[derive(Clone, Debug)]
pub struct FeedForward {
    pub norm: RmsNorm,
    pub first: Matmul,
    pub gate: Matmul,
    pub second: Matmul,
}

/// The last normalisation of the trunk.
#[derive(Clone, Debug)]
pub enum Tip {
    Batch(NormAct),
    Rms(RmsTip),
}

/// `y = act(x * r * gamma + beta)` on the board, 0 off it, with `r = 1 / sqrt(S + epsilon)`.
#[derive(Clone, Debug)]
pub struct RmsTip {
    pub epsilon: f32,
    /// S is the mean square over all channels and all points of the board, otherwise over the channels of one point.
    pub spatial: bool,
    pub gamma: Vec<f32>,
    pub beta: Vec<f32>,
    pub activation: Activation,
}

/// `g = pool(pool_norm(pool_conv(z)))`, `logits = out(norm(conv(z) + spread(g)))`, and the pass from g alone.
#[derive(Clone, Debug)]
pub struct PolicyHead {
    pub conv: Conv,
    pub pool_conv: Conv,
    pub pool_norm: NormAct,
    pub spread: Matmul,
    pub norm: NormAct,
    /// One channel (policy), two (+ optimistic policy) or four (+ two predictions of values).
    pub out: Conv,
    pub pass: Matmul,
    /// From version 15 on: `pass_out(act(pass(g) + bias))`.
    pub pass_out: Option<PassOut>,
}

#[derive(Clone, Debug)]
pub struct PassOut {
    pub bias: Vec<f32>,
    pub activation: Activation,
    pub out: Matmul,
}

/// `w = norm(conv(z))`, `h = dense(pool(w))`, then three outputs from h and the ownership from w.
#[derive(Clone, Debug)]
pub struct ValueHead {
    pub conv: Conv,
    pub norm: NormAct,
    /// From three pooled numbers per channel (mean, and mean scaled twice by board size).
    pub dense: Dense,
    pub activation: Activation,
    /// Win, loss, no result.
    pub value: Dense,
    /// Mean, spread, lead, variance time; from version 9 on also the two short-term errors.
    pub score: Dense,
    pub ownership: Conv,
}

/// Who plays, how well, when and where, for nets that play in somebody's style.
#[derive(Clone, Debug)]
pub struct MetadataEncoder {
    pub first: Dense,
    pub activation1: Activation,
    pub second: Dense,
    pub activation2: Activation,
    pub out: Matmul,
}

/// A convolution with stride 1, zero padding that keeps the size, and no bias. Kernels have odd sides.
#[derive(Clone, Debug)]
pub struct Conv {
    pub height: usize,
    pub width: usize,
    pub inputs: usize,
    pub outputs: usize,
    /// `[row][column][input][output]`, not flipped.
    pub weights: Vec<f32>,
}

/// `out[o] = sum over i of in[i] * weights[i][o]`
#[derive(Clone, Debug)]
pub struct Matmul {
    pub inputs: usize,
    pub outputs: usize,
    /// `[input][output]`
    pub weights: Vec<f32>,
}

/// A matrix product with a bias.
#[derive(Clone, Debug)]
pub struct Dense {
    pub matmul: Matmul,
    pub bias: Vec<f32>,
}

/// A batch norm, merged into `x * scale + bias`, with the activation and the mask that always follow it: off the board the result is 0.
#[derive(Clone, Debug)]
pub struct NormAct {
    pub scale: Vec<f32>,
    pub bias: Vec<f32>,
    pub activation: Activation,
}

/// `y[c] = x[c] * weights[c] / sqrt(mean over c of x² + epsilon)` for one point; off the board the result is 0.
#[derive(Clone, Debug)]
pub struct RmsNorm {
    pub epsilon: f32,
    pub weights: Vec<f32>,
}

impl NormAct {
    pub fn channels(&self) -> usize {
        self.scale.len()
    }
}

impl RmsNorm {
    pub fn channels(&self) -> usize {
        self.weights.len()
    }
}

impl Model {
    /// How many numbers the net is made of.
    pub fn numbers(&self) -> usize {
        self.numbers
    }
}

impl Trunk {
    pub fn channels(&self) -> usize {
        self.stem.outputs
    }
}

impl PolicyHead {
    /// Channels of the policy: 1, 2 or 4.
    pub fn channels(&self) -> usize {
        self.out.outputs
    }
}
