//! Drawing planes onto an image, through a symmetry.

use jigo_board::{Point, Symmetry};

use crate::Grid;

pub struct Canvas<'a> {
    grid: Grid,
    symmetry: Symmetry,
    channels: usize,
    image: &'a mut [f32],
}

impl<'a> Canvas<'a> {
    pub fn new(grid: Grid, symmetry: Symmetry, channels: usize, image: &'a mut [f32]) -> Canvas<'a> {
        Canvas { grid, symmetry, channels, image }
    }

    /// All planes at one point.
    #[inline]
    pub fn at(&mut self, point: Point) -> &mut [f32] {
        let to = self.symmetry.apply(point, self.grid.side());
        let cell = self.grid.cell(to.row(), to.col());
        &mut self.image[cell * self.channels..][..self.channels]
    }
}

/// Sets the plane of a count among `planes.len()` planes for 1, 2, ... and "that many or more".
#[inline]
pub fn mark_count(planes: &mut [f32], count: usize) {
    if count > 0 {
        planes[count.min(planes.len()) - 1] = 1.0;
    }
}
