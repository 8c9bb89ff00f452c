//! Matrix product of small row-major matrices: `c = a * b`.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::{Isa, Lanes};
use crate::per_isa;

/// `c = a * b` with `a` of `rows x inner`, `b` of `inner x columns`; `columns` is a multiple of 16.
pub struct Gemm<'a> {
    pub rows: usize,
    pub inner: usize,
    pub columns: usize,
    pub a: &'a [f32],
    pub b: &'a [f32],
    pub c: &'a mut [f32],
}

pub fn gemm(isa: Isa, job: Gemm<'_>) {
    assert_eq!(job.columns % 16, 0, "columns come in sixteens");
    assert!(job.a.len() >= job.rows * job.inner);
    assert!(job.b.len() >= job.inner * job.columns);
    assert!(job.c.len() >= job.rows * job.columns);
    // SAFETY: the lengths were just checked.
    unsafe { gemm_on(isa, job) }
}

per_isa!(fn gemm_on / gemm_job(Gemm<'_>));

#[inline(always)]
unsafe fn gemm_job<L: Lanes>(job: Gemm<'_>) {
    // SAFETY: `gemm` checked the lengths.
    unsafe { gemm_with::<L>(job.rows, job.inner, job.columns, job.a.as_ptr(), job.b.as_ptr(), job.c.as_mut_ptr()) }
}

/// The product on raw pointers, for kernels that are themselves compiled per instruction set.
///
/// # Safety
/// The three matrices must lie in readable (`a`, `b`) and writable (`c`) memory, and the instruction set
/// of `L` must exist here.
#[inline(always)]
pub unsafe fn gemm_with<L: Lanes>(
    rows: usize,
    inner: usize,
    columns: usize,
    a: *const f32,
    b: *const f32,
    c: *mut f32,
) {
    let vectors = columns / L::WIDTH;
    let mut done = 0;
    while done < vectors {
        let (b, c) = (b.wrapping_add(done * L::WIDTH), c.wrapping_add(done * L::WIDTH));
        let left = vectors - done;
        // Accumulators plus one row of `b` plus one broadcast must fit the register file.
        // SAFETY: the columns `done..done + N` exist in `b` and `c`.
        unsafe {
            done += if L::REGISTERS < 32 {
                stripe::<L, 6, 2>(rows, inner, columns, a, b, c)
            } else if left.is_multiple_of(4) {
                stripe::<L, 6, 4>(rows, inner, columns, a, b, c)
            } else if left.is_multiple_of(3) {
                stripe::<L, 8, 3>(rows, inner, columns, a, b, c)
            } else if left >= 2 {
                stripe::<L, 12, 2>(rows, inner, columns, a, b, c)
            } else {
                stripe::<L, 12, 1>(rows, inner, columns, a, b, c)
            }
        }
    }
}

/// All rows of `N` vectors of columns, `R` rows at a time. Returns `N`.
#[inline(always)]
unsafe fn stripe<L: Lanes, const R: usize, const N: usize>(
    rows: usize,
    inner: usize,
    columns: usize,
    a: *const f32,
    b: *const f32,
    c: *mut f32,
) -> usize {
    let mut row = 0;
    // SAFETY: `row + R <= rows`, respectively `row < rows`.
    unsafe {
        while row + R <= rows {
            block::<L, R, N>(inner, columns, a.add(row * inner), b, c.add(row * columns));
            row += R;
        }
        while row < rows {
            block::<L, 1, N>(inner, columns, a.add(row * inner), b, c.add(row * columns));
            row += 1;
        }
    }
    N
}

/// `R` rows by `N` vectors, all sums held in registers.
#[inline(always)]
unsafe fn block<L: Lanes, const R: usize, const N: usize>(
    inner: usize,
    columns: usize,
    a: *const f32,
    b: *const f32,
    c: *mut f32,
) {
    // SAFETY: the caller vouches for `R` rows of `a` and `c` and `N` vectors of columns.
    unsafe {
        let mut sums = [[L::splat(0.0); N]; R];
        let mut b = b;
        for k in 0..inner {
            let mut weights = [L::splat(0.0); N];
            for (n, weight) in weights.iter_mut().enumerate() {
                *weight = L::load(b.add(n * L::WIDTH));
            }
            for (r, sums) in sums.iter_mut().enumerate() {
                let x = L::splat(*a.add(r * inner + k));
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum = weight.mul_add(x, *sum);
                }
            }
            b = b.wrapping_add(columns);
        }
        for (r, sums) in sums.iter().enumerate() {
            for (n, sum) in sums.iter().enumerate() {
                sum.store(c.add(r * columns + n * L::WIDTH));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::{assert_close, noise};

    #[test]
    fn every_instruction_set_multiplies_like_the_definition() {
        let all = [(1, 3, 16), (5, 4, 48), (7, 32, 32), (25, 16, 48), (13, 20, 64), (30, 5, 112)];
        // Miri takes a thousand times as long.
        for &(rows, inner, columns) in &all[..if cfg!(miri) { 2 } else { all.len() }] {
            let a = noise(1, rows * inner);
            let b = noise(2, inner * columns);
            let mut expected = vec![0.0; rows * columns];
            for r in 0..rows {
                for k in 0..inner {
                    for n in 0..columns {
                        expected[r * columns + n] += a[r * inner + k] * b[k * columns + n];
                    }
                }
            }
            for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
                let mut c = vec![f32::NAN; rows * columns];
                gemm(isa, Gemm { rows, inner, columns, a: &a, b: &b, c: &mut c });
                assert_close(&c, &expected, 1e-5);
            }
        }
    }
}
