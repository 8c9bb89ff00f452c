//! 3x3 convolution by Winograd's F(4x4, 3x3) on tensors without a border; `kernel::winograd` tells what that is.
//!
//! The 36 products read their filters once per chunk of tiles, from first to last in the order in which they lie in memory: a wide
//! net's filters come from main memory for every batch, and only a straight run keeps up with the multipliers.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]
#![allow(clippy::needless_range_loop)] // columns of small matrices

use super::finish::BatchPoint;
use super::panel::{Multiply, PanelProduct, Soon, pack, panel_columns, rows_at_once};
use super::shorts::{ShortBlock, ShortPanels};
use super::{Frame, Kernel, LayerFinish, Numbers, padded};
use crate::kernel::winograd::{CELLS, FilterTransform, input_line, output_line, transform_filters};
use crate::kernel::{Aligned, Isa, Lanes};
use crate::per_isa;

/// Tiles transformed before the products run: two boards of 19x19, five of 9x9.
const CHUNK: usize = 50;

/// The filters of one layer, transformed and in panels, cell after cell.
pub(super) struct Filters {
    inputs: usize,
    outputs: usize,
    cells: Cells,
}

enum Cells {
    Floats(Aligned<f32>),
    /// One matrix per cell, each with steps of its own.
    Shorts(ShortPanels),
}

impl Filters {
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// `taps` is `[3][3][inputs][outputs]`, both padded to sixteens.
    pub fn new(kernel: Kernel, inputs: usize, outputs: usize, taps: &[f32]) -> Filters {
        let Kernel { isa, numbers } = kernel;
        let plane = inputs * outputs;
        let mut transformed = vec![0.0; CELLS * plane];
        transform_filters(isa, FilterTransform { inputs, outputs, taps, to: &mut transformed });
        if numbers == Numbers::Shorts {
            let cells = Cells::Shorts(ShortPanels::new(isa, inputs, outputs, &transformed));
            return Filters { inputs, outputs, cells };
        }
        let mut cells = Aligned::zeroed(CELLS * plane);
        for (from, to) in transformed.chunks_exact(plane).zip(cells.chunks_exact_mut(plane)) {
            pack(isa, inputs, outputs, from, to);
        }
        Filters { inputs, outputs, cells: Cells::Floats(cells) }
    }
}

/// Transformed tiles of one chunk.
#[derive(Default)]
pub(super) struct Scratch {
    tile_inputs: Aligned<f32>,
    tile_outputs: Aligned<f32>,
    zeros: Aligned<f32>,
    /// The inputs as shorts, and the step of each row.
    rounded: Aligned<i32>,
    steps: Aligned<f32>,
}

struct Job<'a> {
    isa: Isa,
    filters: &'a Filters,
    frame: Frame,
    images: usize,
    input: &'a [f32],
    finish: LayerFinish<'a>,
    scratch: &'a mut Scratch,
}

pub(super) fn convolve(
    isa: Isa,
    filters: &Filters,
    frame: Frame,
    images: usize,
    input: &[f32],
    finish: LayerFinish<'_>,
    scratch: &mut Scratch,
) {
    assert_eq!((padded(filters.inputs), padded(filters.outputs)), (filters.inputs, filters.outputs));
    assert!(input.len() >= images * frame.points() * filters.inputs);
    finish.check(frame, images, filters.outputs);
    scratch.tile_inputs.reserve_len(CELLS * CHUNK * filters.inputs);
    scratch.tile_outputs.reserve_len(CELLS * CHUNK * filters.outputs);
    scratch.zeros.reserve_len(filters.inputs);
    scratch.rounded.reserve_len(CELLS * CHUNK * filters.inputs / 2);
    scratch.steps.reserve_len(CELLS * CHUNK);
    // SAFETY: the lengths were just checked, or made.
    unsafe { convolve_on(isa, Job { isa, filters, frame, images, input, finish, scratch }) }
}

per_isa!(fn convolve_on / convolve_with(Job<'_>));

#[inline(always)]
unsafe fn convolve_with<L: Multiply>(mut job: Job<'_>) {
    let (inputs, outputs, frame) = (job.filters.inputs, job.filters.outputs, job.frame);
    let across = frame.width.div_ceil(4);
    let per_image = across * frame.height.div_ceil(4);
    let total = job.images * per_image;
    let tile = |index: usize| {
        let (image, rest) = (index / per_image, index % per_image);
        Tile { image, row: rest / across * 4, column: rest % across * 4 }
    };
    let (v, m) = (job.scratch.tile_inputs.as_mut_ptr(), job.scratch.tile_outputs.as_mut_ptr());
    let width = panel_columns(job.isa);
    for first in (0..total).step_by(CHUNK) {
        let count = CHUNK.min(total - first);
        // SAFETY: `convolve` checked that tensors and scratch cover every tile of the chunk.
        unsafe {
            for t in 0..count {
                let points = input_points(&job, tile(first + t));
                match &job.filters.cells {
                    Cells::Floats(_) => transform_input::<L>(&points, inputs, v.add(t * inputs), count * inputs),
                    Cells::Shorts(cells) => {
                        // The floats of one tile only, so that they are rounded before they leave the first-level cache.
                        transform_input::<L>(&points, inputs, v, inputs);
                        round_tile::<L>(cells, inputs, &mut *job.scratch, t, count);
                    }
                }
            }
            for cell in 0..CELLS {
                let m = m.add(cell * count * outputs);
                match &job.filters.cells {
                    Cells::Floats(cells) => {
                        let panel = cells.as_ptr().add(cell * inputs * outputs);
                        multiply_cell::<L>(count, inputs, outputs, width, v.add(cell * count * inputs), panel, m);
                    }
                    Cells::Shorts(cells) => {
                        multiply_short_cell::<L>(count, cell, outputs, width, &*job.scratch, cells, m)
                    }
                }
            }
            for t in 0..count {
                transform_output::<L>(&mut job.finish, frame, tile(first + t), outputs, m.add(t * outputs), count);
            }
        }
    }
}

/// The product of one cell: `count` tiles with the cell's filters.
#[inline(always)]
unsafe fn multiply_cell<L: Multiply>(
    count: usize,
    inputs: usize,
    outputs: usize,
    width: usize,
    v: *const f32,
    mut panel: *const f32,
    m: *mut f32,
) {
    let (rows, blocks) = equal_blocks::<L>(count);
    for column in (0..outputs).step_by(width) {
        let columns = width.min(outputs - column);
        for block in 0..blocks {
            let row = block * rows;
            let soon = Soon::part(panel, inputs, columns, block, blocks);
            let (rows, inner, a_stride, c_stride) = (rows.min(count - row), inputs, inputs, outputs);
            // SAFETY: the caller vouches for the tiles and the cell's panels.
            unsafe {
                let (a, c) = (v.add(row * inputs), m.add(row * outputs + column));
                L::multiply(PanelProduct { rows, columns, inner, a, a_stride, panel, soon, c, c_stride });
            }
        }
        panel = panel.wrapping_add(inputs * columns);
    }
}

/// Rounds the 36 cells of a tile, which lie one behind the other, into their places among `count` tiles.
#[inline(always)]
unsafe fn round_tile<L: Lanes>(cells: &ShortPanels, inputs: usize, scratch: &mut Scratch, tile: usize, count: usize) {
    let Scratch { tile_inputs, rounded, steps, .. } = scratch;
    for (cell, row) in tile_inputs.chunks_exact(inputs).take(CELLS).enumerate() {
        let at = cell * count + tile;
        // SAFETY: the instruction set of `L` exists here.
        steps[at] = unsafe { cells.round_row::<L>(cell, row, &mut rounded[at * cells.depth..][..cells.depth]) };
    }
}

/// The product of one cell, in shorts.
#[inline(always)]
unsafe fn multiply_short_cell<L: Multiply>(
    count: usize,
    cell: usize,
    outputs: usize,
    width: usize,
    scratch: &Scratch,
    cells: &ShortPanels,
    m: *mut f32,
) {
    let depth = cells.depth;
    let (rows, blocks) = equal_blocks::<L>(count);
    for column in (0..outputs).step_by(width) {
        let columns = width.min(outputs - column);
        let panel = cells.panels.as_ptr().wrapping_add((cell * outputs + column) * depth);
        for block in 0..blocks {
            let row = block * rows;
            // SAFETY: the caller vouches for the tiles and the cell's panels.
            unsafe {
                L::multiply_shorts(ShortBlock {
                    rows: rows.min(count - row),
                    columns,
                    depth,
                    a: scratch.rounded.as_ptr().add((cell * count + row) * depth),
                    a_stride: depth,
                    panel,
                    soon: Soon::part(panel, depth, columns, block, blocks),
                    row_steps: scratch.steps.as_ptr().add(cell * count + row),
                    column_steps: cells.steps.as_ptr().add(cell * outputs + column),
                    c: m.add(row * outputs + column),
                    c_stride: outputs,
                });
            }
        }
    }
}

/// Rows of all blocks but perhaps the last, and how many blocks.
#[inline(always)]
fn equal_blocks<L: Multiply>(count: usize) -> (usize, usize) {
    let rows = rows_at_once::<L>(count);
    (rows, count.div_ceil(rows))
}

/// 4x4 points of an image, of which the board's edge may cut some off.
#[derive(Clone, Copy)]
struct Tile {
    image: usize,
    row: usize,
    column: usize,
}

/// Where the 6x6 inputs around a tile lie; zeros stand in for points beyond the edge.
#[inline(always)]
fn input_points(job: &Job<'_>, tile: Tile) -> [[*const f32; 6]; 6] {
    let Frame { width, height } = job.frame;
    std::array::from_fn(|y| {
        std::array::from_fn(|x| {
            let (row, column) = ((tile.row + y).wrapping_sub(1), (tile.column + x).wrapping_sub(1));
            if row < height && column < width {
                let point = (tile.image * height + row) * width + column;
                job.input[point * job.filters.inputs..].as_ptr()
            } else {
                job.scratch.zeros.as_ptr()
            }
        })
    })
}

/// Carries one tile into the transformed space: `to[cell * cell_stride + channel]`.
#[inline(always)]
unsafe fn transform_input<L: Lanes>(points: &[[*const f32; 6]; 6], channels: usize, to: *mut f32, cell_stride: usize) {
    let mut channel = 0;
    while channel < channels {
        // SAFETY: every point has `channels` numbers, and `to` 36 strides.
        unsafe {
            let mut d = [[L::splat(0.0); 6]; 6];
            for (line, points) in d.iter_mut().zip(points) {
                for (value, point) in line.iter_mut().zip(points) {
                    *value = L::load(point.add(channel));
                }
                *line = input_line(*line);
            }
            for x in 0..6 {
                let column = input_line(std::array::from_fn(|y| d[y][x]));
                for (y, value) in column.into_iter().enumerate() {
                    value.store(to.add((y * 6 + x) * cell_stride + channel));
                }
            }
        }
        channel += L::WIDTH;
    }
}

/// Carries one tile back and finishes the points that lie on the board.
#[inline(always)]
unsafe fn transform_output<L: Lanes>(
    finish: &mut LayerFinish<'_>,
    frame: Frame,
    tile: Tile,
    channels: usize,
    from: *const f32,
    tiles: usize,
) {
    let (high, wide) = (4.min(frame.height - tile.row), 4.min(frame.width - tile.column));
    let corner = (tile.image * frame.height + tile.row) * frame.width + tile.column;
    let mut sums = [0.0f32; 16 * 16];
    let sums = sums.as_mut_ptr();
    let mut channel = 0;
    while channel < channels {
        // SAFETY: `from` holds 36 cells of `tiles * channels`, and points within `high` and `wide` lie on the board.
        unsafe {
            let mut half = [[L::splat(0.0); 4]; 6];
            for (y, half) in half.iter_mut().enumerate() {
                let line = std::array::from_fn(|x| L::load(from.add((y * 6 + x) * tiles * channels + channel)));
                *half = output_line(line);
            }
            for x in 0..4 {
                let column = output_line(std::array::from_fn(|y| half[y][x]));
                for (y, value) in column.into_iter().enumerate() {
                    value.store(sums.add((y * 4 + x) * L::WIDTH));
                }
            }
            for y in 0..high {
                for x in 0..wide {
                    let place = BatchPoint { row: corner + y * frame.width + x, image: tile.image };
                    finish.run::<L>(place, channels, channel, sums.add((y * 4 + x) * L::WIDTH), L::WIDTH);
                }
            }
        }
        channel += L::WIDTH;
    }
}
