//! The filters' gradient of a 3x3 convolution, by whatever the machine does best.

use jigo_net::Grid;
use jigo_net::kernel::winograd::{CELLS, CHUNK};
use jigo_net::kernel::{Aligned, Isa};

use super::winograd_gradient::{self, TileGradients};

/// One convolution's operands: what went in, and the gradient of what came out.
pub struct WeightGradient<'a> {
    pub grid: Grid,
    pub images: usize,
    pub inputs: usize,
    pub outputs: usize,
    pub input: &'a [f32],
    pub output_gradient: &'a [f32],
}

/// Working memory of [`WeightGradient::add_to`].
#[derive(Default)]
pub struct GradientScratch {
    tile_inputs: Aligned<f32>,
    tile_gradients: Aligned<f32>,
    cells: Vec<f32>,
    #[cfg(target_arch = "x86_64")]
    packed: super::tile_gradient::PackScratch,
}

impl WeightGradient<'_> {
    /// Adds the gradient to `taps`, `[9][inputs][outputs]`.
    pub fn add_to(&self, isa: Isa, taps: &mut [f32], scratch: &mut GradientScratch) {
        let WeightGradient { grid, images, inputs, outputs, input, output_gradient } = *self;
        assert_eq!(taps.len(), 9 * inputs * outputs);
        #[cfg(target_arch = "x86_64")]
        if isa == Isa::Amx && jigo_net::kernel::amx::fits(inputs, outputs) {
            use super::tile_gradient::{TileGradient, accumulate};
            scratch.cells.clear();
            scratch.cells.resize(taps.len(), 0.0);
            let turned_taps = &mut scratch.cells;
            let job = TileGradient { grid, images, inputs, outputs, input, output_gradient, turned_taps };
            accumulate(job, &mut scratch.packed);
            for tap in 0..9 {
                let turned = &scratch.cells[tap * inputs * outputs..][..inputs * outputs];
                for (i, row) in taps[tap * inputs * outputs..][..inputs * outputs].chunks_exact_mut(outputs).enumerate()
                {
                    for (o, to) in row.iter_mut().enumerate() {
                        *to += turned[o * inputs + i];
                    }
                }
            }
            return;
        }
        scratch.cells.clear();
        scratch.cells.resize(CELLS * inputs * outputs, 0.0);
        scratch.tile_inputs.reserve_len(CELLS * CHUNK * inputs);
        scratch.tile_gradients.reserve_len(CELLS * CHUNK * outputs);
        winograd_gradient::accumulate_tiles(
            isa,
            TileGradients {
                grid,
                images,
                inputs,
                outputs,
                input,
                output_gradient,
                cells: &mut scratch.cells,
                tile_inputs: &mut scratch.tile_inputs,
                tile_gradients: &mut scratch.tile_gradients,
            },
        );
        winograd_gradient::add_to_taps(inputs * outputs, &scratch.cells, taps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Rng;

    fn board_noise(grid: Grid, images: usize, channels: usize, rng: &mut Rng) -> Vec<f32> {
        let mut board = vec![0.0; images * grid.cells() * channels];
        for image in 0..images {
            for cell in grid.point_cells() {
                for c in 0..channels {
                    board[(image * grid.cells() + cell) * channels + c] = rng.unit() - 0.5;
                }
            }
        }
        board
    }

    #[test]
    fn equals_the_definition_on_every_instruction_set() {
        for (side, images, inputs, outputs) in [(19, 5, 32, 64), (9, 2, 64, 32), (5, 3, 16, 48), (4, 1, 96, 32)] {
            let grid = Grid::new(side);
            let mut rng = Rng::new(3);
            let input = board_noise(grid, images, inputs, &mut rng);
            let gradient = board_noise(grid, images, outputs, &mut rng);
            let mut expected = vec![0.0f32; 9 * inputs * outputs];
            for image in 0..images {
                for cell in grid.point_cells() {
                    let cell = image * grid.cells() + cell;
                    for tap in 0..9 {
                        let from = cell + tap / 3 * grid.stride() + tap % 3 - grid.origin();
                        for i in 0..inputs {
                            let x = input[from * inputs + i];
                            for o in 0..outputs {
                                expected[(tap * inputs + i) * outputs + o] += x * gradient[cell * outputs + o];
                            }
                        }
                    }
                }
            }
            for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
                let mut taps = vec![1.0; 9 * inputs * outputs];
                let job = WeightGradient { grid, images, inputs, outputs, input: &input, output_gradient: &gradient };
                job.add_to(isa, &mut taps, &mut GradientScratch::default());
                let tolerance = if isa == Isa::Amx { 0.08 } else { 2e-3 };
                for (at, (actual, expected)) in taps.iter().zip(&expected).enumerate() {
                    assert!((actual - 1.0 - expected).abs() < tolerance, "{isa} at {at}: {actual} {expected}");
                }
            }
        }
    }
}
