//! What a move does to the stones it touches, without playing it.

use jigo_board::{Board, Cell, Color, Point, PointSet};

pub struct Consequence {
    /// Enemy stones taken.
    pub captured: usize,
    /// Stones and liberties of the chain the new stone belongs to.
    pub chain_size: usize,
    pub liberties: usize,
}

impl Consequence {
    /// The consequence of a legal move.
    pub fn of(board: &Board, color: Color, point: Point) -> Consequence {
        let mut friends: [Option<Point>; 4] = [None; 4];
        let mut victims: [Option<Point>; 4] = [None; 4];
        let mut liberties = PointSet::EMPTY;
        let mut chain_size = 1;
        for (i, neighbour) in point.neighbours().into_iter().enumerate() {
            match board.cell(neighbour) {
                Cell::Empty => {
                    liberties.insert(neighbour);
                }
                Cell::Edge => {}
                _ => {
                    let head = board.chain(neighbour);
                    if board.color_at(neighbour) == Some(color) {
                        if !friends.contains(&Some(head)) {
                            friends[i] = Some(head);
                            liberties = liberties.union(board.liberty_set(head));
                            chain_size += board.chain_size(head);
                        }
                    } else if board.in_atari(neighbour) && !victims.contains(&Some(head)) {
                        victims[i] = Some(head);
                    }
                }
            }
        }
        let mut captured = 0;
        for victim in victims.into_iter().flatten() {
            for stone in board.stones(victim) {
                captured += 1;
                let touches_us = stone.neighbours().iter().any(|&n| {
                    n == point || (board.color_at(n) == Some(color) && friends.contains(&Some(board.chain(n))))
                });
                if touches_us {
                    liberties.insert(stone);
                }
            }
        }
        liberties.remove(point);
        Consequence { captured, chain_size, liberties: liberties.len() }
    }
}

/// Would the move fill a point surrounded by own stones whose diagonals are safe enough to be an eye?
pub fn fills_own_eye(board: &Board, color: Color, point: Point) -> bool {
    let around = point.neighbours().map(|n| board.cell(n));
    if around.iter().any(|&cell| cell != color.cell() && cell != Cell::Edge) {
        return false;
    }
    let diagonals = point.diagonals().map(|n| board.cell(n));
    let hostile = diagonals.iter().filter(|&&cell| cell == color.opponent().cell()).count();
    let at_edge = around.contains(&Cell::Edge);
    hostile == 0 || (hostile == 1 && !at_edge)
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
                    let expected = Consequence::of(&board, color, point);
                    let mut after = board.clone();
                    assert_eq!(after.play(color, point), expected.captured);
                    assert_eq!(after.liberty_count(point), expected.liberties);
                    assert_eq!(after.chain_size(point), expected.chain_size);
                }
                board.play(color, chosen);
                color = color.opponent();
            }
        }
    }
}
