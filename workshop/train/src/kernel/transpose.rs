//! Turning a block of 16 x 16 words in registers, which the tile unit's left operand needs.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use core::arch::x86_64::{
    __m512i, _mm512_setzero_si512, _mm512_shuffle_i32x4, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64,
    _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
};

/// Row `r`, word `c` becomes row `c`, word `r`.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn transpose_16x16(rows: [__m512i; 16]) -> [__m512i; 16] {
    let zero = _mm512_setzero_si512();
    let (mut pairs, mut fours, mut turned) = ([zero; 16], [zero; 16], [zero; 16]);
    for i in (0..16).step_by(2) {
        pairs[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
    }
    // Afterwards quarter `q` of `fours[4 i + j]` holds rows 4 i .. 4 i + 4 of column 4 q + j.
    for i in (0..16).step_by(4) {
        fours[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
        fours[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
        fours[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
    const EVEN_QUARTERS: i32 = 0x88;
    const ODD_QUARTERS: i32 = 0xdd;
    for j in 0..4 {
        let upper_even = _mm512_shuffle_i32x4::<EVEN_QUARTERS>(fours[j], fours[4 + j]);
        let lower_even = _mm512_shuffle_i32x4::<EVEN_QUARTERS>(fours[8 + j], fours[12 + j]);
        let upper_odd = _mm512_shuffle_i32x4::<ODD_QUARTERS>(fours[j], fours[4 + j]);
        let lower_odd = _mm512_shuffle_i32x4::<ODD_QUARTERS>(fours[8 + j], fours[12 + j]);
        turned[j] = _mm512_shuffle_i32x4::<EVEN_QUARTERS>(upper_even, lower_even);
        turned[4 + j] = _mm512_shuffle_i32x4::<EVEN_QUARTERS>(upper_odd, lower_odd);
        turned[8 + j] = _mm512_shuffle_i32x4::<ODD_QUARTERS>(upper_even, lower_even);
        turned[12 + j] = _mm512_shuffle_i32x4::<ODD_QUARTERS>(upper_odd, lower_odd);
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::arch::x86_64::{_mm512_loadu_si512, _mm512_storeu_si512};

    #[test]
    fn rows_become_columns() {
        if !is_x86_feature_detected!("avx512f") {
            return;
        }
        let block: [[u32; 16]; 16] = std::array::from_fn(|r| std::array::from_fn(|c| (r * 16 + c) as u32));
        let mut turned = [[0u32; 16]; 16];
        // SAFETY: the instructions exist, and every row is 64 bytes.
        unsafe {
            let rows = transpose_16x16(block.map(|row| _mm512_loadu_si512(row.as_ptr().cast())));
            for (to, row) in turned.iter_mut().zip(rows) {
                _mm512_storeu_si512(to.as_mut_ptr().cast(), row);
            }
        }
        for r in 0..16 {
            for c in 0..16 {
                assert_eq!(turned[r][c], block[c][r]);
            }
        }
    }
}
