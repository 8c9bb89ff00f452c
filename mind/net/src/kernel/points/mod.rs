//! Kernels for wide and deep nets on tensors without a border: `[image][point][channel]`, points in rows, channels in sixteens.
//!
//! Where our own small net keeps zeros around every board so that a neighbour is a constant distance away, these nets spend much of
//! their time in products of single points, which a border would only lengthen. A convolution asks for the zeros itself.

mod activation;
mod attention;
mod conv;
mod finish;
mod kernel;
mod lines;
mod matrix;
mod norm;
mod panel;
mod pool;
mod proof;
mod short_attention;
mod shorts;
mod stem;
mod winograd;

pub use activation::Activation;
pub use attention::{Attend, AttentionScratch, attend};
pub use conv::{Conv, PointsConvScratch};
pub use finish::{LayerFinish, Norm, ResidualStream, finish_rows};
pub use kernel::{Kernel, Numbers};
pub use matrix::{Matrix, Rows};
pub use norm::{Rotation, rms_factors, rotate};
pub use pool::{Pooled, Third, pool};
pub use proof::Proof;
pub use stem::Stem;

/// Channels are padded with zeros to a multiple of this, which every register divides.
pub const SIXTEEN: usize = 16;

pub fn padded(channels: usize) -> usize {
    channels.next_multiple_of(SIXTEEN)
}

/// The points of one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub width: usize,
    pub height: usize,
}

impl Frame {
    pub fn points(self) -> usize {
        self.width * self.height
    }
}
