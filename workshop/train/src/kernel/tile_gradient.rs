//! The filters' gradient of a 3x3 convolution on the tile unit, in bf16 with f32 sums.
//!
//! For each tap it is a matrix product over all points of the batch: turned output gradients (outputs by points)
//! times inputs shifted by the tap (points by inputs). The unit wants the right operand's rows in pairs, and a
//! shift by an odd number of cells pairs them differently, so the inputs are packed twice.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use core::arch::x86_64::{_mm512_loadu_ps, _mm512_setzero_si512, _mm512_storeu_si512};

use jigo_net::Grid;
use jigo_net::kernel::amx::{AmxBlock, Sums, TileStep, Tiles, fits, pair_bf16};
use jigo_net::kernel::{Aligned, Isa};

use super::transpose::transpose_16x16;

/// Images packed before the products run, so that the operands stay in the second-level cache.
const CHUNK: usize = 4;

#[derive(Default)]
pub struct PackScratch {
    /// Per image and parity: `[cells / 2][inputs]` pairs of neighbouring cells.
    pairs: Aligned<u16>,
    /// Per image: `[outputs][span rounded up to 32]`.
    turned: Aligned<u16>,
    steps: Vec<TileStep>,
}

pub struct TileGradient<'a> {
    pub grid: Grid,
    pub images: usize,
    pub inputs: usize,
    pub outputs: usize,
    pub input: &'a [f32],
    pub output_gradient: &'a [f32],
    /// `[9][outputs][inputs]`, added to.
    pub turned_taps: &'a mut [f32],
}

pub fn accumulate(job: TileGradient<'_>, scratch: &mut PackScratch) {
    let cells = job.images * job.grid.cells();
    assert!(Isa::Amx.is_available());
    assert!(fits(job.inputs, job.outputs));
    assert!(job.input.len() >= cells * job.inputs && job.output_gradient.len() >= cells * job.outputs);
    assert_eq!(job.turned_taps.len(), 9 * job.inputs * job.outputs);
    scratch.pairs.reserve_len(CHUNK * 2 * pair_rows(job.grid) * job.inputs * 2);
    scratch.turned.reserve_len(CHUNK * run(job.grid) * job.outputs);
    // SAFETY: the instructions exist, and lengths and scratch were just checked.
    unsafe { accumulate_with_tiles(job, scratch) }
}

/// Cells from the first point on that the products run over, in whole tiles.
fn run(grid: Grid) -> usize {
    grid.span().next_multiple_of(32)
}

/// Pairs of one parity.
fn pair_rows(grid: Grid) -> usize {
    grid.cells().div_ceil(2)
}

#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn accumulate_with_tiles(job: TileGradient<'_>, scratch: &mut PackScratch) {
    let (grid, inputs, outputs) = (job.grid, job.inputs, job.outputs);
    let (image_cells, run, rows) = (grid.cells(), run(grid), pair_rows(grid));
    let mut sums = Sums([0.0; 1024]);
    let PackScratch { pairs, turned, steps } = scratch;
    // SAFETY: `accumulate` sized all buffers; see the comments at the products.
    unsafe {
        let _tiles = Tiles::configure();
        for first in (0..job.images).step_by(CHUNK) {
            let count = CHUNK.min(job.images - first);
            for i in 0..count {
                let input = &job.input[(first + i) * image_cells * inputs..][..image_cells * inputs];
                for parity in 0..2 {
                    pack_pairs(input, inputs, parity, &mut pairs[(i * 2 + parity) * rows * inputs * 2..]);
                }
                let gradient = &job.output_gradient[(first + i) * image_cells * outputs..][..image_cells * outputs];
                turn(&gradient[grid.origin() * outputs..], outputs, run, &mut turned[i * run * outputs..]);
            }
            for tap in 0..9 {
                // The input cell of the first point under this tap.
                let start = tap / 3 * grid.stride() + tap % 3;
                let (parity, first_pair) = (start % 2, start / 2);
                steps.clear();
                for i in 0..count {
                    for at in (0..run).step_by(32) {
                        steps.push(TileStep {
                            left: ((i * run * outputs + at) * 2) as isize,
                            right: ((((i * 2 + parity) * rows + first_pair + at / 2) * inputs) * 4) as isize,
                        });
                    }
                }
                for output in (0..outputs).step_by(32) {
                    for input in (0..inputs).step_by(32) {
                        // A step reads 16 pairs from `first_pair + at / 2` on: `start + run` cells at most, which
                        // `Grid::cells` covers; and 32 turned rows of 32 cells.
                        AmxBlock {
                            left: turned.as_ptr().add(output * run).cast(),
                            left_stride: run * 2,
                            left_second: run * 32,
                            right: pairs.as_ptr().add(input * 2).cast(),
                            right_stride: inputs * 4,
                            right_second: 64,
                            steps,
                        }
                        .run(&mut sums.0);
                        for (row, sums) in sums.0.chunks_exact(32).enumerate() {
                            let at = (tap * outputs + output + row) * inputs + input;
                            for (to, sum) in job.turned_taps[at..at + 32].iter_mut().zip(sums) {
                                *to += sum;
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Packs cells `2 r + parity` and `2 r + 1 + parity` into row `r`, channel by channel. The cell past the end is zero.
///
/// # Safety
/// `to` must hold a row of `2 * channels` for every pair, the last one included; channels come in sixteens.
#[target_feature(enable = "avx512f")]
unsafe fn pack_pairs(cells: &[f32], channels: usize, parity: usize, to: &mut [u16]) {
    let count = cells.len() / channels;
    let zeros = [0.0f32; 16];
    for row in 0..(count - parity).div_ceil(2) {
        let low = (2 * row + parity) * channels;
        for channel in (0..channels).step_by(16) {
            // SAFETY: the low cell exists; the high one may be one past the end, and zeros stand in for it.
            unsafe {
                let low_at = cells.as_ptr().add(low + channel);
                let is_last = low + channels >= cells.len();
                let high_at = if is_last { zeros.as_ptr() } else { low_at.add(channels) };
                let words = pair_bf16(_mm512_loadu_ps(low_at), _mm512_loadu_ps(high_at));
                _mm512_storeu_si512(to.as_mut_ptr().add((row * channels + channel) * 2).cast(), words);
            }
        }
    }
}

/// Turns `run` cells of `channels` into `channels` rows of `run` bf16. Cells come in pairs, so 32 cells by 16 channels
/// make one block of 16 x 16 words.
///
/// # Safety
/// `cells` must hold `run` cells and `to` as many bf16 per channel; `run` is a multiple of 32, `channels` of 16.
#[target_feature(enable = "avx512f")]
unsafe fn turn(cells: &[f32], channels: usize, run: usize, to: &mut [u16]) {
    for at in (0..run).step_by(32) {
        for channel in (0..channels).step_by(16) {
            // SAFETY: as promised by the caller.
            unsafe {
                let mut rows = [_mm512_setzero_si512(); 16];
                for (pair, row) in rows.iter_mut().enumerate() {
                    let low = cells.as_ptr().add((at + 2 * pair) * channels + channel);
                    *row = pair_bf16(_mm512_loadu_ps(low), _mm512_loadu_ps(low.add(channels)));
                }
                for (row, words) in transpose_16x16(rows).into_iter().enumerate() {
                    _mm512_storeu_si512(to.as_mut_ptr().add((channel + row) * run + at).cast(), words);
                }
            }
        }
    }
}
