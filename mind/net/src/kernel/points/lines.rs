//! The transforms of Winograd's convolution along one line, for tiles of four points and of three.
//!
//! A tile of four wants six numbers to a line, one of three five. Boards whose lines fours would overlap by much are cheaper in threes: on
//! nine lines three threes fit without a rest, and of each channel's filter 25 numbers are read instead of 36.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::Frame;
use crate::kernel::Lanes;
use crate::kernel::winograd::{filter_line, input_line, output_line};

/// How lines are transformed for tiles of `OUT` points, which want `IN` inputs.
pub(super) trait CutInto<const OUT: usize, const IN: usize> {
    /// The matrix B^T.
    ///
    /// # Safety
    /// The instruction set of `L` must exist here; so for all three.
    unsafe fn input<L: Lanes>(d: [L; IN]) -> [L; IN];
    /// The matrix A^T.
    ///
    /// # Safety
    /// The same.
    unsafe fn output<L: Lanes>(m: [L; IN]) -> [L; OUT];
    /// The matrix G.
    ///
    /// # Safety
    /// The same.
    unsafe fn filter<L: Lanes>(w: [L; 3]) -> [L; IN];
}

pub(super) struct Lines;

impl CutInto<4, 6> for Lines {
    #[inline(always)]
    unsafe fn input<L: Lanes>(d: [L; 6]) -> [L; 6] {
        // SAFETY: as the caller promises.
        unsafe { input_line(d) }
    }

    #[inline(always)]
    unsafe fn output<L: Lanes>(m: [L; 6]) -> [L; 4] {
        // SAFETY: as the caller promises.
        unsafe { output_line(m) }
    }

    #[inline(always)]
    unsafe fn filter<L: Lanes>(w: [L; 3]) -> [L; 6] {
        // SAFETY: as the caller promises.
        unsafe { filter_line(w) }
    }
}

/// Interpolates at 0, 1, -1, 2 and infinity.
impl CutInto<3, 5> for Lines {
    #[inline(always)]
    unsafe fn input<L: Lanes>(d: [L; 5]) -> [L; 5] {
        // SAFETY: as the caller promises.
        unsafe {
            let (two, three) = (L::splat(2.0), L::splat(3.0));
            let ends = d[0].sub(d[2]);
            let middle = d[3].sub(d[1]);
            [
                ends.mul_add(two, middle),
                d[3].sub(d[1].mul_add(two, d[2])),
                d[1].mul_add(two, d[3]).sub(d[2].mul(three)),
                middle,
                d[4].sub(d[2]).sub(middle.mul(two)),
            ]
        }
    }

    #[inline(always)]
    unsafe fn output<L: Lanes>(m: [L; 5]) -> [L; 3] {
        // SAFETY: as the caller promises.
        unsafe {
            let (even, odd) = (m[1].add(m[2]), m[1].sub(m[2]));
            [m[0].add(even).add(m[3]), m[3].mul_add(L::splat(2.0), odd), m[3].mul_add(L::splat(4.0), even).add(m[4])]
        }
    }

    #[inline(always)]
    unsafe fn filter<L: Lanes>(w: [L; 3]) -> [L; 5] {
        // SAFETY: as the caller promises.
        unsafe {
            let outer = w[0].add(w[2]);
            let far = w[2].mul_add(L::splat(4.0), w[1].mul_add(L::splat(2.0), w[0]));
            [
                w[0].mul(L::splat(0.5)),
                outer.add(w[1]).mul(L::splat(-0.5)),
                outer.sub(w[1]).mul(L::splat(-1.0 / 6.0)),
                far.mul(L::splat(1.0 / 6.0)),
                w[2],
            ]
        }
    }
}

/// Are there fewer products in tiles of three?
pub(super) fn threes_are_cheaper(frame: Frame) -> bool {
    let tiles = |out: usize| frame.width.div_ceil(out) * frame.height.div_ceil(out);
    25 * tiles(3) < 36 * tiles(4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Plain;

    /// Three points of a line by the definition, and by way of the transforms.
    #[test]
    fn transformed_lines_multiply_to_the_convolution() {
        let line = [1.0f32, -2.0, 0.5, 3.0, 4.0, -1.5];
        let filter = [0.25f32, -1.0, 2.0];
        let wanted: Vec<f32> = line.windows(3).map(|d| d.iter().zip(filter).map(|(d, w)| d * w).sum()).collect();
        fn by_way<const OUT: usize, const IN: usize>(line: &[f32], filter: [f32; 3]) -> Vec<f32>
        where
            Lines: CutInto<OUT, IN>,
        {
            // SAFETY: plain floats are everywhere, and `first` has room for one of them.
            unsafe {
                let one = |x: f32| Plain::<1>::splat(x);
                let d = Lines::input(std::array::from_fn(|at| one(line[at])));
                let w = Lines::filter(filter.map(one));
                let m: [Plain<1>; IN] = std::array::from_fn(|at| d[at].mul(w[at]));
                let number = |x: Plain<1>| {
                    let mut first = 0.0;
                    x.store(&mut first);
                    first
                };
                Lines::output(m).map(number).to_vec()
            }
        }
        for (found, wanted) in
            [(by_way::<4, 6>(&line, filter), &wanted[..]), (by_way::<3, 5>(&line, filter), &wanted[..3])]
        {
            assert_eq!(found.len(), wanted.len());
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-5), "{found:?}, not {wanted:?}");
        }
    }

    #[test]
    fn nine_lines_are_cut_in_threes_and_nineteen_in_fours() {
        let square = |side| threes_are_cheaper(Frame { width: side, height: side });
        assert_eq!([5, 6, 7, 9, 13, 19].map(square), [true, true, false, true, false, false]);
    }
}
