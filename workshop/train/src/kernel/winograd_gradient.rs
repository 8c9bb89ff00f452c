//! The filters' gradient of a 3x3 convolution in Winograd's transformed space.
//!
//! The forward pass is `y = A^T [(G w G^T) * (B^T x B)] A`, so the gradient of `w` is
//! `G^T [sum over tiles of (B^T x B) * (A dy A^T)] G`: one matrix update per cell, and one transform back at the end.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]
#![allow(clippy::needless_range_loop)] // columns of small matrices

use jigo_net::Grid;
use jigo_net::kernel::winograd::{CELLS, CHUNK, input_cells, output_cells, tile, tiles_per_image, transform_input};
use jigo_net::kernel::{Isa, Lanes};
use jigo_net::per_isa;

use super::product::accumulate;

pub struct TileGradients<'a> {
    pub grid: Grid,
    pub images: usize,
    pub inputs: usize,
    pub outputs: usize,
    pub input: &'a [f32],
    pub output_gradient: &'a [f32],
    /// `[36][inputs][outputs]`, added to.
    pub cells: &'a mut [f32],
    pub tile_inputs: &'a mut [f32],
    pub tile_gradients: &'a mut [f32],
}

pub fn accumulate_tiles(isa: Isa, job: TileGradients<'_>) {
    let cells = job.images * job.grid.cells();
    assert!(job.inputs.is_multiple_of(16) && job.outputs.is_multiple_of(16));
    assert!(job.input.len() >= cells * job.inputs && job.output_gradient.len() >= cells * job.outputs);
    assert_eq!(job.cells.len(), CELLS * job.inputs * job.outputs);
    assert!(job.tile_inputs.len() >= CELLS * CHUNK * job.inputs);
    assert!(job.tile_gradients.len() >= CELLS * CHUNK * job.outputs);
    // SAFETY: the lengths were just checked.
    unsafe { accumulate_tiles_on(isa, job) }
}

per_isa!(fn accumulate_tiles_on / accumulate_tiles_with(TileGradients<'_>));

#[inline(always)]
unsafe fn accumulate_tiles_with<L: Lanes>(job: TileGradients<'_>) {
    let (grid, inputs, outputs) = (job.grid, job.inputs, job.outputs);
    let total = job.images * tiles_per_image(grid);
    let (v, d) = (job.tile_inputs.as_mut_ptr(), job.tile_gradients.as_mut_ptr());
    let mut first = 0;
    while first < total {
        let count = CHUNK.min(total - first);
        // SAFETY: `accumulate_tiles` checked that images and scratch cover every tile of the chunk.
        unsafe {
            for t in 0..count {
                let tile = tile(grid, first + t);
                let image = tile.image * grid.cells();
                let input = job.input.as_ptr().add(image * inputs);
                transform_input::<L>(input, &input_cells(grid, tile), inputs, v.add(t * inputs), count * inputs);
                // Points beyond the board have no gradient; cell 0 is always zero.
                let cells = output_cells(grid, tile).map(|line| line.map(|cell| cell.unwrap_or(0)));
                let gradient = job.output_gradient.as_ptr().add(image * outputs);
                transform_gradient::<L>(gradient, &cells, outputs, d.add(t * outputs), count * outputs);
            }
            for cell in 0..CELLS {
                accumulate::<L>(
                    count,
                    inputs,
                    outputs,
                    v.add(cell * count * inputs),
                    d.add(cell * count * outputs),
                    job.cells.as_mut_ptr().add(cell * inputs * outputs),
                );
            }
        }
        first += count;
    }
}

/// One dimension of the gradient's transform, the matrix A.
#[inline(always)]
unsafe fn gradient_line<L: Lanes>(y: [L; 4]) -> [L; 6] {
    // SAFETY: the instruction set of `L` exists here.
    unsafe {
        let (even, odd) = (y[0].add(y[2]), y[1].add(y[3]));
        let far_even = y[2].mul_add(L::splat(4.0), y[0]);
        let far_odd = y[3].mul_add(L::splat(8.0), y[1].mul(L::splat(2.0)));
        [y[0], even.add(odd), even.sub(odd), far_even.add(far_odd), far_even.sub(far_odd), y[3]]
    }
}

#[inline(always)]
unsafe fn transform_gradient<L: Lanes>(
    image: *const f32,
    cells: &[[usize; 4]; 4],
    channels: usize,
    to: *mut f32,
    cell_stride: usize,
) {
    // SAFETY: the caller vouches for the image and 36 strides of `to`.
    unsafe {
        let mut channel = 0;
        while channel < channels {
            let mut half = [[L::splat(0.0); 6]; 4];
            for (half, cells) in half.iter_mut().zip(cells) {
                let mut line = [L::splat(0.0); 4];
                for (value, cell) in line.iter_mut().zip(cells) {
                    *value = L::load(image.add(cell * channels + channel));
                }
                *half = gradient_line(line);
            }
            for x in 0..6 {
                let column = gradient_line([half[0][x], half[1][x], half[2][x], half[3][x]]);
                for (y, value) in column.into_iter().enumerate() {
                    value.store(to.add((y * 6 + x) * cell_stride + channel));
                }
            }
            channel += L::WIDTH;
        }
    }
}

/// Carries the summed cells back to taps, `G^T u G`, and adds them to `taps`.
pub fn add_to_taps(plane: usize, cells: &[f32], taps: &mut [f32]) {
    assert!(cells.len() == CELLS * plane && taps.len() == 9 * plane);
    const G: [[f32; 3]; 6] = [
        [0.25, 0.0, 0.0],
        [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
        [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
        [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
        [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
        [0.0, 0.0, 1.0],
    ];
    for (tap, taps) in taps.chunks_exact_mut(plane).enumerate() {
        for (cell, cells) in cells.chunks_exact(plane).enumerate() {
            let factor = G[cell / 6][tap / 3] * G[cell % 6][tap % 3];
            if factor != 0.0 {
                for (to, from) in taps.iter_mut().zip(cells) {
                    *to += factor * from;
                }
            }
        }
    }
}
