//! Bent four in the corner: a shape of four points that a group around it cannot make two eyes of, nor take without a ko.
//!
//! ```text
//! | a X X O X   White cannot play a or b. Black can at any time: a stone at a, White takes the bent four, and Black
//! | X b O O X   plays inside again for a ko that only White can lose. Black removes the ko threats first.
//! | O O O X X
//! ```

use crate::eyespace::Eyespace;
use jigo_board::{Point, Symmetry};

/// Do these points have the shape of a bent four in a corner?
pub(crate) fn has_bent_four_shape(size: usize, shape: &Eyespace) -> bool {
    shape.points().len() == 4 && bent_fours(size).any(|four| four.iter().all(|p| shape.contains(*p)))
}

/// The eight bent fours of a board: three points along one edge from the corner and one along the other.
pub fn bent_fours(size: usize) -> impl Iterator<Item = [Point; 4]> {
    let four = [(0, 0), (1, 0), (2, 0), (0, 1)];
    Symmetry::all()
        .filter(move |_| size > 3)
        .map(move |symmetry| four.map(|(col, row)| symmetry.apply(Point::new(col, row), size)))
}
