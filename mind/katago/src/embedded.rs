//! The net that Jigo plays with unless somebody says otherwise. `docs/training.md` tells how it was made and how to make the next one.

use std::sync::{Arc, OnceLock};

use jigo_net::kernel::points::Kernel;

use crate::backend::KataNet;
use crate::model::Model;

/// The file as it lies in the repository.
pub const EMBEDDED_NET: &[u8] = include_bytes!("../weights/default.bin.gz");
/// What people should know of it. A file of KataGo's has no place for that.
pub const EMBEDDED_CARD: &str = include_str!("../weights/card.txt");

impl KataNet {
    /// The embedded net, unpacked once for the whole process.
    pub fn embedded() -> Arc<KataNet> {
        static NET: OnceLock<Arc<KataNet>> = OnceLock::new();
        Arc::clone(NET.get_or_init(|| Arc::new(KataNet::embedded_on(Kernel::best()))))
    }

    /// The same on a kernel of one's choice.
    pub fn embedded_on(kernel: Kernel) -> KataNet {
        let model = Model::read(EMBEDDED_NET).expect("the embedded net is sound; a test reads it");
        KataNet::new(&model, kernel)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use jigo_board::{Game, Move, Point, Rules, Symmetry};
    use jigo_net::{Backend, Manner, Position, Told, View};

    use super::*;

    /// A white stone in atari in the middle of nowhere: whoever learnt anything takes or saves it.
    #[test]
    fn the_embedded_net_takes_a_stone_in_atari() {
        let mut game = Game::new(9, Rules::default());
        for (col, row) in [(3, 4), (4, 4), (4, 3), (6, 6), (4, 5), (6, 3)] {
            game.play(game.to_move(), Move::Play(Point::new(col, row))).unwrap();
        }
        let game = Arc::new(game);
        let told = Told { game: &game, moves: &[], komi: game.effective_komi(), manner: Manner::PLAIN };
        let view = View { position: Position::of_game(&game), symmetry: Symmetry::IDENTITY, told: Some(told) };
        let evaluation = KataNet::embedded().evaluator().evaluate_batch(&[view]).remove(0);
        let capture = evaluation.probability(Move::Play(Point::new(5, 4)));
        assert!(evaluation.moves().all(|(_, other)| other <= capture), "the capture has {capture}");
    }
}
