//! Attention of every point to every other one, a few queries at a time: their scores never leave the first-level cache.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::activation::exp;
use super::panel::{Multiply, PanelProduct, Soon, panel_columns, rows_at_once};
use super::short_attention::{ShortScratch, answer_in_shorts, pack_short_keys, pack_short_values};
use super::{Frame, Kernel, Numbers, SIXTEEN};
use crate::kernel::{Aligned, Isa, Lanes};
use crate::per_isa;

/// Queries whose scores are held at once.
pub(super) const QUERIES: usize = 12;
/// A score that leaves nothing of its key: lower than any product, and finite.
pub(super) const NOTHING: f32 = -1e30;

/// `[queries of all heads | keys of all key heads | values of all key heads]` per point, already turned and scaled. Channels of a head
/// come in sixteens.
pub struct Attend<'a> {
    pub frame: Frame,
    pub images: usize,
    pub heads: usize,
    /// Heads of keys and values; `heads` is a multiple.
    pub key_heads: usize,
    pub key_channels: usize,
    pub value_channels: usize,
    pub projected: &'a [f32],
    /// `[image][point][head][value channel]`
    pub to: &'a mut [f32],
    pub scratch: &'a mut AttentionScratch,
}

/// Keys and values of one head, and scores of a few queries.
#[derive(Default)]
pub struct AttentionScratch {
    keys: Aligned<f32>,
    values: Aligned<f32>,
    pub(super) scores: Aligned<f32>,
    sums: Aligned<f32>,
    pub(super) shorts: ShortScratch,
}

impl Attend<'_> {
    pub(super) fn stride(&self) -> usize {
        self.heads * self.key_channels + self.key_heads * (self.key_channels + self.value_channels)
    }

    /// Keys, padded to whole panels of every instruction set.
    pub(super) fn padded_keys(&self) -> usize {
        self.frame.points().next_multiple_of(32)
    }
}

pub fn attend(kernel: Kernel, job: Attend<'_>) {
    let rows = job.images * job.frame.points();
    assert!(job.key_channels.is_multiple_of(SIXTEEN) && job.value_channels.is_multiple_of(SIXTEEN));
    assert!(job.key_heads > 0 && job.heads.is_multiple_of(job.key_heads));
    assert!(job.projected.len() >= rows * job.stride());
    assert!(job.to.len() >= rows * job.heads * job.value_channels);
    let keys = job.padded_keys();
    job.scratch.keys.reserve_len(keys * job.key_channels);
    job.scratch.values.reserve_len(keys * job.value_channels);
    job.scratch.scores.reserve_len(QUERIES * keys);
    job.scratch.sums.reserve_len(QUERIES * job.value_channels);
    if kernel.numbers == Numbers::Shorts {
        job.scratch.shorts.reserve(keys, job.key_channels, job.value_channels);
    }
    // SAFETY: the lengths were just checked, or made.
    unsafe { attend_on(kernel.isa, Job { kernel, attend: job }) }
}

struct Job<'a> {
    kernel: Kernel,
    attend: Attend<'a>,
}

per_isa!(fn attend_on / attend_with(Job<'_>));

#[inline(always)]
unsafe fn attend_with<L: Multiply>(job: Job<'_>) {
    let Job { kernel: Kernel { isa, numbers }, attend: mut job } = job;
    let (points, stride, group) = (job.frame.points(), job.stride(), job.heads / job.key_heads);
    let first_key = job.heads * job.key_channels;
    let first_value = first_key + job.key_heads * job.key_channels;
    for image in 0..job.images {
        for key_head in 0..job.key_heads {
            let (key, value) = (key_head * job.key_channels, key_head * job.value_channels);
            match numbers {
                Numbers::Floats => {
                    pack_keys(isa, &mut job, image, first_key + key);
                    pack_values(isa, &mut job, image, first_value + value);
                }
                Numbers::Shorts => {
                    // SAFETY: the instruction set of `L` exists here.
                    unsafe {
                        pack_short_keys::<L>(isa, &mut job, image, first_key + key);
                        pack_short_values::<L>(isa, &mut job, image, first_value + value);
                    }
                }
            }
            for head in key_head * group..(key_head + 1) * group {
                let mut query = 0;
                while query < points {
                    let count = (points - query).div_ceil((points - query).div_ceil(QUERIES));
                    let row = image * points + query;
                    // SAFETY: `attend` checked that queries, keys, values, results and scratch are there.
                    unsafe {
                        let queries = job.projected.as_ptr().add(row * stride + head * job.key_channels);
                        let width = job.heads * job.value_channels;
                        let to = job.to.as_mut_ptr().add(row * width + head * job.value_channels);
                        match numbers {
                            Numbers::Floats => answer::<L>(isa, &mut job, count, queries, to),
                            Numbers::Shorts => answer_in_shorts::<L>(isa, &mut job, count, queries, to),
                        }
                    }
                    query += count;
                }
            }
        }
    }
}

/// Keys as the columns of a matrix in panels; zeros fill up the last panel.
#[inline(always)]
fn pack_keys(isa: Isa, job: &mut Attend<'_>, image: usize, channel: usize) {
    let (points, stride, width) = (job.frame.points(), job.stride(), panel_columns(isa));
    let panels = job.padded_keys() / width;
    for (panel, to) in job.scratch.keys.chunks_exact_mut(width * job.key_channels).take(panels).enumerate() {
        for column in 0..width {
            let key = panel * width + column;
            if key < points {
                let from = &job.projected[(image * points + key) * stride + channel..][..job.key_channels];
                for (i, value) in from.iter().enumerate() {
                    to[i * width + column] = *value;
                }
            } else {
                to.iter_mut().skip(column).step_by(width).for_each(|value| *value = 0.0);
            }
        }
    }
}

/// Values as a matrix of one row per key, in panels.
#[inline(always)]
fn pack_values(isa: Isa, job: &mut Attend<'_>, image: usize, channel: usize) {
    let (points, stride, width) = (job.frame.points(), job.stride(), panel_columns(isa));
    for first in (0..job.value_channels).step_by(width) {
        let here = width.min(job.value_channels - first);
        let panel = &mut job.scratch.values[first * points..(first + here) * points];
        for (key, row) in panel.chunks_exact_mut(here).enumerate() {
            row.copy_from_slice(&job.projected[(image * points + key) * stride + channel + first..][..here]);
        }
    }
}

/// What `count` queries see.
#[inline(always)]
unsafe fn answer<L: Multiply>(isa: Isa, job: &mut Attend<'_>, count: usize, queries: *const f32, to: *mut f32) {
    let (points, keys, width) = (job.frame.points(), job.padded_keys(), panel_columns(isa));
    let (key_channels, value_channels) = (job.key_channels, job.value_channels);
    let (stride, to_stride) = (job.stride(), job.heads * value_channels);
    let (scores, sums) = (job.scratch.scores.as_mut_ptr(), job.scratch.sums.as_mut_ptr());
    // SAFETY: `attend` checked the tensors and made the scratch large enough.
    unsafe {
        for first in (0..keys).step_by(width) {
            let panel = job.scratch.keys.as_ptr().add(first * key_channels);
            let mut row = 0;
            while row < count {
                let rows = rows_at_once::<L>(count - row);
                let (a, c) = (queries.add(row * stride), scores.add(row * keys + first));
                let (inner, a_stride, c_stride) = (key_channels, stride, keys);
                L::multiply(PanelProduct {
                    rows,
                    columns: width,
                    inner,
                    a,
                    a_stride,
                    panel,
                    soon: Soon::NOTHING,
                    c,
                    c_stride,
                });
                row += rows;
            }
        }
        let mut shares = [0.0; QUERIES];
        for (row, share) in shares[..count].iter_mut().enumerate() {
            *share = 1.0 / soften::<L>(scores.add(row * keys), points, keys);
        }
        for first in (0..value_channels).step_by(width) {
            let here = width.min(value_channels - first);
            let panel = job.scratch.values.as_ptr().add(first * points);
            let mut row = 0;
            while row < count {
                let rows = rows_at_once::<L>(count - row);
                let (a, c) = (scores.add(row * keys), sums.add(row * here));
                let (inner, a_stride, c_stride) = (points, keys, here);
                L::multiply(PanelProduct {
                    rows,
                    columns: here,
                    inner,
                    a,
                    a_stride,
                    panel,
                    soon: Soon::NOTHING,
                    c,
                    c_stride,
                });
                row += rows;
            }
            for (row, share) in shares[..count].iter().enumerate() {
                let mut at = 0;
                while at < here {
                    let value = L::load(sums.add(row * here + at)).mul(L::splat(*share));
                    value.store(to.add(row * to_stride + first + at));
                    at += L::WIDTH;
                }
            }
        }
    }
}

/// Turns scores into weights that are not yet divided by their sum, and returns the sum.
///
/// # Safety
/// `padded` numbers must be there, whole registers.
#[inline(always)]
unsafe fn soften<L: Lanes>(scores: *mut f32, points: usize, padded: usize) -> f32 {
    // SAFETY: the caller vouches for `padded` numbers, whole registers.
    unsafe {
        let largest = L::splat(largest_score::<L>(scores, points, padded));
        let mut total = L::splat(0.0);
        for at in (0..padded).step_by(L::WIDTH) {
            let weight = exp(L::load(scores.add(at)).sub(largest));
            weight.store(scores.add(at));
            total = total.add(weight);
        }
        total.sum()
    }
}

/// Takes what is beyond the last key out of the way, and finds the largest score.
///
/// # Safety
/// `padded` numbers must be there, an even number of registers.
#[inline(always)]
pub(super) unsafe fn largest_score<L: Lanes>(scores: *mut f32, points: usize, padded: usize) -> f32 {
    // SAFETY: the caller vouches for `padded` numbers.
    unsafe {
        for key in points..padded {
            *scores.add(key) = NOTHING;
        }
        // Two by turns, so that neither waits for the other; a panel has an even number of registers.
        let mut largest = [L::splat(NOTHING); 2];
        for at in (0..padded).step_by(2 * L::WIDTH) {
            largest[0] = largest[0].max(L::load(scores.add(at)));
            largest[1] = largest[1].max(L::load(scores.add(at + L::WIDTH)));
        }
        largest[0].max(largest[1]).largest()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::{assert_close, noise};

    /// The definition for one head and query, in f64.
    fn definition(query: &[f32], keys: &[&[f32]], values: &[&[f32]]) -> Vec<f32> {
        let product = |key: &&[f32]| key.iter().zip(query).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        let weights: Vec<f64> = keys.iter().map(|key| product(key).exp()).collect();
        let total: f64 = weights.iter().sum();
        let channel = |c| weights.iter().zip(values).map(|(w, value)| w * f64::from(value[c])).sum::<f64>() / total;
        (0..values[0].len()).map(|c| channel(c) as f32).collect()
    }

    #[test]
    fn every_head_equals_its_definition_on_every_instruction_set() {
        for (width, height, images, heads, key_heads, key_channels, value_channels) in
            [(19, 19, 1, 2, 1, 32, 16), (3, 5, 2, 4, 4, 16, 32), (9, 9, 2, 6, 3, 32, 48)]
        {
            let frame = Frame { width, height };
            let points = frame.points();
            let stride = heads * key_channels + key_heads * (key_channels + value_channels);
            let projected: Vec<f32> = noise(8, images * points * stride).iter().map(|x| x * 4.0).collect();
            let part = |row: usize, from: usize, length: usize| &projected[row * stride + from..][..length];
            let mut expected = Vec::new();
            for row in 0..images * points {
                let image: Vec<usize> = (0..points).map(|point| row / points * points + point).collect();
                for head in 0..heads {
                    let key_head = head / (heads / key_heads);
                    let key = (heads + key_head) * key_channels;
                    let value = (heads + key_heads) * key_channels + key_head * value_channels;
                    let keys: Vec<&[f32]> = image.iter().map(|&row| part(row, key, key_channels)).collect();
                    let values: Vec<&[f32]> = image.iter().map(|&row| part(row, value, value_channels)).collect();
                    expected.extend(definition(part(row, head * key_channels, key_channels), &keys, &values));
                }
            }
            for kernel in Isa::ALL.into_iter().flat_map(|isa| Numbers::ALL.map(|numbers| Kernel { isa, numbers })) {
                let (is_portable, is_exact) = (kernel.isa == Isa::Portable, kernel.numbers == Numbers::Floats);
                if !is_portable && !kernel.is_available() {
                    continue;
                }
                let (mut to, scratch) = (vec![f32::NAN; expected.len()], &mut AttentionScratch::default());
                let (projected, to_slice) = (&projected, &mut to[..]);
                attend(
                    kernel,
                    Attend {
                        frame,
                        images,
                        heads,
                        key_heads,
                        key_channels,
                        value_channels,
                        projected,
                        to: to_slice,
                        scratch,
                    },
                );
                assert_close(&to, &expected, if is_exact { 2e-5 } else { 1e-2 });
            }
        }
    }
}
