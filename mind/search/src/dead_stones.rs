//! Which stones are dead, for whoever asks: the end of the game inside the tree, the final score, the manners of passing.
//!
//! Benson's unconditional life decides where it can, and so does a seki that can be read out: its chains stay. Elsewhere a chain
//! is as dead as its points are the opponent's, in the eyes of whoever tells the owners: the net, playouts, or both.

use jigo_board::{Board, Color, Point, PointSet};
use jigo_tactics::{Unconditional, UnconditionalLife, is_in_seki};

/// Its fate is plain if either side owns the points by this much.
const PLAIN: f32 = 0.4;

pub struct DeadStones {
    pub dead: PointSet,
    /// How surely the most doubtful chain is somebody's, from 0 to 1.
    pub certainty: f32,
}

/// Who says whose a point will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnerTeller {
    /// A net, alone or with others.
    Net,
    Playouts,
}

impl OwnerTeller {
    /// A chain is dead if its points are owned by less than this, on a scale from -1 to 1; otherwise it stays. A net means
    /// what it says. Playouts break up sekis, and stones that they take half the time may well live.
    fn least_alive(self) -> f32 {
        match self {
            OwnerTeller::Net => 0.0,
            OwnerTeller::Playouts => -0.3,
        }
    }
}

impl DeadStones {
    /// `black_owns` tells from 1 (Black's for certain) to -1 (White's) who will have a point.
    pub fn new(board: &Board, teller: OwnerTeller, black_owns: impl Fn(Point) -> f32) -> DeadStones {
        let life = UnconditionalLife::new(board);
        let mut found = DeadStones { dead: PointSet::EMPTY, certainty: 1.0 };
        for chain in board.chain_heads() {
            let Some(color) = board.color_at(chain) else { continue };
            let is_dead = match life.at(board, chain) {
                Unconditional::Alive => false,
                Unconditional::Dead => true,
                Unconditional::Territory(_) | Unconditional::Undecided => {
                    let black: f32 = board.stones(chain).map(&black_owns).sum::<f32>() / board.chain_size(chain) as f32;
                    let kept = if color == Color::Black { black } else { -black };
                    found.certainty = found.certainty.min(kept.abs());
                    kept < teller.least_alive() && !is_in_seki(board, chain)
                }
            };
            if is_dead {
                found.dead.extend(board.stones(chain));
            }
        }
        found
    }

    /// Is every chain's fate plain?
    pub fn are_plain(&self) -> bool {
        self.certainty >= PLAIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    #[test]
    fn owners_decide_where_life_is_not_certain() {
        let board = Diagram::parse(
            "
            . . X O .
            . O X O .
            X X X O O
            . X O O .
            . X O . .",
        )
        .unwrap()
        .board;
        let invader = Point::new(1, 1);
        let by = |teller, black: f32| {
            DeadStones::new(&board, teller, move |point| if point.col() < 3 { black } else { -1.0 })
        };
        for teller in [OwnerTeller::Net, OwnerTeller::Playouts] {
            assert!(by(teller, 0.9).dead.contains(invader) && by(teller, 0.9).are_plain());
            assert!(!by(teller, -0.1).dead.contains(invader) && !by(teller, -0.1).are_plain());
        }
        assert!(by(OwnerTeller::Net, 0.1).dead.contains(invader), "a net that leans to one side is believed");
        assert!(!by(OwnerTeller::Playouts, 0.1).dead.contains(invader));
    }

    #[test]
    fn chains_in_seki_stay_whatever_anybody_says() {
        let seki = "
            . X X X . O X
            O O O O O O X
            X X X X X X X
            . . . . . . .
            X X X X X X X
            . . . X . . .
            . . . . . . .";
        let dead = |text: &str, black| {
            let board = Diagram::parse(text).unwrap().board;
            DeadStones::new(&board, OwnerTeller::Net, |point| if point.row() < 2 { black } else { 0.9 }).dead.len()
        };
        assert_eq!([dead(seki, 0.9), dead(seki, -0.9)], [0, 0]);
        let with_an_eye = seki.replace("O X\n            O O O O O O X", "O .\n            O O O O O O O");
        assert_eq!(dead(&with_an_eye, -0.9), 3, "White has an eye");
    }
}
