//! Which liberties would the chain of a new stone have? The question under most others, answered without playing.
//!
//! ```text
//! . . . .      Black at a: the stone joins the chain at its left, takes the white stone below
//! X X a .      and has the liberties of all that.
//! . X O X
//! . . X .
//! ```

use jigo_board::{Board, Color, Point, PointSet};

/// The liberties of the chain that a stone of `color` on the empty `point` would belong to, captures taken into
/// account. Empty exactly if the move is suicide.
#[inline]
pub fn liberties_after(board: &Board, color: Color, point: Point) -> PointSet {
    let mut liberties = PointSet::EMPTY;
    let mut captures = false;
    for neighbour in point.neighbours() {
        match board.color_at(neighbour) {
            Some(stone) if stone == color => liberties = liberties.union(board.liberty_set(neighbour)),
            Some(_) => captures |= board.in_atari(neighbour),
            None => {
                if board.is_empty(neighbour) {
                    liberties.insert(neighbour);
                }
            }
        }
    }
    liberties.remove(point);
    if captures {
        add_captured(board, color, point, &mut liberties);
    }
    liberties
}

/// The number of liberties the chain of a new stone would have, `besides` not counted, or `most` if it has more.
#[inline]
pub fn liberties_after_up_to(board: &Board, color: Color, point: Point, most: usize, besides: Option<Point>) -> usize {
    if board.captures(color, point) {
        return count_up_to(board, color, point, most, besides);
    }
    let mut friends = board.stones_beside(point, color);
    // Without a friend the point stands for itself: an empty point has no liberties.
    let friend = friends.next().unwrap_or(point);
    if friends.any(|other| board.chain(other) != board.chain(friend)) {
        return count_up_to(board, color, point, most, besides);
    }
    // One friend, or several of one chain: the usual case needs no sets, and no branches.
    let known = board.liberty_set(friend);
    let besides = besides.unwrap_or(point);
    let lost = usize::from(known.contains(point)) + usize::from(known.contains(besides) & (besides != point));
    let fresh = |p: Point| usize::from(board.is_empty(p) & (p != besides) & !known.contains(p));
    (board.liberty_count(friend) - lost + point.neighbours().into_iter().map(fresh).sum::<usize>()).min(most)
}

/// The same for moves that capture or join chains.
fn count_up_to(board: &Board, color: Color, point: Point, most: usize, besides: Option<Point>) -> usize {
    // The point itself and the one not counted are all that a friend can lose.
    if board.stones_beside(point, color).any(|friend| board.liberty_count(friend) >= most + 2) {
        return most;
    }
    let mut liberties = liberties_after(board, color, point);
    if let Some(besides) = besides {
        liberties.remove(besides);
    }
    liberties.len().min(most)
}

/// How much air the chain of a new stone has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Air {
    /// The move is suicide.
    None,
    /// A self-atari.
    One(Point),
    More,
}

/// The question of self-atari, cheaper than counting.
#[inline]
pub fn air_after(board: &Board, color: Color, point: Point) -> Air {
    if board.around(point).empty_neighbours() >= 2 {
        return Air::More;
    }
    let mut only = board.empties_beside(point).next();
    for friend in board.stones_beside(point, color) {
        // One of its liberties is the point itself.
        match board.liberty_count(friend) {
            1 => {}
            2 => {
                let other = board.other_liberty(friend, point);
                if only.is_some_and(|p| p != other) {
                    return Air::More;
                }
                only = Some(other);
            }
            _ => return Air::More,
        }
    }
    let mut taken = board.stones_beside_with(point, color.opponent(), 1..=1);
    let Some(stone) = taken.next() else { return only.map_or(Air::None, Air::One) };
    if only.is_some() || taken.next().is_some() {
        return Air::More;
    }
    if board.chain_size(stone) == 1 {
        return Air::One(stone);
    }
    let liberties = liberties_after(board, color, point);
    if liberties.len() > 1 { Air::More } else { Air::One(stone) }
}

/// Stones taken by the move become liberties where they touch the new chain.
#[cold]
fn add_captured(board: &Board, color: Color, point: Point, liberties: &mut PointSet) {
    let friends = point.neighbours().map(|n| (board.color_at(n) == Some(color)).then(|| board.chain(n)));
    let in_new_chain =
        |p: Point| p == point || (board.color_at(p) == Some(color) && friends.contains(&Some(board.chain(p))));
    for neighbour in point.neighbours() {
        if board.color_at(neighbour) == Some(color.opponent()) && board.in_atari(neighbour) {
            for stone in board.stones(neighbour) {
                if stone.neighbours().into_iter().any(in_new_chain) {
                    liberties.insert(stone);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Diagram, Rng, random_game::random_point};

    fn count(text: &str, color: Color) -> usize {
        let d = Diagram::parse(text).unwrap();
        liberties_after(&d.board, color, d.point('a')).len()
    }

    #[test]
    fn friends_and_captures_are_counted_once() {
        let joined = "
            . . . .
            X X a .
            . X O X
            . . X .";
        assert_eq!(count(joined, Color::Black), 7);
        let suicide = "
            a X . .
            X . . .
            . . . .
            . . . .";
        assert_eq!(count(suicide, Color::White), 0);
        assert_eq!(count(suicide, Color::Black), 3);
        let ko = "
            . X O .
            X a X O
            . X O .
            . . . .";
        assert_eq!(count(ko, Color::White), 1);
    }

    #[test]
    fn it_says_what_playing_would_show() {
        let mut rng = Rng::new(7);
        for size in [2, 3, 5, 9] {
            for _ in 0..40 {
                let mut board = Board::new(size);
                let mut color = Color::Black;
                for _ in 0..3 * size * size {
                    let Some(next) = random_point(&board, color, &mut rng) else { break };
                    for &point in board.empties() {
                        let mut played = board.clone();
                        let suicide = board.is_suicide(color, point);
                        played.play(color, point);
                        let expected = if suicide { PointSet::EMPTY } else { *played.liberty_set(point) };
                        assert_eq!(liberties_after(&board, color, point), expected, "{color} at {point:?} in\n{board}");
                        let air = match expected.len() {
                            0 => Air::None,
                            1 => Air::One(expected.first().unwrap()),
                            _ => Air::More,
                        };
                        assert_eq!(air_after(&board, color, point), air, "{color} at {point:?} in\n{board}");
                        for besides in expected.first().into_iter().map(Some).chain([None]) {
                            let mut counted = expected;
                            besides.map(|p| counted.remove(p));
                            for most in 1..=4 {
                                let count = liberties_after_up_to(&board, color, point, most, besides);
                                assert_eq!(count, counted.len().min(most), "{color} at {point:?} in\n{board}");
                            }
                        }
                    }
                    board.play(color, next);
                    color = color.opponent();
                }
            }
        }
    }
}
