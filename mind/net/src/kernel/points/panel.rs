//! A few rows times one panel of a matrix, all sums in registers: what every product here is made of.
//!
//! A panel has as many columns as the registers hold sums for and is one straight run of memory.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::shorts::{ShortBlock, multiply_shorts_with};
use crate::kernel::int8::PlainSums;
#[cfg(target_arch = "x86_64")]
use crate::kernel::int8::VnniSums;
use crate::kernel::{Isa, Lanes, Plain};

/// Columns of a panel. What `multiply_block` holds in registers must agree.
pub(super) fn panel_columns(isa: Isa) -> usize {
    match isa {
        Isa::Portable => 8,
        Isa::Neon | Isa::NeonDot | Isa::Avx2 | Isa::Vnni256 => 16,
        Isa::Avx512 | Isa::Vnni512 | Isa::Amx | Isa::AmxInt8 => 32,
    }
}

/// What weighs less than this weighs nothing. Training lets idle weights decay to numbers so small that a processor takes a hundred times
/// as long for them (b10c384h6 has many).
const NOTHING: f32 = 1e-30;

/// Writes an `inner x columns` matrix, row by row in memory, as panels.
pub(super) fn pack(isa: Isa, inner: usize, columns: usize, matrix: &[f32], to: &mut [f32]) {
    let mut to = to.iter_mut(); // second in the zip: the first is asked once too often
    for first in (0..columns).step_by(panel_columns(isa)) {
        let last = columns.min(first + panel_columns(isa));
        for row in matrix.chunks_exact(columns).take(inner) {
            for (value, to) in row[first..last].iter().zip(to.by_ref()) {
                *to = if value.abs() < NOTHING { 0.0 } else { *value };
            }
        }
    }
}

/// How many of the rows left to take at once: as many as the registers hold, but rather two blocks of equal height than a high one and a
/// low one, because a low block waits for its own sums.
#[inline(always)]
pub(super) fn rows_at_once<L: Lanes>(left: usize) -> usize {
    let most = if L::REGISTERS < 32 || L::WIDTH < 8 { 6 } else { 12 };
    left.div_ceil(left.div_ceil(most))
}

/// Numbers in a cache line.
const LINE: usize = 16;

/// What will be read when this block is done: so many lines are asked for at every row of the panel.
#[derive(Clone, Copy)]
pub(super) struct Soon {
    from: *const f32,
    lines: usize,
}

impl Soon {
    /// All that will be read is in the cache already.
    pub const NOTHING: Soon = Soon { from: std::ptr::null(), lines: 0 };

    /// The panel that follows, of `rows` rows and so many columns, of which the first of `blocks` blocks of rows ask for a part each.
    pub fn part<T>(panel: *const T, rows: usize, columns: usize, block: usize, blocks: usize) -> Soon {
        let of_a_row = columns.div_ceil(LINE);
        let lines = of_a_row.div_ceil(blocks);
        if block * lines >= of_a_row {
            return Soon::NOTHING;
        }
        Soon { from: panel.cast::<f32>().wrapping_add(rows * (columns + block * lines * LINE)), lines }
    }

    /// Lines at every row.
    pub fn lines(self) -> usize {
        self.lines
    }

    /// # Safety
    /// The instruction set of `L` must exist here.
    #[inline(always)]
    pub unsafe fn ask<L: Lanes, const LINES: usize>(self, row: usize) {
        for line in 0..LINES {
            // SAFETY: any address may be asked for.
            unsafe { L::prefetch(self.from.wrapping_add((row * LINES + line) * LINE)) }
        }
    }
}

/// `c = a * panel` for a few rows.
pub(super) struct PanelProduct {
    /// At most what [`rows_at_once`] gave.
    pub rows: usize,
    /// A whole panel or sixteen.
    pub columns: usize,
    pub inner: usize,
    pub a: *const f32,
    pub a_stride: usize,
    pub panel: *const f32,
    pub soon: Soon,
    pub c: *mut f32,
    pub c_stride: usize,
}

/// Registers that multiply blocks. This is compiled once per instruction set and called, not inlined into every kernel, because it comes
/// in many heights.
pub(super) trait Multiply: Lanes {
    /// # Safety
    /// `a` and `c` must hold the rows, `panel` `inner` rows of `columns`; the instruction set of `Self` must exist here.
    unsafe fn multiply(block: PanelProduct);
    /// # Safety
    /// The same.
    unsafe fn multiply_shorts(block: ShortBlock);
}

impl<const N: usize> Multiply for Plain<N> {
    unsafe fn multiply(block: PanelProduct) {
        // SAFETY: as the caller promises.
        unsafe { multiply_with::<Plain<N>>(block) }
    }

    unsafe fn multiply_shorts(block: ShortBlock) {
        // SAFETY: as the caller promises.
        unsafe { multiply_shorts_with::<PlainSums<N>>(block) }
    }
}

#[cfg(target_arch = "aarch64")]
impl Multiply for core::arch::aarch64::float32x4_t {
    unsafe fn multiply(block: PanelProduct) {
        // SAFETY: as the caller promises.
        unsafe { multiply_with::<Self>(block) }
    }

    /// Floats are as fast here, so that no kernel asks for this.
    unsafe fn multiply_shorts(block: ShortBlock) {
        // SAFETY: as the caller promises.
        unsafe { multiply_shorts_with::<core::arch::aarch64::int32x4_t>(block) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Multiply for core::arch::x86_64::__m256 {
    #[target_feature(enable = "avx2,fma")]
    unsafe fn multiply(block: PanelProduct) {
        // SAFETY: as the caller promises.
        unsafe { multiply_with::<Self>(block) }
    }

    #[target_feature(enable = "avx2,fma")]
    unsafe fn multiply_shorts(block: ShortBlock) {
        #[target_feature(enable = "avx2,fma,avxvnni")]
        unsafe fn with_vnni(block: ShortBlock) {
            // SAFETY: as the caller promises.
            unsafe { multiply_shorts_with::<VnniSums>(block) }
        }
        // SAFETY: as the caller promises.
        unsafe {
            if Isa::Vnni256.is_available() {
                with_vnni(block);
            } else {
                multiply_shorts_with::<core::arch::x86_64::__m256i>(block);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Multiply for core::arch::x86_64::__m512 {
    #[target_feature(enable = "avx512f")]
    unsafe fn multiply(block: PanelProduct) {
        // SAFETY: as the caller promises.
        unsafe { multiply_with::<Self>(block) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    unsafe fn multiply_shorts(block: ShortBlock) {
        // SAFETY: as the caller promises; only kernels with these features are given shorts.
        unsafe { multiply_shorts_with::<core::arch::x86_64::__m512i>(block) }
    }
}

/// Calls `multiply_block` for as many rows and registers of columns as a block has: every shape is compiled by itself, so that all its
/// sums are held in registers.
macro_rules! by_shape {
    ($multiply:ident::<$($of:tt),+>($block:expr), $width:expr) => {
        match ($block.columns / $width, $width) {
            (2, 16) => by_shape!(@$multiply ($($of,)+) $block, 2: 1 2 3 4 5 6 7 8 9 10 11 12),
            (1, 16) => by_shape!(@$multiply ($($of,)+) $block, 1: 1 2 3 4 5 6 7 8 9 10 11 12),
            (2, _) => by_shape!(@$multiply ($($of,)+) $block, 2: 1 2 3 4 5 6),
            (4, 4) => by_shape!(@$multiply ($($of,)+) $block, 4: 1 2 3 4 5 6),
            _ => unreachable!("panels are as wide as registers hold sums"),
        }
    };
    (@$multiply:ident $of:tt $block:expr, $n:literal: $($r:literal)*) => {
        match $block.rows {
            $($r => by_shape!(@@$multiply $of $block, $n, $r),)*
            _ => unreachable!("no more rows than registers"),
        }
    };
    (@@$multiply:ident ($($of:tt,)+) $block:expr, $n:literal, $r:literal) => {
        // SAFETY: as the caller of `multiply` promises.
        unsafe { $multiply::<$($of,)+ $r, $n>(&$block) }
    };
}
pub(super) use by_shape;

#[inline(always)]
unsafe fn multiply_with<L: Lanes>(block: PanelProduct) {
    match block.soon.lines() {
        0 => by_shape!(multiply_block::<L, 0>(block), L::WIDTH),
        1 => by_shape!(multiply_block::<L, 1>(block), L::WIDTH),
        _ => by_shape!(multiply_block::<L, 2>(block), L::WIDTH),
    }
}

/// `R` rows by `N` registers, all sums in registers.
#[inline(always)]
unsafe fn multiply_block<L: Lanes, const LINES: usize, const R: usize, const N: usize>(block: &PanelProduct) {
    let PanelProduct { inner, a, a_stride, panel, soon, c, c_stride, .. } = *block;
    // SAFETY: the caller vouches for `R` rows of `a` and `c` and `inner` rows of `N` registers in the panel.
    unsafe {
        let mut sums = [[L::splat(0.0); N]; R];
        for k in 0..inner {
            soon.ask::<L, LINES>(k);
            add_products(&mut sums, a.add(k), a_stride, panel.add(k * N * L::WIDTH));
        }
        for (r, sums) in sums.iter().enumerate() {
            for (n, sum) in sums.iter().enumerate() {
                sum.store(c.add(r * c_stride + n * L::WIDTH));
            }
        }
    }
}

/// One number of each row times one row of the panel.
#[inline(always)]
unsafe fn add_products<L: Lanes, const R: usize, const N: usize>(
    sums: &mut [[L; N]; R],
    a: *const f32,
    a_stride: usize,
    panel: *const f32,
) {
    // SAFETY: the caller vouches for `R` rows and `N` registers of columns.
    unsafe {
        let mut weights = [L::splat(0.0); N];
        for (n, weight) in weights.iter_mut().enumerate() {
            *weight = L::load(panel.add(n * L::WIDTH));
        }
        for (r, sums) in sums.iter_mut().enumerate() {
            let x = L::splat(*a.add(r * a_stride));
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = weight.mul_add(x, *sum);
            }
        }
    }
}
