//! RMS norms and the rotation of queries and keys.
#![allow(unsafe_code)]

use crate::kernel::{Isa, Lanes};
use crate::per_isa;

struct MeanSquares<'a> {
    rows: &'a [f32],
    stride: usize,
    channels: usize,
    to: &'a mut [f32],
}

/// `1 / sqrt(mean of the row's squares + epsilon)` for each row of a tensor whose first `channels` channels are real; one per element
/// of `to`. `together`: one mean for that many rows at a time.
pub fn rms_factors(
    isa: Isa,
    rows: &[f32],
    stride: usize,
    channels: usize,
    epsilon: f32,
    together: usize,
    to: &mut [f32],
) {
    assert!(stride.is_multiple_of(16) && rows.len() >= stride * to.len());
    // SAFETY: the lengths were just checked.
    unsafe { mean_squares_on(isa, MeanSquares { rows, stride, channels, to }) }
    for group in to.chunks_mut(together) {
        let mean = group.iter().sum::<f32>() / group.len() as f32;
        group.fill(1.0 / (mean + epsilon).sqrt());
    }
}

per_isa!(fn mean_squares_on / mean_squares_with(MeanSquares<'_>));

#[inline(always)]
unsafe fn mean_squares_with<L: Lanes>(job: MeanSquares<'_>) {
    let share = 1.0 / job.channels as f32;
    for (row, to) in job.to.iter_mut().enumerate() {
        // SAFETY: `rms_factors` checked that there are so many rows, padded with zeros to whole registers.
        unsafe {
            let row = job.rows.as_ptr().add(row * job.stride);
            let mut sum = L::splat(0.0);
            let mut channel = 0;
            while channel < job.stride {
                let value = L::load(row.add(channel));
                sum = value.mul_add(value, sum);
                channel += L::WIDTH;
            }
            *to = sum.sum() * share;
        }
    }
}

/// Turns pairs of numbers: the first half of a row holds the first, the second half the second number of each pair.
struct Rotation<'a> {
    values: &'a mut [f32],
    turns: &'a [f32],
}

/// Rotates the pairs `(values[p], values[half + p])` by angles given as their cosines followed by their sines. Lengths are multiples of 32.
pub fn rotate(isa: Isa, values: &mut [f32], turns: &[f32]) {
    assert!(values.len() == turns.len() && values.len().is_multiple_of(32));
    // SAFETY: the lengths were just checked.
    unsafe { rotate_on(isa, Rotation { values, turns }) }
}

per_isa!(fn rotate_on / rotate_with(Rotation<'_>));

#[inline(always)]
unsafe fn rotate_with<L: Lanes>(job: Rotation<'_>) {
    let half = job.values.len() / 2;
    let (values, turns) = (job.values.as_mut_ptr(), job.turns.as_ptr());
    let mut pair = 0;
    while pair < half {
        // SAFETY: both slices have two halves of whole registers.
        unsafe {
            let (u, v) = (L::load(values.add(pair)), L::load(values.add(half + pair)));
            let (cosine, sine) = (L::load(turns.add(pair)), L::load(turns.add(half + pair)));
            u.mul(cosine).sub(v.mul(sine)).store(values.add(pair));
            u.mul(sine).add(v.mul(cosine)).store(values.add(half + pair));
        }
        pair += L::WIDTH;
    }
}
