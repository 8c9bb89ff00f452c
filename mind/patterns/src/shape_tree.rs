//! The known shapes as a tree: 3x3 neighbourhoods first, each child one ring larger than its parent.
//!
//! A lookup walks outward as long as the shape is known, so most points cost a few rings only, and the
//! largest known shape is where the walk ends.

use jigo_board::{Board, Color, Neighbourhood, Point};

use crate::surroundings::{Orientations, RINGS, Surroundings, canonical_core, core};

/// A known shape. 0 stands for any 3x3 neighbourhood that is not known.
pub type ShapeId = u32;
pub const UNKNOWN: ShapeId = 0;

/// How a shape differs from its parent: by its outermost ring, or, for 3x3 shapes, by its core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub parent: ShapeId,
    pub code: u32,
    /// 0 for 3x3, then the number of rings around it.
    pub rings: u8,
}

#[derive(Clone, Copy)]
struct Slot {
    parent: ShapeId,
    code: u32,
    child: ShapeId,
}

const FREE: Slot = Slot { parent: 0, code: 0, child: UNKNOWN };

/// Where a walk outward has come.
#[derive(Clone, Copy)]
pub struct Walk {
    pub shape: ShapeId,
    pub rings: usize,
    open: Orientations,
}

#[derive(Clone)]
pub struct ShapeTree {
    shapes: Vec<Shape>,
    /// Open addressing, at most half full; the key is parent and code.
    slots: Vec<Slot>,
    /// For each 3x3 neighbourhood without stones in atari, as the player to move sees it.
    quiet_cores: Vec<(ShapeId, Orientations)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    #[error("shape {0} stands before its parent")]
    ParentMissing(usize),
    #[error("shape {0} is there twice")]
    Twice(usize),
    #[error("shape {0} has more rings than we know")]
    TooLarge(usize),
}

impl ShapeTree {
    /// Builds the tree from (parent, code) in an order where parents come first; the ids count from 1.
    pub fn new(children: impl IntoIterator<Item = (ShapeId, u32)>) -> Result<ShapeTree, ShapeError> {
        let mut shapes = vec![Shape { parent: UNKNOWN, code: 0, rings: 0 }];
        for (parent, code) in children {
            let id = shapes.len();
            let rings = match shapes.get(parent as usize) {
                Some(_) if parent == UNKNOWN => 0,
                Some(above) => above.rings + 1,
                None => return Err(ShapeError::ParentMissing(id)),
            };
            if usize::from(rings) > RINGS {
                return Err(ShapeError::TooLarge(id));
            }
            shapes.push(Shape { parent, code, rings });
        }
        let capacity = (2 * shapes.len()).next_power_of_two();
        let mut tree = ShapeTree { shapes, slots: vec![FREE; capacity], quiet_cores: Vec::new() };
        for id in 1..tree.shapes.len() {
            let Shape { parent, code, .. } = tree.shapes[id];
            let slot = tree.slot(parent, code);
            if tree.slots[slot].child != UNKNOWN {
                return Err(ShapeError::Twice(id));
            }
            tree.slots[slot] = Slot { parent, code, child: id as ShapeId };
        }
        tree.quiet_cores = (0..=u16::MAX).map(|code| tree.find_core(Neighbourhood(code), 0)).collect();
        Ok(tree)
    }

    /// All shapes by id; the first stands for the unknown ones.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The number of 3x3 shapes with the unknown one; they stand before all larger shapes.
    pub fn core_count(&self) -> usize {
        self.shapes.iter().take_while(|shape| shape.parent == UNKNOWN).count()
    }

    /// The slot of this key, or the free slot where it would stand.
    #[inline]
    fn slot(&self, parent: ShapeId, code: u32) -> usize {
        let mask = self.slots.len() - 1;
        let key = (u64::from(parent) << 32 | u64::from(code)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut at = (key >> 32) as usize & mask;
        loop {
            let slot = &self.slots[at];
            if slot.child == UNKNOWN || (slot.parent == parent && slot.code == code) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    pub fn child(&self, parent: ShapeId, code: u32) -> ShapeId {
        self.slots[self.slot(parent, code)].child
    }

    fn find_core(&self, own: Neighbourhood, ataris: u16) -> (ShapeId, Orientations) {
        let (code, open) = canonical_core(own, ataris);
        (self.child(UNKNOWN, code), open)
    }

    /// The 3x3 shape of a neighbourhood as the player to move sees it.
    #[inline]
    pub fn core(&self, own: Neighbourhood, ataris: u16) -> ShapeId {
        self.start(own, ataris).shape
    }

    #[inline]
    fn start(&self, own: Neighbourhood, ataris: u16) -> Walk {
        let (shape, open) =
            if ataris == 0 { self.quiet_cores[usize::from(own.0)] } else { self.find_core(own, ataris) };
        Walk { shape, rings: 0, open }
    }

    /// Walks outward from a point to the largest known shape.
    #[inline]
    pub fn walk(&self, surroundings: &Surroundings, board: &Board, to_play: Color, point: Point) -> Walk {
        let (own, ataris) = core(board, to_play, point);
        let mut walk = self.start(own, ataris);
        if walk.shape == UNKNOWN {
            return walk;
        }
        while let Some((code, open)) = walk.next_ring(surroundings, point) {
            let child = self.child(walk.shape, code);
            if child == UNKNOWN {
                break;
            }
            walk = Walk { shape: child, rings: walk.rings + 1, open };
        }
        walk
    }
}

impl Walk {
    /// The canonical code of the ring after the last one walked, unless that was the largest.
    #[inline]
    pub fn next_ring(&self, surroundings: &Surroundings, point: Point) -> Option<(u32, Orientations)> {
        (self.rings < RINGS).then(|| surroundings.canonical_ring(Surroundings::padded(point), self.rings, self.open))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    #[test]
    fn a_walk_ends_at_the_largest_known_shape() {
        let diagram = Diagram::parse(
            ". . . . .
             . . X . .
             . . a . O
             . . . . .
             . . . . .",
        )
        .unwrap();
        let (board, point) = (&diagram.board, diagram.point('a'));
        let surroundings = Surroundings::of(board, Color::Black);
        let (own, ataris) = core(board, Color::Black, point);
        let (code, _) = canonical_core(own, ataris);

        let empty = ShapeTree::new([]).unwrap();
        assert_eq!(empty.walk(&surroundings, board, Color::Black, point).shape, UNKNOWN);

        let core_only = ShapeTree::new([(UNKNOWN, code)]).unwrap();
        let walk = core_only.walk(&surroundings, board, Color::Black, point);
        assert_eq!((walk.shape, walk.rings), (1, 0));
        let (ring, _) = walk.next_ring(&surroundings, point).unwrap();
        assert_ne!(ring, 0, "the white stone is in the next ring");

        let larger = ShapeTree::new([(UNKNOWN, code), (1, ring)]).unwrap();
        let walk = larger.walk(&surroundings, board, Color::Black, point);
        assert_eq!((walk.shape, walk.rings), (2, 1));
        // The same place looks different to White.
        let surroundings = Surroundings::of(board, Color::White);
        assert_eq!(larger.walk(&surroundings, board, Color::White, point).shape, UNKNOWN);
    }

    #[test]
    fn impossible_trees_are_refused() {
        assert_eq!(ShapeTree::new([(7, 1)]).err(), Some(ShapeError::ParentMissing(1)));
        assert_eq!(ShapeTree::new([(0, 1), (0, 1)]).err(), Some(ShapeError::Twice(2)));
        let endless = (0..12).map(|id| (id, 1));
        assert_eq!(ShapeTree::new(endless).err(), Some(ShapeError::TooLarge(11)));
    }
}
