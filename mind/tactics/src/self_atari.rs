//! Does a move put its own chain in atari, and is that a mistake?
//!
//! Good self-ataris give stones away for something:
//!
//! ```text
//! snapback         throw-in       nakade       (the top line is the edge, Black plays a)
//! ---------        ---------      ---------
//! X . a O O        . O a . O      X X . O X    White takes four stones, but their place makes one eye only.
//! X O O X O        . X O O O      X a O O X
//! . X X X O        . X . . .      O O O X X
//! ```
//!
//! - captures: whatever we take is worth our stone, unless a lone stone is taken and more comes back at once;
//! - snapback: the stone that takes us is in atari itself, with at least as many stones as we gave;
//! - throw-in: a lone stone on a point whose diagonals make it a false eye once we are taken;
//! - nakade: our stones fill all of an eyespace but one point and have a dead shape, or that of the bent four in the
//!   corner, which is a ko.
//!
//! Moves that connect out to a chain with breath are no self-ataris at all. Everything else is bad (Pachi 3.2).

use crate::bent_four::has_bent_four_shape;
use crate::eyespace::Eyespace;
use crate::liberties_after::{Air, air_after, liberties_after_up_to};
use jigo_board::{Board, Cell, Color, Point};

/// Would `color` throw stones away for nothing by playing at `point`? Suicide is bad too.
#[inline]
pub fn is_bad_self_atari(board: &Board, color: Color, point: Point) -> bool {
    match air_after(board, color, point) {
        Air::More => false,
        Air::One(last) => !SelfAtari::look(board, color, point, last).is_good(),
        Air::None => true,
    }
}

/// The remedy for a self-atari (Pachi 3.2): the liberty that our chain would be left with, if that one can be played
/// without harm.
#[inline]
pub fn other_liberty(board: &Board, color: Color, point: Point) -> Option<Point> {
    if board.around(point).neighbours_of(color) == 0 {
        return None;
    }
    let Air::One(last) = air_after(board, color, point) else { return None };
    let safe = board.is_legal(color, last)
        && !board.around(last).is_eye_of(color)
        && liberties_after_up_to(board, color, last, 2, None) == 2;
    safe.then_some(last)
}

/// A stone that leaves its chain one liberty.
struct SelfAtari<'a> {
    board: &'a Board,
    color: Color,
    point: Point,
    /// Where the opponent takes us.
    last: Point,
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
        for neighbour in board.stones_beside(point, color) {
            if !found.contains(board.chain(neighbour)) {
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
    fn look(board: &'a Board, color: Color, point: Point, last: Point) -> SelfAtari<'a> {
        SelfAtari { board, color, point, last, friends: Neighbours::of(board, color, point) }
    }

    fn is_good(&self) -> bool {
        if self.board.captures(self.color, self.point) {
            return self.stones_given() == 1 || self.stones_taken() > 1 || self.rescues_another();
        }
        self.is_throw_in() || self.is_snapback() || self.is_nakade()
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

    /// The lone stone we take, whose place is our last liberty, held another chain of ours in atari.
    fn rescues_another(&self) -> bool {
        let mut beside = self.board.stones_beside(self.last, self.color);
        beside.any(|stone| self.board.in_atari(stone) && !self.friends.contains(self.board.chain(stone)))
    }

    /// Is whoever takes us left with one liberty, and worth taking back?
    fn is_snapback(&self) -> bool {
        let (board, enemy, last) = (self.board, self.color.opponent(), self.last);
        let takers = Neighbours::of(board, enemy, last);
        let given = self.stones_given();
        if 1 + takers.stones < given || (given == 1 && takers.stones == 0) {
            return false;
        }
        let breathes = |p: Point| p != self.point && p != last;
        if board.empties_beside(last).any(breathes)
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

    /// Our stones and the last liberty are all the space there is, our stones have a dead shape or the bent four's, and
    /// those who hold us in have no eye elsewhere.
    fn is_nakade(&self) -> bool {
        let (board, enemy, last) = (self.board, self.color.opponent(), self.last);
        let given = self.stones_given();
        if !(2..=6).contains(&given) {
            return false;
        }
        let ours = self.friends.heads().iter().flat_map(|&head| board.stones(head)).chain([self.point]);
        let Some(shape) = Eyespace::of(ours) else { return false };
        let closed =
            |n: Point| matches!(board.cell(n), Cell::Edge) || board.color_at(n) == Some(enemy) || shape.contains(n);
        if !last.neighbours().into_iter().all(closed)
            || !(shape.is_dead_shape() || has_bent_four_shape(board.size(), &shape))
        {
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

    /// Black plays at the named points: `g` is good or no self-atari at all, `b` is bad. White must see the same with
    /// the colours exchanged.
    fn check(text: &str) {
        for (color, d) in Diagram::parse_for_both(text).unwrap() {
            assert!(!d.points('g').is_empty() || !d.points('b').is_empty());
            for (name, bad) in [('g', false), ('b', true)] {
                for point in d.points(name) {
                    assert_eq!(
                        is_bad_self_atari(&d.board, color, point),
                        bad,
                        "{color}: {name} at {point:?} in {text}"
                    );
                    if bad {
                        assert!(air_after(&d.board, color, point) != Air::More);
                    }
                }
            }
        }
    }

    /// The rows of a position at the top of a 7x7 board, empty below.
    fn check_at_top(rows: &[&str]) {
        check(&(rows.join("\n") + &"\n.......".repeat(7 - rows.len())));
    }

    #[test]
    fn stones_given_away_are_bad() {
        check("bO...\nO..O.\n..ObO\n...Ob\n....O");
        check_at_top(&["Xb.....", "OO.....", "O......"]);
        check_at_top(&["XbX....", "OOO....", "......."]);
        check_at_top(&[".OO....", "OXXO...", "OXbO...", ".O.O...", ".O.O..."]);
        // A single stone in a row of two that is one eye anyway.
        check_at_top(&["b.OX...", "OOO.X..", "XXXX..."]);
        // At the end of three: the middle was the point.
        check_at_top(&["b..OX..", "OOOOX..", "XXXXX.."]);
    }

    #[test]
    fn moves_with_two_liberties_are_no_self_atari() {
        check("..XgO\n..XO.\n..XXO\n.....\n.....");
        check("g....\n.....\n..gO.\n..O.O\n...g.");
        check_at_top(&["XgX....", "OOX....", "......."]);
        check_at_top(&[".gO....", "X......", "......."]);
        // A capture makes room.
        check_at_top(&["OOgX...", "XXXX...", "......."]);
    }

    #[test]
    fn captures_are_good() {
        check("gOX..\nOX...\nX....\n.....\n.....");
        check_at_top(&[".XO....", "XOgO...", ".XO...."]);
        check_at_top(&["XOOgO..", "XXXOO.."]);
        check_at_top(&[".OgX...", "OOOX...", "XXXX..."]);
    }

    #[test]
    fn taking_one_stone_to_lose_more_is_bad() {
        check_at_top(&["OXXbOX.", ".OOOXX."]);
        // Unless it frees another chain in atari.
        check_at_top(&["OXXgOX.", ".OOOXO."]);
        // A single stone for a single stone is a ko.
        check_at_top(&["OgOX...", "OOX....", "......."]);
    }

    #[test]
    fn a_snapback_is_good() {
        check_at_top(&["X.gOO..", "XOOXO..", ".XXXO.."]);
        // The takers have one more liberty, and the point is a real eye.
        check_at_top(&["X.bOO..", "XOOOO..", ".X.XO.."]);
        // Without outside liberties White's eye of two points is lost to a stone inside.
        check_at_top(&["g.OX...", "OOOX...", "XXXX..."]);
        // In the middle of the board.
        check(
            "
            . . . X X . .
            . X X O O X .
            . X O . g O O
            . X O O O X O
            . . X X X X .
            . . . . . . .
            . . . . . . .",
        );
    }

    #[test]
    fn a_throw_in_is_good_where_the_eye_becomes_false() {
        check(
            "
            . . . . . . .
            . . X O O . .
            . . X O O O .
            . O O g . O .
            . . X O O O .
            . . . . . . .
            . . . . . . .",
        );
        check(
            "
            . . . . . . .
            . . X O O . .
            . . X O O O .
            . O O b . O .
            . . O O O O .
            . . . . . . .
            . . . . . . .",
        );
        // At the edge one diagonal is enough.
        check_at_top(&[".Og.O..", ".XOOO..", ".X....."]);
        check_at_top(&[".Ob.O..", ".OOOO..", ".X....."]);
    }

    #[test]
    fn throwing_into_the_mouth_of_a_ko_is_a_ko() {
        check_at_top(&[".XO....", "X.gO...", ".XO...."]);
    }

    #[test]
    fn nakade_is_good_if_the_shape_is_dead() {
        check_at_top(&["gX.OX..", "OOOOX..", "XXXXX.."]);
        check_at_top(&["gXX.OX.", "OOOOOX.", "XXXXXX."]);
        check_at_top(&[".gX.OX.", "OOOOOX.", "XXXXXX."]);
        // A square of four.
        check_at_top(&["XX.OX..", "XgOOX..", "OOOXX..", "XXXX..."]);
        // A pyramid of four.
        check_at_top(&["XgXOX..", ".XOOX..", "OOOXX..", "XXXX..."]);
        // A bulky five and a crossed five.
        check_at_top(&["XXXOX..", "Xg.OX..", "OOOOX..", "XXXXX.."]);
        check(
            "
            . O O O O O .
            . O O X O O .
            . O X g X . O
            . O O X O O O
            . O O O O X X
            X X X X X X .
            . . . . . . .",
        );
    }

    #[test]
    fn nakade_is_bad_if_the_shape_lives() {
        check_at_top(&["OXXXb.O", "OOOOOOO"]);
        check_at_top(&[".XXOX..", "XbOOX..", "OOO.X..", "XXXXX.."]);
        check_at_top(&["XXXXb.O", "OOOOOOO", "XXXXXXX"]);
    }

    #[test]
    fn bent_four_in_the_corner_is_a_ko_worth_starting() {
        check_at_top(&["gXXOX..", "X.OOX..", "OOOXX..", "XXXX..."]);
        check_at_top(&["XXX.OX.", "gOOOOX.", "OOXXXX.", "XXX...."]);
        // Away from the corner the same shape lives.
        check_at_top(&["OXXXOX.", "ObOOOX.", "O.OOX..", "OOOX...", "XXX...."]);
    }

    #[test]
    fn nakade_is_bad_if_there_is_another_eye() {
        check_at_top(&["bX.O.OX", "OOOOOOX", "XXXXXXX"]);
    }

    /// Black is about to play `b` and should rather play `o`, if there is one.
    fn check_other(rows: &[&str]) {
        let d = Diagram::parse(&(rows.join("\n") + &"\n.......".repeat(7 - rows.len()))).unwrap();
        let expected = d.points('o').first().copied();
        assert_eq!(other_liberty(&d.board, Color::Black, d.point('b')), expected, "{rows:?}");
    }

    #[test]
    fn the_other_liberty_is_played_instead() {
        check_other(&[".......", ".OOO...", "OXbO...", ".oOO..."]);
        check_other(&["oXbO...", ".OOO..."]);
        check_other(&["XXbO...", "OXO....", ".oO...."]);
        // Neither is safe.
        check_other(&["OXb.O..", "OOOOO.."]);
        // No chain of ours is involved.
        check_other(&["b.O....", "OO....."]);
        // The other liberty is our eye.
        check_other(&[".XbO...", "XXOO...", "OOO...."]);
        // Its own liberties are just as few.
        check_other(&[".OX....", "XbO....", "OO....."]);
    }
}
