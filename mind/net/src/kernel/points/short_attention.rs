//! Attention with products of shorts: queries and keys are rounded each by itself, values by channel, and the weights of the keys so that
//! together they just do not overflow.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::attention::{Attend, QUERIES, soften};
use super::matrix::{Multiply, Soon, panel_columns, rows_at_once};
use super::shorts::{LARGEST_WEIGHT, ShortBlock, round_by, round_row, rounded};
use crate::kernel::{Aligned, Isa};

/// Keys and values of one head as words in panels, with the step of every column, and what they are multiplied with.
#[derive(Default)]
pub(super) struct ShortScratch {
    keys: Aligned<i32>,
    key_steps: Aligned<f32>,
    values: Aligned<i32>,
    value_steps: Aligned<f32>,
    rows: Aligned<i32>,
}

impl ShortScratch {
    pub fn reserve(&mut self, keys: usize, key_channels: usize, value_channels: usize) {
        self.keys.reserve_len(keys * key_channels / 2);
        self.key_steps.reserve_len(keys);
        self.values.reserve_len(keys * value_channels / 2);
        self.value_steps.reserve_len(value_channels);
        self.rows.reserve_len(QUERIES * keys.max(key_channels) / 2);
    }
}

/// Largest rounded number of queries and keys, so that no product of both overflows.
fn key_limit(channels: usize) -> f32 {
    (i32::MAX as f32 / channels as f32).sqrt().floor().min(f32::from(i16::MAX))
}

/// Keys as `pack_keys` has them, each rounded by itself.
#[inline(always)]
pub(super) fn pack_short_keys(isa: Isa, job: &mut Attend<'_>, image: usize, channel: usize) {
    let (points, stride, width, depth) = (job.frame.points(), job.stride(), panel_columns(isa), job.key_channels / 2);
    let (panels, limit) = (job.padded_keys() / width, key_limit(job.key_channels));
    let ShortScratch { keys, key_steps, rows, .. } = &mut job.scratch.shorts;
    for (panel, to) in keys.chunks_exact_mut(width * depth).take(panels).enumerate() {
        for column in 0..width {
            let (key, words) = (panel * width + column, &mut rows[..depth]);
            if key < points {
                let from = &job.projected[(image * points + key) * stride + channel..][..job.key_channels];
                key_steps[key] = round_row(from, limit, words);
            } else {
                words.fill(0);
                key_steps[key] = 0.0;
            }
            for (i, word) in words.iter().enumerate() {
                to[i * width + column] = *word;
            }
        }
    }
}

/// Values as `pack_values` has them, two keys to a word, each channel rounded by itself.
#[inline(always)]
pub(super) fn pack_short_values(isa: Isa, job: &mut Attend<'_>, image: usize, channel: usize) {
    let (points, stride, width, channels) = (job.frame.points(), job.stride(), panel_columns(isa), job.value_channels);
    let pairs = points.div_ceil(2);
    let row = |key: usize| &job.projected[(image * points + key) * stride + channel..][..channels];
    let ShortScratch { values, value_steps, .. } = &mut job.scratch.shorts;
    let steps = &mut value_steps[..channels];
    steps.fill(0.0);
    for key in 0..points {
        for (step, x) in steps.iter_mut().zip(row(key)) {
            *step = if x.abs() > *step { x.abs() } else { *step };
        }
    }
    for step in steps.iter_mut() {
        *step = (*step / LARGEST_WEIGHT).max(1e-30);
    }
    for first in (0..channels).step_by(width) {
        let range = first..channels.min(first + width);
        let panel = &mut values[first * pairs..range.end * pairs];
        for (pair, words) in panel.chunks_exact_mut(range.len()).enumerate() {
            let (low, high) = (row(2 * pair), row((2 * pair + 1).min(points - 1)));
            // The weight of a key beyond the last one is zero, whatever its value.
            let both = low[range.clone()].iter().zip(&high[range.clone()]).zip(&steps[range.clone()]);
            for (word, ((low, high), step)) in words.iter_mut().zip(both) {
                *word = i32::from(rounded(*low, 1.0 / step)) & 0xffff | i32::from(rounded(*high, 1.0 / step)) << 16;
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
    let ShortScratch { keys: key_words, key_steps, values, value_steps, rows: words } = &mut job.scratch.shorts;
    let (mut steps, soon) = ([0.0; QUERIES], Soon::NOTHING);
    // SAFETY: `attend` checked the tensors and made the scratch large enough.
    unsafe {
        let depth = key_channels / 2;
        for (row, (step, words)) in steps[..count].iter_mut().zip(words.chunks_exact_mut(depth)).enumerate() {
            let query = std::slice::from_raw_parts(queries.add(row * stride), key_channels);
            *step = round_row(query, key_limit(key_channels), words);
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
        let depth = points.div_ceil(2);
        for (row, (step, words)) in steps[..count].iter_mut().zip(words.chunks_exact_mut(depth)).enumerate() {
            let total = soften::<L>(scores.add(row * keys), points, keys);
            // The largest weight is 1. What all of them together may become without overflow, half a step each for the rounding:
            let room = i32::MAX as f32 / LARGEST_WEIGHT - 0.5 * points as f32 - 1.0;
            let scale = (room / total).floor().min(f32::from(i16::MAX));
            round_by(std::slice::from_raw_parts(scores.add(row * keys), 2 * depth), scale, words);
            *step = 1.0 / (scale * total);
        }
        for first in (0..value_channels).step_by(width) {
            multiply::<L>(count, |row, rows| ShortBlock {
                rows,
                columns: width.min(value_channels - first),
                depth,
                a: words.as_ptr().add(row * depth),
                a_stride: depth,
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
