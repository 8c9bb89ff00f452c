//! 3x3 convolution in eight bits: `vpdpbusd` multiplies four bytes at once and adds the products to a 32-bit sum.
//!
//! Inputs become unsigned bytes with one step per image, measured as it comes; filters become signed bytes with one step
//! per output. The sums are exact, so every form of the kernel gives the same numbers to the last bit.
#![allow(unsafe_code)]

use super::conv::{Finish, finish_vector};
use super::{Aligned, Isa, Lanes, Portable};
use crate::Grid;

/// Steps between the smallest and the largest input. Even, so that planes of 0, 1 and -1 are met exactly.
const LEVELS: f32 = 254.0;
/// Filters reach from -127 to 127.
const LARGEST_WEIGHT: f32 = 127.0;
/// Adding 3 * 2^22 to a small number leaves it, rounded, in the low bits; a half below zero becomes zero.
const ROUNDER: f32 = 12_582_912.0;
/// Outputs whose weights lie side by side.
const GROUP: usize = 16;
/// Cells a block may reach beyond the last one of an image.
const OVERRUN: usize = 16;

/// A layer's filters in bytes.
pub struct Filters {
    inputs: usize,
    outputs: usize,
    /// `[outputs / 16][9][inputs / 4][16][4]`: what a block of few outputs reads lies together.
    weights: Aligned<i8>,
    /// What one step of a weight is worth, per output.
    steps: Aligned<f32>,
    /// The sum of all weights, per output.
    totals: Aligned<i32>,
}

impl Filters {
    pub fn zeroed(inputs: usize, outputs: usize) -> Filters {
        assert!(inputs.is_multiple_of(16) && outputs.is_multiple_of(16));
        let weights = Aligned::zeroed(9 * inputs * outputs);
        Filters { inputs, outputs, weights, steps: Aligned::zeroed(outputs), totals: Aligned::zeroed(outputs) }
    }

    /// Where the weights of an output start, counted in quads; the next quad of inputs is a group further.
    fn first_quad(&self, output: usize) -> usize {
        output / GROUP * (9 * self.inputs / 4 * GROUP) + output % GROUP
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
        // `input` counts through all taps.
        for (input, row) in taps.chunks_exact(outputs).enumerate() {
            for (output, weight) in row.iter().enumerate() {
                // A row of zeros has a step of zero; `as` makes zero of what the division then gives.
                let rounded = (weight / self.steps[output]).round() as i8;
                let quad = self.first_quad(output) + input / 4 * GROUP;
                self.weights[quad * 4 + input % 4] = rounded;
                self.totals[output] += i32::from(rounded);
            }
        }
    }
}

pub struct Convolution<'a> {
    pub grid: Grid,
    pub images: usize,
    pub input: &'a [f32],
    pub filters: &'a Filters,
    pub output: &'a mut [f32],
    pub finish: Finish<'a>,
    /// One image in bytes; see [`bytes_needed`].
    pub bytes: &'a mut [u8],
}

pub fn bytes_needed(grid: Grid, inputs: usize) -> usize {
    (grid.cells() + OVERRUN) * inputs
}

/// Runs on the 8-bit instructions of `isa`, or one product at a time where it has none.
pub fn convolve(isa: Isa, job: Convolution<'_>) {
    let Filters { inputs, outputs, .. } = *job.filters;
    let cells = job.images * job.grid.cells();
    assert!(isa.is_available(), "this machine has no {isa} instructions");
    assert!(job.input.len() >= cells * inputs && job.output.len() >= cells * outputs);
    assert!(job.bytes.len() >= bytes_needed(job.grid, inputs));
    job.finish.check(job.images, outputs, cells);
    // SAFETY: the instructions exist and the lengths were just checked.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Vnni512 => x86::convolve_512(job),
            #[cfg(target_arch = "x86_64")]
            Isa::Vnni256 => x86::convolve_256(job),
            _ => convolve_with::<PortableSums>(job),
        }
    }
}

/// A register of 32-bit integers. Methods are `unsafe` as those of [`Lanes`] are.
trait Sums: Copy {
    type Floats: Lanes;

    unsafe fn splat(value: i32) -> Self;
    unsafe fn load(from: *const i32) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    /// Adds to each element the products of the four unsigned bytes of `inputs` with the four signed ones of `weights`.
    unsafe fn add_dots(self, inputs: Self, weights: Self) -> Self;
    unsafe fn to_floats(self) -> Self::Floats;
}

#[derive(Clone, Copy)]
struct PortableSums([i32; 4]);

impl Sums for PortableSums {
    type Floats = Portable;

    #[inline(always)]
    unsafe fn splat(value: i32) -> Self {
        PortableSums([value; 4])
    }
    #[inline(always)]
    unsafe fn load(from: *const i32) -> Self {
        // SAFETY: the caller promises four readable elements.
        PortableSums(unsafe { from.cast::<[i32; 4]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        PortableSums(std::array::from_fn(|i| self.0[i] * other.0[i]))
    }
    #[inline(always)]
    unsafe fn add_dots(self, inputs: Self, weights: Self) -> Self {
        PortableSums(std::array::from_fn(|i| {
            let pairs = inputs.0[i].to_ne_bytes().into_iter().zip(weights.0[i].to_ne_bytes());
            self.0[i] + pairs.map(|(x, w)| i32::from(x) * i32::from(w as i8)).sum::<i32>()
        }))
    }
    #[inline(always)]
    unsafe fn to_floats(self) -> Portable {
        let floats = self.0.map(|sum| sum as f32);
        // SAFETY: four readable elements.
        unsafe { Portable::load(floats.as_ptr()) }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::{Convolution, Sums, convolve_with};

    macro_rules! x86_sums {
        ($register:ident, $floats:ident, $splat:ident, $load:ident, $mul:ident, $dots:ident, $convert:ident,
         $convolve:ident, $features:literal) => {
            // SAFETY of every call below: the caller of a `Sums` method runs where the instruction exists.
            impl Sums for $register {
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
                unsafe fn mul(self, other: Self) -> Self {
                    unsafe { $mul(self, other) }
                }
                #[inline(always)]
                unsafe fn add_dots(self, inputs: Self, weights: Self) -> Self {
                    unsafe { $dots(self, inputs, weights) }
                }
                #[inline(always)]
                unsafe fn to_floats(self) -> $floats {
                    unsafe { $convert(self) }
                }
            }

            #[target_feature(enable = $features)]
            pub unsafe fn $convolve(job: Convolution<'_>) {
                unsafe { convolve_with::<$register>(job) }
            }
        };
    }

    x86_sums!(
        __m512i,
        __m512,
        _mm512_set1_epi32,
        _mm512_loadu_si512,
        _mm512_mullo_epi32,
        _mm512_dpbusd_epi32,
        _mm512_cvtepi32_ps,
        convolve_512,
        "avx512f,avx512bw,avx512vnni"
    );
    x86_sums!(
        __m256i,
        __m256,
        _mm256_set1_epi32,
        _mm256_loadu_si256,
        _mm256_mullo_epi32,
        _mm256_dpbusd_avx_epi32,
        _mm256_cvtepi32_ps,
        convolve_256,
        "avx2,fma,avxvnni"
    );
}

/// One image in bytes, and where its sums go.
struct Image<'a> {
    grid: Grid,
    index: usize,
    bytes: *const u8,
    /// What one step of a byte is worth, and which byte stands for zero.
    step: f32,
    zero: i32,
    filters: &'a Filters,
    finish: &'a Finish<'a>,
    output: *mut f32,
}

#[inline(always)]
unsafe fn convolve_with<S: Sums>(job: Convolution<'_>) {
    let Filters { inputs, outputs, .. } = *job.filters;
    let image_cells = job.grid.cells();
    for index in 0..job.images {
        let input = &job.input[index * image_cells * inputs..][..image_cells * inputs];
        // SAFETY: `convolve` checked the lengths, and the instructions of `S` exist here.
        unsafe {
            let (low, high) = range::<S::Floats>(input);
            let step = (high - low) / LEVELS;
            let scale = if step > 0.0 { 1.0 / step } else { 0.0 };
            let zero = (-low * scale).round();
            for (byte, value) in job.bytes.iter_mut().zip(input) {
                *byte = (value * scale + (ROUNDER + zero)).to_bits() as u8;
            }
            let image = Image {
                grid: job.grid,
                index,
                bytes: job.bytes.as_ptr(),
                step,
                zero: zero as i32,
                filters: job.filters,
                finish: &job.finish,
                output: job.output.as_mut_ptr(),
            };
            // Sums, one row of weights and one broadcast input must fit the register file.
            let vectors = outputs / S::Floats::WIDTH;
            let mut done = 0;
            while done < vectors {
                let first = done * S::Floats::WIDTH;
                let left = vectors - done;
                done += if S::Floats::REGISTERS < 32 {
                    image.stripe::<S, 6, 2>(first)
                } else if left.is_multiple_of(4) {
                    image.stripe::<S, 6, 4>(first)
                } else if left.is_multiple_of(3) {
                    image.stripe::<S, 8, 3>(first)
                } else if left >= 2 {
                    image.stripe::<S, 12, 2>(first)
                } else {
                    image.stripe::<S, 12, 1>(first)
                };
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

impl Image<'_> {
    /// All cells for `N` vectors of outputs, `R` cells at a time. Returns `N`.
    #[inline(always)]
    unsafe fn stripe<S: Sums, const R: usize, const N: usize>(&self, output: usize) -> usize {
        const { assert!(R <= OVERRUN) }
        for first in (0..self.grid.span()).step_by(R) {
            // SAFETY: see `block`.
            unsafe { self.block::<S, R, N>(output, first) }
        }
        N
    }

    /// `R` cells by `N` vectors of outputs, all sums held in registers.
    ///
    /// # Safety
    /// The vectors must lie among the outputs and the first cell in the span; those after it may lie in the overrun.
    #[inline(always)]
    unsafe fn block<S: Sums, const R: usize, const N: usize>(&self, output: usize, first: usize) {
        let (grid, width) = (self.grid, S::Floats::WIDTH);
        let Filters { inputs, outputs, ref weights, ref steps, ref totals } = *self.filters;
        // SAFETY: the nine taps of `R` cells from the span on lie in the image and its overrun, `weights` hold
        // `9 * inputs * outputs` bytes, and only cells on the board are finished.
        unsafe {
            // A quad of weights is read as one number, like the quad of inputs it is multiplied with.
            let mut quads = weights.as_ptr().cast::<i32>();
            let starts: [usize; N] = std::array::from_fn(|n| self.filters.first_quad(output + n * width));
            // Every product is too large by zero's byte times the weight.
            let surplus = |n| S::load(totals.as_ptr().add(output + n * width)).mul(S::splat(-self.zero));
            let mut sums: [[S; N]; R] = [std::array::from_fn(surplus); R];
            for tap in 0..9 {
                let cell = first + tap / 3 * grid.stride() + tap % 3;
                let bytes = self.bytes.add(cell * inputs);
                for input in (0..inputs).step_by(16) {
                    for quad in 0..4 {
                        let row: [S; N] = std::array::from_fn(|n| S::load(quads.add(starts[n] + quad * GROUP)));
                        for (r, sums) in sums.iter_mut().enumerate() {
                            let four = bytes.add(r * inputs + input + quad * 4);
                            let x = S::splat(four.cast::<i32>().read_unaligned());
                            for (sum, weights) in sums.iter_mut().zip(row) {
                                *sum = sum.add_dots(x, weights);
                            }
                        }
                    }
                    quads = quads.wrapping_add(4 * GROUP);
                }
            }
            for (cell, sums) in (first..grid.span()).zip(sums) {
                if cell % grid.stride() == grid.side() {
                    continue; // the zero column
                }
                for (n, sum) in sums.into_iter().enumerate() {
                    let channel = output + n * width;
                    let step = S::Floats::load(steps.as_ptr().add(channel)).mul(S::Floats::splat(self.step));
                    let at = (self.index * grid.cells() + grid.origin() + cell) * outputs + channel;
                    let sum = sum.to_floats().mul(step);
                    finish_vector(self.finish, sum, self.index, outputs, channel, at, self.output);
                }
            }
        }
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
        let mut filters = Filters::zeroed(inputs, outputs);
        filters.set_taps(taps);
        let mut output = vec![0.0; images * grid.cells() * outputs];
        let mut bytes = vec![0; bytes_needed(grid, inputs)];
        let (filters, finish) = (&filters, Finish::Store);
        convolve(isa, Convolution { grid, images, input, filters, output: &mut output, finish, bytes: &mut bytes });
        output
    }

    /// Boards and channels that reach every width of a stripe.
    const SHAPES: [(usize, usize, usize); 6] =
        [(19, 32, 64), (9, 64, 112), (13, 16, 48), (5, 16, 16), (2, 48, 32), (7, 32, 80)];

    /// With a step of one on both sides nothing is lost: inputs spread over 254 and weights reaching 127.
    #[test]
    fn whole_numbers_come_out_exactly() {
        for (side, inputs, outputs) in SHAPES {
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
        for (side, inputs, outputs) in SHAPES {
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
        let (grid, something) = (Grid::new(5), noise(5, 9 * 16 * 16));
        for isa in forms() {
            let (empty, full) = (vec![0.0; grid.cells() * 16], board_noise(grid, 1, 16, 6));
            assert!(run(isa, grid, 16, 16, &empty, &something).iter().all(|sum| *sum == 0.0));
            assert!(run(isa, grid, 16, 16, &full, &vec![0.0; something.len()]).iter().all(|sum| *sum == 0.0));
        }
    }
}
