//! Batch normalisation, rectifier and shortcut: the passes over a layer's points, forward and backward.
//!
//! Each pass adds into or reads per-channel numbers, so a batch of several board sizes is one call per size.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use jigo_net::Grid;
use jigo_net::kernel::{Isa, Lanes};
use jigo_net::per_isa;

/// Calls `$body` with `$at`, where the vector of `$channel` of each point of one image lies in a batch.
macro_rules! for_each_point {
    ($grid:expr, $image:expr, $channels:expr, $channel:expr, $at:ident => $body:block) => {
        for row in 0..$grid.side() {
            let start = ($image * $grid.cells() + $grid.cell(row, 0)) * $channels + $channel;
            for column in 0..$grid.side() {
                let $at = start + column * $channels;
                $body
            }
        }
    };
}

fn check(grid: Grid, images: usize, channels: usize, boards: &[&[f32]]) {
    assert!(channels.is_multiple_of(16));
    assert!(boards.iter().all(|board| board.len() >= images * grid.cells() * channels));
}

/// Adds every channel's sum and sum of squares to `sums`, `[2][channels]`.
pub struct Moments<'a> {
    pub grid: Grid,
    pub images: usize,
    pub channels: usize,
    pub input: &'a [f32],
    pub sums: &'a mut [f32],
}

pub fn moments(isa: Isa, job: Moments<'_>) {
    check(job.grid, job.images, job.channels, &[job.input]);
    assert_eq!(job.sums.len(), 2 * job.channels);
    // SAFETY: the lengths were just checked.
    unsafe { moments_on(isa, job) }
}

per_isa!(fn moments_on / moments_with(Moments<'_>));

#[inline(always)]
unsafe fn moments_with<L: Lanes>(job: Moments<'_>) {
    let (input, sums) = (job.input.as_ptr(), job.sums.as_mut_ptr());
    for image in 0..job.images {
        for channel in (0..job.channels).step_by(L::WIDTH) {
            // SAFETY: all points of all images lie inside `input`; `sums` holds two rows of channels.
            unsafe {
                let (mut sum, mut squares) = (L::splat(0.0), L::splat(0.0));
                for_each_point!(job.grid, image, job.channels, channel, at => {
                    let value = L::load(input.add(at));
                    sum = sum.add(value);
                    squares = value.mul_add(value, squares);
                });
                let (sum_at, squares_at) = (sums.add(channel), sums.add(job.channels + channel));
                sum.add(L::load(sum_at)).store(sum_at);
                squares.add(L::load(squares_at)).store(squares_at);
            }
        }
    }
}

/// `output = max(0, input * factor + shift + residual)`
pub struct Activate<'a> {
    pub grid: Grid,
    pub images: usize,
    pub channels: usize,
    pub input: &'a [f32],
    pub factors: &'a [f32],
    pub shifts: &'a [f32],
    pub residual: Option<&'a [f32]>,
    pub output: &'a mut [f32],
}

pub fn activate(isa: Isa, job: Activate<'_>) {
    check(job.grid, job.images, job.channels, &[job.input, job.residual.unwrap_or(job.input), job.output]);
    assert!(job.factors.len() == job.channels && job.shifts.len() == job.channels);
    // SAFETY: the lengths were just checked.
    unsafe { activate_on(isa, job) }
}

per_isa!(fn activate_on / activate_with(Activate<'_>));

#[inline(always)]
unsafe fn activate_with<L: Lanes>(job: Activate<'_>) {
    let (input, output) = (job.input.as_ptr(), job.output.as_mut_ptr());
    for image in 0..job.images {
        for channel in (0..job.channels).step_by(L::WIDTH) {
            // SAFETY: all points of all images lie inside the boards.
            unsafe {
                let factor = L::load(job.factors.as_ptr().add(channel));
                let shift = L::load(job.shifts.as_ptr().add(channel));
                let zero = L::splat(0.0);
                if let Some(residual) = job.residual {
                    for_each_point!(job.grid, image, job.channels, channel, at => {
                        let value = L::load(input.add(at)).mul_add(factor, shift);
                        value.add(L::load(residual.as_ptr().add(at))).max(zero).store(output.add(at));
                    });
                } else {
                    for_each_point!(job.grid, image, job.channels, channel, at => {
                        L::load(input.add(at)).mul_add(factor, shift).max(zero).store(output.add(at));
                    });
                }
            }
        }
    }
}

/// The rectifier backward, and the two sums a normalisation's gradient needs: `gradient` is kept where `activation` is
/// positive, and `sums` (`[2][channels]`) gains the gradient and the gradient times the centred `input`.
pub struct BackwardSums<'a> {
    pub grid: Grid,
    pub images: usize,
    pub channels: usize,
    pub gradient: &'a mut [f32],
    pub activation: &'a [f32],
    pub input: &'a [f32],
    pub means: &'a [f32],
    pub sums: &'a mut [f32],
}

pub fn backward_sums(isa: Isa, job: BackwardSums<'_>) {
    check(job.grid, job.images, job.channels, &[job.gradient, job.activation, job.input]);
    assert!(job.means.len() == job.channels && job.sums.len() == 2 * job.channels);
    // SAFETY: the lengths were just checked.
    unsafe { backward_sums_on(isa, job) }
}

per_isa!(fn backward_sums_on / backward_sums_with(BackwardSums<'_>));

#[inline(always)]
unsafe fn backward_sums_with<L: Lanes>(job: BackwardSums<'_>) {
    let (gradient, sums) = (job.gradient.as_mut_ptr(), job.sums.as_mut_ptr());
    for image in 0..job.images {
        for channel in (0..job.channels).step_by(L::WIDTH) {
            // SAFETY: all points of all images lie inside the boards; `sums` holds two rows of channels.
            unsafe {
                let mean = L::load(job.means.as_ptr().add(channel));
                let (mut sum, mut product) = (L::splat(0.0), L::splat(0.0));
                for_each_point!(job.grid, image, job.channels, channel, at => {
                    let kept = L::load(gradient.add(at)).where_positive(L::load(job.activation.as_ptr().add(at)));
                    kept.store(gradient.add(at));
                    sum = sum.add(kept);
                    product = kept.mul_add(L::load(job.input.as_ptr().add(at)).sub(mean), product);
                });
                let (sum_at, product_at) = (sums.add(channel), sums.add(job.channels + channel));
                sum.add(L::load(sum_at)).store(sum_at);
                product.add(L::load(product_at)).store(product_at);
            }
        }
    }
}

/// `output = gradient * factor - input * slope - offset`, the gradient of a normalisation's input.
pub struct NormBackward<'a> {
    pub grid: Grid,
    pub images: usize,
    pub channels: usize,
    pub gradient: &'a [f32],
    pub input: &'a [f32],
    pub factors: &'a [f32],
    pub slopes: &'a [f32],
    pub offsets: &'a [f32],
    pub output: &'a mut [f32],
}

pub fn norm_backward(isa: Isa, job: NormBackward<'_>) {
    check(job.grid, job.images, job.channels, &[job.gradient, job.input, job.output]);
    assert!([job.factors, job.slopes, job.offsets].iter().all(|row| row.len() == job.channels));
    // SAFETY: the lengths were just checked.
    unsafe { norm_backward_on(isa, job) }
}

per_isa!(fn norm_backward_on / norm_backward_with(NormBackward<'_>));

#[inline(always)]
unsafe fn norm_backward_with<L: Lanes>(job: NormBackward<'_>) {
    let output = job.output.as_mut_ptr();
    for image in 0..job.images {
        for channel in (0..job.channels).step_by(L::WIDTH) {
            // SAFETY: all points of all images lie inside the boards.
            unsafe {
                let factor = L::load(job.factors.as_ptr().add(channel));
                let minus_slope = L::splat(0.0).sub(L::load(job.slopes.as_ptr().add(channel)));
                let minus_offset = L::splat(0.0).sub(L::load(job.offsets.as_ptr().add(channel)));
                for_each_point!(job.grid, image, job.channels, channel, at => {
                    let rest = L::load(job.input.as_ptr().add(at)).mul_add(minus_slope, minus_offset);
                    L::load(job.gradient.as_ptr().add(at)).mul_add(factor, rest).store(output.add(at));
                });
            }
        }
    }
}
