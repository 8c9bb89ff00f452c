//! Does a move put its own chain in atari, and is that a mistake?
//!
//! Good self-ataris give stones away for something:
//!
//! ```text
//! snapback          throw-in               nakade
//! X X X O           | O O O X              O O O O O
//! X O . O           | O . a O X            O X X . O    X at a is taken, but the four points
//! X O a X           | O O O X              O a X O O    it leaves make one eye only
//! X X O O
//! ```
//!
//! - captures: whatever we take is worth our stone, unless a lone stone is taken and more comes back at once;
//! - snapback: the stone that takes us is in atari itself, with at least as many stones as we gave;
//! - throw-in: a lone stone on a point whose diagonals make it a false eye once we are taken;
//! - nakade: our stones fill all of an eyespace but one point and have a dead shape.
//!
//! Moves that connect out to a chain with breath are no self-ataris at all. Everything else is bad (001 sec 3.2).

use crate::eyespace::Eyespace;
use crate::liberties_after::liberties_after;
use jigo_board::{Board, Cell, Color, Point};

/// Would the chain of a stone of `color` at `point` have fewer than two liberties?
#[inline]
pub fn is_self_atari(board: &Board, color: Color, point: Point) -> bool {
    if board.around(point).empty_neighbours() >= 2 {
        return false;
    }
    let has_breath = |n: Point| board.color_at(n) == Some(color) && board.liberty_count(n) > 2;
    if point.neighbours().into_iter().any(has_breath) {
        return false;
    }
    liberties_after(board, color, point).len() < 2
}

/// Would `color` throw stones away for nothing by playing at `point`? Suicide is bad too.
#[inline]
pub fn is_bad_self_atari(board: &Board, color: Color, point: Point) -> bool {
    is_self_atari(board, color, point) && !SelfAtari::look(board, color, point).is_good()
}

/// The remedy for a self-atari (001 sec 3.2): the liberty that our chain would be left with, if that one can be played
/// without harm.
#[inline]
pub fn other_liberty(board: &Board, color: Color, point: Point) -> Option<Point> {
    let joins = board.around(point).neighbours_of(color) > 0;
    let last = if joins { liberties_after(board, color, point).first()? } else { return None };
    let safe = board.is_legal(color, last)
        && !board.around(last).is_eye_of(color)
        && liberties_after(board, color, last).len() >= 2;
    safe.then_some(last)
}

/// A stone that leaves its chain at most one liberty.
struct SelfAtari<'a> {
    board: &'a Board,
    color: Color,
    point: Point,
    /// Where the opponent takes us; none if the move is suicide.
    last_liberty: Option<Point>,
    /// The chains of ours that the stone joins, each once.
    friends: Neighbours,
}

/// Up to four different chains around a point.
struct Neighbours {
    len: usize,
    heads: [Point; 4],
    /// Stones in all of them together.
    stones: usize,
}

impl Neighbours {
    fn of(board: &Board, color: Color, point: Point) -> Neighbours {
        let mut found = Neighbours { len: 0, heads: [point; 4], stones: 0 };
        for neighbour in point.neighbours() {
            if board.color_at(neighbour) == Some(color) && !found.contains(board.chain(neighbour)) {
                found.heads[found.len] = board.chain(neighbour);
                found.stones += board.chain_size(neighbour);
                found.len += 1;
            }
        }
        found
    }

    fn heads(&self) -> &[Point] {
        &self.heads[..self.len]
    }

    fn contains(&self, head: Point) -> bool {
        self.heads().contains(&head)
    }
}

impl<'a> SelfAtari<'a> {
    fn look(board: &'a Board, color: Color, point: Point) -> SelfAtari<'a> {
        SelfAtari {
            board,
            color,
            point,
            last_liberty: liberties_after(board, color, point).first(),
            friends: Neighbours::of(board, color, point),
        }
    }

    fn is_good(&self) -> bool {
        let Some(last) = self.last_liberty else { return false };
        let taken = self.stones_taken();
        if taken > 0 {
            return !(taken == 1 && self.stones_given() > 1) || self.rescues_another(last);
        }
        self.is_snapback(last) || self.is_throw_in() || self.is_nakade(last)
    }

    /// Our stones in atari afterwards.
    fn stones_given(&self) -> usize {
        1 + self.friends.stones
    }

    fn stones_taken(&self) -> usize {
        let enemies = Neighbours::of(self.board, self.color.opponent(), self.point);
        let in_atari = enemies.heads().iter().filter(|&&head| self.board.in_atari(head));
        in_atari.map(|&head| self.board.chain_size(head)).sum()
    }

    /// The stone we take held another chain of ours in atari.
    fn rescues_another(&self, taken: Point) -> bool {
        taken.neighbours().into_iter().any(|n| {
            self.board.color_at(n) == Some(self.color)
                && self.board.in_atari(n)
                && !self.friends.contains(self.board.chain(n))
        })
    }

    /// Is whoever takes us at `last` left with one liberty, and worth taking back?
    fn is_snapback(&self, last: Point) -> bool {
        let (board, enemy) = (self.board, self.color.opponent());
        let takers = Neighbours::of(board, enemy, last);
        let given = self.stones_given();
        if 1 + takers.stones < given || (given == 1 && takers.stones == 0) {
            return false;
        }
        let breathes = |p: Point| p != self.point && p != last;
        if last.neighbours().into_iter().any(|n| board.is_empty(n) && breathes(n))
            || takers.heads().iter().any(|&head| board.liberty_count(head) > 2)
            || takers.heads().iter().any(|&head| board.liberties(head).any(breathes))
        {
            return false;
        }
        // All liberties left to the takers are points that our stones leave.
        let beside_takers = |stone: &Point| {
            stone
                .neighbours()
                .into_iter()
                .any(|n| n == last || (board.color_at(n) == Some(enemy) && takers.contains(board.chain(n))))
        };
        let ours = self.friends.heads().iter().flat_map(|&head| board.stones(head));
        ours.chain([self.point]).filter(beside_takers).take(2).count() == 1
    }

    /// A lone stone in the mouth of an eye: taken, it leaves a point with too many of our stones on the diagonals.
    fn is_throw_in(&self) -> bool {
        let around = self.board.around(self.point);
        let at_edge = self.point.neighbours().iter().filter(|&&n| self.board.cell(n) == Cell::Edge).count() as u32;
        let enemies = around.neighbours_of(self.color.opponent());
        self.friends.len == 0 && enemies + at_edge == 3 && around.diagonals_of(self.color) + u32::from(at_edge > 0) >= 2
    }

    /// Our stones and the last liberty are all the space there is, our stones have a dead shape, and those who hold us
    /// in have no eye elsewhere.
    fn is_nakade(&self, last: Point) -> bool {
        let (board, enemy) = (self.board, self.color.opponent());
        let given = self.stones_given();
        if !(2..=6).contains(&given) {
            return false;
        }
        let ours = self.friends.heads().iter().flat_map(|&head| board.stones(head)).chain([self.point]);
        let Some(shape) = Eyespace::of(ours) else { return false };
        let closed =
            |n: Point| matches!(board.cell(n), Cell::Edge) || board.color_at(n) == Some(enemy) || shape.contains(n);
        if !last.neighbours().into_iter().all(closed) || !shape.is_dead_shape() {
            return false;
        }
        let has_other_eye = |wall: Point| {
            board.liberties(wall).any(|p| p != last && p != self.point && board.around(p).is_eye_of(enemy))
        };
        let beside = shape.points().iter().flat_map(|p| p.neighbours());
        !beside.filter(|&n| board.color_at(n) == Some(enemy)).any(has_other_eye)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    /// Black plays at every named point: capital answers in the name. `g` is good (or no self-atari), `b` is bad.
    fn check(text: &str) {
        let d = Diagram::parse(text).unwrap();
        assert!(!d.points('g').is_empty() || !d.points('b').is_empty());
        for (name, bad) in [('g', false), ('b', true)] {
            for point in d.points(name) {
                assert_eq!(is_bad_self_atari(&d.board, Color::Black, point), bad, "{name} at {point:?} in {text}");
            }
        }
    }

    #[test]
    fn plain_self_atari_and_suicide_are_bad() {
        check(
            "
            b O . . .
            O . . O .
            . . O b O
            . . . O b
            . . . . O",
        );
        // Four in a row: White takes them and has two eyes.
        check(
            "
            O X X X b . O
            O O O O O O O
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .",
        );
    }

    #[test]
    fn connecting_out_is_no_self_atari() {
        check(
            "
            . . X g O
            . . X O .
            . . X X O
            . . . . .
            . . . . .",
        );
    }

    #[test]
    fn captures_are_good() {
        check(
            "
            g O X . .
            O X . . .
            X . . . .
            . . . . .
            . . . . .",
        );
        check(
            "
            . X O . .
            X O g O .
            . X O . .
            . . . . .
            . . . . .",
        );
    }

    #[test]
    fn taking_one_stone_into_a_snapback_is_bad() {
        // Black takes the stone below b, but then White takes three back at its place.
        check(
            "
            . . O O O .
            . O X X b O
            . . O O X O
            . . . O O .
            . . . . . .
            . . . . . .",
        );
    }

    #[test]
    fn snapback_is_good() {
        check(
            "
            X X X . . .
            X O O X . .
            X O g O . .
            X X O O . .
            . X X O . .
            . . . . . .",
        );
    }
}
