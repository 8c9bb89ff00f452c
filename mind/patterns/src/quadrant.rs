//! The four corners of a 19x19 board, seen alike: from the corner outward, and by the player to move.

use jigo_board::{Board, Color, MAX_SIZE, Point, Rng};

/// Lines of a quadrant: the middle lines of the board belong to none.
pub const QUADRANT_SIZE: usize = 9;
pub const QUADRANT_POINTS: usize = QUADRANT_SIZE * QUADRANT_SIZE;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quadrant {
    right: bool,
    bottom: bool,
}

/// A place in a quadrant: its column and row counted from the corner, as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot(pub(crate) u8);

impl Spot {
    fn new(col: usize, row: usize) -> Spot {
        Spot((row * QUADRANT_SIZE + col) as u8)
    }

    /// A number below [`QUADRANT_POINTS`].
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// The place on the other side of the corner's diagonal.
    #[must_use]
    pub fn mirrored(self) -> Spot {
        Spot::new(self.index() / QUADRANT_SIZE, self.index() % QUADRANT_SIZE)
    }
}

impl Quadrant {
    pub const ALL: [Quadrant; 4] = [
        Quadrant { right: false, bottom: false },
        Quadrant { right: true, bottom: false },
        Quadrant { right: true, bottom: true },
        Quadrant { right: false, bottom: true },
    ];

    /// The quadrant of a point of the 19x19 board.
    #[inline]
    pub fn of(point: Point) -> Option<Quadrant> {
        let far = MAX_SIZE - QUADRANT_SIZE;
        let side = |at: usize| if at < QUADRANT_SIZE { Some(false) } else { (at >= far).then_some(true) };
        Some(Quadrant { right: side(point.col())?, bottom: side(point.row())? })
    }

    #[inline]
    pub fn point(self, spot: Spot) -> Point {
        let flip = |at: usize, far: bool| if far { MAX_SIZE - 1 - at } else { at };
        Point::new(flip(spot.index() % QUADRANT_SIZE, self.right), flip(spot.index() / QUADRANT_SIZE, self.bottom))
    }

    /// Where a point of this quadrant lies in it.
    #[inline]
    pub fn spot(self, point: Point) -> Spot {
        let flip = |at: usize, far: bool| if far { MAX_SIZE - 1 - at } else { at };
        Spot::new(flip(point.col(), self.right), flip(point.row(), self.bottom))
    }
}

/// Random keys of own and of opposing stones.
static KEYS: [[u64; QUADRANT_POINTS]; 2] = {
    let mut rng = Rng::new(0x6A6F_7365_6B69);
    let mut keys = [[0; QUADRANT_POINTS]; 2];
    let mut i = 0;
    while i < 2 * QUADRANT_POINTS {
        keys[i / QUADRANT_POINTS][i % QUADRANT_POINTS] = rng.next_u64();
        i += 1;
    }
    keys
};

/// A quadrant's position as its player to move sees it. The same key stands for its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuadrantKey {
    pub key: u64,
    /// Is this the mirror image of the position that the key was taken from?
    pub is_mirrored: bool,
    /// Does the position equal its mirror image?
    pub is_symmetric: bool,
}

impl QuadrantKey {
    #[inline]
    pub fn of(board: &Board, to_play: Color, quadrant: Quadrant) -> QuadrantKey {
        let (mut straight, mut mirrored) = (0, 0);
        for row in 0..QUADRANT_SIZE {
            for col in 0..QUADRANT_SIZE {
                let spot = Spot::new(col, row);
                if let Some(color) = board.color_at(quadrant.point(spot)) {
                    let keys = &KEYS[usize::from(color != to_play)];
                    straight ^= keys[spot.index()];
                    mirrored ^= keys[col * QUADRANT_SIZE + row];
                }
            }
        }
        QuadrantKey {
            key: straight.min(mirrored),
            is_mirrored: mirrored < straight,
            is_symmetric: mirrored == straight,
        }
    }

    /// A spot of this position as the key's own position has it, and back.
    #[inline]
    #[must_use]
    pub fn turn(&self, spot: Spot) -> Spot {
        let fold = self.is_symmetric && spot.mirrored() < spot;
        if self.is_mirrored || fold { spot.mirrored() } else { spot }
    }
}
