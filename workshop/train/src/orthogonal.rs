//! The direction of a step for a weight matrix: as long in every direction as in any other (Muon: Jordan et al. 2024).
//!
//! A gradient of a matrix is mostly made of a few directions that many examples agree about. Following it, a net learns these
//! quickly and the rare ones, which tell one fight from another, hardly at all. With all its singular values set to about one
//! it learns both.

use jigo_net::kernel::{Gemm, Isa, gemm};

use crate::model::transposed;

/// Rounds of the iteration: after five every singular value above a thousandth of the length lies near one.
const ROUNDS: usize = 5;
/// An odd polynomial x (a + b x² + c x⁴) that pulls everything between zero and one towards one; steep at zero, so that small
/// values come up within a few rounds, and in return it stops between 0.7 and 1.2.
const POLYNOMIAL: [f32; 3] = [3.4445, -4.775, 2.0315];

/// `matrix`, `[rows][columns]`, with its singular values set to about one. `columns` is a multiple of 16.
///
/// The iteration X ← X (a + b XᵀX + c (XᵀX)²) multiplies X by polynomials of one small matrix, so only that matrix and the
/// product of the polynomials go through the rounds, and X is multiplied once.
pub fn orthogonal(isa: Isa, matrix: &[f32], columns: usize) -> Vec<f32> {
    let rows = matrix.len() / columns;
    let length = matrix.iter().map(|v| f64::from(*v) * f64::from(*v)).sum::<f64>().sqrt();
    if length == 0.0 {
        return vec![0.0; matrix.len()];
    }
    let unit: Vec<f32> = matrix.iter().map(|v| (f64::from(*v) / length) as f32).collect();
    let product = |rows: usize, inner: usize, a: &[f32], b: &[f32]| {
        let mut c = vec![0.0; rows * columns];
        gemm(isa, Gemm { rows, inner, columns, a, b, c: &mut c });
        c
    };
    let times = |a: &[f32], b: &[f32]| product(columns, columns, a, b);
    let mut gram = product(columns, rows, &transposed(&unit, columns), &unit);
    let [a, b, c] = POLYNOMIAL;
    let polynomial = |gram: &[f32]| {
        let square = times(gram, gram);
        let mut sum: Vec<f32> = gram.iter().zip(&square).map(|(x, x2)| b * x + c * x2).collect();
        (0..columns).for_each(|i| sum[i * columns + i] += a);
        sum
    };
    let mut factor = polynomial(&gram);
    let mut last = factor.clone();
    for _ in 1..ROUNDS {
        gram = times(&times(&last, &gram), &last);
        last = polynomial(&gram);
        factor = times(&factor, &last);
    }
    product(rows, columns, &unit, &factor)
}

#[cfg(test)]
mod tests {
    use jigo_board::Rng;

    use super::*;

    /// A wide spread of directions: column c is c + 1 times as long as the first.
    fn uneven(rows: usize, columns: usize) -> Vec<f32> {
        let mut rng = Rng::new(5);
        (0..rows * columns).map(|at| (rng.unit() - 0.5) * (1.0 + (at % columns) as f32)).collect()
    }

    #[test]
    fn columns_end_up_as_long_as_each_other_and_apart() {
        let (rows, columns) = (144, 16);
        let result = orthogonal(Isa::best_f32(), &uneven(rows, columns), columns);
        let dot = |a: usize, b: usize| -> f32 { result.chunks_exact(columns).map(|row| row[a] * row[b]).sum() };
        for a in 0..columns {
            assert!((0.4..1.6).contains(&dot(a, a)), "{a}: {}", dot(a, a));
            for b in 0..a {
                assert!(dot(a, b).abs() < 0.35, "{a} {b}: {}", dot(a, b));
            }
        }
    }

    #[test]
    fn its_length_does_not_matter_and_nothing_stays_nothing() {
        let matrix = uneven(32, 16);
        let longer: Vec<f32> = matrix.iter().map(|v| v * 1e-12).collect();
        let (a, b) = (orthogonal(Isa::best_f32(), &matrix, 16), orthogonal(Isa::best_f32(), &longer, 16));
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-3));
        assert!(orthogonal(Isa::best_f32(), &[0.0; 256], 16).iter().all(|v| *v == 0.0));
    }
}
