//! The functions between layers, a register of values at a time.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use crate::kernel::Lanes;
use crate::kernel::lanes::ROUNDER;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    Identity,
    Relu,
    /// `x * tanh(ln(1 + e^x))`
    Mish,
    /// `x / (1 + e^-x)`
    Silu,
}

impl Activation {
    /// # Safety
    /// The instruction set of `L` must exist here.
    #[inline(always)]
    pub unsafe fn apply<L: Lanes>(self, x: L) -> L {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Activation::Identity => x,
                Activation::Relu => x.max(L::splat(0.0)),
                Activation::Mish => mish(x),
                Activation::Silu => silu(x),
            }
        }
    }
}

/// e^x to within two units in the last place. Beyond 75 either way it stays as it is, far from the ends of a float's range: numbers below
/// the smallest normal one take a processor a hundred times as long, and products of what is made of this must not come there.
///
/// # Safety
/// The instruction set of `L` must exist here.
#[inline(always)]
pub unsafe fn exp<L: Lanes>(x: L) -> L {
    // SAFETY: as the caller promises.
    unsafe {
        let x = x.min(L::splat(75.0)).max(L::splat(-75.0));
        // x = n ln 2 + r with an integer n; ln 2 in two parts, so that the product with n is exact.
        let rounded = x.mul_add(L::splat(std::f32::consts::LOG2_E), L::splat(ROUNDER));
        let n = rounded.sub(L::splat(ROUNDER));
        let r = n.mul_add(L::splat(-0.693_359_4), x);
        let r = n.mul_add(L::splat(2.121_944_4e-4), r);
        let mut series = L::splat(1.0 / 720.0);
        for factor in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
            series = series.mul_add(r, L::splat(factor));
        }
        series.times_power_of_two(rounded)
    }
}

/// 2^x to within four millionths of itself, for x from -100 to 0: exact enough for what is rounded to 15 bits next.
///
/// # Safety
/// The instruction set of `L` must exist here.
#[inline(always)]
pub unsafe fn rough_power<L: Lanes>(x: L) -> L {
    // SAFETY: as the caller promises.
    unsafe {
        let rounded = x.add(L::splat(ROUNDER));
        let r = x.sub(rounded.sub(L::splat(ROUNDER)));
        // Equal to 2^r at five points of -1/2 .. 1/2, zero among them.
        let mut series = L::splat(0.009_666_369);
        for factor in [0.055_921_976, 0.240_223_5, 0.693_121, 1.0] {
            series = series.mul_add(r, L::splat(factor));
        }
        series.times_power_of_two(rounded)
    }
}

/// tanh(ln(1 + t)) = (t² + 2t) / (t² + 2t + 2), with t = e^x.
#[inline(always)]
unsafe fn mish<L: Lanes>(x: L) -> L {
    // SAFETY: the instruction set of `L` exists here.
    unsafe {
        let t = exp(x.min(L::splat(20.0)));
        let w = t.mul_add(t, t.add(t));
        x.mul(w).mul(w.add(L::splat(2.0)).reciprocal())
    }
}

/// # Safety
/// The instruction set of `L` must exist here.
#[inline(always)]
pub unsafe fn silu<L: Lanes>(x: L) -> L {
    // SAFETY: as the caller promises.
    unsafe { x.mul(exp(L::splat(0.0).sub(x)).add(L::splat(1.0)).reciprocal()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Isa;
    use crate::per_isa;

    struct Job<'a> {
        activation: Activation,
        values: &'a mut [f32],
    }

    per_isa!(fn apply_on / apply_with(Job<'_>));

    #[inline(always)]
    unsafe fn apply_with<L: Lanes>(job: Job<'_>) {
        for part in job.values.chunks_exact_mut(L::WIDTH) {
            // SAFETY: a part has one register's length.
            unsafe { job.activation.apply(L::load(part.as_ptr())).store(part.as_mut_ptr()) }
        }
    }

    struct Powers<'a>(&'a mut [f32]);

    per_isa!(fn rough_powers_on / rough_powers_with(Powers<'_>));

    #[inline(always)]
    unsafe fn rough_powers_with<L: Lanes>(job: Powers<'_>) {
        for part in job.0.chunks_exact_mut(L::WIDTH) {
            // SAFETY: a part has one register's length.
            unsafe { rough_power(L::load(part.as_ptr())).store(part.as_mut_ptr()) }
        }
    }

    #[test]
    fn rough_powers_are_rough_by_four_millionths() {
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            let exponents: Vec<f32> = (0..4096).map(|i| i as f32 / -41.0).collect();
            let mut powers = exponents.clone();
            // SAFETY: the length is a multiple of every register's.
            unsafe { rough_powers_on(isa, Powers(&mut powers)) };
            for (x, y) in exponents.iter().zip(&powers) {
                let expected = f64::from(*x).exp2();
                assert!((f64::from(*y) / expected - 1.0).abs() < 4e-6, "{isa}: 2^{x} is {y}, not {expected}");
            }
        }
    }

    #[test]
    fn equal_their_definitions_over_the_whole_range() {
        let inputs: Vec<f32> = (0..4096).map(|i| (i as f32 - 2048.0) / 16.0).collect();
        let definition = |activation, x: f64| match activation {
            Activation::Identity => x,
            Activation::Relu => x.max(0.0),
            Activation::Mish if x > 20.0 => x,
            Activation::Mish => x * x.exp().ln_1p().tanh(),
            Activation::Silu => x / (1.0 + (-x).exp()),
        };
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            for activation in [Activation::Identity, Activation::Relu, Activation::Mish, Activation::Silu] {
                let mut values = inputs.clone();
                // SAFETY: the length is a multiple of every register's.
                unsafe { apply_on(isa, Job { activation, values: &mut values }) };
                for (x, y) in inputs.iter().zip(&values) {
                    let expected = definition(activation, f64::from(*x));
                    let close = 1e-6 * expected.abs() + 1e-30;
                    assert!((f64::from(*y) - expected).abs() <= close, "{activation:?}({x}) is {y}, not {expected}");
                }
            }
        }
    }
}
