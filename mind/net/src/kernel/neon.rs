//! Registers of 64-bit ARM processors, all of which have NEON.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use core::arch::aarch64::*;

use super::Lanes;

// SAFETY of every call below: each aarch64 processor that Rust's standard library runs on has NEON; pointers are the caller's word.
impl Lanes for float32x4_t {
    const WIDTH: usize = 4;
    const REGISTERS: usize = 32;

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        unsafe { vdupq_n_f32(value) }
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        unsafe { vld1q_f32(from) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        unsafe { vst1q_f32(to, self) }
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        unsafe { vaddq_f32(self, other) }
    }
    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        unsafe { vsubq_f32(self, other) }
    }
    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        unsafe { vmulq_f32(self, other) }
    }
    #[inline(always)]
    unsafe fn div(self, other: Self) -> Self {
        unsafe { vdivq_f32(self, other) }
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        unsafe { vminq_f32(self, other) }
    }
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        unsafe { vmaxq_f32(self, other) }
    }
    #[inline(always)]
    unsafe fn mul_add(self, factor: Self, addend: Self) -> Self {
        unsafe { vfmaq_f32(addend, self, factor) }
    }
    #[inline(always)]
    unsafe fn where_positive(self, condition: Self) -> Self {
        unsafe { vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(self), vcgtzq_f32(condition))) }
    }
    #[inline(always)]
    unsafe fn times_power_of_two(self, power: Self) -> Self {
        unsafe {
            let exponent = vshlq_n_s32::<23>(vreinterpretq_s32_f32(power));
            vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(self), exponent))
        }
    }
    #[inline(always)]
    unsafe fn store_shorts(self, to: *mut i16) {
        unsafe { vst1_s16(to, vmovn_s32(vreinterpretq_s32_f32(self))) }
    }
    /// Such processors fetch straight runs ahead by themselves.
    #[inline(always)]
    unsafe fn prefetch(_from: *const f32) {}
}
