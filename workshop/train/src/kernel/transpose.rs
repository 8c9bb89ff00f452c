//! Turning a 16 x 16 block of 32-bit words, which the tile unit's left operand needs.

/// Plain form; small enough that the compiler keeps it in registers where it can.
#[inline(always)]
pub fn transpose_16x16(block: &[[u32; 16]; 16]) -> [[u32; 16]; 16] {
    // Four rounds of exchanging halves: rows r and r + step swap their columns that differ in bit `step`.
    let mut rows = *block;
    for step in [8, 4, 2, 1] {
        for low in (0..16).filter(|row| row & step == 0) {
            let (a, b) = (rows[low], rows[low + step]);
            for column in 0..16 {
                if column & step == 0 {
                    rows[low + step][column] = a[column + step];
                } else {
                    rows[low][column] = b[column - step];
                }
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns() {
        let block: [[u32; 16]; 16] = std::array::from_fn(|r| std::array::from_fn(|c| (r * 16 + c) as u32));
        let turned = transpose_16x16(&block);
        for r in 0..16 {
            for c in 0..16 {
                assert_eq!(turned[r][c], block[c][r]);
            }
        }
    }
}
