//! Products of shorts, two to a word of 32 bits: twice the multiply-adds of floats in an instruction, half the memory, and sums that are
//! exact, so that every instruction set gives the same numbers.
//!
//! Each row of the left factor and each column of the matrix is rounded to steps of its own; the steps come back in as factors of the
//! sum. They are so fine that even the largest sum just fits 32 bits: between 12 and 15 bits a number.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::SIXTEEN;
use super::panel::{Soon, by_shape, panel_columns};
use crate::kernel::int8::IntegerLanes;
use crate::kernel::lanes::ROUNDER;
use crate::kernel::{Aligned, Isa, Lanes};

/// Largest rounded weight. Two bits below the largest short: what is left of the 32 bits of a sum goes to the rows.
pub(super) const LARGEST_WEIGHT: f32 = 8191.0;

/// Matrices of one shape, rounded, one behind the other, each in panels of `[pair of rows][column]`.
pub(super) struct ShortPanels {
    pub panels: Aligned<i32>,
    /// Words of a column.
    pub depth: usize,
    /// The step of every column.
    pub steps: Aligned<f32>,
    /// Largest rounded number of a row for each matrix, so that no sum of products overflows.
    pub limits: Vec<f32>,
}

impl ShortPanels {
    /// Each of the `matrices` is `inner x columns`, row by row.
    pub fn new(isa: Isa, inner: usize, columns: usize, matrices: &[f32]) -> ShortPanels {
        let depth = inner / 2;
        let count = matrices.len() / (inner * columns);
        let (mut panels, mut steps) = (Aligned::zeroed(count * depth * columns), Aligned::zeroed(count * columns));
        let parts = steps.chunks_exact_mut(columns).zip(panels.chunks_exact_mut(depth * columns));
        let limits = matrices.chunks_exact(inner * columns).zip(parts).map(|(matrix, (steps, mut panels))| {
            for row in matrix.chunks_exact(columns) {
                for (step, weight) in steps.iter_mut().zip(row) {
                    let wanted: f32 = weight.abs() / LARGEST_WEIGHT;
                    *step = wanted.max(*step);
                }
            }
            let scales: Vec<f32> = steps.iter().map(|&step| if step > 1e-30 { 1.0 / step } else { 0.0 }).collect();
            let mut sizes = vec![0; columns];
            for first in (0..columns).step_by(panel_columns(isa)) {
                let range = first..columns.min(first + panel_columns(isa));
                let (panel, others) = panels.split_at_mut(depth * range.len());
                panels = others;
                for (i, row) in matrix.chunks_exact(columns).enumerate() {
                    let words = &mut panel[i / 2 * range.len()..][..range.len()];
                    let (scales, row, sizes) = (&scales[range.clone()], &row[range.clone()], &mut sizes[range.clone()]);
                    let shift = i % 2 * 16;
                    for ((word, size), (weight, scale)) in words.iter_mut().zip(sizes).zip(row.iter().zip(scales)) {
                        let rounded = rounded(*weight, *scale);
                        *size += i32::from(rounded).abs();
                        *word |= (i32::from(rounded) & 0xffff) << shift;
                    }
                }
            }
            let size = sizes.into_iter().max().unwrap_or(0).max(1);
            (i32::MAX / size).min(i32::from(i16::MAX)) as f32
        });
        let limits = limits.collect();
        ShortPanels { panels, depth, steps, limits }
    }

    /// Rounds a row that one of the matrices will be multiplied with, and returns its step.
    ///
    /// # Safety
    /// The instruction set of `L` must exist here.
    #[inline(always)]
    pub unsafe fn round_row<L: Lanes>(&self, matrix: usize, row: &[f32], to: &mut [i32]) -> f32 {
        // SAFETY: as the caller promises.
        unsafe { round_row::<L>(row, self.limits[matrix], to) }
    }
}

/// The integer next to a number; it stands in the low bits of the sum.
#[inline(always)]
pub(super) fn rounded(x: f32, scale: f32) -> i16 {
    (x * scale + ROUNDER).to_bits() as i16
}

/// Rounds so that the largest number becomes the limit, and returns the step.
///
/// # Safety
/// The instruction set of `L` must exist here.
#[inline(always)]
pub(super) unsafe fn round_row<L: Lanes>(row: &[f32], limit: f32, to: &mut [i32]) -> f32 {
    // SAFETY: as the caller promises.
    unsafe {
        let scale = scale_to(limit, largest_of::<L>(row));
        round_by::<L>(row, scale, to);
        step_of(scale)
    }
}

/// The largest number of a row of whole registers, signs aside.
///
/// # Safety
/// The instruction set of `L` must exist here.
#[inline(always)]
pub(super) unsafe fn largest_of<L: Lanes>(row: &[f32]) -> f32 {
    assert!(row.len().is_multiple_of(SIXTEEN));
    // SAFETY: whole registers, as was just checked.
    unsafe {
        let mut largest = L::splat(0.0);
        for part in row.chunks_exact(L::WIDTH) {
            let x = L::load(part.as_ptr());
            largest = x.max(L::splat(0.0).sub(x)).max(largest);
        }
        largest.largest()
    }
}

/// What the numbers of a row are multiplied with, so that the largest becomes the limit. A row of zeros, and one beyond all numbers,
/// becomes zeros.
#[inline(always)]
pub(super) fn scale_to(limit: f32, largest: f32) -> f32 {
    if largest > 1e-30 && largest < f32::INFINITY { limit / largest } else { 0.0 }
}

#[inline(always)]
pub(super) fn step_of(scale: f32) -> f32 {
    if scale > 0.0 { 1.0 / scale } else { 0.0 }
}

/// Rounds to steps of `1 / scale`.
///
/// # Safety
/// The instruction set of `L` must exist here.
#[inline(always)]
pub(super) unsafe fn round_by<L: Lanes>(row: &[f32], scale: f32, to: &mut [i32]) {
    assert!(row.len().is_multiple_of(SIXTEEN) && to.len() * 2 >= row.len());
    let to = to.as_mut_ptr().cast::<i16>();
    for (i, part) in row.chunks_exact(L::WIDTH).enumerate() {
        // SAFETY: whole registers, and room for as many shorts, as was just checked.
        unsafe {
            let x = L::load(part.as_ptr()).mul(L::splat(scale));
            x.add(L::splat(ROUNDER)).store_shorts(to.add(i * L::WIDTH));
        }
    }
}

/// `c = a * panel` for a few rows, in floats again.
pub(super) struct ShortBlock {
    pub rows: usize,
    pub columns: usize,
    /// Words of a row and of a column of the panel.
    pub depth: usize,
    pub a: *const i32,
    pub a_stride: usize,
    pub panel: *const i32,
    pub soon: Soon,
    pub row_steps: *const f32,
    pub column_steps: *const f32,
    pub c: *mut f32,
    pub c_stride: usize,
}

/// # Safety
/// `a`, its steps and `c` must hold the rows, `panel` and the columns' steps `depth` words of `columns`; the instructions of `S` must
/// exist here.
#[inline(always)]
pub(super) unsafe fn multiply_shorts_with<S: IntegerLanes>(block: ShortBlock) {
    match block.soon.lines() {
        0 => by_shape!(multiply_block::<S, 0>(block), S::Floats::WIDTH),
        1 => by_shape!(multiply_block::<S, 1>(block), S::Floats::WIDTH),
        _ => by_shape!(multiply_block::<S, 2>(block), S::Floats::WIDTH),
    }
}

#[inline(always)]
unsafe fn multiply_block<S: IntegerLanes, const LINES: usize, const R: usize, const N: usize>(block: &ShortBlock) {
    let ShortBlock { depth, a, a_stride, panel, soon, c, c_stride, .. } = *block;
    let width = S::Floats::WIDTH;
    // SAFETY: the caller vouches for `R` rows and `N` registers of columns.
    unsafe {
        let mut sums = [[S::splat(0); N]; R];
        for k in 0..depth {
            soon.ask::<S::Floats, LINES>(k);
            add_products(&mut sums, a.add(k), a_stride, panel.add(k * N * width));
        }
        for (r, sums) in sums.iter().enumerate() {
            let step = S::Floats::splat(*block.row_steps.add(r));
            for (n, sum) in sums.iter().enumerate() {
                let steps = S::Floats::load(block.column_steps.add(n * width)).mul(step);
                sum.to_floats().mul(steps).store(c.add(r * c_stride + n * width));
            }
        }
    }
}

/// One word of each row times one row of the panel.
#[inline(always)]
unsafe fn add_products<S: IntegerLanes, const R: usize, const N: usize>(
    sums: &mut [[S; N]; R],
    a: *const i32,
    a_stride: usize,
    panel: *const i32,
) {
    // SAFETY: the caller vouches for `R` rows and `N` registers of columns.
    unsafe {
        let mut weights = [S::splat(0); N];
        for (n, weight) in weights.iter_mut().enumerate() {
            *weight = S::load(panel.add(n * S::Floats::WIDTH));
        }
        for (r, sums) in sums.iter_mut().enumerate() {
            let word = S::splat(*a.add(r * a_stride));
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = sum.add_pairs(word, weight);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Conv, Frame, Kernel, LayerFinish, Matrix, PointsConvScratch, Rows, padded};
    use super::*;
    use crate::kernel::tests::{assert_close, noise};

    /// The kernels of this machine that multiply shorts, the portable one first.
    fn kernels() -> impl Iterator<Item = Kernel> {
        let fast = Isa::ALL.into_iter().map(Kernel::shorts).filter(|kernel| kernel.is_available());
        std::iter::once(Kernel::shorts(Isa::Portable)).chain(fast)
    }

    /// The integers of every form are the same, so their sums are the same to the last bit.
    #[test]
    fn every_form_rounds_and_sums_alike_and_near_the_floats() {
        let frame = Frame { width: 19, height: 7 };
        for (inputs, outputs) in [(16, 16), (192, 48), (40, 100), (512, 192)] {
            let (weights, values) = (noise(1, inputs * outputs), noise(2, frame.points() * padded(inputs)));
            let run = |kernel: Kernel| {
                let matrix = Matrix::new(kernel, inputs, outputs, &weights);
                let mut to = vec![f32::NAN; frame.points() * matrix.outputs()];
                let rows = Rows { values: &values, stride: matrix.inputs() };
                matrix.run(frame, 1, rows, LayerFinish::store(&mut to));
                to
            };
            let floats = run(Isa::Portable.into());
            for kernel in kernels() {
                let found = run(kernel);
                assert!(found == run(Kernel { isa: Isa::Portable, ..kernel }), "{kernel}");
                assert_close(&found, &floats, 5e-3);
            }
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let (frame, inputs) = (Frame { width: 2, height: 2 }, 512);
        for kernel in kernels() {
            let matrix = Matrix::new(kernel, inputs, 16, &vec![-3.0; inputs * 16]);
            let (values, mut to) = (vec![7.0; 4 * inputs], vec![f32::NAN; 4 * 16]);
            matrix.run(frame, 1, Rows { values: &values, stride: inputs }, LayerFinish::store(&mut to));
            let expected = -21.0 * inputs as f32;
            assert!(to.iter().all(|sum| (sum / expected - 1.0).abs() < 1e-3), "{kernel}: {to:?}");
        }
    }

    #[test]
    fn convolutions_stay_near_the_floats() {
        let (frame, images, channels) = (Frame { width: 9, height: 9 }, 2, 96);
        let weights: Vec<f32> = noise(3, 9 * channels * channels).iter().map(|weight| weight * 0.1).collect();
        let input = noise(4, images * frame.points() * channels);
        let run = |kernel: Kernel| {
            let mut to = vec![f32::NAN; images * frame.points() * channels];
            let conv = Conv::new(kernel, 3, 3, channels, channels, &weights);
            conv.run(frame, images, &input, LayerFinish::store(&mut to), &mut PointsConvScratch::default());
            to
        };
        let exact = run(Isa::Portable.into());
        for kernel in kernels() {
            assert_close(&run(kernel), &exact, 1e-2);
        }
    }
}
