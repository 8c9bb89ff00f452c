//! 3x3 convolution by Winograd's F(4x4, 3x3) on tensors without a border, as `kernel::winograd` tells, or by F(3x3, 3x3) where that is
//! cheaper (`lines`).
//!
//! The products of the 36 or 25 cells read their filters once per chunk of tiles, from first to last in the order in which they lie in memory: a wide
//! net's filters come from main memory for every batch, and only a straight run keeps up with the multipliers.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]
#![allow(clippy::needless_range_loop)] // columns of small matrices

use super::finish::BatchPoint;
use super::lines::{CutInto, Lines, threes_are_cheaper};
use super::panel::{Multiply, PanelProduct, Soon, pack, panel_columns, rows_at_once};
use super::shorts::{ShortBlock, ShortPanels, largest_of, round_by, scale_to, step_of};
use super::{Frame, Kernel, LayerFinish, Numbers, padded};
use crate::kernel::{Aligned, Isa, Lanes, Portable};
use crate::per_isa;

/// Tiles transformed before the products run: two boards of 19x19 in fours, five of 9x9 in threes.
const CHUNK: usize = 50;

/// Cells of the space of fours, which is the larger one.
const MOST_CELLS: usize = 36;

/// Wider layers are kept in one form only: the filters of large nets fill memory as it is.
const WIDEST_WITH_THREES: usize = 128;

/// The filters of one layer, transformed and in panels, cell after cell.
pub(super) struct Filters {
    inputs: usize,
    outputs: usize,
    fours: Cells,
    threes: Option<Cells>,
}

enum Cells {
    Floats(Aligned<f32>),
    /// One matrix per cell, each with steps of its own.
    Shorts(ShortPanels),
}

impl Cells {
    fn new<const OUT: usize, const IN: usize>(kernel: Kernel, inputs: usize, outputs: usize, taps: &[f32]) -> Cells
    where
        Lines: CutInto<OUT, IN>,
    {
        let Kernel { isa, numbers } = kernel;
        let plane = inputs * outputs;
        let transformed = transform_filters::<OUT, IN>(plane, taps);
        if numbers == Numbers::Shorts {
            return Cells::Shorts(ShortPanels::new(isa, inputs, outputs, &transformed));
        }
        let mut cells = Aligned::zeroed(IN * IN * plane);
        for (from, to) in transformed.chunks_exact(plane).zip(cells.chunks_exact_mut(plane)) {
            pack(isa, inputs, outputs, from, to);
        }
        Cells::Floats(cells)
    }
}

impl Filters {
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// `taps` is `[3][3][inputs][outputs]`, both padded to sixteens.
    pub fn new(kernel: Kernel, inputs: usize, outputs: usize, taps: &[f32]) -> Filters {
        let is_narrow = inputs.max(outputs) <= WIDEST_WITH_THREES;
        Filters {
            inputs,
            outputs,
            fours: Cells::new::<4, 6>(kernel, inputs, outputs, taps),
            threes: is_narrow.then(|| Cells::new::<3, 5>(kernel, inputs, outputs, taps)),
        }
    }
}

/// A filter bank carried into the transformed space: `[cell][plane]` from `[9][plane]`.
fn transform_filters<const OUT: usize, const IN: usize>(plane: usize, taps: &[f32]) -> Vec<f32>
where
    Lines: CutInto<OUT, IN>,
{
    assert!(taps.len() == 9 * plane && plane.is_multiple_of(Portable::WIDTH));
    let mut to = vec![0.0; IN * IN * plane];
    for at in (0..plane).step_by(Portable::WIDTH) {
        // SAFETY: portable registers are everywhere, and whole ones lie within each plane.
        unsafe {
            let columns: [[Portable; IN]; 3] = std::array::from_fn(|x| {
                Lines::filter(std::array::from_fn(|y| Portable::load(taps.as_ptr().add((y * 3 + x) * plane + at))))
            });
            for y in 0..IN {
                let line = Lines::filter(columns.map(|column| column[y]));
                for (x, value) in line.into_iter().enumerate() {
                    value.store(to.as_mut_ptr().add((y * IN + x) * plane + at));
                }
            }
        }
    }
    to
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
    inputs: usize,
    outputs: usize,
    cells: &'a Cells,
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
    let Filters { inputs, outputs, ref fours, ref threes } = *filters;
    scratch.tile_inputs.reserve_len(MOST_CELLS * CHUNK * inputs);
    scratch.tile_outputs.reserve_len(MOST_CELLS * CHUNK * outputs);
    scratch.zeros.reserve_len(inputs);
    scratch.rounded.reserve_len(MOST_CELLS * CHUNK * inputs / 2);
    scratch.steps.reserve_len(MOST_CELLS * CHUNK);
    let job = |cells| Job { isa, inputs, outputs, cells, frame, images, input, finish, scratch };
    // SAFETY: the lengths were just checked, or made.
    unsafe {
        match threes.as_ref().filter(|_| threes_are_cheaper(frame)) {
            Some(threes) => in_threes_on(isa, job(threes)),
            None => in_fours_on(isa, job(fours)),
        }
    }
}

per_isa!(fn in_fours_on / in_fours_with(Job<'_>));
per_isa!(fn in_threes_on / in_threes_with(Job<'_>));

#[inline(always)]
unsafe fn in_fours_with<L: Multiply>(job: Job<'_>) {
    // SAFETY: as the caller promises.
    unsafe { convolve_with::<L, 4, 6>(job) }
}

#[inline(always)]
unsafe fn in_threes_with<L: Multiply>(job: Job<'_>) {
    // SAFETY: as the caller promises.
    unsafe { convolve_with::<L, 3, 5>(job) }
}

#[inline(always)]
unsafe fn convolve_with<L: Multiply, const OUT: usize, const IN: usize>(mut job: Job<'_>)
where
    Lines: CutInto<OUT, IN>,
{
    let Job { inputs, outputs, cells, frame, .. } = job;
    let across = frame.width.div_ceil(OUT);
    let per_image = across * frame.height.div_ceil(OUT);
    let total = job.images * per_image;
    let tile = |index: usize| {
        let (image, rest) = (index / per_image, index % per_image);
        Tile { image, row: rest / across * OUT, column: rest % across * OUT }
    };
    let (v, m) = (job.scratch.tile_inputs.as_mut_ptr(), job.scratch.tile_outputs.as_mut_ptr());
    let width = panel_columns(job.isa);
    for first in (0..total).step_by(CHUNK) {
        let count = CHUNK.min(total - first);
        // SAFETY: `convolve` checked that tensors and scratch cover every tile of the chunk.
        unsafe {
            for t in 0..count {
                let points = input_points::<IN>(&job, tile(first + t));
                match cells {
                    Cells::Floats(_) => {
                        transform_input::<L, OUT, IN>(&points, inputs, v.add(t * inputs), count * inputs)
                    }
                    Cells::Shorts(cells) => {
                        // The floats of one tile only, so that they are rounded before they leave the first-level cache.
                        transform_input::<L, OUT, IN>(&points, inputs, v, inputs);
                        round_tile::<L>(cells, IN * IN, inputs, &mut *job.scratch, t, count);
                    }
                }
            }
            for cell in 0..IN * IN {
                let m = m.add(cell * count * outputs);
                match cells {
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
                let (tile, from) = (tile(first + t), m.add(t * outputs));
                transform_output::<L, OUT, IN>(&mut job.finish, frame, tile, outputs, from, count);
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

/// Rounds the `of_tile` cells of a tile, which lie one behind the other, into their places among `count` tiles.
#[inline(always)]
unsafe fn round_tile<L: Lanes>(
    cells: &ShortPanels,
    of_tile: usize,
    inputs: usize,
    scratch: &mut Scratch,
    tile: usize,
    count: usize,
) {
    let Scratch { tile_inputs, rounded, steps, .. } = scratch;
    let rows = || tile_inputs.chunks_exact(inputs).take(of_tile);
    // SAFETY: the instruction set of `L` exists here, and rows are whole registers.
    unsafe {
        // All that is divided stands side by side: a row would wait for its own.
        let mut scales = [0.0; MOST_CELLS];
        for (largest, row) in scales.iter_mut().zip(rows()) {
            *largest = largest_of::<L>(row);
        }
        for (scale, limit) in scales.iter_mut().zip(&cells.limits) {
            *scale = scale_to(*limit, *scale);
        }
        for (cell, (row, scale)) in rows().zip(scales).enumerate() {
            let at = cell * count + tile;
            round_by::<L>(row, scale, &mut rounded[at * cells.depth..][..cells.depth]);
            steps[at] = step_of(scale);
        }
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

/// 4x4 or 3x3 points of an image, of which the board's edge may cut some off.
#[derive(Clone, Copy)]
struct Tile {
    image: usize,
    row: usize,
    column: usize,
}

/// Where the inputs around a tile lie; zeros stand in for points beyond the edge.
#[inline(always)]
fn input_points<const IN: usize>(job: &Job<'_>, tile: Tile) -> [[*const f32; IN]; IN] {
    let Frame { width, height } = job.frame;
    std::array::from_fn(|y| {
        std::array::from_fn(|x| {
            let (row, column) = ((tile.row + y).wrapping_sub(1), (tile.column + x).wrapping_sub(1));
            if row < height && column < width {
                let point = (tile.image * height + row) * width + column;
                job.input[point * job.inputs..].as_ptr()
            } else {
                job.scratch.zeros.as_ptr()
            }
        })
    })
}

/// Carries one tile into the transformed space: `to[cell * cell_stride + channel]`.
#[inline(always)]
unsafe fn transform_input<L: Lanes, const OUT: usize, const IN: usize>(
    points: &[[*const f32; IN]; IN],
    channels: usize,
    to: *mut f32,
    cell_stride: usize,
) where
    Lines: CutInto<OUT, IN>,
{
    let mut channel = 0;
    while channel < channels {
        // SAFETY: every point has `channels` numbers, and `to` a stride for each cell.
        unsafe {
            let mut d = [[L::splat(0.0); IN]; IN];
            for (line, points) in d.iter_mut().zip(points) {
                for (value, point) in line.iter_mut().zip(points) {
                    *value = L::load(point.add(channel));
                }
                *line = Lines::input(*line);
            }
            for x in 0..IN {
                let column = Lines::input(std::array::from_fn(|y| d[y][x]));
                for (y, value) in column.into_iter().enumerate() {
                    value.store(to.add((y * IN + x) * cell_stride + channel));
                }
            }
        }
        channel += L::WIDTH;
    }
}

/// Carries one tile back and finishes the points that lie on the board.
#[inline(always)]
unsafe fn transform_output<L: Lanes, const OUT: usize, const IN: usize>(
    finish: &mut LayerFinish<'_>,
    frame: Frame,
    tile: Tile,
    channels: usize,
    from: *const f32,
    tiles: usize,
) where
    Lines: CutInto<OUT, IN>,
{
    let (high, wide) = (OUT.min(frame.height - tile.row), OUT.min(frame.width - tile.column));
    let corner = (tile.image * frame.height + tile.row) * frame.width + tile.column;
    let mut sums = [0.0f32; 16 * 16];
    let sums = sums.as_mut_ptr();
    let mut channel = 0;
    while channel < channels {
        // SAFETY: `from` holds the cells of `tiles * channels`, and points within `high` and `wide` lie on the board.
        unsafe {
            let mut half = [[L::splat(0.0); OUT]; IN];
            for (y, half) in half.iter_mut().enumerate() {
                let line = std::array::from_fn(|x| L::load(from.add((y * IN + x) * tiles * channels + channel)));
                *half = Lines::output(line);
            }
            for x in 0..OUT {
                let column = Lines::output(std::array::from_fn(|y| half[y][x]));
                for (y, value) in column.into_iter().enumerate() {
                    value.store(sums.add((y * OUT + x) * L::WIDTH));
                }
            }
            for y in 0..high {
                let place = BatchPoint { row: corner + y * frame.width, image: tile.image };
                let line = sums.add(y * OUT * L::WIDTH);
                finish.run_rows::<L>(place, wide, channels, channel, line, L::WIDTH, L::WIDTH);
            }
        }
        channel += L::WIDTH;
    }
}
