//! A 3x3 convolution layer, ready to run: filters in the form the machine's best kernel wants.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::winograd::{self, CELLS, CHUNK};
use super::{Aligned, Arithmetic, Isa, Lanes, int8};
use crate::Grid;

/// What happens to a convolution's sums on their way to memory.
#[derive(Clone, Copy)]
pub enum Finish<'a> {
    /// Written as they are.
    Store,
    /// Added to what the output holds.
    Accumulate,
    /// Written with one number per image and channel added.
    Shift { by: &'a [f32] },
    /// Bias, then the residual if there is one, then the rectifier. `bias` has one entry per channel, or
    /// one per image and channel.
    Activate { bias: &'a [f32], residual: Option<&'a [f32]> },
}

impl Finish<'_> {
    /// Panics unless the slices cover `images` boards of `cells` cells in all.
    pub(super) fn check(&self, images: usize, channels: usize, cells: usize) {
        match self {
            Finish::Store | Finish::Accumulate => {}
            Finish::Shift { by } => assert_eq!(by.len(), images * channels),
            Finish::Activate { bias, residual } => {
                assert!(bias.len() == channels || bias.len() == images * channels);
                assert!(residual.is_none_or(|values| values.len() >= cells * channels));
            }
        }
    }
}

/// Finishes one vector of channels and stores it at `output[at]`.
///
/// # Safety
/// `finish` must have passed `check`, and `at` must be a vector of `channel..` in the checked output.
#[inline(always)]
pub(super) unsafe fn finish_vector<L: Lanes>(
    finish: &Finish<'_>,
    sum: L,
    image: usize,
    channels: usize,
    channel: usize,
    at: usize,
    output: *mut f32,
) {
    // SAFETY: see above.
    unsafe {
        let value = match finish {
            Finish::Store => sum,
            Finish::Accumulate => sum.add(L::load(output.add(at))),
            Finish::Shift { by } => sum.add(L::load(by.as_ptr().add(image * channels + channel))),
            Finish::Activate { bias, residual } => {
                let row = if bias.len() == channels { 0 } else { image * channels };
                let mut value = sum.add(L::load(bias.as_ptr().add(row + channel)));
                if let Some(residual) = residual {
                    value = value.add(L::load(residual.as_ptr().add(at)));
                }
                value.max(L::splat(0.0))
            }
        };
        value.store(output.add(at));
    }
}

/// Working memory of a convolution; grows to what the largest layer needs.
#[derive(Default)]
pub struct ConvScratch {
    tile_inputs: Aligned<f32>,
    tile_outputs: Aligned<f32>,
    #[cfg(target_arch = "x86_64")]
    halves: Aligned<u16>,
    bytes: Aligned<u8>,
}

enum Filters {
    Winograd(Aligned<f32>),
    Bytes(int8::ByteFilters),
    #[cfg(target_arch = "x86_64")]
    Tiles(Aligned<u16>),
}

/// The filters of one layer.
pub struct Conv3x3 {
    isa: Isa,
    inputs: usize,
    outputs: usize,
    filters: Filters,
}

impl Conv3x3 {
    /// `taps` is `[9][inputs][outputs]`, rows of the 3x3 window first. Channels come in multiples of 16.
    pub fn new(isa: Isa, inputs: usize, outputs: usize, taps: &[f32]) -> Conv3x3 {
        let filters = match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Amx if super::amx::fits(inputs, outputs) => Filters::Tiles(Aligned::zeroed(9 * inputs * outputs)),
            _ if isa.arithmetic() == Arithmetic::Int8 => {
                Filters::Bytes(int8::ByteFilters::zeroed(isa, inputs, outputs))
            }
            _ => Filters::Winograd(Aligned::zeroed(CELLS * inputs * outputs)),
        };
        let mut conv = Conv3x3 { isa, inputs, outputs, filters };
        conv.set_taps(taps);
        conv
    }

    /// Replaces the filters; training does so after every step.
    pub fn set_taps(&mut self, taps: &[f32]) {
        assert_eq!(taps.len(), 9 * self.inputs * self.outputs);
        let (inputs, outputs) = (self.inputs, self.outputs);
        match &mut self.filters {
            Filters::Winograd(to) => {
                winograd::transform_filters(self.isa, winograd::FilterTransform { inputs, outputs, taps, to })
            }
            Filters::Bytes(filters) => filters.set_taps(taps),
            #[cfg(target_arch = "x86_64")]
            Filters::Tiles(to) => super::amx::pack_filters(inputs, outputs, taps, to),
        }
    }

    pub fn run(
        &self,
        grid: Grid,
        images: usize,
        input: &[f32],
        output: &mut [f32],
        finish: Finish<'_>,
        scratch: &mut ConvScratch,
    ) {
        let (inputs, outputs) = (self.inputs, self.outputs);
        match &self.filters {
            Filters::Winograd(filters) => {
                scratch.tile_inputs.reserve_len(CELLS * CHUNK * inputs);
                scratch.tile_outputs.reserve_len(CELLS * CHUNK * outputs);
                winograd::convolve(
                    self.isa,
                    winograd::WinogradConvolution {
                        grid,
                        images,
                        inputs,
                        outputs,
                        input,
                        filters,
                        output,
                        finish,
                        tile_inputs: &mut scratch.tile_inputs,
                        tile_outputs: &mut scratch.tile_outputs,
                    },
                );
            }
            Filters::Bytes(filters) => {
                scratch.bytes.reserve_len(filters.bytes_needed(grid));
                let bytes = &mut scratch.bytes;
                int8::convolve(self.isa, int8::Int8Convolution { grid, images, input, filters, output, finish, bytes });
            }
            #[cfg(target_arch = "x86_64")]
            Filters::Tiles(filters) => {
                scratch.halves.reserve_len(grid.cells() * inputs);
                super::amx::convolve(super::amx::AmxConvolution {
                    grid,
                    images,
                    inputs,
                    outputs,
                    input,
                    filters,
                    output,
                    finish,
                    halves: &mut scratch.halves,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::{assert_close, board_noise, direct_convolution, noise};

    /// bf16 keeps eight bits of mantissa, a byte of noise is good to one part in 250; over 9 * inputs terms that
    /// stays within this.
    fn tolerance(isa: Isa) -> f32 {
        match isa.arithmetic() {
            Arithmetic::F32 => 2e-4,
            Arithmetic::Bf16 => 3e-2,
            Arithmetic::Int8 => 2e-2,
        }
    }

    fn each_case(test: impl Fn(Isa, Grid, usize, usize, usize)) {
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            for (side, images, inputs, outputs) in
                [(19, 3, 32, 64), (9, 5, 64, 32), (5, 1, 16, 48), (13, 2, 96, 96), (2, 2, 32, 32)]
            {
                test(isa, Grid::new(side), images, inputs, outputs);
            }
        }
    }

    #[test]
    fn equals_direct_convolution_on_every_instruction_set() {
        each_case(|isa, grid, images, inputs, outputs| {
            let input = board_noise(grid, images, inputs, 1);
            let taps: Vec<f32> = noise(2, 9 * inputs * outputs).iter().map(|w| w * 0.2).collect();
            let mut output = vec![0.0; images * grid.cells() * outputs];
            Conv3x3::new(isa, inputs, outputs, &taps).run(
                grid,
                images,
                &input,
                &mut output,
                Finish::Store,
                &mut ConvScratch::default(),
            );
            let expected = direct_convolution(grid, images, inputs, outputs, &input, &taps);
            assert_close(&output, &expected, tolerance(isa));
        });
    }

    #[test]
    fn finishing_adds_bias_and_residual_and_keeps_the_border_zero() {
        each_case(|isa, grid, images, inputs, outputs| {
            let input = board_noise(grid, images, inputs, 1);
            let taps: Vec<f32> = noise(2, 9 * inputs * outputs).iter().map(|w| w * 0.2).collect();
            let bias = noise(3, images * outputs);
            let residual = board_noise(grid, images, outputs, 4);
            let conv = Conv3x3::new(isa, inputs, outputs, &taps);
            let mut output = vec![0.0; images * grid.cells() * outputs];
            let finish = Finish::Activate { bias: &bias, residual: Some(&residual) };
            let scratch = &mut ConvScratch::default();
            conv.run(grid, images, &input, &mut output, finish, scratch);
            let mut expected = direct_convolution(grid, images, inputs, outputs, &input, &taps);
            for image in 0..images {
                for cell in grid.point_cells() {
                    for c in 0..outputs {
                        let at = (image * grid.cells() + cell) * outputs + c;
                        expected[at] = (expected[at] + bias[image * outputs + c] + residual[at]).max(0.0);
                    }
                }
            }
            assert_close(&output, &expected, tolerance(isa));

            conv.run(grid, images, &input, &mut output, Finish::Accumulate, scratch);
            let plain = direct_convolution(grid, images, inputs, outputs, &input, &taps);
            let twice: Vec<f32> = expected.iter().zip(&plain).map(|(a, b)| a + b).collect();
            assert_close(&output, &twice, 2.0 * tolerance(isa));
        });
    }
}
