//! Attention with products of shorts: queries and keys are rounded each by itself, values by channel, and the weights of the keys so that
//! together they just do not overflow.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use std::f32::consts::LOG2_E;

use super::activation::rough_power;
use super::attention::{Attend, QUERIES, largest_score};
use super::panel::{Multiply, Soon, panel_columns, rows_at_once};
use super::shorts::{LARGEST_WEIGHT, ShortBlock, round_by, round_row, rounded};
use crate::kernel::{Aligned, Isa};

/// Keys and values of one head as words in panels, with the step of every column, and what they are multiplied with.
#[derive(Default)]
pub(super) struct ShortScratch {
    keys: Aligned<i32>,
    key_steps: Aligned<f32>,
    values: Aligned<i32>,
    value_steps: Aligned<f32>,
    value_scales: Aligned<f32>,
    rows: Aligned<i32>,
}

impl ShortScratch {
    pub fn reserve(&mut self, keys: usize, key_channels: usize, value_channels: usize) {
        self.keys.reserve_len(keys * key_channels / 2);
        self.key_steps.reserve_len(keys);
        self.values.reserve_len(keys * value_channels / 2);
        self.value_steps.reserve_len(value_channels);
        self.value_scales.reserve_len(value_channels);
        self.rows.reserve_len(QUERIES * keys.max(key_channels) / 2);
    }
}

/// Largest rounded number of queries and keys, so that no product of both overflows.
fn key_limit(channels: usize) -> f32 {
    (i32::MAX as f32 / channels as f32).sqrt().floor().min(f32::from(i16::MAX))
}

/// Keys as `pack_keys` has them, each rounded by itself.
///
/// # Safety
/// The instruction set of `L` must exist here.
#[inline(always)]
pub(super) unsafe fn pack_short_keys<L: Multiply>(isa: Isa, job: &mut Attend<'_>, image: usize, channel: usize) {
    let (points, stride, width, depth) = (job.frame.points(), job.stride(), panel_columns(isa), job.key_channels / 2);
    let (panels, limit) = (job.padded_keys() / width, key_limit(job.key_channels));
    let ShortScratch { keys, key_steps, rows, .. } = &mut job.scratch.shorts;
    for (panel, to) in keys.chunks_exact_mut(width * depth).take(panels).enumerate() {
        for column in 0..width {
            let (key, words) = (panel * width + column, &mut rows[..depth]);
            if key < points {
                let from = &job.projected[(image * points + key) * stride + channel..][..job.key_channels];
                // SAFETY: as the caller promises.
                key_steps[key] = unsafe { round_row::<L>(from, limit, words) };
            } else {
                words.fill(0);
                key_steps[key] = 0.0;
            }
            for (line, word) in to.chunks_exact_mut(width).zip(&*words) {
                line[column] = *word;
            }
        }
    }
}

/// Values as `pack_values` has them, two keys to a word, each channel rounded by itself.
///
/// # Safety
/// The instruction set of `L` must exist here.
#[inline(always)]
pub(super) unsafe fn pack_short_values<L: Multiply>(isa: Isa, job: &mut Attend<'_>, image: usize, channel: usize) {
    let (points, stride, width, channels) = (job.frame.points(), job.stride(), panel_columns(isa), job.value_channels);
    let pairs = points.div_ceil(2);
    let row = |key: usize| &job.projected[(image * points + key) * stride + channel..][..channels];
    let ShortScratch { values, value_steps, value_scales, .. } = &mut job.scratch.shorts;
    let (steps, scales) = (&mut value_steps[..channels], &mut value_scales[..channels]);
    for (first, steps) in steps.chunks_exact_mut(L::WIDTH).enumerate() {
        // SAFETY: channels come in sixteens, and every key has a row.
        unsafe {
            let mut largest = L::splat(0.0);
            for key in 0..points {
                let x = L::load(row(key).as_ptr().add(first * L::WIDTH));
                largest = x.max(L::splat(0.0).sub(x)).max(largest);
            }
            largest.store(steps.as_mut_ptr());
        }
    }
    for (step, scale) in steps.iter_mut().zip(scales.iter_mut()) {
        *step = (*step / LARGEST_WEIGHT).max(1e-30);
        *scale = 1.0 / *step;
    }
    for first in (0..channels).step_by(width) {
        let range = first..channels.min(first + width);
        let panel = &mut values[first * pairs..range.end * pairs];
        for (pair, words) in panel.chunks_exact_mut(range.len()).enumerate() {
            let (low, high) = (row(2 * pair), row((2 * pair + 1).min(points - 1)));
            // The weight of a key beyond the last one is zero, whatever its value.
            let both = low[range.clone()].iter().zip(&high[range.clone()]).zip(&scales[range.clone()]);
            for (word, ((low, high), scale)) in words.iter_mut().zip(both) {
                *word = i32::from(rounded(*low, *scale)) & 0xffff | i32::from(rounded(*high, *scale)) << 16;
            }
        }
    }
}

/// What `count` queries see, in shorts.
///
/// # Safety
/// The job must have passed the checks of `attend`, and the queries and room for their answers be there.
#[inline(always)]
pub(super) unsafe fn answer_in_shorts<L: Multiply>(
    isa: Isa,
    job: &mut Attend<'_>,
    count: usize,
    queries: *const f32,
    to: *mut f32,
) {
    let (points, keys, width) = (job.frame.points(), job.padded_keys(), panel_columns(isa));
    let (key_channels, value_channels) = (job.key_channels, job.value_channels);
    let (stride, to_stride) = (job.stride(), job.heads * value_channels);
    let scores = job.scratch.scores.as_mut_ptr();
    let ShortScratch { keys: key_words, key_steps, values, value_steps, rows: words, .. } = &mut job.scratch.shorts;
    let (mut steps, soon) = ([0.0; QUERIES], Soon::NOTHING);
    // SAFETY: `attend` checked the tensors and made the scratch large enough.
    unsafe {
        let depth = key_channels / 2;
        for (row, (step, words)) in steps[..count].iter_mut().zip(words.chunks_exact_mut(depth)).enumerate() {
            let query = std::slice::from_raw_parts(queries.add(row * stride), key_channels);
            *step = round_row::<L>(query, key_limit(key_channels), words);
        }
        for first in (0..keys).step_by(width) {
            multiply::<L>(count, |row, rows| ShortBlock {
                rows,
                columns: width,
                depth,
                a: words.as_ptr().add(row * depth),
                a_stride: depth,
                panel: key_words.as_ptr().add(first * depth),
                soon,
                row_steps: steps.as_ptr().add(row),
                column_steps: key_steps.as_ptr().add(first),
                c: scores.add(row * keys + first),
                c_stride: keys,
            });
        }
        // All queries take each step together: each waits for its own largest score and its own sum, none for those of the others.
        let (mut largest, mut totals) = ([0.0; QUERIES], [0.0; QUERIES]);
        for (row, largest) in largest[..count].iter_mut().enumerate() {
            *largest = largest_score::<L>(scores.add(row * keys), points, keys);
        }
        for (row, (total, largest)) in totals[..count].iter_mut().zip(largest).enumerate() {
            *total = soften_roughly::<L>(scores.add(row * keys), keys, largest);
        }
        for (row, (step, words)) in steps[..count].iter_mut().zip(words.chunks_exact_mut(keys / 2)).enumerate() {
            // The largest weight is 1. What all of them together may become without overflow, half a step each for the rounding:
            let room = i32::MAX as f32 / LARGEST_WEIGHT - 0.5 * points as f32 - 1.0;
            let scale = (room / totals[row]).floor().min(f32::from(i16::MAX));
            round_by::<L>(std::slice::from_raw_parts(scores.add(row * keys), keys), scale, words);
            *step = 1.0 / (scale * totals[row]);
        }
        let depth = points.div_ceil(2);
        for first in (0..value_channels).step_by(width) {
            multiply::<L>(count, |row, rows| ShortBlock {
                rows,
                columns: width.min(value_channels - first),
                depth,
                a: words.as_ptr().add(row * keys / 2),
                a_stride: keys / 2,
                panel: values.as_ptr().add(first * depth),
                soon,
                row_steps: steps.as_ptr().add(row),
                column_steps: value_steps.as_ptr().add(first),
                c: to.add(row * to_stride + first),
                c_stride: to_stride,
            });
        }
    }
}

/// What `soften` does, as exactly as weights that will be rounded need it.
#[inline(always)]
unsafe fn soften_roughly<L: Multiply>(scores: *mut f32, padded: usize, largest: f32) -> f32 {
    // SAFETY: the caller vouches for `padded` numbers, whole registers.
    unsafe {
        let (scale, shift) = (L::splat(LOG2_E), L::splat(-largest * LOG2_E));
        let mut total = L::splat(0.0);
        for at in (0..padded).step_by(L::WIDTH) {
            let power = L::load(scores.add(at)).mul_add(scale, shift).max(L::splat(-100.0));
            let weight = rough_power(power);
            weight.store(scores.add(at));
            total = total.add(weight);
        }
        total.sum()
    }
}

/// Multiplies `count` rows, as many at once as the registers hold.
#[inline(always)]
unsafe fn multiply<L: Multiply>(count: usize, block: impl Fn(usize, usize) -> ShortBlock) {
    let mut row = 0;
    while row < count {
        let rows = rows_at_once::<L>(count - row);
        // SAFETY: as the caller promises.
        unsafe { L::multiply_shorts(block(row, rows)) };
        row += rows;
    }
}
