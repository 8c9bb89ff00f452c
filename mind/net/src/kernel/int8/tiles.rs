//! The form for the tile unit: 16 cells by 64 inputs times 64 inputs by 16 outputs in one instruction (`tdpbusd`).
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use core::arch::x86_64::{__m512, __m512i, _mm512_loadu_si512};

use super::super::amx::{AmxBlock, CHANNEL_STEP, Sums, TileStep, Tiles, tap_shift};
use super::{ByteFilters, GROUP, Image, Int8Convolution, TILE_DEPTH};

/// Bytes of a tile.
const TILE: usize = TILE_DEPTH * GROUP;

pub fn fit(filters: &ByteFilters) -> bool {
    filters.depth.is_multiple_of(TILE_DEPTH) && filters.outputs.is_multiple_of(CHANNEL_STEP)
}

/// # Safety
/// The job must have passed the checks of [`super::convolve`], its filters must [`fit`], and the instructions must exist here.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub unsafe fn convolve(mut job: Int8Convolution<'_>) {
    let ByteFilters { depth, outputs, ref weights, .. } = *job.filters;
    let (grid, tiles) = (job.grid, depth / TILE_DEPTH);
    let steps: Vec<TileStep> = (0..9 * tiles)
        .map(|step| TileStep {
            left: tap_shift(grid, step / tiles) * depth as isize + (step % tiles * TILE_DEPTH) as isize,
            right: (step * TILE) as isize,
        })
        .collect();
    let mut sums = Sums([0; 1024]);
    // SAFETY: `Grid::cells` leaves room for runs of 32 cells shifted by any tap; filters hold the tiles of all steps
    // for every group of outputs.
    unsafe {
        let _tiles = Tiles::configure();
        for index in 0..job.images {
            let image = Image::round::<__m512>(&mut job, index, 0.0);
            for first in (0..grid.span()).step_by(32) {
                for output in (0..outputs).step_by(32) {
                    AmxBlock {
                        left: image.bytes.add((grid.origin() + first) * depth),
                        left_stride: depth,
                        left_second: 16 * depth,
                        right: weights.as_ptr().add(output * 9 * depth).cast(),
                        right_stride: GROUP * 4,
                        right_second: GROUP * 9 * depth,
                        steps: &steps,
                    }
                    .run_int8(&mut sums.0);
                    for half in [0, GROUP] {
                        let rows = sums.0.chunks_exact(32);
                        let sums = rows.map(|row| _mm512_loadu_si512(row[half..].as_ptr().cast()));
                        image.finish::<__m512i>(output + half, first, sums);
                    }
                }
            }
        }
    }
}
