//! Which chains a ladder catches, read exactly as KataGo reads it: what its nets were trained on is the answer, right or wrong.
//!
//! The reading is a plain search over chains of one or two liberties with two limits. It considers no suicide, gives up as soon as
//! the attacker has started a ko, and knows one shape of double ko.

use jigo_board::{Board, Color, Point, PointSet};
use jigo_tactics::Reader;

/// Moves played in one search before it is given up; the chain then counts as safe.
const MOST_MOVES: usize = 25_000;

/// What ladders there are on a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ladders {
    /// Stones of both colours that are caught, whoever is to move.
    pub caught: PointSet,
    /// Moves that catch a chain of two liberties, by the colour of the chain.
    pub catching: [PointSet; 2],
}

impl Ladders {
    pub fn read(board: &Board, reader: &mut Reader) -> Ladders {
        let mut ladders = Ladders::default();
        for chain in board.chain_heads() {
            let Some(defender) = board.color_at(chain) else { continue };
            let caught = match board.liberty_count(chain) {
                1 => Search::new(board, reader, chain, defender).is_caught_at_once(),
                2 => ladders.attack(board, reader, chain, defender),
                _ => false,
            };
            if caught {
                ladders.caught.extend(board.stones(chain));
            }
        }
        ladders
    }

    /// Tries both liberties of a chain and notes those that catch it.
    fn attack(&mut self, board: &Board, reader: &mut Reader, chain: Point, defender: Color) -> bool {
        let attacker = defender.opponent();
        let ko = Color::BOTH.into_iter().find_map(|color| board.ko_point(color));
        let mut caught = false;
        for liberty in board.liberties(chain) {
            if ko == Some(liberty) || !board.is_legal(attacker, liberty) {
                continue;
            }
            let mut search = Search::new(board, reader, chain, defender);
            if search.after(attacker, liberty, Search::is_caught_at_once) {
                self.catching[defender.index()].insert(liberty);
                caught = true;
            }
        }
        caught
    }
}

/// One search: is this chain caught?
struct Search<'a> {
    board: &'a mut Board,
    trail: &'a mut jigo_board::Trail,
    /// Any stone of the chain.
    chain: Point,
    defender: Color,
    moves: usize,
    depth: usize,
}

impl<'a> Search<'a> {
    fn new(board: &Board, reader: &'a mut Reader, chain: Point, defender: Color) -> Search<'a> {
        let (board, trail) = reader.copy_of(board);
        Search { board, trail, chain, defender, moves: 0, depth: 0 }
    }

    fn after<T>(&mut self, color: Color, point: Point, question: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.trail.mark();
        self.board.play_recorded(color, point, self.trail);
        self.moves += 1;
        self.depth += 1;
        let answer = question(self);
        self.depth -= 1;
        self.board.undo_to(mark, self.trail);
        answer
    }

    /// The chain is in atari and its owner moves first; a ko from before the search is forgotten.
    fn is_caught_at_once(&mut self) -> bool {
        self.board.pass();
        self.moves = 0;
        self.defend()
    }

    /// Is the chain caught, the defender to move?
    fn defend(&mut self) -> bool {
        if self.moves > MOST_MOVES || self.board.liberty_count(self.chain) > 1 {
            return false;
        }
        if self.depth >= self.deepest() {
            return true;
        }
        if self.board.ko_point(self.defender).is_some() {
            return false;
        }
        let Some(liberty) = self.board.only_liberty(self.chain) else { return true };
        // Three liberties at once are safe, whatever else there is.
        if self.board.empties_beside(liberty).count() >= 3 {
            return false;
        }
        let escapes = self.captures().into_iter().chain([liberty]);
        !escapes
            .into_iter()
            .any(|point| self.board.is_legal(self.defender, point) && !self.after(self.defender, point, Self::attack))
    }

    /// Where the defender can take stones that surround the chain.
    fn captures(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for stone in self.board.stones(self.chain) {
            for taken in self.board.stones_beside_with(stone, self.defender.opponent(), 1..=1) {
                points.extend(self.board.only_liberty(taken).filter(|point| !points.contains(point)));
            }
        }
        points
    }

    /// Is the chain caught, the attacker to move?
    fn attack(&mut self) -> bool {
        let attacker = self.defender.opponent();
        let Some([a, b]) = self.board.two_liberties(self.chain) else {
            return self.board.liberty_count(self.chain) < 2;
        };
        if self.moves > MOST_MOVES {
            return false;
        }
        if self.depth >= self.deepest() {
            return true;
        }
        if self.is_double_ko(a, b) {
            return true;
        }
        let open = |point| self.board.empties_beside(point).count();
        // Where the chain would get three liberties the attacker must play himself, unless that takes one of them away.
        let beside = a.neighbours().contains(&b);
        let moves = match (!beside && open(a) >= 3, !beside && open(b) >= 3) {
            (true, true) => return false,
            (true, false) => vec![a],
            (false, true) => vec![b],
            (false, false) if self.promise(a) >= self.promise(b) => vec![a, b],
            (false, false) => vec![b, a],
        };
        moves.into_iter().any(|point| self.board.is_legal(attacker, point) && self.after(attacker, point, Self::defend))
    }

    /// How much the defender would gain at this liberty: the attacker looks there first.
    fn promise(&self, liberty: Point) -> usize {
        let joined = self.board.stones_beside_with(liberty, self.defender, 2..=usize::MAX);
        2 * self.board.empties_beside(liberty).count()
            + joined.map(|stone| 2 * self.board.liberty_count(stone) - 3).sum::<usize>()
    }

    /// Both liberties are kos that the attacker can take, so that one of them is always left.
    fn is_double_ko(&mut self, a: Point, b: Point) -> bool {
        [a, b].into_iter().all(|liberty| self.is_ko_for_attacker(liberty))
            && self.captures().is_empty()
            && [a, b].into_iter().all(|liberty| {
                self.board.is_legal(self.defender, liberty)
                    && self.after(self.defender, liberty, |search| search.board.liberty_count(search.chain) <= 2)
            })
    }

    /// The attacker can take a single stone here with a stone that stands alone.
    fn is_ko_for_attacker(&self, liberty: Point) -> bool {
        let board = &self.board;
        let beside = |color| board.stones_beside(liberty, color);
        if board.empties_beside(liberty).next().is_some() || beside(self.defender.opponent()).next().is_some() {
            return false;
        }
        let mut taken = board.stones_beside_with(liberty, self.defender, 1..=1).map(|stone| board.chain(stone));
        let first = taken.next();
        first.is_some_and(|first| board.chain_size(first) == 1 && taken.all(|other| other == first))
    }

    fn deepest(&self) -> usize {
        self.board.area() * 3 / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    fn read(text: &str) -> (Diagram, Ladders) {
        let diagram = Diagram::parse(text).unwrap();
        let ladders = Ladders::read(&diagram.board, &mut Reader::new());
        (diagram, ladders)
    }

    /// Black at `a` drives White into the edge; at `b` he would let him out with three liberties.
    #[test]
    fn a_ladder_runs_into_the_edge() {
        let (diagram, ladders) = read(
            ". . . . . . . . .
             . . . X . . . . .
             . . X O a . . . .
             . . X b . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .",
        );
        assert_eq!(ladders.caught, [Point::new(3, 2)].into_iter().collect());
        assert_eq!(ladders.catching[Color::White.index()], [diagram.point('a')].into_iter().collect());
        assert!(ladders.catching[Color::Black.index()].is_empty());
    }

    /// The same with a white stone on the way.
    #[test]
    fn a_ladder_breaker_saves() {
        let (_, ladders) = read(
            ". . . . . . . . .
             . . . X . . . . .
             . . X O . . . . .
             . . X . . . . . .
             . . . . . . . . .
             . . . . . . O . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .",
        );
        assert_eq!(ladders, Ladders::default());
    }

    /// In atari, White moves first and still does not get away.
    #[test]
    fn a_chain_in_atari_is_caught_if_running_does_not_help() {
        let (_, ladders) = read(
            ". X O X .
             . X . X .
             . . X . .
             . . . . .
             . . . . .",
        );
        assert_eq!(ladders.caught, [Point::new(2, 0)].into_iter().collect());
    }
}
