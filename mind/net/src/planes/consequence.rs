//! What a move does to the stones it touches, without playing it.

use jigo_board::{Board, Color, Point};

/// Enemy stones the move takes.
pub fn stones_captured(board: &Board, color: Color, point: Point) -> usize {
    let is_taken = |stone: Point| board.color_at(stone) == Some(color.opponent()) && board.in_atari(stone);
    chains_beside(board, point, is_taken).map(|chain| board.chain_size(chain)).sum()
}

/// Stones of the chain the new stone belongs to.
pub fn chain_size_after(board: &Board, color: Color, point: Point) -> usize {
    let is_mine = |stone: Point| board.color_at(stone) == Some(color);
    1 + chains_beside(board, point, is_mine).map(|chain| board.chain_size(chain)).sum::<usize>()
}

/// The heads of the chains beside a point that pass the test, each once.
fn chains_beside(board: &Board, point: Point, test: impl Fn(Point) -> bool) -> impl Iterator<Item = Point> {
    let heads = point.neighbours().map(|stone| test(stone).then(|| board.chain(stone)));
    (0..4).filter_map(move |i| heads[i].filter(|_| !heads[..i].contains(&heads[i])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Rng, random_game};

    #[test]
    fn agrees_with_playing_the_move() {
        let mut rng = Rng::new(5);
        for _ in 0..20 {
            let mut board = Board::new(9);
            let mut color = Color::Black;
            for _ in 0..70 {
                let Some(chosen) = random_game::random_point(&board, color, &mut rng) else { break };
                for point in board.points().filter(|&p| board.is_legal(color, p)) {
                    let mut after = board.clone();
                    assert_eq!(after.play(color, point), stones_captured(&board, color, point));
                    assert_eq!(after.chain_size(point), chain_size_after(&board, color, point));
                }
                board.play(color, chosen);
                color = color.opponent();
            }
        }
    }
}
