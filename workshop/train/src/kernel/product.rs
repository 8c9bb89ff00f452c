//! `c += transpose(a) * b`: how a matrix product's weights learn.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use jigo_net::kernel::{Isa, Lanes};
use jigo_net::per_isa;

/// `c += transpose(a) * b` with `a` of `rows x inputs`, `b` of `rows x outputs`, both dimensions in sixteens.
pub struct ProductGradient<'a> {
    pub rows: usize,
    pub inputs: usize,
    pub outputs: usize,
    pub a: &'a [f32],
    pub b: &'a [f32],
    pub c: &'a mut [f32],
}

pub fn product_gradient(isa: Isa, job: ProductGradient<'_>) {
    assert!(job.inputs.is_multiple_of(16) && job.outputs.is_multiple_of(16));
    assert!(job.a.len() >= job.rows * job.inputs && job.b.len() >= job.rows * job.outputs);
    assert_eq!(job.c.len(), job.inputs * job.outputs);
    // SAFETY: the lengths were just checked.
    unsafe { product_gradient_on(isa, job) }
}

per_isa!(fn product_gradient_on / product_gradient_job(ProductGradient<'_>));

#[inline(always)]
unsafe fn product_gradient_job<L: Lanes>(job: ProductGradient<'_>) {
    // SAFETY: `product_gradient` checked the lengths.
    unsafe { accumulate::<L>(job.rows, job.inputs, job.outputs, job.a.as_ptr(), job.b.as_ptr(), job.c.as_mut_ptr()) }
}

/// The update on raw pointers, for kernels compiled per instruction set themselves.
///
/// # Safety
/// The matrices must be readable and `c` writable; both widths are multiples of 16.
#[inline(always)]
pub(super) unsafe fn accumulate<L: Lanes>(
    rows: usize,
    inputs: usize,
    outputs: usize,
    a: *const f32,
    b: *const f32,
    c: *mut f32,
) {
    let vectors = outputs / L::WIDTH;
    let mut done = 0;
    while done < vectors {
        let (b, c) = (b.wrapping_add(done * L::WIDTH), c.wrapping_add(done * L::WIDTH));
        let left = vectors - done;
        // SAFETY: the columns `done..done + N` exist, and `inputs` is a multiple of every block height.
        unsafe {
            done += if L::REGISTERS < 32 {
                stripe::<L, 4, 2>(rows, inputs, outputs, a, b, c)
            } else if left.is_multiple_of(4) {
                stripe::<L, 4, 4>(rows, inputs, outputs, a, b, c)
            } else if left.is_multiple_of(3) {
                stripe::<L, 8, 3>(rows, inputs, outputs, a, b, c)
            } else {
                stripe::<L, 16, 1>(rows, inputs, outputs, a, b, c)
            }
        }
    }
}

/// All inputs, `R` at a time, against `N` vectors of outputs. Returns `N`.
#[inline(always)]
unsafe fn stripe<L: Lanes, const R: usize, const N: usize>(
    rows: usize,
    inputs: usize,
    outputs: usize,
    a: *const f32,
    b: *const f32,
    c: *mut f32,
) -> usize {
    for input in (0..inputs).step_by(R) {
        // SAFETY: `input + R <= inputs` and the vectors exist (caller).
        unsafe {
            let c = c.add(input * outputs);
            let mut sums = [[L::splat(0.0); N]; R];
            for (r, sums) in sums.iter_mut().enumerate() {
                for (n, sum) in sums.iter_mut().enumerate() {
                    *sum = L::load(c.add(r * outputs + n * L::WIDTH));
                }
            }
            for row in 0..rows {
                let mut gradient = [L::splat(0.0); N];
                for (n, value) in gradient.iter_mut().enumerate() {
                    *value = L::load(b.add(row * outputs + n * L::WIDTH));
                }
                for (r, sums) in sums.iter_mut().enumerate() {
                    let x = L::splat(*a.add(row * inputs + input + r));
                    for (sum, gradient) in sums.iter_mut().zip(gradient) {
                        *sum = gradient.mul_add(x, *sum);
                    }
                }
            }
            for (r, sums) in sums.iter().enumerate() {
                for (n, sum) in sums.iter().enumerate() {
                    sum.store(c.add(r * outputs + n * L::WIDTH));
                }
            }
        }
    }
    N
}
