//! 3x3 convolution on Intel's tile unit (AMX): sixteen times the multiplications of AVX-512, in bf16 with f32 sums.
//!
//! The tile unit multiplies a tile of 16 rows by 32 bf16 with one of 16 row pairs by 16 columns. With the
//! zero-bordered layout of [`Grid`] a convolution needs no rearrangement: sixteen neighbouring cells, shifted by
//! one of the nine taps, are the rows of the left tile as they lie in memory.
#![allow(unsafe_code, reason = "tile instructions, and the system call that asks for them")]

use core::arch::asm;
use core::arch::x86_64::{
    __cpuid, __cpuid_count, __m512, __m512i, _mm512_add_epi32, _mm512_and_si512, _mm512_castps_si512, _mm512_loadu_ps,
    _mm512_or_si512, _mm512_set1_epi32, _mm512_srli_epi32, _mm512_storeu_si512,
};

use super::conv::{Finish, finish_vector};
use crate::Grid;

/// Channels a layer must be a multiple of, on both sides.
pub const CHANNEL_STEP: usize = 32;

pub fn fits(inputs: usize, outputs: usize) -> bool {
    inputs.is_multiple_of(CHANNEL_STEP) && outputs.is_multiple_of(CHANNEL_STEP)
}

/// Whether the processor has tiles (all that do have both bf16 and int8) and the system lets this process use them.
pub(super) fn is_granted() -> bool {
    // SAFETY: cpuid exists on every x86-64; leaf 7 is read only where the highest leaf reaches it.
    #[allow(unused_unsafe)] // newer compilers call the intrinsic safe
    let has_tiles = unsafe {
        const AMX_BF16: u32 = 1 << 22;
        const AMX_TILE: u32 = 1 << 24;
        const AMX_INT8: u32 = 1 << 25;
        const ALL: u32 = AMX_BF16 | AMX_TILE | AMX_INT8;
        __cpuid(0).eax >= 7 && __cpuid_count(7, 0).edx & ALL == ALL
    };
    has_tiles && request_permission()
}

/// Linux keeps the 8 KB of tile state switched off until a process asks for it; the grant covers all threads.
#[cfg(target_os = "linux")]
fn request_permission() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const REQUEST_EXTENDED_STATE: i64 = 0x1023;
    const TILE_DATA: i64 = 18;
    let result: i64;
    // SAFETY: the call changes nothing but the permission, and an older kernel answers with an error.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => result,
            in("rdi") REQUEST_EXTENDED_STATE,
            in("rsi") TILE_DATA,
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    result == 0
}

#[cfg(not(target_os = "linux"))]
fn request_permission() -> bool {
    false
}

/// Tiles configured for this thread, all eight at their full size, until dropped.
pub struct Tiles(());

impl Tiles {
    /// # Safety
    /// The machine must offer [`super::Isa::Amx`].
    pub unsafe fn configure() -> Tiles {
        #[repr(C, align(64))]
        struct Configuration {
            palette: u8,
            start_row: u8,
            reserved: [u8; 14],
            row_bytes: [u16; 16],
            rows: [u8; 16],
        }
        let mut configuration =
            Configuration { palette: 1, start_row: 0, reserved: [0; 14], row_bytes: [0; 16], rows: [0; 16] };
        configuration.row_bytes[..8].fill(64);
        configuration.rows[..8].fill(16);
        // SAFETY: the unit exists (caller) and the 64 bytes are a valid palette-1 configuration.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &configuration, options(nostack, readonly)) };
        Tiles(())
    }
}

impl Drop for Tiles {
    fn drop(&mut self) {
        // SAFETY: `Tiles` exists only where `configure` ran.
        unsafe { asm!("tilerelease", options(nostack, nomem)) };
    }
}

/// Where one multiplication step finds its operands, in bytes from the bases.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct TileStep {
    pub left: isize,
    pub right: isize,
}

/// A 32 x 32 block of `sum over steps of left * right`, kept in four tiles.
pub struct AmxBlock<'a> {
    pub left: *const u8,
    /// Bytes from one row of the left operand to the next, and to its seventeenth row.
    pub left_stride: usize,
    pub left_second: usize,
    pub right: *const u8,
    /// Bytes from one row pair (of bytes: quad) of the right operand to the next, and to its seventeenth column.
    pub right_stride: usize,
    pub right_second: usize,
    pub steps: &'a [TileStep],
}

/// A run of a block with one of the unit's ways to multiply.
macro_rules! tile_run {
    ($(#[$doc:meta])* $run:ident, $sum:ty, $instruction:literal) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// Tiles must be configured on this thread, `steps` must not be empty, and every step's two left and two right
        /// tiles must be readable.
        #[inline]
        pub unsafe fn $run(&self, sums: &mut [$sum; 1024]) {
            debug_assert!(!self.steps.is_empty());
            // SAFETY: reads as promised by the caller; writes exactly the 32 rows of 128 bytes of `sums`.
            unsafe {
                asm!(
                    "tilezero tmm0",
                    "tilezero tmm1",
                    "tilezero tmm2",
                    "tilezero tmm3",
                    "2:",
                    "mov {l}, [{step}]",
                    "mov {r}, [{step} + 8]",
                    "add {l}, {left}",
                    "add {r}, {right}",
                    "tileloadd tmm4, [{l} + {left_stride}]",
                    "tileloadd tmm6, [{r} + {right_stride}]",
                    concat!($instruction, " tmm0, tmm4, tmm6"),
                    "add {r}, {right_second}",
                    "tileloadd tmm7, [{r} + {right_stride}]",
                    concat!($instruction, " tmm1, tmm4, tmm7"),
                    "add {l}, {left_second}",
                    "tileloadd tmm5, [{l} + {left_stride}]",
                    concat!($instruction, " tmm2, tmm5, tmm6"),
                    concat!($instruction, " tmm3, tmm5, tmm7"),
                    "add {step}, 16",
                    "dec {count}",
                    "jnz 2b",
                    "mov {l}, 128",
                    "tilestored [{sums} + {l}], tmm0",
                    "tilestored [{sums} + {l} + 64], tmm1",
                    "tilestored [{sums} + {l} + 2048], tmm2",
                    "tilestored [{sums} + {l} + 2112], tmm3",
                    l = out(reg) _,
                    r = out(reg) _,
                    step = inout(reg) self.steps.as_ptr() => _,
                    count = inout(reg) self.steps.len() => _,
                    left = in(reg) self.left,
                    left_stride = in(reg) self.left_stride,
                    left_second = in(reg) self.left_second,
                    right = in(reg) self.right,
                    right_stride = in(reg) self.right_stride,
                    right_second = in(reg) self.right_second,
                    sums = in(reg) sums.as_mut_ptr(),
                    out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                    out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                    options(nostack),
                );
            }
        }
    };
}

impl AmxBlock<'_> {
    tile_run!(
        /// Writes the block of products of bf16 to `sums`, row-major.
        run,
        f32,
        "tdpbf16ps"
    );
    tile_run!(
        /// Writes the block of products of unsigned bytes, left, with signed ones, right, to `sums`, row-major.
        run_int8,
        i32,
        "tdpbusd"
    );
}

/// Rounds to bf16, to nearest.
#[inline(always)]
fn to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

/// Rounds a slice to bf16.
///
/// # Safety
/// The machine must have AVX-512.
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn round_to_bf16(from: &[f32], to: &mut [u16]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = to_bf16(*from);
    }
}

/// Two vectors rounded to bf16, word by word: `low` in the lower halves, `high` in the upper.
///
/// # Safety
/// The machine must have AVX-512.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn pair_bf16(low: __m512, high: __m512) -> __m512i {
    let round = |value: __m512| {
        let bits = _mm512_castps_si512(value);
        let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
        _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd)
    };
    let high = _mm512_and_si512(round(high), _mm512_set1_epi32(!0xffff));
    _mm512_or_si512(_mm512_srli_epi32::<16>(round(low)), high)
}

/// Filters in the order `convolve` reads them: per 32 outputs, per tap, per 32 inputs, two tiles of 16 input pairs
/// by 16 outputs.
pub fn pack_filters(inputs: usize, outputs: usize, taps: &[f32], packed: &mut [u16]) {
    assert!(super::Isa::Amx.is_available());
    assert!(fits(inputs, outputs));
    assert!(taps.len() == 9 * inputs * outputs && packed.len() == taps.len());
    // SAFETY: the instructions exist and the lengths were just checked.
    unsafe { pack_filters_with_avx512(inputs, outputs, taps, packed) }
}

#[target_feature(enable = "avx512f")]
unsafe fn pack_filters_with_avx512(inputs: usize, outputs: usize, taps: &[f32], packed: &mut [u16]) {
    let mut rows = packed.chunks_exact_mut(32);
    for output_block in (0..outputs).step_by(32) {
        for tap in 0..9 {
            for input_block in (0..inputs).step_by(32) {
                for output in [output_block, output_block + 16] {
                    for input in (input_block..input_block + 32).step_by(2) {
                        let row = rows.next().expect("as many rows as input pairs");
                        // SAFETY: both inputs have 16 outputs from `output` on, and a packed row is 64 bytes.
                        unsafe {
                            let low = taps.as_ptr().add((tap * inputs + input) * outputs + output);
                            let words = pair_bf16(_mm512_loadu_ps(low), _mm512_loadu_ps(low.add(outputs)));
                            _mm512_storeu_si512(row.as_mut_ptr().cast(), words);
                        }
                    }
                }
            }
        }
    }
}

pub struct AmxConvolution<'a> {
    pub grid: Grid,
    pub images: usize,
    pub inputs: usize,
    pub outputs: usize,
    pub input: &'a [f32],
    pub filters: &'a [u16],
    pub output: &'a mut [f32],
    pub finish: Finish<'a>,
    /// One image in bf16.
    pub halves: &'a mut [u16],
}

pub fn convolve(job: AmxConvolution<'_>) {
    let cells = job.images * job.grid.cells();
    assert!(super::Isa::Amx.is_available());
    assert!(fits(job.inputs, job.outputs));
    assert!(job.input.len() >= cells * job.inputs && job.output.len() >= cells * job.outputs);
    assert_eq!(job.filters.len(), 9 * job.inputs * job.outputs);
    assert!(job.halves.len() >= job.grid.cells() * job.inputs);
    job.finish.check(job.images, job.outputs, cells);
    // SAFETY: the instructions exist and the lengths were just checked.
    unsafe { convolve_tiles(job) }
}

/// The cells a tap looks at lie this far from a cell.
pub fn tap_shift(grid: Grid, tap: usize) -> isize {
    (tap / 3) as isize * grid.stride() as isize + (tap % 3) as isize - grid.origin() as isize
}

#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn convolve_tiles(job: AmxConvolution<'_>) {
    let (grid, inputs, outputs) = (job.grid, job.inputs, job.outputs);
    let image_cells = grid.cells();
    let input_blocks = inputs / 32;
    let steps: Vec<TileStep> = (0..9 * input_blocks)
        .map(|step| {
            let (tap, block) = (step / input_blocks, step % input_blocks);
            TileStep {
                left: (tap_shift(grid, tap) * inputs as isize + 32 * block as isize) * 2,
                right: step as isize * 2048,
            }
        })
        .collect();
    let mut sums = Sums([0.0; 1024]);
    // SAFETY: `Grid::cells` leaves room for runs of 32 cells shifted by any tap; filters hold all steps of
    // every output block; `finish_vector` writes only cells on the board.
    unsafe {
        let _tiles = Tiles::configure();
        for image in 0..job.images {
            round_to_bf16(&job.input[image * image_cells * inputs..][..image_cells * inputs], job.halves);
            for first in (0..grid.span()).step_by(32) {
                for output_block in 0..outputs / 32 {
                    AmxBlock {
                        left: job.halves.as_ptr().add((grid.origin() + first) * inputs).cast(),
                        left_stride: inputs * 2,
                        left_second: inputs * 32,
                        right: job.filters.as_ptr().add(output_block * steps.len() * 1024).cast(),
                        right_stride: 64,
                        right_second: 1024,
                        steps: &steps,
                    }
                    .run(&mut sums.0);
                    for cell in first..grid.span().min(first + 32) {
                        if cell % grid.stride() == grid.side() {
                            continue; // the zero column
                        }
                        for half in [0, 16] {
                            let channel = output_block * 32 + half;
                            let sum: __m512 = _mm512_loadu_ps(sums.0.as_ptr().add((cell - first) * 32 + half));
                            let at = (image * image_cells + grid.origin() + cell) * outputs + channel;
                            let to = job.output.as_mut_ptr();
                            finish_vector(&job.finish, sum, image, outputs, channel, at, to);
                        }
                    }
                }
            }
        }
    }
}

/// One block of sums on cache lines of its own.
#[repr(C, align(64))]
pub struct Sums<T>(pub [T; 1024]);
