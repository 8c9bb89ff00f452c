//! Products of 16-bit integers: twice the multiply-adds of an f32 instruction, half the memory, and sums that are exact.
//!
//! Each row of the left factor and each column of the matrix is rounded to steps of its own, fine enough that even the largest sum fits
//! 32 bits: between 12 and 15 bits a number, where a byte has 8. The steps come back in as factors of the sum.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::matrix::{LINE, by_shape, panel_columns};
use crate::kernel::int8::Sums;
use crate::kernel::lanes::ROUNDER;
use crate::kernel::{Aligned, Isa, Lanes};

/// Largest rounded weight. Two bits below the largest short: what is left of the 32 bits of a sum goes to the rows.
const WEIGHTS: f32 = 8191.0;

/// A matrix rounded to shorts, in panels of `[pair of rows][column][2]`.
pub(super) struct ShortPanels {
    pub panels: Aligned<i16>,
    /// The step of every column.
    pub steps: Aligned<f32>,
    /// Largest rounded number of a row, so that no sum of products overflows.
    pub limit: f32,
}

impl ShortPanels {
    /// `matrix` is `inner x columns`, row by row.
    pub fn new(isa: Isa, inner: usize, columns: usize, matrix: &[f32]) -> ShortPanels {
        assert!(inner.is_multiple_of(2));
        let (mut largest, mut totals) = (vec![0.0f32; columns], vec![0i64; columns]);
        for row in matrix.chunks_exact(columns).take(inner) {
            largest.iter_mut().zip(row).for_each(|(largest, weight)| *largest = largest.max(weight.abs()));
        }
        let mut steps = Aligned::zeroed(columns);
        for (step, largest) in steps.iter_mut().zip(&largest) {
            *step = largest / WEIGHTS;
        }
        let mut panels = Aligned::zeroed(inner * columns);
        let width = panel_columns(isa);
        for (i, row) in matrix.chunks_exact(columns).take(inner).enumerate() {
            for (column, weight) in row.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                let rounded = (weight / steps[column]).round() as i16;
                totals[column] += i64::from(rounded.unsigned_abs());
                let (first, here) = (column / width * width, width.min(columns - column / width * width));
                panels[first * inner + (i / 2 * here + column - first) * 2 + i % 2] = rounded;
            }
        }
        let total = totals.into_iter().max().unwrap_or(0).max(1);
        let limit = (i64::from(i32::MAX) / total).min(i64::from(i16::MAX)) as f32;
        ShortPanels { panels, steps, limit }
    }
}

/// Rounds a row and returns its step.
#[inline(always)]
pub(super) fn round_row(row: &[f32], limit: f32, to: &mut [i16]) -> f32 {
    let largest = row.iter().fold(0.0f32, |largest, x| if x.abs() > largest { x.abs() } else { largest });
    // A row of zeros, and one that is no number, becomes zeros.
    let scale = if largest > 1e-30 && largest.is_finite() { limit / largest } else { 0.0 };
    for (to, x) in to.iter_mut().zip(row) {
        // The integer stands in the low bits of the sum.
        *to = (x * scale + ROUNDER).to_bits() as i16;
    }
    if scale > 0.0 { 1.0 / scale } else { 0.0 }
}

/// `c = a * panel` for a few rows, in floats again.
pub(super) struct ShortBlock {
    pub rows: usize,
    pub columns: usize,
    pub inner: usize,
    pub a: *const i16,
    pub a_stride: usize,
    pub panel: *const i16,
    pub soon: *const i16,
    pub row_steps: *const f32,
    pub column_steps: *const f32,
    pub c: *mut f32,
    pub c_stride: usize,
}

/// # Safety
/// `a`, its steps and `c` must hold the rows, `panel` and its steps `inner` rows of `columns`, an even number of rows; the instructions of
/// `S` must exist here.
#[inline(always)]
pub(super) unsafe fn multiply_shorts_with<S: Sums>(block: ShortBlock) {
    by_shape!(multiply_block::<S>(block), S::Floats::WIDTH)
}

#[inline(always)]
unsafe fn multiply_block<S: Sums, const R: usize, const N: usize>(block: &ShortBlock) {
    let ShortBlock { inner, a, a_stride, panel, soon, row_steps, column_steps, c, c_stride, .. } = *block;
    let width = S::Floats::WIDTH;
    // SAFETY: the caller vouches for `R` rows and `N` registers of columns.
    unsafe {
        let mut sums = [[S::splat(0); N]; R];
        for first in (0..inner).step_by(8) {
            S::Floats::prefetch(soon.cast::<f32>().wrapping_add(first / 8 * LINE));
            let mut k = first;
            while k < inner.min(first + 8) {
                let mut weights = [S::splat(0); N];
                for (n, weight) in weights.iter_mut().enumerate() {
                    *weight = S::load(panel.add(k * N * width + n * width * 2).cast());
                }
                for (r, sums) in sums.iter_mut().enumerate() {
                    let pair = S::splat(a.add(r * a_stride + k).cast::<i32>().read_unaligned());
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum = sum.add_pairs(pair, weight);
                    }
                }
                k += 2;
            }
        }
        for (r, sums) in sums.iter().enumerate() {
            let step = S::Floats::splat(*row_steps.add(r));
            for (n, sum) in sums.iter().enumerate() {
                let steps = S::Floats::load(column_steps.add(n * width)).mul(step);
                sum.to_floats().mul(steps).store(c.add(r * c_stride + n * width));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Conv, ConvScratch, Finish, Frame, Kernel, Matrix, Rows};
    use super::*;
    use crate::kernel::tests::{assert_close, noise};

    fn sets_with_shorts() -> impl Iterator<Item = Isa> {
        let fast = Isa::ALL.into_iter().filter(|&isa| Kernel::has_shorts(isa) && isa.is_available());
        std::iter::once(Isa::Portable).chain(fast)
    }

    /// The integers of every form are the same, so their sums are the same to the last bit.
    #[test]
    fn every_form_rounds_and_sums_alike_and_near_the_floats() {
        let frame = Frame { width: 19, height: 7 };
        for (inputs, outputs) in [(16, 16), (192, 48), (40, 100), (512, 192)] {
            let (weights, values) =
                (noise(1, inputs * outputs), noise(2, frame.points() * super::super::padded(inputs)));
            let run = |kernel: Kernel| {
                let matrix = Matrix::new(kernel, inputs, outputs, &weights);
                let mut to = vec![f32::NAN; frame.points() * matrix.outputs()];
                let rows = Rows { values: &values, stride: matrix.inputs() };
                matrix.run(frame, 1, rows, Finish::store(&mut to));
                to
            };
            let portable = run(Kernel::shorts(Isa::Portable));
            for isa in sets_with_shorts() {
                assert!(run(Kernel::shorts(isa)) == portable, "{isa}");
            }
            assert_close(&portable, &run(Isa::Portable.into()), 5e-3);
        }
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let (frame, inputs) = (Frame { width: 2, height: 2 }, 512);
        for isa in sets_with_shorts() {
            let matrix = Matrix::new(Kernel::shorts(isa), inputs, 16, &vec![-3.0; inputs * 16]);
            let (values, mut to) = (vec![7.0; 4 * inputs], vec![f32::NAN; 4 * 16]);
            matrix.run(frame, 1, Rows { values: &values, stride: inputs }, Finish::store(&mut to));
            let expected = -21.0 * inputs as f32;
            assert!(to.iter().all(|sum| (sum / expected - 1.0).abs() < 1e-3), "{isa}: {to:?}");
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
            conv.run(frame, images, &input, Finish::store(&mut to), &mut ConvScratch::default());
            to
        };
        let exact = run(Isa::Portable.into());
        for isa in sets_with_shorts() {
            assert_close(&run(Kernel::shorts(isa)), &exact, 1e-2);
        }
    }
}
