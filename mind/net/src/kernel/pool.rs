//! Global pooling: the average and the maximum of every channel over the board.
#![allow(unsafe_code, reason = "vector instructions, called only where the processor has them")]

use super::{Isa, Lanes};
use crate::Grid;
use crate::per_isa;

/// Pools `images` boards; `pooled` gets the averages and then the maxima of each image, `2 * channels` numbers.
pub struct Pool<'a> {
    pub grid: Grid,
    pub images: usize,
    pub channels: usize,
    pub input: &'a [f32],
    pub pooled: &'a mut [f32],
}

pub fn pool(isa: Isa, job: Pool<'_>) {
    assert!(job.channels.is_multiple_of(16));
    assert!(job.input.len() >= job.images * job.grid.cells() * job.channels);
    assert!(job.pooled.len() >= job.images * 2 * job.channels);
    // SAFETY: the lengths were just checked.
    unsafe { pool_on(isa, job) }
}

per_isa!(fn pool_on / pool_with(Pool<'_>));

#[inline(always)]
unsafe fn pool_with<L: Lanes>(job: Pool<'_>) {
    let (grid, channels) = (job.grid, job.channels);
    let share = 1.0 / grid.points() as f32;
    for image in 0..job.images {
        // SAFETY: `pool` checked that images and pooled vectors are there; cells on the board lie inside an image.
        unsafe {
            let input = job.input.as_ptr().add(image * grid.cells() * channels);
            let averages = job.pooled.as_mut_ptr().add(image * 2 * channels);
            let mut channel = 0;
            while channel < channels {
                let mut sum = L::splat(0.0);
                let mut top = L::splat(f32::NEG_INFINITY);
                for row in 0..grid.side() {
                    let start = input.add(grid.cell(row, 0) * channels + channel);
                    for column in 0..grid.side() {
                        let value = L::load(start.add(column * channels));
                        sum = sum.add(value);
                        top = top.max(value);
                    }
                }
                sum.mul(L::splat(share)).store(averages.add(channel));
                top.store(averages.add(channels + channel));
                channel += L::WIDTH;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::tests::{assert_close, board_noise};

    #[test]
    fn averages_and_maxima_over_points_only() {
        let (grid, images, channels) = (Grid::new(7), 2, 32);
        let input = board_noise(grid, images, channels, 3);
        let mut expected = vec![0.0; images * 2 * channels];
        for image in 0..images {
            for c in 0..channels {
                let value = |cell| input[(image * grid.cells() + cell) * channels + c];
                expected[image * 2 * channels + c] = grid.point_cells().map(value).sum::<f32>() / 49.0;
                let top = grid.point_cells().map(value).fold(f32::NEG_INFINITY, f32::max);
                expected[(image * 2 + 1) * channels + c] = top;
            }
        }
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            let mut pooled = vec![0.0; images * 2 * channels];
            pool(isa, Pool { grid, images, channels, input: &input, pooled: &mut pooled });
            assert_close(&pooled, &expected, 1e-6);
        }
    }
}
