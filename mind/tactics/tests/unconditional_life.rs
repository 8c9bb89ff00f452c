//! Benson's promise, tried out: whatever the opponent plays and however long we pass, our unconditionally living stones
//! stay on the board and nobody comes to life in our unconditional territory.

use jigo_board::{Board, Color, Rng, random_game::random_point};
use jigo_tactics::UnconditionalLife;

/// A position some way into a random game.
fn random_position(size: usize, rng: &mut Rng) -> Board {
    let mut board = Board::new(size);
    let mut color = Color::Black;
    for _ in 0..size * size / 2 + rng.below(2 * size * size) {
        match random_point(&board, color, rng) {
            Some(point) => {
                board.play(color, point);
            }
            None => board.pass(),
        }
        color = color.opponent();
    }
    board
}

/// One side plays everywhere it legally can, its own eyes included.
fn play_alone(board: &mut Board, color: Color, moves: usize, rng: &mut Rng) {
    for _ in 0..moves {
        let empties = board.empties();
        if empties.is_empty() {
            return;
        }
        let point = empties[rng.below(empties.len())];
        board.pass();
        if board.is_legal(color, point) {
            board.play(color, point);
        }
    }
}

#[test]
fn unconditional_life_survives_any_attack() {
    let mut rng = Rng::new(2024);
    let (mut living, mut settled) = (0, 0);
    for round in 0..1500 {
        let size = 4 + round % 6;
        let board = random_position(size, &mut rng);
        let life = UnconditionalLife::new(&board);
        for owner in Color::BOTH {
            let (alive, territory) = (life.alive[owner.index()], life.territory[owner.index()]);
            living += alive.len();
            settled += territory.len();
            assert!(alive.iter().all(|p| board.color_at(p) == Some(owner)));
            assert!(territory.iter().all(|p| board.color_at(p) != Some(owner)));
            let mut attacked = board.clone();
            play_alone(&mut attacked, owner.opponent(), 4 * size * size, &mut rng);
            assert!(
                alive.iter().all(|p| attacked.color_at(p) == Some(owner)),
                "{owner} lost living stones:\n{board}\n{attacked}"
            );
            let after = UnconditionalLife::new(&attacked);
            let invaded = after.alive[owner.opponent().index()].intersection(&territory);
            assert!(invaded.is_empty(), "{owner}'s territory was invaded:\n{board}\n{attacked}");
        }
    }
    assert!(living > 5000 && settled > 5000, "the positions must put something to the test: {living}, {settled}");
}
