//! Kernels for wide and deep nets on tensors without a border: `[image][point][channel]`, points in rows, channels in sixteens.
//!
//! Where our own small net keeps zeros around every board so that a neighbour is a constant distance away, these nets spend much of
//! their time in products of single points, which a border would only lengthen. A convolution asks for the zeros itself.

mod activation;
mod attention;
mod conv;
mod finish;
mod matrix;
mod norm;
mod pool;
mod proof;
mod shorts;
mod stem;
mod winograd;

use crate::kernel::Isa;

pub use activation::Activation;
pub use attention::{Attend, AttentionScratch, attend};
pub use conv::{Conv, ConvScratch};
pub use finish::{Finish, Norm, Stream, finish_rows};
pub use matrix::{Matrix, Rows};
pub use norm::{Rotation, rms_factors, rotate};
pub use pool::{Pooled, Third, pool};
pub use proof::Proof;
pub use stem::Stem;

/// How products are computed: on which instruction set, and of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    pub isa: Isa,
    /// 16-bit integers instead of floats.
    pub shorts: bool,
}

impl Kernel {
    /// Those that keep a net's answers. Registers twice as wide are worth as much as numbers half as wide, and floats are exact.
    const FASTEST_FIRST: [Kernel; 7] = [
        Kernel { isa: Isa::Vnni512, shorts: true },
        Kernel { isa: Isa::Avx512, shorts: false },
        Kernel { isa: Isa::Vnni256, shorts: true },
        Kernel { isa: Isa::Avx2, shorts: true },
        Kernel { isa: Isa::Avx2, shorts: false },
        Kernel { isa: Isa::Neon, shorts: false },
        Kernel { isa: Isa::Portable, shorts: false },
    ];

    /// The fastest that this machine has and that has proved itself.
    pub fn best() -> Kernel {
        Proof::of_this_machine().kernel
    }

    /// The fastest that computes in f32 throughout, as KataGo does.
    pub fn exact() -> Kernel {
        Proof::of_floats().kernel
    }

    /// Does this instruction set multiply shorts faster than floats?
    pub fn has_shorts(isa: Isa) -> bool {
        matches!(isa, Isa::Avx2 | Isa::Vnni256 | Isa::Vnni512)
    }
}

impl std::fmt::Display for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = if self.shorts { format!("{} 16 bits", self.isa) } else { self.isa.to_string() };
        f.pad(&name)
    }
}

/// Floats.
impl From<Isa> for Kernel {
    fn from(isa: Isa) -> Kernel {
        Kernel { isa, shorts: false }
    }
}

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
