//! Products of many points with one matrix: 1x1 convolutions, projections and feed-forward layers.
//!
//! The matrix is kept in panels of as many columns as the registers hold sums for, each panel one straight run of memory. A panel stays
//! in the first-level cache while block after block of rows is multiplied with it.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use std::cell::Cell;

use super::activation::silu;
use super::finish::BatchPoint;
use super::panel::{Multiply, PanelProduct, Soon, pack, panel_columns, rows_at_once};
use super::shorts::{ShortBlock, ShortPanels};
use super::{Frame, Kernel, LayerFinish, Numbers, padded};
use crate::kernel::{Aligned, Lanes};
use crate::per_isa;

/// Rows multiplied with all panels before the next rows have their turn, so that they stay in the second-level cache.
const CHUNK: usize = 96;
/// The widest panel of any instruction set.
const WIDEST_PANEL: usize = 32;
/// Most rows that any instruction set multiplies at once.
const MOST_ROWS: usize = 12;

/// A matrix ready to be multiplied from the left with rows of points. Inputs and outputs are padded to sixteens.
pub struct Matrix {
    kernel: Kernel,
    inner: usize,
    columns: usize,
    gated: bool,
    panels: Panels,
}

enum Panels {
    Floats(Aligned<f32>),
    Shorts(ShortPanels),
}

/// The left factor: one row per point, `stride` numbers apart.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    pub values: &'a [f32],
    pub stride: usize,
}

struct Product<'a> {
    matrix: &'a Matrix,
    frame: Frame,
    images: usize,
    rows: Rows<'a>,
    finish: LayerFinish<'a>,
    rounded: &'a mut Rounded,
    /// Nothing was multiplied with the matrix just before.
    is_first: bool,
}

thread_local! {
    /// Kept from product to product: fresh memory would have to be cleared.
    static ROUNDED: Cell<Rounded> = Cell::default();
}

/// The rows of a chunk as shorts, and the step of each.
#[derive(Default)]
struct Rounded {
    words: Aligned<i32>,
    steps: Aligned<f32>,
}

impl Matrix {
    /// `weights` is `[inputs][outputs]`.
    pub fn new(kernel: impl Into<Kernel>, inputs: usize, outputs: usize, weights: &[f32]) -> Matrix {
        let (inner, columns) = (padded(inputs), padded(outputs));
        let mut matrix = vec![0.0; inner * columns];
        for (row, from) in matrix.chunks_exact_mut(columns).zip(weights.chunks_exact(outputs)) {
            row[..outputs].copy_from_slice(from);
        }
        Matrix::of_padded(kernel.into(), inner, columns, false, &matrix)
    }

    /// Two matrices of one shape whose product is `silu(x * first) * (x * gate)`: half a panel of each lies side by side, so that
    /// both factors meet in the registers.
    pub fn gated(kernel: impl Into<Kernel>, inputs: usize, outputs: usize, first: &[f32], gate: &[f32]) -> Matrix {
        let kernel = kernel.into();
        let (inner, columns, half) = (padded(inputs), padded(outputs), panel_columns(kernel.isa) / 2);
        let mut matrix = vec![0.0; inner * 2 * columns];
        for (i, row) in matrix.chunks_exact_mut(2 * columns).take(inputs).enumerate() {
            for o in 0..outputs {
                let at = o / half * 2 * half + o % half;
                row[at] = first[i * outputs + o];
                row[at + half] = gate[i * outputs + o];
            }
        }
        Matrix::of_padded(kernel, inner, 2 * columns, true, &matrix)
    }

    fn of_padded(kernel: Kernel, inner: usize, columns: usize, gated: bool, matrix: &[f32]) -> Matrix {
        let Kernel { isa, numbers } = kernel;
        let panels = match numbers {
            Numbers::Floats => {
                let mut panels = Aligned::zeroed(inner * columns);
                pack(isa, inner, columns, matrix, &mut panels);
                Panels::Floats(panels)
            }
            Numbers::Shorts => Panels::Shorts(ShortPanels::new(isa, inner, columns, matrix)),
        };
        Matrix { kernel, inner, columns, gated, panels }
    }

    /// Channels that come in, padding included.
    pub fn inputs(&self) -> usize {
        self.inner
    }

    /// Channels that come out, padding included.
    pub fn outputs(&self) -> usize {
        if self.gated { self.columns / 2 } else { self.columns }
    }

    pub fn run(&self, frame: Frame, images: usize, rows: Rows<'_>, finish: LayerFinish<'_>) {
        self.multiply(frame, images, rows, finish, true);
    }

    /// The same for more rows soon afterwards, when the matrix is in the cache.
    pub fn run_again(&self, frame: Frame, images: usize, rows: Rows<'_>, finish: LayerFinish<'_>) {
        self.multiply(frame, images, rows, finish, false);
    }

    fn multiply(&self, frame: Frame, images: usize, rows: Rows<'_>, finish: LayerFinish<'_>, is_first: bool) {
        let count = images * frame.points();
        assert!(rows.stride >= self.inner && rows.values.len() >= (count - 1) * rows.stride + self.inner);
        finish.check(frame, images, self.outputs());
        let mut rounded = ROUNDED.take();
        // SAFETY: the lengths were just checked.
        unsafe {
            let (isa, matrix, rounded) = (self.kernel.isa, self, &mut rounded);
            product_on(isa, Product { matrix, frame, images, rows, finish, rounded, is_first });
        }
        ROUNDED.set(rounded);
    }
}

per_isa!(fn product_on / product_with(Product<'_>));

#[inline(always)]
unsafe fn product_with<L: Multiply>(mut job: Product<'_>) {
    let Matrix { kernel, inner, columns, gated, ref panels } = *job.matrix;
    let (width, points, stride) = (panel_columns(kernel.isa), job.frame.points(), job.rows.stride);
    let count = job.images * points;
    // What is gated needs its factor before the gate.
    let gate_factors = if gated { job.finish.row_factors.take() } else { None };
    let mut tile = Tile([0.0; MOST_ROWS * WIDEST_PANEL]);
    let tile = tile.0.as_mut_ptr();
    for chunk in (0..count).step_by(CHUNK) {
        let end = count.min(chunk + CHUNK);
        // SAFETY: the instruction set of `L` exists here.
        unsafe { job.rounded.fill::<L>(job.matrix, job.rows, chunk..end) };
        let blocks = (end - chunk).div_ceil(rows_at_once::<L>(end - chunk));
        // The first rows find the panels far away, all others in the second-level cache.
        let asks = chunk == 0 && job.is_first;
        for first in (0..columns).step_by(width) {
            let here = width.min(columns - first);
            let (mut row, mut block) = (chunk, 0);
            while row < end {
                let rows = rows_at_once::<L>(end - row);
                // SAFETY: `run` checked the rows; the panel has `inner` rows of `here` columns and the tile room for all sums.
                unsafe {
                    let (columns, c, c_stride) = (here, tile, here);
                    match panels {
                        Panels::Floats(panels) => {
                            let (a, panel) =
                                (job.rows.values.as_ptr().add(row * stride), panels.as_ptr().add(first * inner));
                            let soon = if asks { Soon::part(panel, inner, here, block, blocks) } else { Soon::NOTHING };
                            L::multiply(PanelProduct {
                                rows,
                                columns,
                                inner,
                                a,
                                a_stride: stride,
                                panel,
                                soon,
                                c,
                                c_stride,
                            });
                        }
                        Panels::Shorts(shorts) => {
                            let (depth, at) = (shorts.depth, row - chunk);
                            let panel = shorts.panels.as_ptr().add(first * depth);
                            let soon = if asks { Soon::part(panel, depth, here, block, blocks) } else { Soon::NOTHING };
                            L::multiply_shorts(ShortBlock {
                                rows,
                                columns,
                                depth,
                                a: job.rounded.words.as_ptr().add(at * depth),
                                a_stride: depth,
                                panel,
                                soon,
                                row_steps: job.rounded.steps.as_ptr().add(at),
                                column_steps: shorts.steps.as_ptr().add(first),
                                c,
                                c_stride,
                            });
                        }
                    }
                }
                // SAFETY: the tile holds the rows' sums, and `run` checked the finish.
                unsafe {
                    let (channels, channel, length) =
                        if gated { (columns / 2, first / 2, here / 2) } else { (columns, first, here) };
                    if gated {
                        gate::<L>(tile, rows, length, gate_factors.map(|factors| &factors[row..row + rows]));
                    }
                    let mut done = 0;
                    while done < rows {
                        let image = (row + done) / points;
                        let (place, sums) = (BatchPoint { row: row + done, image }, tile.add(done * here));
                        let in_image = (rows - done).min((image + 1) * points - place.row);
                        job.finish.run_rows::<L>(place, in_image, channels, channel, sums, here, length);
                        done += in_image;
                    }
                }
                block += 1;
                row += rows;
            }
        }
    }
}

impl Rounded {
    /// Rounds the rows of a chunk, if the matrix wants them rounded.
    ///
    /// # Safety
    /// The instruction set of `L` must exist here.
    #[inline(always)]
    unsafe fn fill<L: Lanes>(&mut self, matrix: &Matrix, rows: Rows<'_>, chunk: std::ops::Range<usize>) {
        let Panels::Shorts(shorts) = &matrix.panels else { return };
        self.words.reserve_len(CHUNK * shorts.depth);
        self.steps.reserve_len(CHUNK);
        let from = chunk.map(|row| &rows.values[row * rows.stride..][..matrix.inner]);
        let to = self.words.chunks_exact_mut(shorts.depth).zip(self.steps.iter_mut());
        // A loop, not a closure: that would be compiled apart, without this instruction set.
        for (row, (words, step)) in from.zip(to) {
            // SAFETY: as the caller promises.
            *step = unsafe { shorts.round_row::<L>(0, row, words) };
        }
    }
}

#[repr(align(64))]
struct Tile([f32; MOST_ROWS * WIDEST_PANEL]);

/// `silu(first half) * second half` of the sums of each row, both times the row's factor, written over the first half.
#[inline(always)]
unsafe fn gate<L: Lanes>(tile: *mut f32, rows: usize, half: usize, factors: Option<&[f32]>) {
    for row in 0..rows {
        let factor = factors.map_or(1.0, |factors| factors[row]);
        let mut at = 0;
        while at < half {
            // SAFETY: the caller vouches for `2 * half` numbers a row, a multiple of the register's width.
            unsafe {
                let sums = tile.add(row * 2 * half + at);
                let (first, gate, factor) = (L::load(sums), L::load(sums.add(half)), L::splat(factor));
                silu(first.mul(factor)).mul(gate.mul(factor)).store(sums);
            }
            at += L::WIDTH;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::{assert_close, noise};
    use crate::kernel::{Isa, Plain};

    /// The widest registers' panels and blocks, tried with plain numbers: not every machine has such registers.
    #[test]
    fn blocks_of_registers_of_sixteen_equal_those_of_four() {
        for numbers in Numbers::ALL {
            for (width, outputs) in (1..=25).zip([16, 32, 48, 80].into_iter().cycle()) {
                let (frame, inputs) = (Frame { width, height: 1 }, 48);
                let (weights, values) = (noise(1, inputs * outputs), noise(2, width * inputs));
                let rows = Rows { values: &values, stride: inputs };
                let (mut wide, mut narrow) = (vec![f32::NAN; width * outputs], vec![f32::NAN; width * outputs]);
                let matrix = &Matrix::new(Kernel { isa: Isa::Vnni512, numbers }, inputs, outputs, &weights);
                let (finish, rounded) = (LayerFinish::store(&mut wide), &mut Rounded::default());
                // SAFETY: the lengths fit each other, and plain numbers need no instructions.
                unsafe {
                    product_with::<Plain<16>>(Product {
                        matrix,
                        frame,
                        images: 1,
                        rows,
                        finish,
                        rounded,
                        is_first: true,
                    })
                }
                let matrix = Matrix::new(Kernel { isa: Isa::Portable, numbers }, inputs, outputs, &weights);
                matrix.run(frame, 1, rows, LayerFinish::store(&mut narrow));
                assert_close(&wide, &narrow, 1e-6);
            }
        }
    }
}
