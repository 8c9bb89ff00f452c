//! What is said about a move besides its shape: captures, escapes, ataris, liberties, places.
//!
//! The features follow Coulom (2007, table 1). They come in classes; a move has one level of each class,
//! and what a level is worth depends on the phase of the game.

use jigo_board::{Board, Color, Point};
use jigo_tactics::{Reader, atari_catches, is_bad_self_atari, is_ladder, liberties_after};

use crate::surroundings::distance_between;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Class {
    Capture,
    Extension,
    SelfAtari,
    Atari,
    Pressure,
    OwnLiberties,
    Line,
    DistanceToLast,
    DistanceToSecondLast,
}

pub const CLASSES: usize = 9;
pub const PHASES: usize = 4;
/// More than any class has levels, and a power of two, so that a level modulo it needs no bounds check.
pub const MAX_LEVELS: usize = 32;

/// What each level of each class means; the lengths are the numbers of levels.
pub const LEVELS: [&[&str]; CLASSES] = [
    &[
        "no capture",
        "takes the stone just played",
        "takes the chain just played",
        "takes stones to save a chain",
        "takes one stone that could escape",
        "takes one stone caught in a ladder",
        "takes stones that could escape",
        "takes stones caught in a ladder",
    ],
    &[
        "no extension",
        "runs in a ladder, old",
        "runs in a ladder, new",
        "escapes to two liberties, old",
        "escapes to two liberties, new",
        "escapes to more, old",
        "escapes to more, new",
    ],
    &["no self-atari", "good self-atari", "gives one stone", "gives two or three stones", "gives more stones"],
    &["no atari", "atari", "atari that catches", "double atari", "atari during a ko"],
    &["no pressure", "leaves two liberties", "leaves three liberties"],
    &["no contact or free", "has two liberties", "has three liberties", "has four liberties"],
    &["line 1", "line 2", "line 3", "line 4", "line 5", "line 6", "line 7", "line 8", "line 9", "line 10"],
    DISTANCES,
    DISTANCES,
];

/// Distances are those of the shapes: 2 is beside, 3 diagonal.
const DISTANCES: &[&str] =
    &["none", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17 or more"];

/// The level of a move in each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Levels(pub [u8; CLASSES]);

impl Levels {
    fn set(&mut self, class: Class, level: usize) {
        self.0[class as usize] = level as u8;
    }
}

/// A position with the two moves before it.
pub struct Situation<'a> {
    pub board: &'a Board,
    pub to_play: Color,
    /// The last move and the one before; none for a pass or at the beginning.
    pub recent: [Option<Point>; 2],
}

impl Situation<'_> {
    /// The phase of the game by the share of the board that is filled: opening, then on 19x19 about moves
    /// 30 to 80, to 160, and the end.
    pub fn phase(&self) -> usize {
        let stones = self.board.area() - self.board.empties().len();
        let percent = 100 * stones / self.board.area();
        [8, 22, 45].iter().filter(|&&end| percent >= end).count()
    }

    /// Is this a move at all? Filling one's own eye is not.
    #[inline]
    pub fn is_candidate(&self, point: Point) -> bool {
        !self.board.around(point).is_eye_of(self.to_play) && self.board.is_legal(self.to_play, point)
    }

    pub fn levels(&self, point: Point, reader: &mut Reader) -> Levels {
        let mut levels = Levels::default();
        levels.set(Class::Line, point.line(self.board.size()));
        levels.set(Class::DistanceToLast, self.distance_level(point, 0));
        levels.set(Class::DistanceToSecondLast, self.distance_level(point, 1));
        let around = self.board.around(point);
        if around.neighbours_of(Color::Black) + around.neighbours_of(Color::White) > 0 {
            self.set_contact_levels(point, reader, &mut levels);
        }
        levels
    }

    fn distance_level(&self, point: Point, which: usize) -> usize {
        self.recent[which].map_or(0, |there| (distance_between(point, there).max(2) - 1).min(DISTANCES.len() - 1))
    }

    fn set_contact_levels(&self, point: Point, reader: &mut Reader, levels: &mut Levels) {
        let Situation { board, to_play, .. } = *self;
        let (friends, enemies) = self.chains_beside(point);
        let liberties = liberties_after(board, to_play, point).len();

        let in_atari = |chain: &Point| board.in_atari(*chain);
        // Of several captures the most urgent counts, of several extensions the most successful.
        if let Some(level) = enemies.iter().filter(in_atari).map(|chain| self.capture_level(chain, reader)).min() {
            levels.set(Class::Capture, level);
        } else if liberties > 1 {
            let extensions =
                friends.iter().filter(in_atari).map(|chain| self.extension_level(chain, liberties, reader));
            levels.set(Class::Extension, extensions.max().unwrap_or(0));
        }
        if liberties < 2 {
            levels.set(Class::SelfAtari, self.self_atari_level(point, &friends));
        }
        let mut threatened = enemies.iter().filter(|&chain| board.liberty_count(chain) == 2);
        if let Some(chain) = threatened.next() {
            let level = if threatened.next().is_some() {
                3
            } else if board.ko_point(to_play).is_some() {
                4
            } else if atari_catches(board, chain, point, reader) {
                2
            } else {
                1
            };
            levels.set(Class::Atari, level);
        }
        let left = enemies.iter().map(|chain| board.liberty_count(chain) - 1).filter(|&left| left > 1).min();
        levels.set(Class::Pressure, left.filter(|&left| left < 4).map_or(0, |left| left - 1));
        levels.set(Class::OwnLiberties, if (2..5).contains(&liberties) { liberties - 1 } else { 0 });
    }

    fn capture_level(&self, chain: Point, reader: &mut Reader) -> usize {
        let board = self.board;
        let lone = board.chain_size(chain) == 1;
        let was_just_played = self.recent[0].is_some_and(|last| self.is_in_chain(last, chain));
        if was_just_played {
            return if lone { 1 } else { 2 };
        }
        let is_in_trouble = |n: Point| board.color_at(n) == Some(self.to_play) && board.in_atari(n);
        if board.stones(chain).flat_map(Point::neighbours).any(is_in_trouble) {
            return 3;
        }
        (if lone { 4 } else { 6 }) + usize::from(is_ladder(board, chain, reader))
    }

    fn extension_level(&self, chain: Point, liberties: usize, reader: &mut Reader) -> usize {
        let is_new = self.recent[0].is_some_and(|last| last.neighbours().iter().any(|&n| self.is_in_chain(n, chain)));
        let level = if is_ladder(self.board, chain, reader) {
            1
        } else if liberties == 2 {
            3
        } else {
            5
        };
        level + usize::from(is_new)
    }

    fn self_atari_level(&self, point: Point, friends: &Chains) -> usize {
        if !is_bad_self_atari(self.board, self.to_play, point) {
            return 1;
        }
        let stones: usize = friends.iter().map(|chain| self.board.chain_size(chain)).sum();
        match stones {
            0 => 2,
            1..3 => 3,
            _ => 4,
        }
    }

    fn is_in_chain(&self, point: Point, chain: Point) -> bool {
        self.board.color_at(point).is_some() && self.board.chain(point) == self.board.chain(chain)
    }

    /// The different chains beside a point: own, and the opponent's.
    #[inline]
    fn chains_beside(&self, point: Point) -> (Chains, Chains) {
        let (mut friends, mut enemies) = (Chains::NONE, Chains::NONE);
        for neighbour in point.neighbours() {
            match self.board.color_at(neighbour) {
                Some(color) if color == self.to_play => friends.insert(self.board.chain(neighbour)),
                Some(_) => enemies.insert(self.board.chain(neighbour)),
                None => {}
            }
        }
        (friends, enemies)
    }
}

/// At most four different chains.
struct Chains {
    count: usize,
    heads: [Point; 4],
}

impl Chains {
    const NONE: Chains = Chains { count: 0, heads: [Point::new(0, 0); 4] };

    fn insert(&mut self, head: Point) {
        if !self.iter().any(|known| known == head) {
            self.heads[self.count] = head;
            self.count += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Point> {
        self.heads[..self.count].iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Diagram;

    /// The name of the level that Black's move at `a` has.
    fn level(class: Class, last: Option<&str>, text: &str) -> &'static str {
        let diagram = Diagram::parse(text).unwrap();
        let last = last.map(|vertex| Point::parse(vertex, diagram.board.size()).unwrap());
        let situation = Situation { board: &diagram.board, to_play: Color::Black, recent: [last, None] };
        let levels = situation.levels(diagram.point('a'), &mut Reader::new());
        LEVELS[class as usize][usize::from(levels.0[class as usize])]
    }

    const CAPTURE: &str = "
        . . . . .
        . X . . .
        X O a . .
        . X . . .
        . . . . .";

    #[test]
    fn captures_are_told_apart() {
        assert_eq!(level(Class::Capture, Some("B3"), CAPTURE), "takes the stone just played");
        assert_eq!(level(Class::Capture, None, CAPTURE), "takes one stone that could escape");
        let saving = "
            . X O . .
            X O X O .
            X O a . .
            . X . . .
            . . . . .";
        assert_eq!(level(Class::Capture, None, saving), "takes stones to save a chain");
        assert_eq!(level(Class::Extension, None, saving), "no extension");
    }

    #[test]
    fn extensions_are_told_apart() {
        let open = "
            . . . . . . .
            . . O . . . .
            . O X O . . .
            . . a . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        assert_eq!(level(Class::Extension, Some("D5"), open), "escapes to more, new");
        assert_eq!(level(Class::Extension, Some("A1"), open), "escapes to more, old");
        let ladder = "
            . . . . . . .
            . . O O . . .
            . O X X O . .
            . O X a . . .
            . . O . . . .
            . . . . . . .
            . . . . . . .";
        assert_eq!(level(Class::Extension, None, ladder), "runs in a ladder, old");
    }

    #[test]
    fn ataris_are_told_apart() {
        let atari = "
            . . . . . . .
            . . X . . . .
            . X O . . . .
            . . a . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        assert_eq!(level(Class::Atari, None, atari), "atari");
        assert_eq!(level(Class::Atari, None, &atari.replacen("a .", "a X", 1)), "atari that catches");
        let double = "
            . . . . . . .
            . . X X . . .
            . X O a . . .
            . . . O X . .
            . . . X . . .
            . . . . . . .
            . . . . . . .";
        assert_eq!(level(Class::Atari, None, double), "double atari");
    }

    #[test]
    fn stones_thrown_away_are_counted() {
        let one = "
            a O . . .
            . . O . .
            O O . . .
            . . . . .
            . . . . .";
        assert_eq!(level(Class::SelfAtari, None, one), "gives one stone");
        let three = "
            . . . . .
            . O O O .
            O X X a .
            . O O O .
            . . . . .";
        assert_eq!(level(Class::SelfAtari, None, three), "gives two or three stones");
        assert_eq!(level(Class::SelfAtari, None, CAPTURE), "no self-atari");
    }

    #[test]
    fn liberties_and_places_are_told() {
        assert_eq!(level(Class::Line, None, CAPTURE), "line 3");
        assert_eq!(level(Class::DistanceToLast, Some("B3"), CAPTURE), "2");
        assert_eq!(level(Class::DistanceToLast, Some("E5"), CAPTURE), "6");
        assert_eq!(level(Class::DistanceToLast, None, CAPTURE), "none");
        let contact = "
            . . . . .
            . . . . .
            . . O a .
            . . . . .
            . . . . .";
        assert_eq!(level(Class::Pressure, None, contact), "leaves three liberties");
        assert_eq!(level(Class::OwnLiberties, None, contact), "has three liberties");
    }
}
