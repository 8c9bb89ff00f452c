//! Products of many points with one matrix: 1x1 convolutions, projections and feed-forward layers.
//!
//! The matrix is kept in panels of as many columns as the registers hold sums for, each panel one straight run of memory. A panel stays
//! in the first-level cache while block after block of rows is multiplied with it.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::activation::silu;
use super::finish::BatchPoint;
use super::shorts::{ShortBlock, ShortPanels, multiply_shorts_with};
use super::{Frame, Kernel, LayerFinish, Numbers, padded};
use crate::kernel::int8::PlainSums;
#[cfg(target_arch = "x86_64")]
use crate::kernel::int8::VnniSums;
use crate::kernel::{Aligned, Isa, Lanes, Plain};
use crate::per_isa;

/// Rows multiplied with all panels before the next rows have their turn, so that they stay in the second-level cache.
const CHUNK: usize = 96;
/// The widest panel of any instruction set.
const WIDEST_PANEL: usize = 32;
/// Most rows that any instruction set multiplies at once.
const MOST_ROWS: usize = 12;

/// Columns of a panel. What `multiply_block` holds in registers must agree.
pub(super) fn panel_columns(isa: Isa) -> usize {
    match isa {
        Isa::Portable => 8,
        Isa::Neon | Isa::Avx2 | Isa::Vnni256 => 16,
        Isa::Avx512 | Isa::Vnni512 | Isa::Amx | Isa::AmxInt8 => 32,
    }
}

/// What weighs less than this weighs nothing. Training lets idle weights decay to numbers so small that a processor takes a hundred times
/// as long for them (b10c384h6 has many).
const NOTHING: f32 = 1e-30;

/// Writes an `inner x columns` matrix, row by row in memory, as panels.
pub(super) fn pack(isa: Isa, inner: usize, columns: usize, matrix: &[f32], to: &mut [f32]) {
    let mut to = to.iter_mut(); // second in the zip: the first is asked once too often
    for first in (0..columns).step_by(panel_columns(isa)) {
        let last = columns.min(first + panel_columns(isa));
        for row in matrix.chunks_exact(columns).take(inner) {
            for (value, to) in row[first..last].iter().zip(to.by_ref()) {
                *to = if value.abs() < NOTHING { 0.0 } else { *value };
            }
        }
    }
}

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
    rounded: Rounded,
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
        let count = images * frame.points();
        assert!(rows.stride >= self.inner && rows.values.len() >= (count - 1) * rows.stride + self.inner);
        finish.check(frame, images, self.outputs());
        // SAFETY: the lengths were just checked.
        unsafe {
            product_on(
                self.kernel.isa,
                Product { matrix: self, frame, images, rows, finish, rounded: Rounded::default() },
            )
        }
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
        job.rounded.fill(job.matrix, job.rows, chunk..end);
        for first in (0..columns).step_by(width) {
            let here = width.min(columns - first);
            let mut row = chunk;
            while row < end {
                let rows = rows_at_once::<L>(end - row);
                // SAFETY: `run` checked the rows; the panel has `inner` rows of `here` columns and the tile room for all sums.
                unsafe {
                    let (columns, c, c_stride, soon) = (here, tile, here, Soon::NOTHING);
                    match panels {
                        Panels::Floats(panels) => {
                            let (a, panel) =
                                (job.rows.values.as_ptr().add(row * stride), panels.as_ptr().add(first * inner));
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
                            L::multiply_shorts(ShortBlock {
                                rows,
                                columns,
                                depth,
                                a: job.rounded.words.as_ptr().add(at * depth),
                                a_stride: depth,
                                panel: shorts.panels.as_ptr().add(first * depth),
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
                    for r in 0..rows {
                        let place = BatchPoint { row: row + r, image: (row + r) / points };
                        let sums = tile.add(r * here);
                        if gated {
                            let factor = gate_factors.map_or(1.0, |factors| factors[row + r]);
                            gate::<L>(sums, here / 2, factor);
                            job.finish.run::<L>(place, columns / 2, first / 2, sums, here / 2);
                        } else {
                            job.finish.run::<L>(place, columns, first, sums, here);
                        }
                    }
                }
                row += rows;
            }
        }
    }
}

impl Rounded {
    /// Rounds the rows of a chunk, if the matrix wants them rounded.
    #[inline(always)]
    fn fill(&mut self, matrix: &Matrix, rows: Rows<'_>, chunk: std::ops::Range<usize>) {
        let Panels::Shorts(shorts) = &matrix.panels else { return };
        self.words.reserve_len(CHUNK * shorts.depth);
        self.steps.reserve_len(CHUNK);
        let from = chunk.map(|row| &rows.values[row * rows.stride..][..matrix.inner]);
        let to = self.words.chunks_exact_mut(shorts.depth).zip(self.steps.iter_mut());
        // A loop, not a closure: that would be compiled apart, without this instruction set.
        for (row, (words, step)) in from.zip(to) {
            *step = shorts.round_row(0, row, words);
        }
    }
}

#[repr(align(64))]
struct Tile([f32; MOST_ROWS * WIDEST_PANEL]);

/// `silu(first half) * second half` of the sums times a factor, written over the first half.
#[inline(always)]
unsafe fn gate<L: Lanes>(sums: *mut f32, half: usize, factor: f32) {
    let mut at = 0;
    while at < half {
        // SAFETY: the caller vouches for `2 * half` numbers, a multiple of the register's width.
        unsafe {
            let (first, gate) = (L::load(sums.add(at)), L::load(sums.add(half + at)));
            let factor = L::splat(factor);
            silu(first.mul(factor)).mul(gate.mul(factor)).store(sums.add(at));
        }
        at += L::WIDTH;
    }
}

/// How many of the rows left to take at once: as many as the registers hold, but rather two blocks of equal height than a high one and a
/// low one, because a low block waits for its own sums.
#[inline(always)]
pub(super) fn rows_at_once<L: Lanes>(left: usize) -> usize {
    let most = if L::REGISTERS < 32 || L::WIDTH < 8 { 6 } else { 12 };
    left.div_ceil(left.div_ceil(most))
}

/// Numbers in a cache line.
const LINE: usize = 16;

/// What will be read when this block is done: so many lines are asked for at every fourth row of the panel.
#[derive(Clone, Copy)]
pub(super) struct Soon {
    from: *const f32,
    lines: usize,
}

impl Soon {
    /// All that will be read is in the cache already.
    pub const NOTHING: Soon = Soon { from: std::ptr::null(), lines: 0 };

    /// The panel that follows, of `rows` rows and so many columns, of which each of `blocks` blocks of rows asks for a part.
    pub fn part<T>(panel: *const T, rows: usize, columns: usize, block: usize, blocks: usize) -> Soon {
        let lines = (4 * columns).div_ceil(LINE * blocks);
        Soon { from: panel.cast::<f32>().wrapping_add(rows * columns + block * (rows / 4 * lines * LINE)), lines }
    }

    /// # Safety
    /// The instruction set of `L` must exist here.
    #[inline(always)]
    pub unsafe fn ask<L: Lanes>(self, quarter: usize) {
        for line in 0..self.lines {
            // SAFETY: any address may be asked for.
            unsafe { L::prefetch(self.from.wrapping_add((quarter * self.lines + line) * LINE)) }
        }
    }
}

/// `c = a * panel` for a few rows.
pub(super) struct PanelProduct {
    /// At most what [`rows_at_once`] gave.
    pub rows: usize,
    /// A whole panel or sixteen.
    pub columns: usize,
    pub inner: usize,
    pub a: *const f32,
    pub a_stride: usize,
    pub panel: *const f32,
    pub soon: Soon,
    pub c: *mut f32,
    pub c_stride: usize,
}

/// Registers that multiply blocks. This is compiled once per instruction set and called, not inlined into every kernel, because it comes
/// in many heights.
pub(super) trait Multiply: Lanes {
    /// # Safety
    /// `a` and `c` must hold the rows, `panel` `inner` rows of `columns`; the instruction set of `Self` must exist here.
    unsafe fn multiply(block: PanelProduct);
    /// # Safety
    /// The same.
    unsafe fn multiply_shorts(block: ShortBlock);
}

impl<const N: usize> Multiply for Plain<N> {
    unsafe fn multiply(block: PanelProduct) {
        // SAFETY: as the caller promises.
        unsafe { multiply_with::<Plain<N>>(block) }
    }

    unsafe fn multiply_shorts(block: ShortBlock) {
        // SAFETY: as the caller promises.
        unsafe { multiply_shorts_with::<PlainSums<N>>(block) }
    }
}

#[cfg(target_arch = "aarch64")]
impl Multiply for core::arch::aarch64::float32x4_t {
    unsafe fn multiply(block: PanelProduct) {
        // SAFETY: as the caller promises.
        unsafe { multiply_with::<Self>(block) }
    }

    /// Floats are as fast here, so that no kernel asks for this.
    unsafe fn multiply_shorts(block: ShortBlock) {
        // SAFETY: as the caller promises.
        unsafe { multiply_shorts_with::<PlainSums<4>>(block) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Multiply for core::arch::x86_64::__m256 {
    #[target_feature(enable = "avx2,fma")]
    unsafe fn multiply(block: PanelProduct) {
        // SAFETY: as the caller promises.
        unsafe { multiply_with::<Self>(block) }
    }

    #[target_feature(enable = "avx2,fma")]
    unsafe fn multiply_shorts(block: ShortBlock) {
        #[target_feature(enable = "avx2,fma,avxvnni")]
        unsafe fn with_vnni(block: ShortBlock) {
            // SAFETY: as the caller promises.
            unsafe { multiply_shorts_with::<VnniSums>(block) }
        }
        // SAFETY: as the caller promises.
        unsafe {
            if Isa::Vnni256.is_available() {
                with_vnni(block);
            } else {
                multiply_shorts_with::<core::arch::x86_64::__m256i>(block);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Multiply for core::arch::x86_64::__m512 {
    #[target_feature(enable = "avx512f")]
    unsafe fn multiply(block: PanelProduct) {
        // SAFETY: as the caller promises.
        unsafe { multiply_with::<Self>(block) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    unsafe fn multiply_shorts(block: ShortBlock) {
        // SAFETY: as the caller promises; only kernels with these features are given shorts.
        unsafe { multiply_shorts_with::<core::arch::x86_64::__m512i>(block) }
    }
}

/// Calls `multiply_block` for as many rows and registers of columns as a block has: every shape is compiled by itself, so that all its
/// sums are held in registers.
macro_rules! by_shape {
    ($multiply:ident::<$($of:ident),+>($block:expr), $width:expr) => {
        match ($block.columns / $width, $width) {
            (2, 16) => by_shape!(@$multiply ($($of,)+) $block, 2: 1 2 3 4 5 6 7 8 9 10 11 12),
            (1, 16) => by_shape!(@$multiply ($($of,)+) $block, 1: 1 2 3 4 5 6 7 8 9 10 11 12),
            (2, _) => by_shape!(@$multiply ($($of,)+) $block, 2: 1 2 3 4 5 6),
            (4, 4) => by_shape!(@$multiply ($($of,)+) $block, 4: 1 2 3 4 5 6),
            _ => unreachable!("panels are as wide as registers hold sums"),
        }
    };
    (@$multiply:ident $of:tt $block:expr, $n:literal: $($r:literal)*) => {
        match $block.rows {
            $($r => by_shape!(@@$multiply $of $block, $n, $r),)*
            _ => unreachable!("no more rows than registers"),
        }
    };
    (@@$multiply:ident ($($of:ident,)+) $block:expr, $n:literal, $r:literal) => {
        // SAFETY: as the caller of `multiply` promises.
        unsafe { $multiply::<$($of,)+ $r, $n>(&$block) }
    };
}
pub(super) use by_shape;

#[inline(always)]
unsafe fn multiply_with<L: Lanes>(block: PanelProduct) {
    by_shape!(multiply_block::<L>(block), L::WIDTH)
}

/// `R` rows by `N` registers, all sums in registers.
#[inline(always)]
unsafe fn multiply_block<L: Lanes, const R: usize, const N: usize>(block: &PanelProduct) {
    let PanelProduct { inner, a, a_stride, panel, soon, c, c_stride, .. } = *block;
    // SAFETY: the caller vouches for `R` rows of `a` and `c` and `inner` rows of `N` registers in the panel.
    unsafe {
        let mut sums = [[L::splat(0.0); N]; R];
        for first in (0..inner).step_by(4) {
            soon.ask::<L>(first / 4);
            for k in first..inner.min(first + 4) {
                let mut weights = [L::splat(0.0); N];
                for (n, weight) in weights.iter_mut().enumerate() {
                    *weight = L::load(panel.add((k * N + n) * L::WIDTH));
                }
                for (r, sums) in sums.iter_mut().enumerate() {
                    let x = L::splat(*a.add(r * a_stride + k));
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum = weight.mul_add(x, *sum);
                    }
                }
            }
        }
        for (r, sums) in sums.iter().enumerate() {
            for (n, sum) in sums.iter().enumerate() {
                sum.store(c.add(r * c_stride + n * L::WIDTH));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::{assert_close, noise};

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
                let (finish, rounded) = (LayerFinish::store(&mut wide), Rounded::default());
                // SAFETY: the lengths fit each other, and plain numbers need no instructions.
                unsafe { product_with::<Plain<16>>(Product { matrix, frame, images: 1, rows, finish, rounded }) }
                let matrix = Matrix::new(Kernel { isa: Isa::Portable, numbers }, inputs, outputs, &weights);
                matrix.run(frame, 1, rows, LayerFinish::store(&mut narrow));
                assert_close(&wide, &narrow, 1e-6);
            }
        }
    }
}
