//! RMS norms and the rotation of queries and keys.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::Frame;
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

/// Queries and keys of every point, to be turned by the place of their point.
pub struct Rotation<'a> {
    pub frame: Frame,
    /// Each begins with the heads of queries and then those of keys, `channels` numbers each: the first numbers of all pairs, then the
    /// second ones. `stride` numbers from row to row.
    pub rows: &'a mut [f32],
    pub stride: usize,
    pub heads: usize,
    pub key_heads: usize,
    pub channels: usize,
    /// `[row][column][key head][cosines, sines]` of a square board of this side.
    pub turns: &'a [f32],
    pub side: usize,
}

/// Rotates the pairs of every head. A query head turns as the key head that it looks through.
pub fn rotate(isa: Isa, job: Rotation<'_>) {
    assert!(job.channels.is_multiple_of(32) && job.stride >= (job.heads + job.key_heads) * job.channels);
    assert!(job.rows.len().is_multiple_of(job.stride) && job.heads.is_multiple_of(job.key_heads));
    assert!(job.frame.width <= job.side && job.frame.height <= job.side);
    assert_eq!(job.turns.len(), job.side * job.side * job.key_heads * job.channels);
    // SAFETY: the lengths were just checked.
    unsafe { rotate_on(isa, job) }
}

per_isa!(fn rotate_on / rotate_with(Rotation<'_>));

#[inline(always)]
unsafe fn rotate_with<L: Lanes>(job: Rotation<'_>) {
    let (channels, half, group) = (job.channels, job.channels / 2, job.heads / job.key_heads);
    for (row, values) in job.rows.chunks_exact_mut(job.stride).enumerate() {
        let point = row % job.frame.points();
        let place = point / job.frame.width * job.side + point % job.frame.width;
        for head in 0..job.heads + job.key_heads {
            let key_head = if head < job.heads { head / group } else { head - job.heads };
            // SAFETY: `rotate` checked that the head and its turns are there, two halves of whole registers each.
            unsafe {
                let values = values.as_mut_ptr().add(head * channels);
                let turns = job.turns.as_ptr().add((place * job.key_heads + key_head) * channels);
                let mut pair = 0;
                while pair < half {
                    let (u, v) = (L::load(values.add(pair)), L::load(values.add(half + pair)));
                    let (cosine, sine) = (L::load(turns.add(pair)), L::load(turns.add(half + pair)));
                    u.mul(cosine).sub(v.mul(sine)).store(values.add(pair));
                    u.mul(sine).add(v.mul(cosine)).store(values.add(half + pair));
                    pair += L::WIDTH;
                }
            }
        }
    }
}
