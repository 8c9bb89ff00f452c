//! One vector register of `f32`, so that each kernel is written once and compiled per instruction set.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]
#![allow(clippy::missing_safety_doc)] // said once, on the trait

/// A vector register. Methods are `unsafe`: the caller runs inside a function compiled for the
/// register's instruction set (see [`per_isa`]) on a machine that has it, and pointers must be valid for
/// `WIDTH` elements.
pub trait Lanes: Copy {
    /// Elements per register.
    const WIDTH: usize;
    /// Architectural registers; decides how many accumulators a matrix product may hold.
    const REGISTERS: usize;

    unsafe fn splat(value: f32) -> Self;
    unsafe fn load(from: *const f32) -> Self;
    unsafe fn store(self, to: *mut f32);
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn sub(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    unsafe fn div(self, other: Self) -> Self;
    unsafe fn min(self, other: Self) -> Self;
    unsafe fn max(self, other: Self) -> Self;
    /// `self * factor + addend`
    unsafe fn mul_add(self, factor: Self, addend: Self) -> Self;
    /// `self` where `condition` is above zero, zero elsewhere: the gradient of the rectifier.
    unsafe fn where_positive(self, condition: Self) -> Self;
    /// `self` times two to the power of `n`, where `power` is [`ROUNDER`] + n with an integer n; neither `self` nor the product may leave
    /// the range of normal numbers.
    unsafe fn times_power_of_two(self, power: Self) -> Self;
    /// Stores the low halves of the elements' bits, where adding [`ROUNDER`] has left integers.
    unsafe fn store_shorts(self, to: *mut i16);
    /// Asks for a cache line that will be read soon; any address will do.
    unsafe fn prefetch(from: *const f32);

    /// One over each element, to within two units in the last place.
    #[inline(always)]
    unsafe fn reciprocal(self) -> Self {
        // SAFETY: as the caller promises.
        unsafe { Self::splat(1.0).div(self) }
    }

    /// All elements added up.
    #[inline(always)]
    unsafe fn sum(self) -> f32 {
        let mut values = [0.0; 16];
        // SAFETY: no register is wider than sixteen elements.
        unsafe { self.store(values.as_mut_ptr()) };
        halved(values, |a, b| a + b)
    }
    /// The largest element.
    #[inline(always)]
    unsafe fn largest(self) -> f32 {
        let mut values = [f32::NEG_INFINITY; 16];
        // SAFETY: no register is wider than sixteen elements.
        unsafe { self.store(values.as_mut_ptr()) };
        halved(values, |a, b| if a > b { a } else { b })
    }
}

/// One number of sixteen: the halves are joined, then the quarters, and so on, which is faster than one after the other.
#[inline(always)]
fn halved(mut values: [f32; 16], join: impl Fn(f32, f32) -> f32) -> f32 {
    for half in [8, 4, 2, 1] {
        for at in 0..half {
            values[at] = join(values[at], values[at + half]);
        }
    }
    values[0]
}

/// 3 * 2^22. Adding this to a small number rounds it to an integer, which then stands in the low bits of the sum.
pub const ROUNDER: f32 = 12_582_912.0;

/// Plain floats, left to the compiler. Sixteen of them stand in for the widest registers, so that their forms of a kernel can be tried
/// on any machine.
#[derive(Clone, Copy)]
pub struct Plain<const N: usize>([f32; N]);

/// What every 64-bit machine can do.
pub type Portable = Plain<4>;

impl<const N: usize> Lanes for Plain<N> {
    const WIDTH: usize = N;
    const REGISTERS: usize = if N == 16 { 32 } else { 16 };

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        Plain([value; N])
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        // SAFETY: the caller promises readable elements.
        Plain(unsafe { from.cast::<[f32; N]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller promises writable elements.
        unsafe { to.cast::<[f32; N]>().write_unaligned(self.0) }
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        Plain(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        Plain(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        Plain(std::array::from_fn(|i| self.0[i] * other.0[i]))
    }
    #[inline(always)]
    unsafe fn div(self, other: Self) -> Self {
        Plain(std::array::from_fn(|i| self.0[i] / other.0[i]))
    }
    #[inline(always)]
    unsafe fn min(self, other: Self) -> Self {
        Plain(std::array::from_fn(|i| self.0[i].min(other.0[i])))
    }
    #[inline(always)]
    unsafe fn max(self, other: Self) -> Self {
        Plain(std::array::from_fn(|i| self.0[i].max(other.0[i])))
    }
    #[inline(always)]
    unsafe fn mul_add(self, factor: Self, addend: Self) -> Self {
        Plain(std::array::from_fn(|i| self.0[i] * factor.0[i] + addend.0[i]))
    }
    #[inline(always)]
    unsafe fn where_positive(self, condition: Self) -> Self {
        Plain(std::array::from_fn(|i| if condition.0[i] > 0.0 { self.0[i] } else { 0.0 }))
    }
    #[inline(always)]
    unsafe fn times_power_of_two(self, power: Self) -> Self {
        Plain(std::array::from_fn(|i| f32::from_bits(self.0[i].to_bits().wrapping_add(power.0[i].to_bits() << 23))))
    }
    #[inline(always)]
    unsafe fn store_shorts(self, to: *mut i16) {
        // SAFETY: the caller promises writable elements.
        unsafe { to.cast::<[i16; N]>().write_unaligned(self.0.map(|x| x.to_bits() as i16)) }
    }
    #[inline(always)]
    unsafe fn prefetch(_from: *const f32) {}
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn where_positive_256(
    value: core::arch::x86_64::__m256,
    condition: core::arch::x86_64::__m256,
) -> core::arch::x86_64::__m256 {
    use core::arch::x86_64::*;
    // SAFETY: called through `Lanes` only, where AVX2 exists.
    unsafe { _mm256_and_ps(value, _mm256_cmp_ps::<_CMP_GT_OQ>(condition, _mm256_setzero_ps())) }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn where_positive_512(
    value: core::arch::x86_64::__m512,
    condition: core::arch::x86_64::__m512,
) -> core::arch::x86_64::__m512 {
    use core::arch::x86_64::*;
    // SAFETY: called through `Lanes` only, where AVX-512 exists.
    unsafe { _mm512_maskz_mov_ps(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(condition, _mm512_setzero_ps()), value) }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn times_power_of_two_256(
    value: core::arch::x86_64::__m256,
    power: core::arch::x86_64::__m256,
) -> core::arch::x86_64::__m256 {
    use core::arch::x86_64::*;
    // SAFETY: called through `Lanes` only, where AVX2 exists.
    unsafe {
        let exponent = _mm256_slli_epi32::<23>(_mm256_castps_si256(power));
        _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(value), exponent))
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn times_power_of_two_512(
    value: core::arch::x86_64::__m512,
    power: core::arch::x86_64::__m512,
) -> core::arch::x86_64::__m512 {
    use core::arch::x86_64::*;
    // SAFETY: called through `Lanes` only, where AVX-512 exists.
    unsafe {
        let exponent = _mm512_slli_epi32::<23>(_mm512_castps_si512(power));
        _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(value), exponent))
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn store_shorts_256(value: core::arch::x86_64::__m256, to: *mut i16) {
    use core::arch::x86_64::*;
    // SAFETY: called through `Lanes` only, where AVX2 exists.
    unsafe {
        let low = _mm256_set1_epi64x(0x0d0c_0908_0504_0100); // the low halves of four elements
        let halves = _mm256_shuffle_epi8(_mm256_castps_si256(value), low);
        let joined = _mm256_permute4x64_epi64::<0b10_00>(halves);
        _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(joined));
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn store_shorts_512(value: core::arch::x86_64::__m512, to: *mut i16) {
    use core::arch::x86_64::*;
    // SAFETY: called through `Lanes` only, where AVX-512 exists.
    unsafe { _mm256_storeu_si256(to.cast(), _mm512_cvtepi32_epi16(_mm512_castps_si512(value))) }
}

/// A guess of 14 bits and a step of Newton's; a division takes four times as long.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn reciprocal_512(value: core::arch::x86_64::__m512) -> core::arch::x86_64::__m512 {
    use core::arch::x86_64::*;
    // SAFETY: called through `Lanes` only, where AVX-512 exists.
    unsafe {
        let guess = _mm512_rcp14_ps(value);
        _mm512_mul_ps(guess, _mm512_fnmadd_ps(value, guess, _mm512_set1_ps(2.0)))
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! x86_lanes {
    ($register:ident, $width:literal, $registers:literal, $splat:ident, $load:ident, $store:ident,
     $add:ident, $sub:ident, $mul:ident, $div:ident, $min:ident, $max:ident, $fma:ident, $mask:path,
     $power:path, $shorts:path $(, $sum:ident, $largest:ident, $reciprocal:path)?) => {
        // SAFETY of every call below: the caller of a `Lanes` method runs where the instruction exists.
        impl Lanes for core::arch::x86_64::$register {
            const WIDTH: usize = $width;
            const REGISTERS: usize = $registers;

            #[inline(always)]
            unsafe fn splat(value: f32) -> Self {
                unsafe { core::arch::x86_64::$splat(value) }
            }
            #[inline(always)]
            unsafe fn load(from: *const f32) -> Self {
                unsafe { core::arch::x86_64::$load(from) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut f32) {
                unsafe { core::arch::x86_64::$store(to, self) }
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                unsafe { core::arch::x86_64::$add(self, other) }
            }
            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                unsafe { core::arch::x86_64::$sub(self, other) }
            }
            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                unsafe { core::arch::x86_64::$mul(self, other) }
            }
            #[inline(always)]
            unsafe fn div(self, other: Self) -> Self {
                unsafe { core::arch::x86_64::$div(self, other) }
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                unsafe { core::arch::x86_64::$min(self, other) }
            }
            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                unsafe { core::arch::x86_64::$max(self, other) }
            }
            #[inline(always)]
            unsafe fn mul_add(self, factor: Self, addend: Self) -> Self {
                unsafe { core::arch::x86_64::$fma(self, factor, addend) }
            }
            #[inline(always)]
            unsafe fn where_positive(self, condition: Self) -> Self {
                unsafe { $mask(self, condition) }
            }
            #[inline(always)]
            unsafe fn times_power_of_two(self, power: Self) -> Self {
                unsafe { $power(self, power) }
            }
            #[inline(always)]
            unsafe fn prefetch(from: *const f32) {
                unsafe { core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T1 }>(from.cast()) }
            }
            #[inline(always)]
            unsafe fn store_shorts(self, to: *mut i16) {
                unsafe { $shorts(self, to) }
            }
            $(
                #[inline(always)]
                unsafe fn sum(self) -> f32 {
                    unsafe { core::arch::x86_64::$sum(self) }
                }
                #[inline(always)]
                unsafe fn largest(self) -> f32 {
                    unsafe { core::arch::x86_64::$largest(self) }
                }
                #[inline(always)]
                unsafe fn reciprocal(self) -> Self {
                    unsafe { $reciprocal(self) }
                }
            )?
        }
    };
}

#[cfg(target_arch = "x86_64")]
x86_lanes!(
    __m256,
    8,
    16,
    _mm256_set1_ps,
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    _mm256_add_ps,
    _mm256_sub_ps,
    _mm256_mul_ps,
    _mm256_div_ps,
    _mm256_min_ps,
    _mm256_max_ps,
    _mm256_fmadd_ps,
    where_positive_256,
    times_power_of_two_256,
    store_shorts_256
);
#[cfg(target_arch = "x86_64")]
x86_lanes!(
    __m512,
    16,
    32,
    _mm512_set1_ps,
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    _mm512_add_ps,
    _mm512_sub_ps,
    _mm512_mul_ps,
    _mm512_div_ps,
    _mm512_min_ps,
    _mm512_max_ps,
    _mm512_fmadd_ps,
    where_positive_512,
    times_power_of_two_512,
    store_shorts_512,
    _mm512_reduce_add_ps,
    _mm512_reduce_max_ps,
    reciprocal_512
);

/// Compiles `kernel::<L>(job)` once per instruction set and defines `name(isa, job)` to call the right one.
///
/// The kernel must be `#[inline(always)]`, generic over one [`Lanes`] type, and take one argument. `isa` must be
/// available on this machine (checked), which is what makes the inner calls sound.
#[macro_export]
macro_rules! per_isa {
    ($(#[$doc:meta])* $visibility:vis fn $name:ident / $kernel:ident ($job:ty)) => {
        $(#[$doc])*
        $visibility unsafe fn $name(isa: $crate::kernel::Isa, job: $job) {
            assert!(isa.is_available(), "this machine has no {isa} instructions");
            #[cfg(target_arch = "x86_64")]
            {
                use $crate::kernel::Isa;
                #[target_feature(enable = "avx2,fma")]
                unsafe fn avx2(job: $job) {
                    unsafe { $kernel::<core::arch::x86_64::__m256>(job) }
                }
                #[target_feature(enable = "avx512f")]
                unsafe fn avx512(job: $job) {
                    unsafe { $kernel::<core::arch::x86_64::__m512>(job) }
                }
                match isa {
                    Isa::Avx512 | Isa::Vnni512 | Isa::Amx | Isa::AmxInt8 => return unsafe { avx512(job) },
                    Isa::Avx2 | Isa::Vnni256 => return unsafe { avx2(job) },
                    Isa::Portable | Isa::Neon | Isa::NeonDot => {}
                }
            }
            #[cfg(target_arch = "aarch64")]
            if matches!(isa, $crate::kernel::Isa::Neon | $crate::kernel::Isa::NeonDot) {
                return unsafe { $kernel::<core::arch::aarch64::float32x4_t>(job) };
            }
            unsafe { $kernel::<$crate::kernel::Portable>(job) }
        }
    };
}
