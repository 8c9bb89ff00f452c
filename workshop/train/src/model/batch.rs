//! The shape of a batch: boards of several sizes side by side, so that every normalisation sees them all.

use jigo_net::Grid;

/// Boards of one size within a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    pub grid: Grid,
    pub images: usize,
    /// The first image's number and first cell within the batch.
    pub first_image: usize,
    pub first_cell: usize,
}

impl Segment {
    pub fn cells(&self) -> std::ops::Range<usize> {
        self.first_cell..self.first_cell + self.images * self.grid.cells()
    }

    /// This segment's part of a buffer with `channels` numbers per cell.
    pub fn of<'a>(&self, buffer: &'a [f32], channels: usize) -> &'a [f32] {
        &buffer[self.cells().start * channels..self.cells().end * channels]
    }

    pub fn of_mut<'a>(&self, buffer: &'a mut [f32], channels: usize) -> &'a mut [f32] {
        &mut buffer[self.cells().start * channels..self.cells().end * channels]
    }

    /// This segment's part of a buffer with `width` numbers per image.
    pub fn images_of<'a>(&self, buffer: &'a [f32], width: usize) -> &'a [f32] {
        &buffer[self.first_image * width..(self.first_image + self.images) * width]
    }

    pub fn images_of_mut<'a>(&self, buffer: &'a mut [f32], width: usize) -> &'a mut [f32] {
        &mut buffer[self.first_image * width..(self.first_image + self.images) * width]
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchShape {
    segments: Vec<Segment>,
}

impl BatchShape {
    /// From board sides and how many boards of each.
    pub fn new(boards: &[(usize, usize)]) -> BatchShape {
        let (mut first_image, mut first_cell) = (0, 0);
        let segments = boards
            .iter()
            .filter(|(_, images)| *images > 0)
            .map(|&(side, images)| {
                let segment = Segment { grid: Grid::new(side), images, first_image, first_cell };
                first_image += images;
                first_cell = segment.cells().end;
                segment
            })
            .collect();
        BatchShape { segments }
    }

    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub fn images(&self) -> usize {
        self.segments.iter().map(|s| s.images).sum()
    }

    pub fn cells(&self) -> usize {
        self.segments.last().map_or(0, |s| s.cells().end)
    }

    /// Points of all boards.
    pub fn points(&self) -> usize {
        self.segments.iter().map(|s| s.images * s.grid.points()).sum()
    }
}
