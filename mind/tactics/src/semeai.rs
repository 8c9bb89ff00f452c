//! Who wins the race between two chains that must take each other?
//!
//! Count the liberties only one side has, the shared ones and the eyes (M. Mueller, "Race to capture", 1999; the simple
//! classes). The side that wants to kill must fill all of the other's liberties, shared ones last:
//! - no eyes: with up to one shared liberty it is a plain race; each further one is one more move for the killer, and
//!   where neither can afford it, seki;
//! - one side has an eye: the other must fill the shared liberties first, so they count for the eye;
//! - both have an eye: the killer fills all shared liberties before the eye; where neither can, seki.

use jigo_board::{Board, Point};

/// What becomes of a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Race {
    /// The first chain takes the second.
    Won,
    /// The second chain takes the first.
    Lost,
    Seki,
}

/// The liberties of one side that the other does not have.
struct Side {
    outside: usize,
    eyes: usize,
}

impl Side {
    fn of(board: &Board, stone: Point, rival: Point) -> Option<Side> {
        let color = board.color_at(stone)?;
        let own = board.liberty_set(stone).difference(board.liberty_set(rival));
        let eyes = own.iter().filter(|&p| board.around(p).is_surrounded_by(color)).count();
        Some(Side { outside: own.len() - eyes, eyes })
    }

    fn all(&self) -> usize {
        self.outside + self.eyes
    }

    /// Does this side take the rival, moving first or second?
    fn kills(&self, rival: &Side, shared: usize, moves_first: bool) -> bool {
        if rival.eyes > 1 {
            return false; // single points apart: two eyes
        }
        let lead = match (self.eyes > 0, rival.eyes > 0) {
            (true, false) => return self.all() + shared + usize::from(moves_first) > rival.all(),
            (false, true) => return self.all() + usize::from(moves_first) > rival.all() + shared,
            (true, true) => shared,
            (false, false) => shared.saturating_sub(1),
        };
        self.all() + usize::from(moves_first) > rival.all() + lead
    }
}

/// The race between the chains of two stones of different colours, the first one's owner to move. Eyes are single
/// points; liberties that must be approached first are not known here.
pub fn race(board: &Board, first: Point, second: Point) -> Option<Race> {
    let (ours, theirs) = (Side::of(board, first, second)?, Side::of(board, second, first)?);
    let shared = board.liberty_set(first).intersection(board.liberty_set(second)).len();
    Some(if ours.kills(&theirs, shared, true) {
        Race::Won
    } else if theirs.kills(&ours, shared, false) {
        Race::Lost
    } else {
        Race::Seki
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Fate, fate};
    use jigo_board::{Board, Color, Diagram, PointSet};

    /// Black's chain holds the top left stone of Black, White's the top right stone of White.
    fn rivals(board: &Board) -> (Point, Point) {
        let black = board.points().find(|&p| board.color_at(p) == Some(Color::Black)).unwrap();
        let in_top_row = |p: &Point| p.row() == 0 && board.color_at(*p) == Some(Color::White);
        (black, board.points().filter(in_top_row).last().unwrap())
    }

    /// The liberties each side has in a race, and its eyes (none or one).
    #[derive(Clone, Copy, Debug)]
    struct Count {
        outside: [usize; 2],
        eyes: [usize; 2],
        shared: usize,
    }

    /// Builds a race: Black's chain along the top with its liberties below it at the left, White's chain under it at
    /// the right with its liberties below, the shared liberties between them.
    ///
    /// ```text
    /// . X X X X X X X O O     an eye, two outside liberties of Black, two shared, White's eye and one outside
    /// X X O . O . X . O .     (the column of X that goes down to White's outside chain keeps
    /// O O O O O O X O O O     the two insides and the two outsides apart)
    /// O O O O O O O X . X
    /// ```
    fn build(count: Count) -> (Board, PointSet) {
        let left = 2 * count.eyes[0];
        let middle = left + 2 * count.outside[0] + 1;
        let stone = |row: usize, col: usize| match row {
            0 if col < 17 => 'X',
            0 => 'O',
            1 if col < left => 'X',
            1 | 2 if col == middle => 'X',
            1 | 2 => 'O',
            3 | 4 if col <= middle => 'O',
            3 | 4 => 'X',
            _ => '.',
        };
        let mut cells: Vec<Vec<char>> = (0..19).map(|row| (0..19).map(|col| stone(row, col)).collect()).collect();
        let eyes = [(count.eyes[0], (0, 0)), (count.eyes[1], (1, 18))];
        let open = eyes.into_iter().filter(|(eyes, _)| *eyes == 1).map(|(_, at)| at);
        let open = open.chain((0..count.outside[0]).map(|i| (1, left + 2 * i + 1)));
        let open = open.chain((0..count.shared).map(|i| (1, middle + 1 + 2 * i)));
        let open = open.chain((0..count.outside[1]).map(|i| (3, middle + 2 + 2 * i)));
        for (row, col) in open {
            cells[row][col] = 'a';
        }
        let text: Vec<String> = cells.iter().map(|row| row.iter().collect()).collect();
        let d = Diagram::parse(&text.join("\n")).unwrap();
        (d.board.clone(), d.points('a').into_iter().collect())
    }

    #[test]
    fn all_small_races_end_as_reading_them_out_says() {
        let mut seen = [0; 3];
        for code in 0..3 * 3 * 4 * 4 {
            let count =
                Count { outside: [code % 3, code / 3 % 3], eyes: [code / 36 % 2, code / 72], shared: code / 9 % 4 };
            let breath = |side: usize| count.outside[side] + count.eyes[side] + count.shared;
            if breath(0) == 0 || breath(1) == 0 {
                continue;
            }
            let (board, open) = build(count);
            let (black, white) = rivals(&board);
            let black_first = race(&board, black, white).unwrap();
            let white_first = race(&board, white, black).unwrap();
            let expected = match (black_first, white_first) {
                (Race::Won, Race::Won) => (Fate::Unsettled, Fate::Unsettled),
                (Race::Won, Race::Lost) => (Fate::Alive, Fate::Dead),
                (Race::Lost, Race::Won) => (Fate::Dead, Fate::Alive),
                (Race::Won, Race::Seki) => (Fate::Alive, Fate::Unsettled),
                (Race::Seki, Race::Won) => (Fate::Unsettled, Fate::Alive),
                (Race::Seki, Race::Seki) => (Fate::Alive, Fate::Alive),
                both => panic!("{both:?} is impossible for {count:?}"),
            };
            let fate_of = |stone| fate(&board, stone, &open, 3_000_000).unwrap();
            assert_eq!((fate_of(black), fate_of(white)), expected, "{count:?}\n{board}");
            seen[black_first as usize] += 1;
        }
        assert!(seen.iter().all(|&n| n >= 20), "every outcome must be met: {seen:?}");
    }

    #[test]
    fn two_eyes_cannot_be_raced() {
        let d = Diagram::parse(
            "
            . X . X O . .
            X X X X O . .
            O O O O O . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .",
        )
        .unwrap();
        let (black, white) = (Point::new(1, 0), Point::new(4, 0));
        assert_ne!(race(&d.board, white, black), Some(Race::Won));
    }

    #[test]
    fn stones_of_nobody_do_not_race() {
        let board = Board::new(5);
        assert_eq!(race(&board, Point::new(0, 0), Point::new(1, 1)), None);
    }
}
