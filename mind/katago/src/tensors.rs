//! What goes into a net: the 22 planes, the 19 globals and, for some nets, the 192 numbers about the players.

use crate::model::{GLOBALS, METADATA, PLANES};

/// The inputs for one board, laid in the top left corner of a frame of `width` x `height` points.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    pub width: usize,
    pub height: usize,
    /// `[row][column][plane]`; plane 0 is 1 where the board is.
    pub planes: Vec<f32>,
    pub globals: [f32; GLOBALS],
    pub metadata: Option<Box<[f32; METADATA]>>,
}

impl Inputs {
    pub fn empty(width: usize, height: usize) -> Inputs {
        Inputs { width, height, planes: vec![0.0; width * height * PLANES], globals: [0.0; GLOBALS], metadata: None }
    }

    pub fn set(&mut self, plane: usize, x: usize, y: usize) {
        self.planes[(y * self.width + x) * PLANES + plane] = 1.0;
    }

    /// The whole frame seen through one of the eight symmetries, numbered as KataGo numbers them.
    pub fn turned(&self, turn: Turn) -> Inputs {
        let mut turned = self.clone();
        for y in 0..self.height {
            for x in 0..self.width {
                let (to_x, to_y) = turn.place(x, y, self.width, self.height);
                let (from, to) = ((y * self.width + x) * PLANES, (to_y * self.width + to_x) * PLANES);
                turned.planes[to..to + PLANES].copy_from_slice(&self.planes[from..from + PLANES]);
            }
        }
        turned
    }
}

/// One of the eight symmetries by KataGo's number: bit 0 flips rows, bit 1 flips columns, bit 2 then exchanges them.
/// A frame that is not square is never exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn(pub u8);

impl Turn {
    /// Where the point (x, y) of the frame lies after the turn.
    pub fn place(self, x: usize, y: usize, width: usize, height: usize) -> (usize, usize) {
        let x = if self.0 & 2 != 0 { width - 1 - x } else { x };
        let y = if self.0 & 1 != 0 { height - 1 - y } else { y };
        if self.0 & 4 != 0 && width == height { (y, x) } else { (x, y) }
    }
}

/// The board's own symmetries are numbered differently: without the exchange, bits 0 and 1 mean the other flip.
impl From<jigo_board::Symmetry> for Turn {
    fn from(symmetry: jigo_board::Symmetry) -> Turn {
        Turn([0, 2, 1, 3, 4, 5, 6, 7][symmetry.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Point, Symmetry};

    #[test]
    fn turns_are_the_symmetries_of_the_board() {
        for symmetry in Symmetry::all() {
            let to = symmetry.apply(Point::new(1, 3), 7);
            assert_eq!(Turn::from(symmetry).place(1, 3, 7, 7), (to.col(), to.row()), "{symmetry:?}");
        }
    }
}
