//! Products of bf16: floats of half the length, eight bits of which are the number. The tile unit multiplies them with sums in f32;
//! elsewhere the same arithmetic is done with floats that were rounded, which is no faster but shows what the rounding costs.

use super::matrix::{pack, panel_columns};
use super::words::DEPTH_STEP;
use crate::kernel::{Aligned, Isa};

/// A matrix rounded to bf16.
pub(super) enum HalfPanels {
    /// As floats, in panels.
    Floats(Aligned<f32>),
    /// Two rows to a word, in panels of `[word][column]`.
    Words { panels: Aligned<i32>, depth: usize },
}

impl HalfPanels {
    /// `matrix` is `inner x columns`, row by row.
    pub fn new(isa: Isa, inner: usize, columns: usize, matrix: &[f32]) -> HalfPanels {
        let rounded: Vec<f32> = matrix.iter().map(|&weight| rounded(weight)).collect();
        if !has_tiles(isa) {
            let mut panels = Aligned::zeroed(inner * columns);
            pack(isa, inner, columns, &rounded, &mut panels);
            return HalfPanels::Floats(panels);
        }
        let depth = (inner / 2).next_multiple_of(DEPTH_STEP);
        let mut panels: Aligned<i32> = Aligned::zeroed(depth * columns);
        let width = panel_columns(isa);
        for (i, row) in rounded.chunks_exact(columns).take(inner).enumerate() {
            for (column, weight) in row.iter().enumerate() {
                let first = column / width * width;
                let here = width.min(columns - first);
                let half = (weight.to_bits() >> 16) as i32;
                panels[first * depth + i / 2 * here + column - first] |= half << (i % 2 * 16);
            }
        }
        HalfPanels::Words { panels, depth }
    }
}

fn has_tiles(isa: Isa) -> bool {
    matches!(isa, Isa::Amx | Isa::AmxInt8)
}

/// The nearest bf16.
#[inline(always)]
fn rounded(value: f32) -> f32 {
    let bits = value.to_bits();
    f32::from_bits((bits.wrapping_add(0x7fff + (bits >> 16 & 1))) & 0xffff_0000)
}

/// Rounds a row, still as floats.
#[inline(always)]
pub(super) fn round_row(row: &[f32], to: &mut [f32]) {
    to.iter_mut().zip(row).for_each(|(to, &x)| *to = rounded(x));
}

/// Rounds a row, two numbers to a word.
#[inline(always)]
pub(super) fn round_row_to_words(row: &[f32], to: &mut [i32]) {
    for (to, pair) in to.iter_mut().zip(row.chunks_exact(2)) {
        let [low, high] = [pair[0], pair[1]].map(|x| rounded(x).to_bits());
        *to = (low >> 16 | high) as i32;
    }
}
