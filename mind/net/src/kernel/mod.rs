//! The arithmetic: convolutions and matrix products for whatever instructions the machine has.
//!
//! Every kernel takes plain slices, checks their lengths, and picks its compiled form by [`Isa`].

mod aligned;
#[cfg(target_arch = "x86_64")]
pub mod amx;
mod conv;
mod dense;
mod gemm;
mod int8;
mod isa;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
pub mod points;
mod pool;
pub mod winograd;

pub use aligned::Aligned;
pub use conv::{Conv3x3, ConvScratch, Finish};
pub use dense::Dense;
pub use gemm::{Gemm, gemm, gemm_with};
pub use isa::{Arithmetic, Isa, IsaError};
pub use lanes::{Lanes, Plain, Portable};
pub use pool::{Pool, pool};

#[cfg(test)]
pub(crate) mod tests {
    use crate::Grid;

    /// Uniform noise in -0.5..0.5 from a small multiplicative generator.
    pub fn noise(seed: u64, len: usize) -> Vec<f32> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        (0..len)
            .map(|_| {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                (state >> 40) as f32 / 16_777_216.0 - 0.5
            })
            .collect()
    }

    /// Noise on the points of `images` boards, zero on their borders.
    pub fn board_noise(grid: Grid, images: usize, channels: usize, seed: u64) -> Vec<f32> {
        let values = noise(seed, images * grid.points() * channels);
        let mut board = vec![0.0; images * grid.cells() * channels];
        let mut values = values.chunks_exact(channels);
        for image in 0..images {
            for cell in grid.point_cells() {
                let at = (image * grid.cells() + cell) * channels;
                board[at..at + channels].copy_from_slice(values.next().expect("one per point"));
            }
        }
        board
    }

    /// The definition of a 3x3 convolution, in f64.
    pub fn direct_convolution(
        grid: Grid,
        images: usize,
        inputs: usize,
        outputs: usize,
        input: &[f32],
        taps: &[f32],
    ) -> Vec<f32> {
        let mut output = vec![0.0; images * grid.cells() * outputs];
        for image in 0..images {
            for cell in grid.point_cells() {
                let cell = image * grid.cells() + cell;
                for o in 0..outputs {
                    let mut sum = 0.0f64;
                    for tap in 0..9 {
                        let from = cell + tap / 3 * grid.stride() + tap % 3 - grid.origin();
                        for i in 0..inputs {
                            sum +=
                                f64::from(input[from * inputs + i]) * f64::from(taps[(tap * inputs + i) * outputs + o]);
                        }
                    }
                    output[cell * outputs + o] = sum as f32;
                }
            }
        }
        output
    }

    #[track_caller]
    pub fn assert_close(actual: &[f32], expected: &[f32], tolerance: f32) {
        assert_eq!(actual.len(), expected.len());
        for (at, (a, e)) in actual.iter().zip(expected).enumerate() {
            assert!((a - e).abs() <= tolerance, "at {at}: {a} is not {e}");
        }
    }
}
