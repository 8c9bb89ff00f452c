//! The form for vector registers: four bytes are multiplied at once and their products added to a sum (`vpdpbusd`).
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]
#![allow(clippy::missing_safety_doc)] // of `IntegerLanes`: said once, on the trait

use super::super::{Lanes, Plain};
use super::{ByteFilters, GROUP, Image, Int8Convolution, OVERRUN};

/// A register of 32-bit integers. Methods are `unsafe` as those of [`Lanes`] are.
pub trait IntegerLanes: Copy {
    type Floats: Lanes;
    /// What the bytes of inputs are less than those of 0 to 254: 128 where the processor multiplies signed bytes only.
    const SHIFT: f32 = 0.0;

    unsafe fn splat(value: i32) -> Self;
    unsafe fn load(from: *const i32) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    /// Adds to each element the products of the four bytes of `inputs`, unsigned unless they are shifted, with the four signed ones of `weights`.
    unsafe fn add_dots(self, inputs: Self, weights: Self) -> Self;
    /// Adds to each element the products of the two shorts of `inputs` with those of `weights`.
    unsafe fn add_pairs(self, inputs: Self, weights: Self) -> Self;
    unsafe fn to_floats(self) -> Self::Floats;
}

/// Plain integers, left to the compiler; sixteen of them stand in for the widest registers in tests.
#[derive(Clone, Copy)]
pub struct PlainSums<const N: usize>([i32; N]);

impl<const N: usize> IntegerLanes for PlainSums<N> {
    type Floats = Plain<N>;

    #[inline(always)]
    unsafe fn splat(value: i32) -> Self {
        PlainSums([value; N])
    }
    #[inline(always)]
    unsafe fn load(from: *const i32) -> Self {
        // SAFETY: the caller promises readable elements.
        PlainSums(unsafe { from.cast::<[i32; N]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        PlainSums(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        PlainSums(std::array::from_fn(|i| self.0[i] * other.0[i]))
    }
    #[inline(always)]
    unsafe fn add_dots(self, inputs: Self, weights: Self) -> Self {
        PlainSums(std::array::from_fn(|i| {
            let pairs = inputs.0[i].to_ne_bytes().into_iter().zip(weights.0[i].to_ne_bytes());
            self.0[i] + pairs.map(|(x, w)| i32::from(x) * i32::from(w as i8)).sum::<i32>()
        }))
    }
    #[inline(always)]
    unsafe fn add_pairs(self, inputs: Self, weights: Self) -> Self {
        let product = |x: i32, w: i32| i32::from(x as i16) * i32::from(w as i16);
        PlainSums(std::array::from_fn(|i| {
            let (x, w) = (inputs.0[i], weights.0[i]);
            self.0[i] + product(x, w) + product(x >> 16, w >> 16)
        }))
    }
    #[inline(always)]
    unsafe fn to_floats(self) -> Plain<N> {
        let floats = self.0.map(|sum| sum as f32);
        // SAFETY: as many readable elements.
        unsafe { Plain::load(floats.as_ptr()) }
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{VnniSums, convolve_256, convolve_512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::{Int8Convolution, IntegerLanes, convolve_with};

    /// In two steps, which AVX2 has without VNNI.
    #[inline(always)]
    unsafe fn add_pairs_256(sums: __m256i, inputs: __m256i, weights: __m256i) -> __m256i {
        // SAFETY: called through `IntegerLanes` only, where AVX2 exists.
        unsafe { _mm256_add_epi32(sums, _mm256_madd_epi16(inputs, weights)) }
    }

    /// As an instruction, since the compiler makes two of its intrinsic: it takes the one to be slow, and no processor since does.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vnni")]
    unsafe fn add_pairs_512(mut sums: __m512i, inputs: __m512i, weights: __m512i) -> __m512i {
        // SAFETY: called through `IntegerLanes` only, where AVX-512 VNNI exists.
        unsafe {
            std::arch::asm!(
                "vpdpwssd {}, {}, {}",
                inout(zmm_reg) sums,
                in(zmm_reg) inputs,
                in(zmm_reg) weights,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        sums
    }

    macro_rules! x86_sums {
        ($register:ident, $floats:ident, $splat:ident, $load:ident, $add:ident, $mul:ident, $dots:ident, $pairs:path, $convert:ident,
         $convolve:ident, $features:literal) => {
            // SAFETY of every call below: the caller of an `IntegerLanes` method runs where the instruction exists.
            impl IntegerLanes for $register {
                type Floats = $floats;

                #[inline(always)]
                unsafe fn splat(value: i32) -> Self {
                    unsafe { $splat(value) }
                }
                #[inline(always)]
                unsafe fn load(from: *const i32) -> Self {
                    unsafe { $load(from.cast()) }
                }
                #[inline(always)]
                unsafe fn add(self, other: Self) -> Self {
                    unsafe { $add(self, other) }
                }
                #[inline(always)]
                unsafe fn mul(self, other: Self) -> Self {
                    unsafe { $mul(self, other) }
                }
                #[inline(always)]
                unsafe fn add_dots(self, inputs: Self, weights: Self) -> Self {
                    unsafe { $dots(self, inputs, weights) }
                }
                #[inline(always)]
                unsafe fn add_pairs(self, inputs: Self, weights: Self) -> Self {
                    unsafe { $pairs(self, inputs, weights) }
                }
                #[inline(always)]
                unsafe fn to_floats(self) -> $floats {
                    unsafe { $convert(self) }
                }
            }

            /// # Safety
            /// The job must have passed the checks of [`super::super::convolve`], and the instructions must exist here.
            #[target_feature(enable = $features)]
            pub unsafe fn $convolve(job: Int8Convolution<'_>) {
                unsafe { convolve_with::<$register>(job) }
            }
        };
    }

    x86_sums!(
        __m512i,
        __m512,
        _mm512_set1_epi32,
        _mm512_loadu_si512,
        _mm512_add_epi32,
        _mm512_mullo_epi32,
        _mm512_dpbusd_epi32,
        add_pairs_512,
        _mm512_cvtepi32_ps,
        convolve_512,
        "avx512f,avx512bw,avx512vnni"
    );
    x86_sums!(
        __m256i,
        __m256,
        _mm256_set1_epi32,
        _mm256_loadu_si256,
        _mm256_add_epi32,
        _mm256_mullo_epi32,
        _mm256_dpbusd_avx_epi32,
        add_pairs_256,
        _mm256_cvtepi32_ps,
        convolve_256,
        "avx2,fma,avxvnni"
    );

    /// A register of a processor with AVX-VNNI, which multiplies shorts in one step as well.
    #[derive(Clone, Copy)]
    pub struct VnniSums(__m256i);

    // SAFETY of every call below: the caller of an `IntegerLanes` method runs where the instruction exists.
    impl IntegerLanes for VnniSums {
        type Floats = __m256;

        #[inline(always)]
        unsafe fn splat(value: i32) -> Self {
            unsafe { VnniSums(_mm256_set1_epi32(value)) }
        }
        #[inline(always)]
        unsafe fn load(from: *const i32) -> Self {
            unsafe { VnniSums(_mm256_loadu_si256(from.cast())) }
        }
        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            unsafe { VnniSums(_mm256_add_epi32(self.0, other.0)) }
        }
        #[inline(always)]
        unsafe fn mul(self, other: Self) -> Self {
            unsafe { VnniSums(_mm256_mullo_epi32(self.0, other.0)) }
        }
        #[inline(always)]
        unsafe fn add_dots(self, inputs: Self, weights: Self) -> Self {
            unsafe { VnniSums(_mm256_dpbusd_avx_epi32(self.0, inputs.0, weights.0)) }
        }
        #[inline(always)]
        unsafe fn add_pairs(self, inputs: Self, weights: Self) -> Self {
            unsafe { VnniSums(_mm256_dpwssd_avx_epi32(self.0, inputs.0, weights.0)) }
        }
        #[inline(always)]
        unsafe fn to_floats(self) -> __m256 {
            unsafe { _mm256_cvtepi32_ps(self.0) }
        }
    }
}

/// # Safety
/// The job must have passed the checks of [`super::convolve`].
pub unsafe fn convolve_portable(job: Int8Convolution<'_>) {
    // SAFETY: as promised by the caller.
    unsafe { convolve_with::<PlainSums<4>>(job) }
}

#[inline(always)]
pub(super) unsafe fn convolve_with<S: IntegerLanes>(mut job: Int8Convolution<'_>) {
    let vectors = job.filters.outputs / S::Floats::WIDTH;
    for index in 0..job.images {
        // SAFETY: the caller checked the job, the instructions of `S` exist here, and all vectors are outputs.
        unsafe {
            let image = Image::round::<S::Floats>(&mut job, index, S::SHIFT);
            let mut done = 0;
            while done < vectors {
                let first = done * S::Floats::WIDTH;
                let left = vectors - done;
                // Sums, one row of weights and one broadcast input must fit the register file.
                done += if S::Floats::REGISTERS < 32 {
                    stripe::<S, 6, 2>(&image, first)
                } else if left.is_multiple_of(4) {
                    stripe::<S, 6, 4>(&image, first)
                } else if left.is_multiple_of(3) {
                    stripe::<S, 8, 3>(&image, first)
                } else if left >= 2 {
                    stripe::<S, 12, 2>(&image, first)
                } else {
                    stripe::<S, 12, 1>(&image, first)
                };
            }
        }
    }
}

/// All cells for `N` vectors of outputs, `R` cells at a time. Returns `N`.
#[inline(always)]
unsafe fn stripe<S: IntegerLanes, const R: usize, const N: usize>(image: &Image<'_>, output: usize) -> usize {
    const { assert!(R <= OVERRUN) }
    for first in (0..image.grid.span()).step_by(R) {
        // SAFETY: the vectors are outputs, and the overrun takes the cells after the last one.
        unsafe {
            let sums = block::<S, R, N>(image, output, first);
            for n in 0..N {
                image.finish(output + n * S::Floats::WIDTH, first, sums.iter().map(|row| row[n]));
            }
        }
    }
    N
}

/// `R` cells by `N` vectors of outputs, all sums held in registers.
#[inline(always)]
unsafe fn block<S: IntegerLanes, const R: usize, const N: usize>(
    image: &Image<'_>,
    output: usize,
    first: usize,
) -> [[S; N]; R] {
    let ByteFilters { depth, ref weights, .. } = *image.filters;
    let starts: [usize; N] = std::array::from_fn(|n| image.filters.first_quad(output + n * S::Floats::WIDTH));
    // SAFETY: the nine taps of `R` cells from the span on lie in the image and its overrun, and `weights` hold
    // `9 * depth` bytes for every output.
    unsafe {
        // A quad of weights is read as one number, like the quad of inputs it is multiplied with.
        let mut quads = weights.as_ptr().cast::<i32>();
        let mut sums = [[S::splat(0); N]; R];
        for tap in 0..9 {
            let cell = first + tap / 3 * image.grid.stride() + tap % 3;
            let bytes = image.bytes.add(cell * depth);
            for input in (0..depth).step_by(16) {
                for quad in 0..4 {
                    let row: [S; N] = std::array::from_fn(|n| S::load(quads.add(starts[n] + quad * GROUP)));
                    for (r, sums) in sums.iter_mut().enumerate() {
                        let four = bytes.add(r * depth + input + quad * 4);
                        let x = S::splat(four.cast::<i32>().read_unaligned());
                        for (sum, weights) in sums.iter_mut().zip(row) {
                            *sum = sum.add_dots(x, weights);
                        }
                    }
                }
                quads = quads.wrapping_add(4 * GROUP);
            }
        }
        sums
    }
}
