//! Blocks of 32 rows by 32 columns on Intel's tile unit. A panel of 32 columns, a word wide each, is a row of two tiles as it lies in
//! memory, so nothing is rearranged for it.
#![allow(unsafe_code, reason = "tile instructions, called only where the processor has them")]

use super::{Kernel, Numbers};
use crate::kernel::Isa;
use crate::kernel::amx::{AmxBlock, Sums, TileStep, Tiles};

/// Rows and columns of a block.
pub(super) const SIDE: usize = 32;
/// Words of a tile's row, and rows of a tile.
const TILE: usize = 16;

/// Does this kernel multiply on tiles?
pub(super) fn are_used_by(kernel: Kernel) -> bool {
    match kernel.numbers {
        Numbers::Halves => matches!(kernel.isa, Isa::Amx | Isa::AmxInt8),
        Numbers::Bytes => kernel.isa == Isa::AmxInt8,
        Numbers::Floats | Numbers::Shorts => false,
    }
}

/// The tile unit, made ready for this thread.
pub(super) struct Unit {
    _tiles: Tiles,
    steps: Vec<TileStep>,
}

/// What is multiplied: `SIDE` rows, of which those not wanted may hold anything.
pub(super) struct TileBlock {
    pub rows: usize,
    /// A whole panel or sixteen.
    pub columns: usize,
    /// Words of a row and of a column, whole tiles.
    pub depth: usize,
    pub a: *const i32,
    pub panel: *const i32,
    pub c: *mut f32,
    pub c_stride: usize,
}

/// What rounded bytes are worth.
pub(super) struct Steps {
    pub row_steps: *const f32,
    pub row_zeros: *const i32,
    pub column_steps: *const f32,
    pub column_totals: *const i32,
}

impl Unit {
    /// # Safety
    /// The machine must have tiles.
    pub unsafe fn new() -> Unit {
        // SAFETY: as the caller promises.
        let tiles = unsafe { Tiles::configure() };
        Unit { _tiles: tiles, steps: Vec::new() }
    }

    fn block(&mut self, block: &TileBlock) -> AmxBlock<'_> {
        let TileBlock { columns, depth, a, panel, .. } = *block;
        let word = size_of::<i32>();
        self.steps.clear();
        self.steps.extend((0..depth / TILE).map(|tile| TileStep {
            left: (tile * TILE * word) as isize,
            right: (tile * TILE * columns * word) as isize,
        }));
        AmxBlock {
            left: a.cast(),
            left_stride: depth * word,
            left_second: TILE * depth * word,
            right: panel.cast(),
            right_stride: columns * word,
            // Of a narrow panel the same sixteen columns are multiplied twice, and the second sums are left.
            right_second: if columns == SIDE { TILE * word } else { 0 },
            steps: &self.steps,
        }
    }

    /// # Safety
    /// `a` must hold `SIDE` rows of bf16 and `panel` the columns, `c` the rows.
    pub unsafe fn multiply_halves(&mut self, block: &TileBlock) {
        // SAFETY: as the caller promises; the tiles are configured.
        unsafe {
            let mut sums = Sums([0.0; 1024]);
            self.block(block).run(&mut sums.0);
            for r in 0..block.rows {
                let to = block.c.add(r * block.c_stride);
                std::ptr::copy_nonoverlapping(sums.0.as_ptr().add(r * SIDE), to, block.columns);
            }
        }
    }

    /// # Safety
    /// `a` must hold `SIDE` rows of bytes and `panel` the columns, `c` and the steps what belongs to them.
    pub unsafe fn multiply_bytes(&mut self, block: &TileBlock, steps: &Steps) {
        // SAFETY: as the caller promises; the tiles are configured.
        unsafe {
            let mut sums = Sums([0; 1024]);
            self.block(block).run_int8(&mut sums.0);
            for r in 0..block.rows {
                let (step, zero) = (*steps.row_steps.add(r), *steps.row_zeros.add(r));
                for column in 0..block.columns {
                    let sum = sums.0[r * SIDE + column] - zero * *steps.column_totals.add(column);
                    let to = block.c.add(r * block.c_stride + column);
                    *to = sum as f32 * (*steps.column_steps.add(column) * step);
                }
            }
        }
    }
}
