//! 3x3 convolution by Winograd's minimal filtering F(4x4, 3x3).
//!
//! A tile of 4x4 outputs needs 6x6 inputs. Both the inputs and the 3x3 filter are carried into a 6x6 space where
//! the convolution is a plain product per cell, 36 multiplications instead of 144; over all channels and
//! tiles that makes 36 matrix products. (Lavin and Gray, "Fast algorithms for convolutional neural networks".)
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]
#![allow(clippy::needless_range_loop)] // columns of small matrices

use super::conv::{Finish, finish_vector};
use super::{Isa, Lanes, gemm_with};
use crate::Grid;
use crate::per_isa;

/// Cells of the transformed space.
pub const CELLS: usize = 36;
/// Tiles transformed before the matrix products run, so that everything stays in the second-level cache.
pub const CHUNK: usize = 48;

/// Which image a tile belongs to, and where in it the tile's top left point lies.
#[derive(Clone, Copy)]
pub struct Tile {
    pub image: usize,
    pub row: usize,
    pub column: usize,
}

pub fn tiles_per_image(grid: Grid) -> usize {
    grid.side().div_ceil(4).pow(2)
}

pub fn tile(grid: Grid, index: usize) -> Tile {
    let across = grid.side().div_ceil(4);
    let (image, rest) = (index / (across * across), index % (across * across));
    Tile { image, row: rest / across * 4, column: rest % across * 4 }
}

/// The cells of the 6x6 inputs around a tile. Those beyond the border point at cell 0, which is always zero.
pub fn input_cells(grid: Grid, tile: Tile) -> [[usize; 6]; 6] {
    std::array::from_fn(|y| {
        std::array::from_fn(|x| {
            let (row, column) = (tile.row + y, tile.column + x);
            if row <= grid.side() + 1 && column <= grid.side() + 1 { grid.cell(row, column) - grid.origin() } else { 0 }
        })
    })
}

/// The cells of a tile's 4x4 outputs, `None` outside the board.
pub fn output_cells(grid: Grid, tile: Tile) -> [[Option<usize>; 4]; 4] {
    std::array::from_fn(|y| {
        std::array::from_fn(|x| {
            let (row, column) = (tile.row + y, tile.column + x);
            (row < grid.side() && column < grid.side()).then(|| grid.cell(row, column))
        })
    })
}

/// One dimension of the input transform, the matrix B^T.
#[inline(always)]
pub(super) unsafe fn input_line<L: Lanes>(d: [L; 6]) -> [L; 6] {
    // SAFETY: the instruction set of `L` exists here.
    unsafe {
        let (two, four, minus_four, minus_five) = (L::splat(2.0), L::splat(4.0), L::splat(-4.0), L::splat(-5.0));
        let even = d[2].mul_add(minus_four, d[4]);
        let odd = d[1].mul_add(minus_four, d[3]);
        let even_step = d[4].sub(d[2]);
        let odd_step = d[3].sub(d[1]).mul(two);
        [
            d[0].mul_add(four, d[2].mul_add(minus_five, d[4])),
            even.add(odd),
            even.sub(odd),
            even_step.add(odd_step),
            even_step.sub(odd_step),
            d[1].mul_add(four, d[3].mul_add(minus_five, d[5])),
        ]
    }
}

/// One dimension of the output transform, the matrix A^T.
#[inline(always)]
pub(super) unsafe fn output_line<L: Lanes>(m: [L; 6]) -> [L; 4] {
    // SAFETY: the instruction set of `L` exists here.
    unsafe {
        let (near, near_diff) = (m[1].add(m[2]), m[1].sub(m[2]));
        let (far, far_diff) = (m[3].add(m[4]), m[3].sub(m[4]));
        [
            m[0].add(near).add(far),
            far_diff.mul_add(L::splat(2.0), near_diff),
            far.mul_add(L::splat(4.0), near),
            far_diff.mul_add(L::splat(8.0), near_diff).add(m[5]),
        ]
    }
}

/// One dimension of the filter transform, the matrix G.
#[inline(always)]
pub(super) unsafe fn filter_line<L: Lanes>(w: [L; 3]) -> [L; 6] {
    // SAFETY: the instruction set of `L` exists here.
    unsafe {
        let outer = w[0].add(w[2]);
        let minus_sixth = L::splat(-1.0 / 6.0);
        let even = w[0].mul_add(L::splat(1.0 / 24.0), w[2].mul(L::splat(1.0 / 6.0)));
        let odd = w[1].mul(L::splat(1.0 / 12.0));
        [
            w[0].mul(L::splat(0.25)),
            outer.add(w[1]).mul(minus_sixth),
            outer.sub(w[1]).mul(minus_sixth),
            even.add(odd),
            even.sub(odd),
            w[2],
        ]
    }
}

/// Carries the 6x6 inputs of one tile into the transformed space: `to[cell * cell_stride + channel]`.
///
/// # Safety
/// `image` must cover the board at `cells`, `to` 36 strides; the instruction set of `L` must exist here.
#[inline(always)]
pub unsafe fn transform_input<L: Lanes>(
    image: *const f32,
    cells: &[[usize; 6]; 6],
    channels: usize,
    to: *mut f32,
    cell_stride: usize,
) {
    // SAFETY: as promised by the caller.
    unsafe {
        let mut channel = 0;
        while channel < channels {
            let mut d = [[L::splat(0.0); 6]; 6];
            for (line, cells) in d.iter_mut().zip(cells) {
                for (value, cell) in line.iter_mut().zip(cells) {
                    *value = L::load(image.add(cell * channels + channel));
                }
                *line = input_line(*line);
            }
            for x in 0..6 {
                let column = input_line([d[0][x], d[1][x], d[2][x], d[3][x], d[4][x], d[5][x]]);
                for (y, value) in column.into_iter().enumerate() {
                    value.store(to.add((y * 6 + x) * cell_stride + channel));
                }
            }
            channel += L::WIDTH;
        }
    }
}

/// A filter bank carried into the transformed space: `[36][inputs][outputs]` from `[9][inputs][outputs]`.
pub struct FilterTransform<'a> {
    pub inputs: usize,
    pub outputs: usize,
    pub taps: &'a [f32],
    pub to: &'a mut [f32],
}

pub fn transform_filters(isa: Isa, job: FilterTransform<'_>) {
    assert_eq!(job.outputs % 16, 0);
    assert_eq!(job.taps.len(), 9 * job.inputs * job.outputs);
    assert_eq!(job.to.len(), CELLS * job.inputs * job.outputs);
    // SAFETY: the lengths were just checked.
    unsafe { transform_filters_on(isa, job) }
}

per_isa!(fn transform_filters_on / transform_filters_with(FilterTransform<'_>));

#[inline(always)]
unsafe fn transform_filters_with<L: Lanes>(job: FilterTransform<'_>) {
    let plane = job.inputs * job.outputs;
    let (taps, to) = (job.taps.as_ptr(), job.to.as_mut_ptr());
    let mut at = 0;
    while at < plane {
        // SAFETY: `at + WIDTH <= plane`, and there are 9 planes in `taps` and 36 in `to`.
        unsafe {
            let mut half = [[L::splat(0.0); 3]; 6];
            for x in 0..3 {
                let mut column = [L::splat(0.0); 3];
                for (y, tap) in column.iter_mut().enumerate() {
                    *tap = L::load(taps.add((y * 3 + x) * plane + at));
                }
                for (half, value) in half.iter_mut().zip(filter_line(column)) {
                    half[x] = value;
                }
            }
            for (y, half) in half.into_iter().enumerate() {
                for (x, value) in filter_line(half).into_iter().enumerate() {
                    value.store(to.add((y * 6 + x) * plane + at));
                }
            }
        }
        at += L::WIDTH;
    }
}

/// A convolution over `images` boards, with filters already transformed.
pub struct WinogradConvolution<'a> {
    pub grid: Grid,
    pub images: usize,
    pub inputs: usize,
    pub outputs: usize,
    pub input: &'a [f32],
    pub filters: &'a [f32],
    pub output: &'a mut [f32],
    pub finish: Finish<'a>,
    /// Transformed tiles: `CELLS * CHUNK` times inputs, respectively outputs.
    pub tile_inputs: &'a mut [f32],
    pub tile_outputs: &'a mut [f32],
}

pub fn convolve(isa: Isa, job: WinogradConvolution<'_>) {
    let cells = job.images * job.grid.cells();
    assert!(job.inputs.is_multiple_of(16) && job.outputs.is_multiple_of(16));
    assert!(job.input.len() >= cells * job.inputs && job.output.len() >= cells * job.outputs);
    assert_eq!(job.filters.len(), CELLS * job.inputs * job.outputs);
    assert!(job.tile_inputs.len() >= CELLS * CHUNK * job.inputs);
    assert!(job.tile_outputs.len() >= CELLS * CHUNK * job.outputs);
    job.finish.check(job.images, job.outputs, cells);
    // SAFETY: the lengths were just checked.
    unsafe { convolve_on(isa, job) }
}

per_isa!(fn convolve_on / convolve_with(WinogradConvolution<'_>));

#[inline(always)]
unsafe fn convolve_with<L: Lanes>(job: WinogradConvolution<'_>) {
    let (grid, inputs, outputs) = (job.grid, job.inputs, job.outputs);
    let total = job.images * tiles_per_image(grid);
    let (v, m) = (job.tile_inputs.as_mut_ptr(), job.tile_outputs.as_mut_ptr());
    let mut first = 0;
    while first < total {
        let count = CHUNK.min(total - first);
        // SAFETY: `convolve` checked that images and scratch cover every tile of the chunk.
        unsafe {
            for t in 0..count {
                let tile = tile(grid, first + t);
                let image = job.input.as_ptr().add(tile.image * grid.cells() * inputs);
                transform_input::<L>(image, &input_cells(grid, tile), inputs, v.add(t * inputs), count * inputs);
            }
            for cell in 0..CELLS {
                gemm_with::<L>(
                    count,
                    inputs,
                    outputs,
                    v.add(cell * count * inputs),
                    job.filters.as_ptr().add(cell * inputs * outputs),
                    m.add(cell * count * outputs),
                );
            }
            for t in 0..count {
                let tile = tile(grid, first + t);
                transform_output::<L>(&job.finish, grid, tile, outputs, m.add(t * outputs), count, job.output);
            }
        }
        first += count;
    }
}

/// Carries one tile back to 4x4 outputs and finishes those on the board.
#[inline(always)]
unsafe fn transform_output<L: Lanes>(
    finish: &Finish<'_>,
    grid: Grid,
    tile: Tile,
    channels: usize,
    from: *const f32,
    tiles: usize,
    output: &mut [f32],
) {
    let cells = output_cells(grid, tile);
    let image_start = tile.image * grid.cells() * channels;
    let mut channel = 0;
    while channel < channels {
        // SAFETY: `from` holds 36 cells of `tiles * channels`, and every `Some` cell lies inside the image.
        unsafe {
            let mut half = [[L::splat(0.0); 4]; 6];
            for (y, half) in half.iter_mut().enumerate() {
                let mut line = [L::splat(0.0); 6];
                for (x, value) in line.iter_mut().enumerate() {
                    *value = L::load(from.add((y * 6 + x) * tiles * channels + channel));
                }
                *half = output_line(line);
            }
            for x in 0..4 {
                let column = output_line([half[0][x], half[1][x], half[2][x], half[3][x], half[4][x], half[5][x]]);
                for (y, value) in column.into_iter().enumerate() {
                    if let Some(cell) = cells[y][x] {
                        let at = image_start + cell * channels + channel;
                        finish_vector(finish, value, tile.image, channels, channel, at, output.as_mut_ptr());
                    }
                }
            }
        }
        channel += L::WIDTH;
    }
}
