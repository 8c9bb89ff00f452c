//! The form for 64-bit ARM: four signed bytes are multiplied at once and their products added to a sum (`sdot`).
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use core::arch::aarch64::*;

use super::Int8Convolution;
use super::vectors::{IntegerLanes, convolve_with};

/// As an instruction, since Rust has no stable name for it.
#[inline]
#[target_feature(enable = "neon,dotprod")]
unsafe fn add_dots(mut sums: int32x4_t, inputs: int32x4_t, weights: int32x4_t) -> int32x4_t {
    // SAFETY: called through `IntegerLanes` only, where the processor has dot products.
    unsafe {
        std::arch::asm!(
            "sdot {:v}.4s, {:v}.16b, {:v}.16b",
            inout(vreg) sums,
            in(vreg) inputs,
            in(vreg) weights,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    sums
}

// SAFETY of every call below: each aarch64 processor that Rust's standard library runs on has NEON, and who asks for `add_dots` has looked for
// dot products.
impl IntegerLanes for int32x4_t {
    type Floats = float32x4_t;
    const SHIFT: f32 = 128.0;

    #[inline(always)]
    unsafe fn splat(value: i32) -> Self {
        unsafe { vdupq_n_s32(value) }
    }
    #[inline(always)]
    unsafe fn load(from: *const i32) -> Self {
        unsafe { vld1q_s32(from) }
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        unsafe { vaddq_s32(self, other) }
    }
    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        unsafe { vmulq_s32(self, other) }
    }
    #[inline(always)]
    unsafe fn add_dots(self, inputs: Self, weights: Self) -> Self {
        unsafe { add_dots(self, inputs, weights) }
    }
    #[inline(always)]
    unsafe fn add_pairs(self, inputs: Self, weights: Self) -> Self {
        unsafe {
            let (inputs, weights) = (vreinterpretq_s16_s32(inputs), vreinterpretq_s16_s32(weights));
            let low = vmull_s16(vget_low_s16(inputs), vget_low_s16(weights));
            vaddq_s32(self, vpaddq_s32(low, vmull_high_s16(inputs, weights)))
        }
    }
    #[inline(always)]
    unsafe fn to_floats(self) -> float32x4_t {
        unsafe { vcvtq_f32_s32(self) }
    }
}

/// # Safety
/// The job must have passed the checks of [`super::convolve`], and the processor have dot products.
#[target_feature(enable = "neon,dotprod")]
pub unsafe fn convolve(job: Int8Convolution<'_>) {
    // SAFETY: as promised by the caller.
    unsafe { convolve_with::<int32x4_t>(job) }
}

#[cfg(test)]
mod tests {
    use super::super::PlainSums;
    use super::*;
    use crate::kernel::{Lanes, Portable};

    /// No kernel of this processor multiplies shorts, so that nothing else looks at them.
    #[test]
    fn pairs_of_shorts_are_multiplied_as_the_portable_loops_do() {
        let (sums, inputs, weights) =
            ([7, -7, 0, 1], [0x7fff_8001, -1, 0x0001_ffff, i32::MIN], [0x7fff_8001, -1, 3, 5]);
        let (mut found, mut expected) = ([0.0; 4], [0.0; 4]);
        // SAFETY: four elements everywhere, and NEON is here.
        unsafe {
            let of = |numbers: &[i32; 4]| int32x4_t::load(numbers.as_ptr());
            of(&sums).add_pairs(of(&inputs), of(&weights)).to_floats().store(found.as_mut_ptr());
            let of = |numbers: &[i32; 4]| PlainSums::<4>::load(numbers.as_ptr());
            let plain: Portable = of(&sums).add_pairs(of(&inputs), of(&weights)).to_floats();
            plain.store(expected.as_mut_ptr());
        }
        assert_eq!(found, expected);
    }
}
