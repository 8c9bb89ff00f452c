//! The net Jigo ships with. `docs/training.md` tells how it was made and how to make the next one.

use std::sync::{Arc, OnceLock};

use crate::network::Net;

/// The file as it lies in the repository.
pub const EMBEDDED_WEIGHTS: &[u8] = include_bytes!("../weights/default.safetensors");

impl Net {
    /// The embedded net, unpacked once for the whole process.
    pub fn embedded() -> Arc<Net> {
        static NET: OnceLock<Arc<Net>> = OnceLock::new();
        let unpack =
            || Arc::new(Net::from_bytes(EMBEDDED_WEIGHTS).expect("the embedded net is sound; a test loads it"));
        Arc::clone(NET.get_or_init(unpack))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evaluator, Position, planes::HISTORY};
    use jigo_board::{Board, Color, Move, Point, Symmetry};

    #[test]
    fn the_embedded_net_says_what_it_should_hold() {
        let (_, header) = safetensors::SafeTensors::read_metadata(EMBEDDED_WEIGHTS).unwrap();
        assert!(header.metadata().as_ref().is_some_and(|notes| notes.contains_key(crate::weights::DIGEST)));
    }

    /// A white stone in atari in the middle of nowhere: whoever learnt anything takes or saves it.
    #[test]
    fn the_embedded_net_takes_a_stone_in_atari() {
        let mut board = Board::new(9);
        for (color, col, row) in [
            (Color::Black, 3, 4),
            (Color::White, 4, 4),
            (Color::Black, 4, 3),
            (Color::White, 6, 6),
            (Color::Black, 4, 5),
            (Color::White, 6, 3),
        ] {
            board.play(color, Point::new(col, row));
        }
        let recent = Position::recent_after([None; HISTORY], Move::Play(Point::new(6, 3)));
        let position = Position { board: &board, to_move: Color::Black, recent };
        let evaluation = Evaluator::new(Net::embedded()).evaluate(&position, Symmetry::IDENTITY);
        let capture = evaluation.probability(Move::Play(Point::new(5, 4)));
        assert!(evaluation.moves().all(|(_, other)| other <= capture), "the capture has {capture}");
    }
}
