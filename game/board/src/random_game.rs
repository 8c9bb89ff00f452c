//! Uniformly random games: what the board's speed is measured by, and the floor under every policy.

use crate::board::Board;
use crate::color::Color;
use crate::point::{MAX_POINTS, Point};
use crate::rng::Rng;

/// A uniformly random legal point that does not fill an own eye, or none if only a pass is left.
#[inline]
pub fn random_point(board: &Board, color: Color, rng: &mut Rng) -> Option<Point> {
    let empties = board.empties();
    if empties.is_empty() {
        return None;
    }
    let playable = |point| !board.around(point).is_eye_of(color) && board.is_legal(color, point);
    // Most draws succeed at once; on a crowded board draw without replacement from a copy. Either way
    // every playable point has the same chance.
    for _ in 0..4 {
        let point = empties[rng.below(empties.len())];
        if playable(point) {
            return Some(point);
        }
    }
    let mut left = empties.len();
    let mut urn = [empties[0]; MAX_POINTS];
    urn[..left].copy_from_slice(empties);
    while left > 0 {
        let drawn = rng.below(left);
        if playable(urn[drawn]) {
            return Some(urn[drawn]);
        }
        left -= 1;
        urn[drawn] = urn[left];
    }
    None
}

/// Plays random moves until both sides pass, or until there were three for every point of the board: a ko of several
/// stones can go round for ever. Returns the number of moves, passes included; scoring is the caller's.
pub fn play_random_game(board: &mut Board, mut color: Color, rng: &mut Rng) -> usize {
    let limit = 3 * board.area();
    let mut moves = 0;
    let mut passes = 0;
    while passes < 2 && moves < limit {
        match random_point(board, color, rng) {
            Some(point) => {
                board.play(color, point);
                passes = 0;
            }
            None => {
                board.pass();
                passes += 1;
            }
        }
        color = color.opponent();
        moves += 1;
    }
    moves
}

/// What a number of games came to.
pub struct Tally {
    pub moves: usize,
    /// All final positions and lengths, folded into one number.
    pub fingerprint: u64,
}

/// Games from the empty board, one after the other: the workload of `jigo bench board`.
pub fn play_random_games(size: usize, games: usize, rng: &mut Rng) -> Tally {
    let empty = Board::new(size);
    let mut board = empty.clone();
    let mut tally = Tally { moves: 0, fingerprint: 0 };
    for _ in 0..games {
        board.copy_from(&empty);
        let moves = play_random_game(&mut board, Color::Black, rng);
        tally.moves += moves;
        let mixed = tally.fingerprint ^ board.hash().wrapping_add(moves as u64);
        tally.fingerprint = mixed.rotate_left(23).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    tally
}

/// A number that changes with anything a random game depends on: the rules of play, the order of the
/// empty points, the draws.
pub fn fingerprint() -> u64 {
    let of_size = |size| play_random_games(size, 500, &mut Rng::new(2)).fingerprint;
    of_size(9) ^ of_size(19)
}
