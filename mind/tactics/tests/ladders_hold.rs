//! Whoever we say is caught in a ladder cannot get away by any move at all: compared with full reading in small random
//! positions.

mod referee;

use jigo_board::{Board, Color, Rng, random_game::random_point};
use jigo_tactics::{Reader, is_ladder};
use referee::exact::{Fate, fate};

#[test]
fn a_chain_caught_in_a_ladder_is_lost() {
    let mut rng = Rng::new(31);
    let mut reader = Reader::new();
    let mut confirmed = [0; 2];
    for _ in 0..1200 {
        let mut board = Board::new(4 + rng.below(2));
        let mut color = Color::Black;
        for _ in 0..rng.below(16) + 6 {
            let Some(point) = random_point(&board, color, &mut rng) else { break };
            board.play(color, point);
            color = color.opponent();
        }
        board.pass();
        let everywhere = board.points().collect();
        for chain in board.chain_heads() {
            if !is_ladder(&board, chain, &mut reader) {
                continue;
            }
            let in_atari = board.in_atari(chain);
            let Some(fate) = fate(&board, chain, &everywhere, 1_500) else { continue };
            confirmed[usize::from(in_atari)] += 1;
            match fate {
                Fate::Dead | Fate::Ko => {}
                Fate::Unsettled => assert!(!in_atari, "{chain:?} saves itself in\n{board}"),
                Fate::Alive => panic!("{chain:?} cannot be taken in\n{board}"),
            }
        }
    }
    assert!(confirmed.iter().all(|&n| n > 100), "too few ladders were put to the test: {confirmed:?}");
}
