//! 3x3 convolution by Winograd's F(4x4, 3x3) on tensors without a border; `kernel::winograd` tells what that is.
//!
//! The 36 products read their filters once per chunk of tiles, from first to last in the order in which they lie in memory: a wide
//! net's filters come from main memory for every batch, and only a straight run keeps up with the multipliers.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]
#![allow(clippy::needless_range_loop)] // columns of small matrices

use super::finish::Place;
use super::matrix::{Block, LINE, Multiply, pack, panel_columns, rows_at_once};
use super::{Finish, Frame, padded};
use crate::kernel::winograd::{CELLS, FilterTransform, input_line, output_line, transform_filters};
use crate::kernel::{Aligned, Isa, Lanes};
use crate::per_isa;

/// Tiles transformed before the products run: two boards of 19x19, five of 9x9.
const CHUNK: usize = 50;

/// The filters of one layer, transformed and in panels, cell after cell.
pub(super) struct Filters {
    inputs: usize,
    outputs: usize,
    cells: Aligned<f32>,
}

impl Filters {
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// `taps` is `[3][3][inputs][outputs]`, both padded to sixteens.
    pub fn new(isa: Isa, inputs: usize, outputs: usize, taps: &[f32]) -> Filters {
        let plane = inputs * outputs;
        let mut transformed = vec![0.0; CELLS * plane];
        transform_filters(isa, FilterTransform { inputs, outputs, taps, to: &mut transformed });
        let mut cells = Aligned::zeroed(CELLS * plane);
        for (from, to) in transformed.chunks_exact(plane).zip(cells.chunks_exact_mut(plane)) {
            pack(isa, inputs, outputs, from, to);
        }
        Filters { inputs, outputs, cells }
    }
}

/// Transformed tiles of one chunk.
#[derive(Default)]
pub(super) struct Scratch {
    tile_inputs: Aligned<f32>,
    tile_outputs: Aligned<f32>,
    zeros: Aligned<f32>,
}

struct Job<'a> {
    isa: Isa,
    filters: &'a Filters,
    frame: Frame,
    images: usize,
    input: &'a [f32],
    finish: Finish<'a>,
    scratch: &'a mut Scratch,
}

pub(super) fn convolve(
    isa: Isa,
    filters: &Filters,
    frame: Frame,
    images: usize,
    input: &[f32],
    finish: Finish<'_>,
    scratch: &mut Scratch,
) {
    assert_eq!((padded(filters.inputs), padded(filters.outputs)), (filters.inputs, filters.outputs));
    assert!(input.len() >= images * frame.points() * filters.inputs);
    finish.check(frame, images, filters.outputs);
    scratch.tile_inputs.reserve_len(CELLS * CHUNK * filters.inputs);
    scratch.tile_outputs.reserve_len(CELLS * CHUNK * filters.outputs);
    scratch.zeros.reserve_len(filters.inputs);
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
                transform_input::<L>(&points, inputs, v.add(t * inputs), count * inputs);
            }
            for cell in 0..CELLS {
                let mut panel = job.filters.cells.as_ptr().add(cell * inputs * outputs);
                for column in (0..outputs).step_by(width) {
                    let here = width.min(outputs - column);
                    let mut soon = panel.wrapping_add(inputs * here);
                    let mut row = 0;
                    while row < count {
                        let rows = rows_at_once::<L>(count - row);
                        let a = v.add((cell * count + row) * inputs);
                        let c = m.add((cell * count + row) * outputs + column);
                        let (inner, a_stride, c_stride) = (inputs, inputs, outputs);
                        L::multiply(Block { rows, columns: here, inner, a, a_stride, panel, soon, c, c_stride });
                        // While this panel is multiplied, the next one comes from main memory, a quarter with every block.
                        soon = soon.wrapping_add(inputs / 4 * LINE);
                        row += rows;
                    }
                    panel = panel.add(inputs * here);
                }
            }
            for t in 0..count {
                transform_output::<L>(&mut job.finish, frame, tile(first + t), outputs, m.add(t * outputs), count);
            }
        }
    }
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
    finish: &mut Finish<'_>,
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
                    let place = Place { row: corner + y * frame.width + x, image: tile.image };
                    finish.run::<L>(place, channels, channel, sums.add((y * 4 + x) * L::WIDTH), L::WIDTH);
                }
            }
        }
        channel += L::WIDTH;
    }
}
