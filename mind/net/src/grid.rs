//! How a batch of boards lies in memory.

/// The memory layout of one board: points in rows, channels innermost, and a border of zeros around it.
///
/// One zero column is shared between the end of a row and the start of the next, so a row is `side + 1`
/// long and the neighbour in any of the eight directions is a constant distance away. Points outside the board
/// are zero before and after every kernel; each kernel relies on it and restores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    side: usize,
}

impl Grid {
    pub fn new(side: usize) -> Grid {
        assert!((1..=64).contains(&side), "a board has a side of 1 to 64");
        Grid { side }
    }

    pub fn side(self) -> usize {
        self.side
    }

    /// Distance from a point to the one below it.
    pub fn stride(self) -> usize {
        self.side + 1
    }

    pub fn points(self) -> usize {
        self.side * self.side
    }

    /// Cells from the first point to just past the last row, zero column included: what a
    /// kernel that runs straight through the rows covers.
    pub fn span(self) -> usize {
        self.side * self.stride()
    }

    /// Where point (0, 0) lies.
    pub fn origin(self) -> usize {
        self.stride() + 1
    }

    pub fn cell(self, row: usize, column: usize) -> usize {
        self.origin() + row * self.stride() + column
    }

    /// Cells of one board. Rounded so that runs of 32 cells, shifted by any neighbour distance, stay inside.
    pub fn cells(self) -> usize {
        self.span().next_multiple_of(32) + 2 * self.origin()
    }

    /// The points in row order, as cells.
    pub fn point_cells(self) -> impl Iterator<Item = usize> {
        (0..self.side).flat_map(move |row| (0..self.side).map(move |column| self.cell(row, column)))
    }
}
