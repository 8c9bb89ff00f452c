//! Products of small integers, two or four to a word of 32 bits: more multiply-adds in an instruction than floats, less memory, and sums
//! that are exact, so that every instruction set gives the same numbers.
//!
//! Each row of the left factor and each column of the matrix is rounded to steps of its own; the steps come back in as factors of the
//! sum. Shorts are so fine that even the largest sum just fits 32 bits: between 12 and 15 bits a number. Bytes are coarser: signed ones
//! in the matrix, unsigned ones in the rows, with a zero of each row's own (most rows come out of an activation and hardly reach below it).
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::Numbers;
use super::matrix::{LINE, by_shape, panel_columns};
use crate::kernel::int8::IntegerLanes;
use crate::kernel::lanes::ROUNDER;
use crate::kernel::{Aligned, Isa, Lanes};

/// Largest rounded weight of shorts. Two bits below the largest short: what is left of the 32 bits of a sum goes to the rows.
const SHORT_WEIGHTS: f32 = 8191.0;
/// The same of bytes.
const BYTE_WEIGHTS: f32 = 127.0;
/// Steps between the smallest and the largest number of a row of bytes; even, so that the middle of 1 and -1 is met exactly.
const BYTE_LEVELS: f32 = 254.0;
/// Words of a tile's row: the depth of a matrix is padded to this many, so that the tile unit can read it as well.
pub(super) const DEPTH_STEP: usize = 16;

/// A matrix rounded to integers, in panels of `[word of rows][column]`.
pub(super) struct WordPanels {
    pub numbers: Numbers,
    pub panels: Aligned<i32>,
    /// Words of a column.
    pub depth: usize,
    /// The step of every column, and its sum of rounded weights.
    pub steps: Aligned<f32>,
    pub totals: Aligned<i32>,
    /// Largest rounded number of a row of shorts, so that no sum of products overflows.
    pub limit: f32,
}

impl WordPanels {
    /// `matrix` is `inner x columns`, row by row.
    pub fn new(isa: Isa, numbers: Numbers, inner: usize, columns: usize, matrix: &[f32]) -> WordPanels {
        let (per_word, largest_weight) = match numbers {
            Numbers::Shorts => (2, SHORT_WEIGHTS),
            Numbers::Bytes => (4, BYTE_WEIGHTS),
            Numbers::Floats | Numbers::Halves => unreachable!("these are no integers"),
        };
        let depth = match numbers {
            Numbers::Bytes => (inner / per_word).next_multiple_of(DEPTH_STEP),
            _ => inner / per_word,
        };
        let mut steps = Aligned::zeroed(columns);
        for row in matrix.chunks_exact(columns).take(inner) {
            for (step, weight) in steps.iter_mut().zip(row) {
                let wanted: f32 = weight.abs() / largest_weight;
                *step = wanted.max(*step);
            }
        }
        let mut panels: Aligned<i32> = Aligned::zeroed(depth * columns);
        let (mut totals, mut sizes) = (Aligned::zeroed(columns), vec![0i64; columns]);
        let width = panel_columns(isa);
        for (i, row) in matrix.chunks_exact(columns).take(inner).enumerate() {
            for (column, weight) in row.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                let rounded = (weight / steps[column]).round() as i32;
                totals[column] += rounded;
                sizes[column] += i64::from(rounded.abs());
                let first = column / width * width;
                let here = width.min(columns - first);
                let word = &mut panels[first * depth + i / per_word * here + column - first];
                let bits = 32 / per_word;
                let mask = (u32::MAX >> (32 - bits)) as i32;
                *word |= (rounded & mask) << (i % per_word * bits);
            }
        }
        let size = sizes.into_iter().max().unwrap_or(0).max(1);
        let limit = (i64::from(i32::MAX) / size).min(i64::from(i16::MAX)) as f32;
        WordPanels { numbers, panels, depth, steps, totals, limit }
    }

    /// Rounds a row into its words and returns its step, and the number that stands for zero.
    #[inline(always)]
    pub fn round_row(&self, row: &[f32], to: &mut [i32]) -> (f32, i32) {
        // SAFETY: every bit pattern is a number, and bytes and shorts may lie anywhere.
        unsafe {
            match self.numbers {
                Numbers::Bytes => {
                    let to = std::slice::from_raw_parts_mut(to.as_mut_ptr().cast::<u8>(), to.len() * 4);
                    round_to_bytes(row, to)
                }
                _ => {
                    let to = std::slice::from_raw_parts_mut(to.as_mut_ptr().cast::<i16>(), to.len() * 2);
                    (round_to_shorts(row, self.limit, to), 0)
                }
            }
        }
    }
}

#[inline(always)]
fn round_to_shorts(row: &[f32], limit: f32, to: &mut [i16]) -> f32 {
    let largest = row.iter().fold(0.0f32, |largest, x| if x.abs() > largest { x.abs() } else { largest });
    // A row of zeros, and one that is no number, becomes zeros.
    let scale = if largest > 1e-30 && largest.is_finite() { limit / largest } else { 0.0 };
    for (to, x) in to.iter_mut().zip(row) {
        // The integer stands in the low bits of the sum.
        *to = (x * scale + ROUNDER).to_bits() as i16;
    }
    if scale > 0.0 { 1.0 / scale } else { 0.0 }
}

#[inline(always)]
fn round_to_bytes(row: &[f32], to: &mut [u8]) -> (f32, i32) {
    let mut range = (0.0f32, 0.0f32);
    for &x in row {
        range = (if x < range.0 { x } else { range.0 }, if x > range.1 { x } else { range.1 });
    }
    let step = (range.1 - range.0) / BYTE_LEVELS;
    let scale = if step > 1e-30 && step.is_finite() { 1.0 / step } else { 0.0 };
    let zero = (-range.0 * scale).round();
    for (to, x) in to.iter_mut().zip(row) {
        *to = (x * scale + (ROUNDER + zero)).to_bits() as u8;
    }
    (if scale > 0.0 { step } else { 0.0 }, zero as i32)
}

/// `c = a * panel` for a few rows, in floats again.
pub(super) struct WordBlock {
    pub numbers: Numbers,
    pub rows: usize,
    pub columns: usize,
    /// Words of a row and of a column of the panel.
    pub depth: usize,
    pub a: *const i32,
    pub a_stride: usize,
    pub panel: *const i32,
    pub soon: *const i32,
    pub row_steps: *const f32,
    pub row_zeros: *const i32,
    pub column_steps: *const f32,
    pub column_totals: *const i32,
    pub c: *mut f32,
    pub c_stride: usize,
}

/// How the numbers of two words are multiplied and added up.
trait Word<S: IntegerLanes> {
    /// Must be added to a row's zero.
    const OFFSET: i32;

    /// # Safety
    /// As of the methods of `Sums`.
    unsafe fn multiply(sum: S, row: S, weights: S) -> S;
}

struct Shorts;
struct Bytes;

impl<S: IntegerLanes> Word<S> for Shorts {
    const OFFSET: i32 = 0;

    #[inline(always)]
    unsafe fn multiply(sum: S, row: S, weights: S) -> S {
        // SAFETY: as the caller promises.
        unsafe { sum.add_pairs(row, weights) }
    }
}

impl<S: IntegerLanes> Word<S> for Bytes {
    const OFFSET: i32 = S::BYTE_OFFSET;

    #[inline(always)]
    unsafe fn multiply(sum: S, row: S, weights: S) -> S {
        // SAFETY: as the caller promises.
        unsafe { sum.add_dots(row, weights) }
    }
}

/// # Safety
/// `a`, its steps and zeros, and `c` must hold the rows, `panel` and what belongs to its columns `depth` words of `columns`; the
/// instructions of `S` must exist here.
#[inline(always)]
pub(super) unsafe fn multiply_words_with<S: IntegerLanes>(block: WordBlock) {
    match block.numbers {
        Numbers::Bytes => by_shape!(multiply_block::<S, Bytes>(block), S::Floats::WIDTH),
        _ => by_shape!(multiply_block::<S, Shorts>(block), S::Floats::WIDTH),
    }
}

#[inline(always)]
unsafe fn multiply_block<S: IntegerLanes, W: Word<S>, const R: usize, const N: usize>(block: &WordBlock) {
    let WordBlock { depth, a, a_stride, panel, soon, c, c_stride, .. } = *block;
    let width = S::Floats::WIDTH;
    // SAFETY: the caller vouches for `R` rows and `N` registers of columns.
    unsafe {
        let mut sums = [[S::splat(0); N]; R];
        for first in (0..depth).step_by(4) {
            S::Floats::prefetch(soon.cast::<f32>().wrapping_add(first / 4 * LINE));
            for k in first..depth.min(first + 4) {
                let mut weights = [S::splat(0); N];
                for (n, weight) in weights.iter_mut().enumerate() {
                    *weight = S::load(panel.add((k * N + n) * width));
                }
                for (r, sums) in sums.iter_mut().enumerate() {
                    let word = S::splat(*a.add(r * a_stride + k));
                    for (sum, weight) in sums.iter_mut().zip(weights) {
                        *sum = W::multiply(*sum, word, weight);
                    }
                }
            }
        }
        for (r, sums) in sums.iter().enumerate() {
            let step = S::Floats::splat(*block.row_steps.add(r));
            // Every product is too large by what stands for zero times the weight.
            let surplus = S::splat(-(*block.row_zeros.add(r) + W::OFFSET));
            for (n, sum) in sums.iter().enumerate() {
                let total = S::load(block.column_totals.add(n * width)).mul(surplus);
                let steps = S::Floats::load(block.column_steps.add(n * width)).mul(step);
                sum.add(total).to_floats().mul(steps).store(c.add(r * c_stride + n * width));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Conv, Frame, Kernel, LayerFinish, Matrix, PointsConvScratch, Rows, padded};
    use super::*;
    use crate::kernel::tests::{assert_close, noise};

    /// Every kernel of this machine that multiplies integers, the portable ones first.
    fn kernels() -> impl Iterator<Item = Kernel> {
        let all = [Numbers::Shorts, Numbers::Bytes].into_iter();
        all.flat_map(|numbers| {
            let fast =
                Isa::ALL.into_iter().map(move |isa| Kernel { isa, numbers }).filter(|kernel| kernel.is_available());
            std::iter::once(Kernel { isa: Isa::Portable, numbers }).chain(fast)
        })
    }

    fn tolerance(kernel: Kernel) -> f32 {
        if kernel.numbers == Numbers::Bytes { 0.2 } else { 5e-3 }
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
                assert_close(&found, &floats, tolerance(kernel));
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

    /// Whole numbers that use the whole range lose nothing, whichever sign they have.
    #[test]
    fn bytes_that_fit_are_exact() {
        let (frame, inputs, outputs) = (Frame { width: 3, height: 1 }, 32, 16);
        let mut weights: Vec<f32> = noise(1, inputs * outputs).iter().map(|w| (w * 200.0).round()).collect();
        let mut values: Vec<f32> = noise(2, 3 * inputs).iter().map(|x| (x * 100.0).round()).collect();
        weights[..outputs].fill(127.0);
        values.chunks_exact_mut(inputs).for_each(|row| (row[0], row[1]) = (-100.0, 154.0));
        let run = |kernel: Kernel| {
            let mut to = vec![f32::NAN; 3 * outputs];
            let rows = Rows { values: &values, stride: inputs };
            Matrix::new(kernel, inputs, outputs, &weights).run(frame, 1, rows, LayerFinish::store(&mut to));
            to
        };
        let expected = run(Isa::Portable.into());
        for kernel in kernels().filter(|kernel| kernel.numbers == Numbers::Bytes) {
            assert_close(&run(kernel), &expected, 0.01);
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
            assert_close(&run(kernel), &exact, if kernel.numbers == Numbers::Bytes { 0.04 } else { 1e-2 });
        }
    }
}
