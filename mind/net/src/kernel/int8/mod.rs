//! 3x3 convolution in eight bits, with 32-bit sums: on vector registers (`vpdpbusd`, ARM's `sdot`) or on tiles (`tdpbusd`).
//!
//! Inputs become bytes with one step per image, measured as it comes; filters become signed bytes with one step
//! per output. The sums are exact, so every form of the kernel gives the same numbers to the last bit.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod tiles;
mod vectors;

use super::conv::{Finish, finish_vector};
use super::lanes::ROUNDER;
use super::{Aligned, Isa, Lanes};
use crate::Grid;
#[cfg(target_arch = "x86_64")]
pub(super) use vectors::VnniSums;
pub(super) use vectors::{IntegerLanes, PlainSums};

/// Steps between the smallest and the largest input. Even, so that planes of 0, 1 and -1 are met exactly.
const LEVELS: f32 = 254.0;
/// Filters reach from -127 to 127.
const LARGEST_WEIGHT: f32 = 127.0;

/// Outputs whose weights lie side by side.
const GROUP: usize = 16;
/// Inputs a tile holds.
const TILE_DEPTH: usize = 64;
/// Cells a block may reach beyond the last one of an image.
const OVERRUN: usize = 16;

/// A layer's filters in bytes.
pub struct ByteFilters {
    inputs: usize,
    /// Inputs and zeros up to what the instructions take at once.
    depth: usize,
    outputs: usize,
    /// `[outputs / 16][9][depth / 4][16][4]`: what a block of few outputs reads lies together, and is made of tiles.
    weights: Aligned<i8>,
    /// What one step of a weight is worth, per output.
    steps: Aligned<f32>,
    /// The sum of all weights, per output.
    totals: Aligned<i32>,
}

impl ByteFilters {
    pub fn zeroed(isa: Isa, inputs: usize, outputs: usize) -> ByteFilters {
        assert!(inputs.is_multiple_of(16) && outputs.is_multiple_of(GROUP));
        let depth = inputs.next_multiple_of(if isa == Isa::AmxInt8 { TILE_DEPTH } else { 16 });
        let weights = Aligned::zeroed(9 * depth * outputs);
        ByteFilters {
            inputs,
            depth,
            outputs,
            weights,
            steps: Aligned::zeroed(outputs),
            totals: Aligned::zeroed(outputs),
        }
    }

    /// Bytes of one image of a layer.
    pub fn bytes_needed(&self, grid: Grid) -> usize {
        (grid.cells() + OVERRUN) * self.depth
    }

    /// Where the weights of an output start, counted in quads; the next quad of inputs is a group further.
    fn first_quad(&self, output: usize) -> usize {
        output / GROUP * (9 * self.depth / 4 * GROUP) + output % GROUP
    }

    /// Rounds `taps`, `[9][inputs][outputs]`.
    pub fn set_taps(&mut self, taps: &[f32]) {
        let outputs = self.outputs;
        assert_eq!(taps.len(), 9 * self.inputs * outputs);
        self.steps.fill(0.0);
        for row in taps.chunks_exact(outputs) {
            for (step, weight) in self.steps.iter_mut().zip(row) {
                *step = step.max(weight.abs() / LARGEST_WEIGHT);
            }
        }
        self.totals.fill(0);
        for (row_number, row) in taps.chunks_exact(outputs).enumerate() {
            let input = row_number / self.inputs * self.depth + row_number % self.inputs;
            for (output, weight) in row.iter().enumerate() {
                // An output of zeros has a step of zero; `as` makes zero of what the division then gives.
                let rounded = (weight / self.steps[output]).round() as i8;
                let quad = self.first_quad(output) + input / 4 * GROUP;
                self.weights[quad * 4 + input % 4] = rounded;
                self.totals[output] += i32::from(rounded);
            }
        }
    }
}

pub struct Int8Convolution<'a> {
    pub grid: Grid,
    pub images: usize,
    pub input: &'a [f32],
    pub filters: &'a ByteFilters,
    pub output: &'a mut [f32],
    pub finish: Finish<'a>,
    /// One image in bytes; see [`ByteFilters::bytes_needed`].
    pub bytes: &'a mut [u8],
}

/// Runs on the 8-bit instructions of `isa`, or one product at a time where it has none.
pub fn convolve(isa: Isa, job: Int8Convolution<'_>) {
    let ByteFilters { inputs, outputs, .. } = *job.filters;
    let cells = job.images * job.grid.cells();
    assert!(isa.is_available(), "this machine has no {isa} instructions");
    assert!(job.input.len() >= cells * inputs && job.output.len() >= cells * outputs);
    assert!(job.bytes.len() >= job.filters.bytes_needed(job.grid));
    job.finish.check(job.images, outputs, cells);
    // SAFETY: the instructions exist and the lengths were just checked.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::AmxInt8 if tiles::fit(job.filters) => tiles::convolve(job),
            #[cfg(target_arch = "x86_64")]
            Isa::AmxInt8 | Isa::Vnni512 => vectors::convolve_512(job),
            #[cfg(target_arch = "x86_64")]
            Isa::Vnni256 => vectors::convolve_256(job),
            #[cfg(target_arch = "aarch64")]
            Isa::NeonDot => neon::convolve(job),
            _ => vectors::convolve_portable(job),
        }
    }
}

/// One image in bytes, and where its sums go.
struct Image<'a> {
    grid: Grid,
    index: usize,
    bytes: *const u8,
    /// What one step of a byte is worth, and which byte stands for zero.
    step: f32,
    zero: i32,
    filters: &'a ByteFilters,
    finish: Finish<'a>,
    output: *mut f32,
}

impl<'a> Image<'a> {
    /// Rounds an image of the job into its bytes, each less by `shift`.
    ///
    /// # Safety
    /// The job must have passed the checks of [`convolve`], and the instructions of `L` must exist here.
    #[inline(always)]
    unsafe fn round<L: Lanes>(job: &mut Int8Convolution<'a>, index: usize, shift: f32) -> Image<'a> {
        let ByteFilters { inputs, depth, .. } = *job.filters;
        let len = job.grid.cells() * inputs;
        let input = &job.input[index * len..][..len];
        let inner = &input[job.grid.origin() * inputs..][..job.grid.span() * inputs];
        // SAFETY: the instructions of `L` exist here.
        let (low, high) = unsafe { range::<L>(inner) };
        let step = (high - low) / LEVELS;
        let scale = if step > 0.0 { 1.0 / step } else { 0.0 };
        let zero = (-low * scale).round() - shift;
        // What lies between inputs and depth is multiplied by zero. Without such a gap all is one run.
        let (from_run, to_run) = if inputs == depth { (len, len) } else { (inputs, depth) };
        for (from, to) in input.chunks_exact(from_run).zip(job.bytes.chunks_exact_mut(to_run)) {
            for (value, byte) in from.iter().zip(to) {
                *byte = (value * scale + (ROUNDER + zero)).to_bits() as u8;
            }
        }
        Image {
            grid: job.grid,
            index,
            bytes: job.bytes.as_ptr(),
            step,
            zero: zero as i32,
            filters: job.filters,
            finish: job.finish,
            output: job.output.as_mut_ptr(),
        }
    }

    /// Finishes one vector of outputs of the cells from `first` on, as far as they lie on the board.
    ///
    /// # Safety
    /// The vector must lie among the outputs, and the instructions of `S` must exist here.
    #[inline(always)]
    unsafe fn finish<S: IntegerLanes>(&self, channel: usize, first: usize, sums: impl Iterator<Item = S>) {
        let (grid, outputs) = (self.grid, self.filters.outputs);
        // SAFETY: the vector lies in `totals` and `steps`, and cells on the board in the output.
        unsafe {
            // Every product is too large by zero's byte times the weight.
            let surplus = S::load(self.filters.totals.as_ptr().add(channel)).mul(S::splat(-self.zero));
            let step = S::Floats::load(self.filters.steps.as_ptr().add(channel)).mul(S::Floats::splat(self.step));
            let mut column = first % grid.stride();
            for (cell, sum) in (first..grid.span()).zip(sums) {
                if column == grid.side() {
                    column = 0; // the zero column
                    continue;
                }
                column += 1;
                let at = (self.index * grid.cells() + grid.origin() + cell) * outputs + channel;
                let sum = sum.add(surplus).to_floats().mul(step);
                finish_vector(&self.finish, sum, self.index, outputs, channel, at, self.output);
            }
        }
    }
}

/// The smallest and the largest value, zero included: the border is zero and must have its byte.
#[inline(always)]
unsafe fn range<L: Lanes>(values: &[f32]) -> (f32, f32) {
    // SAFETY: vectors lie inside `values` and `lanes`; the instructions of `L` exist here.
    unsafe {
        let (mut lowest, mut highest) = ([L::splat(0.0); 4], [L::splat(0.0); 4]);
        for four in values.chunks_exact(4 * L::WIDTH) {
            for i in 0..4 {
                let value = L::load(four.as_ptr().add(i * L::WIDTH));
                highest[i] = value.max(highest[i]);
                lowest[i] = L::splat(0.0).sub(value).max(lowest[i]);
            }
        }
        let largest = |vectors: [L; 4]| {
            let mut lanes = [0.0; 16];
            vectors[0].max(vectors[1]).max(vectors[2].max(vectors[3])).store(lanes.as_mut_ptr());
            lanes.into_iter().fold(0.0, f32::max)
        };
        let rest = values.chunks_exact(4 * L::WIDTH).remainder();
        let (low, high) = rest.iter().fold((0.0f32, 0.0f32), |(low, high), v| (low.min(*v), high.max(*v)));
        (low.min(-largest(lowest)), high.max(largest(highest)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Arithmetic;
    use crate::kernel::tests::{assert_close, board_noise, direct_convolution, noise};

    /// Every form of the kernel this machine can run, the portable one first.
    fn forms() -> impl Iterator<Item = Isa> {
        let with_bytes = Isa::ALL.into_iter().filter(|isa| isa.arithmetic() == Arithmetic::Int8);
        std::iter::once(Isa::Portable).chain(with_bytes.filter(|isa| isa.is_available()))
    }

    fn run(isa: Isa, grid: Grid, inputs: usize, outputs: usize, input: &[f32], taps: &[f32]) -> Vec<f32> {
        let images = input.len() / (grid.cells() * inputs);
        let mut filters = ByteFilters::zeroed(isa, inputs, outputs);
        filters.set_taps(taps);
        let mut output = vec![0.0; images * grid.cells() * outputs];
        let mut bytes = vec![0; filters.bytes_needed(grid)];
        let (filters, finish) = (&filters, Finish::Store);
        convolve(isa, Int8Convolution { grid, images, input, filters, output: &mut output, finish, bytes: &mut bytes });
        output
    }

    /// Boards and channels that reach every width of a stripe; a small one for Miri, which takes a thousand times as long.
    const SHAPES: &[(usize, usize, usize)] = if cfg!(miri) {
        &[(2, 16, 16)]
    } else {
        &[(19, 32, 64), (9, 64, 112), (13, 16, 48), (5, 16, 16), (2, 48, 32), (7, 32, 80)]
    };

    /// With a step of one on both sides nothing is lost: inputs spread over 254 and weights reaching 127.
    #[test]
    fn whole_numbers_come_out_exactly() {
        for &(side, inputs, outputs) in SHAPES {
            let grid = Grid::new(side);
            let mut input: Vec<f32> =
                board_noise(grid, 2, inputs, 1).iter().map(|x| (x * 254.0).round().min(126.0)).collect();
            let mut taps: Vec<f32> = noise(2, 9 * inputs * outputs).iter().map(|w| (w * 20.0).round()).collect();
            for image in input.chunks_exact_mut(grid.cells() * inputs) {
                image[grid.cell(0, 0) * inputs] = -127.0;
                image[grid.cell(1, 1) * inputs] = 127.0;
            }
            taps[..outputs].fill(-127.0);
            let expected = direct_convolution(grid, 2, inputs, outputs, &input, &taps);
            for isa in forms() {
                assert_close(&run(isa, grid, inputs, outputs, &input, &taps), &expected, 0.0);
            }
        }
    }

    #[test]
    fn every_form_rounds_and_sums_alike() {
        for &(side, inputs, outputs) in SHAPES {
            let grid = Grid::new(side);
            let input = board_noise(grid, 2, inputs, 3);
            let taps = noise(4, 9 * inputs * outputs);
            let portable = run(Isa::Portable, grid, inputs, outputs, &input, &taps);
            for isa in forms() {
                assert_eq!(run(isa, grid, inputs, outputs, &input, &taps), portable, "{isa} {side}");
            }
        }
    }

    #[test]
    fn nothing_in_gives_nothing_out() {
        let (grid, something) = (Grid::new(if cfg!(miri) { 2 } else { 5 }), noise(5, 9 * 16 * 16));
        for isa in forms() {
            let (empty, full) = (vec![0.0; grid.cells() * 16], board_noise(grid, 1, 16, 6));
            assert!(run(isa, grid, 16, 16, &empty, &something).iter().all(|sum| *sum == 0.0));
            assert!(run(isa, grid, 16, 16, &full, &vec![0.0; something.len()]).iter().all(|sum| *sum == 0.0));
        }
    }
}
