//! The 3x3 shapes that make playouts answer locally (001 sec 3.2, 002 sec VI).
//!
//! The set follows the published one of MoGo (Gelly, Wang, Munos and Teytaud 2006: hane, cuts, moves at
//! the edge), extended as 001 does with whether the four neighbours are in atari. The move is in the
//! middle. Since the middle is empty, a neighbour in atari has its last liberty just there: the move
//! captures it or lets it run, and some shapes are good or bad for that reason alone.
//!
//! All shapes are compiled into one table, so that matching is one load from the code that the board
//! keeps for every point, and a look at the neighbours' liberties only where some shape fits.

use std::sync::LazyLock;

use jigo_board::{Board, Cell, Color, Neighbourhood, Point};

/// A shape as drawn. It holds turned and mirrored, and with colours exchanged.
///
/// | sign | meaning |
/// |---|---|
/// | `X` `O` | a stone of one side, of the other side |
/// | `s` | an X stone that is not in atari |
/// | `.` | empty |
/// | `x` `o` | anything but X, anything but O |
/// | `#` | beyond the edge |
/// | `?` | anything |
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub name: &'static str,
    pub to_play: ToPlay,
    rows: [&'static str; 3],
}

/// Whose good move the middle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToPlay {
    Either,
    X,
}

pub const SHAPES: &[Shape] = &[
    shape("enclosing hane", ToPlay::Either, ["XOX", "...", "???"]),
    shape("hane", ToPlay::Either, ["XO.", "...", "?.?"]),
    shape("turn", ToPlay::Either, ["XO?", "X..", "x.?"]),
    shape("shoulder", ToPlay::Either, [".O.", "X..", "..."]),
    shape("cut", ToPlay::Either, ["XO?", "O.o", "?o?"]),
    shape("peeped cut", ToPlay::Either, ["XO?", "O.X", "???"]),
    shape("push between", ToPlay::Either, ["?s?", "O.O", "xxx"]),
    shape("knight's cut", ToPlay::Either, ["OX?", "o.O", "???"]),
    shape("chase along the edge", ToPlay::Either, ["X.?", "O.?", "###"]),
    shape("edge cut stopped", ToPlay::Either, ["OX?", "X.O", "###"]),
    shape("edge link stopped", ToPlay::Either, ["?s?", "x.O", "###"]),
    shape("descent", ToPlay::X, ["?XO", "x.x", "###"]),
    shape("edge cut", ToPlay::Either, ["?OX", "X.O", "###"]),
];

const fn shape(name: &'static str, to_play: ToPlay, rows: [&'static str; 3]) -> Shape {
    Shape { name, to_play, rows }
}

/// Row and column in a diagram of each direction of [`Point::around`].
const PLACE_OF_DIRECTION: [(usize, usize); 8] = [(0, 1), (1, 2), (2, 1), (1, 0), (0, 2), (2, 2), (2, 0), (0, 0)];

/// For each direction, what a shape asks of the cell there.
#[derive(Clone, Copy)]
struct Demands([Demand; 8]);

#[derive(Clone, Copy)]
struct Demand {
    /// Bit `cell` is set for each cell that will do.
    cells: u8,
    safe: bool,
}

impl Demand {
    fn of(sign: u8, x: Color) -> Demand {
        let (own, other) = (1 << x as u8, 1 << x.opponent() as u8);
        let (empty, edge) = (1 << Cell::Empty as u8, 1 << Cell::Edge as u8);
        let any = own | other | empty | edge;
        let cells = match sign {
            b'X' | b's' => own,
            b'O' => other,
            b'.' => empty,
            b'#' => edge,
            b'x' => any & !own,
            b'o' => any & !other,
            b'?' => any,
            _ => unreachable!("the shapes above use no other sign"),
        };
        Demand { cells, safe: sign == b's' }
    }
}

impl Demands {
    fn of(shape: &Shape, x: Color) -> Demands {
        Demands(PLACE_OF_DIRECTION.map(|(row, col)| Demand::of(shape.rows[row].as_bytes()[col], x)))
    }

    /// The same demands with the board turned and mirrored in all eight ways.
    fn orientations(self) -> impl Iterator<Item = Demands> {
        const TURN: [usize; 8] = [3, 0, 1, 2, 7, 4, 5, 6];
        const MIRROR: [usize; 8] = [0, 3, 2, 1, 7, 6, 5, 4];
        let turn = |demands: &Demands| Some(Demands(TURN.map(|from| demands.0[from])));
        let mirrored = Demands(MIRROR.map(|from| self.0[from]));
        [self, mirrored].into_iter().flat_map(move |first| std::iter::successors(Some(first), turn).take(4))
    }

    /// Calls `found` with every neighbourhood these demands allow.
    fn expand(&self, direction: usize, code: u16, found: &mut impl FnMut(u16)) {
        let Some(demand) = self.0.get(direction) else { return found(code) };
        for cell in (0..4).filter(|cell| demand.cells >> cell & 1 != 0) {
            self.expand(direction + 1, code | cell << (2 * direction), found);
        }
    }

    /// The sets of neighbours in atari these demands allow, as one bit for each of the sixteen sets.
    fn allowed_ataris(&self) -> u16 {
        let must_be_safe = (0..4).filter(|&direction| self.0[direction].safe).fold(0, |set, d| set | 1 << d);
        (0..16).filter(|set| set & must_be_safe == 0).fold(0, |allowed, set| allowed | 1 << set)
    }
}

/// All shapes compiled.
pub struct ThreeByThree {
    /// Per colour to play, one bit for each neighbourhood that fits some shape: small enough to stay in
    /// the first-level cache, and all that most points need.
    fits: [[u64; 1 << 10]; 2],
    /// Per colour and neighbourhood, one bit for each set of neighbours in atari with which it matches.
    ataris: [Box<[u16]>; 2],
}

impl ThreeByThree {
    /// The compiled table. Take it once before a loop.
    pub fn get() -> &'static ThreeByThree {
        static TABLE: LazyLock<ThreeByThree> = LazyLock::new(|| ThreeByThree::compile(SHAPES));
        &TABLE
    }

    fn compile(shapes: &[Shape]) -> ThreeByThree {
        let empty = || vec![0; 1 << 16].into_boxed_slice();
        let mut table = ThreeByThree { fits: [[0; 1 << 10]; 2], ataris: [empty(), empty()] };
        for shape in shapes {
            for x in Color::BOTH {
                for demands in Demands::of(shape, x).orientations() {
                    let ataris = demands.allowed_ataris();
                    demands.expand(0, 0, &mut |code| {
                        table.allow(x, code, ataris);
                        if shape.to_play == ToPlay::Either {
                            table.allow(x.opponent(), code, ataris);
                        }
                    });
                }
            }
        }
        table
    }

    fn allow(&mut self, to_play: Color, code: u16, ataris: u16) {
        self.fits[to_play.index()][usize::from(code >> 6)] |= 1 << (code & 63);
        self.ataris[to_play.index()][usize::from(code)] |= ataris;
    }

    /// Is a move of `color` on this empty point one of the shapes?
    #[inline(always)]
    pub fn matches(&self, board: &Board, color: Color, point: Point) -> bool {
        let code = board.around(point).0;
        self.fits[color.index()][usize::from(code >> 6)] >> (code & 63) & 1 != 0
            && self.ataris[color.index()][usize::from(code)] >> neighbours_in_atari(board, point) & 1 != 0
    }
}

/// Is a move of `color` on this empty point one of the shapes?
#[inline]
pub fn matches(board: &Board, color: Color, point: Point) -> bool {
    ThreeByThree::get().matches(board, color, point)
}

/// Which of the four neighbours are stones in atari, as four bits in the order of [`Point::neighbours`].
#[inline]
pub fn neighbours_in_atari(board: &Board, point: Point) -> u16 {
    let mut set = 0;
    for (direction, neighbour) in point.neighbours().into_iter().enumerate() {
        let in_atari = board.color_at(neighbour).is_some() && board.in_atari(neighbour);
        set |= u16::from(in_atari) << direction;
    }
    set
}

impl Shape {
    /// Does this one shape fit, for `color` to play? Slow: it explains what the table answers.
    pub fn fits(&self, color: Color, around: Neighbourhood, ataris: u16) -> bool {
        let sides: &[Color] = match self.to_play {
            ToPlay::Either => &Color::BOTH,
            ToPlay::X => &[color],
        };
        sides.iter().flat_map(|&x| Demands::of(self, x).orientations()).any(|demands| {
            demands.0.iter().enumerate().all(|(direction, demand)| {
                demand.cells >> (around.cell(direction) as u8) & 1 != 0
                    && !(demand.safe && ataris >> direction & 1 != 0)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::{Diagram, Rng, random_game};

    /// Each shape as drawn, in its eight orientations: turned sign by sign, sharing nothing with the table.
    fn drawings() -> Vec<(ToPlay, [char; 9])> {
        let mut drawings = Vec::new();
        for shape in SHAPES {
            let mut drawing: Vec<char> = shape.rows.concat().chars().collect();
            for turn in 0..8 {
                if turn == 4 {
                    drawing = (0..9).map(|i| drawing[i / 3 * 3 + 2 - i % 3]).collect();
                }
                drawing = (0..9).map(|i| drawing[(2 - i % 3) * 3 + i / 3]).collect();
                drawings.push((shape.to_play, drawing.clone().try_into().unwrap()));
            }
        }
        drawings
    }

    fn matches_slowly(drawings: &[(ToPlay, [char; 9])], color: Color, around: Neighbourhood, ataris: u16) -> bool {
        let sign_fits = |sign: char, cell: Cell, x: Color, in_atari: bool| match sign {
            'X' => cell == x.cell(),
            's' => cell == x.cell() && !in_atari,
            'O' => cell == x.opponent().cell(),
            'x' => cell != x.cell(),
            'o' => cell != x.opponent().cell(),
            '.' => cell == Cell::Empty,
            '#' => cell == Cell::Edge,
            '?' => true,
            other => panic!("unknown sign {other}"),
        };
        drawings.iter().any(|(to_play, drawing)| {
            Color::BOTH.into_iter().filter(|&x| *to_play == ToPlay::Either || x == color).any(|x| {
                PLACE_OF_DIRECTION.iter().enumerate().all(|(direction, (row, col))| {
                    let in_atari = ataris >> direction & 1 != 0;
                    sign_fits(drawing[row * 3 + col], around.cell(direction), x, in_atari)
                })
            })
        })
    }

    fn matches_code(color: Color, around: Neighbourhood, ataris: u16) -> bool {
        let table = ThreeByThree::get();
        let code = around.0;
        let fits = table.fits[color.index()][usize::from(code >> 6)] >> (code & 63) & 1 != 0;
        fits && table.ataris[color.index()][usize::from(code)] >> ataris & 1 != 0
    }

    #[test]
    fn the_table_agrees_with_a_slow_matcher_for_every_neighbourhood() {
        let drawings = drawings();
        for code in 0..=u16::MAX {
            let around = Neighbourhood(code);
            for color in Color::BOTH {
                for ataris in [0, 1, 2, 4, 8, 15] {
                    assert_eq!(
                        matches_code(color, around, ataris),
                        matches_slowly(&drawings, color, around, ataris),
                        "code {code:04x}, {color} to play, in atari {ataris:04b}"
                    );
                }
            }
        }
    }

    #[test]
    fn matching_does_not_depend_on_orientation_or_colour() {
        let turned_set = |set: u16| (set << 1 | set >> 3) & 15;
        let mirrored_set = |set: u16| set & 5 | (set & 2) << 2 | (set & 8) >> 2;
        for code in 0..=u16::MAX {
            let around = Neighbourhood(code);
            for ataris in 0..16 {
                for color in Color::BOTH {
                    let here = matches_code(color, around, ataris);
                    assert_eq!(here, matches_code(color, around.turned(), turned_set(ataris)));
                    assert_eq!(here, matches_code(color, around.mirrored(), mirrored_set(ataris)));
                    assert_eq!(here, matches_code(color.opponent(), around.swapped_colors(), ataris));
                }
            }
        }
    }

    #[test]
    fn a_shape_explains_each_match_in_random_games() {
        let mut rng = Rng::new(3);
        let mut matched = 0;
        for _ in 0..20 {
            let mut board = Board::new(9);
            let mut color = Color::Black;
            while let Some(point) = random_game::random_point(&board, color, &mut rng) {
                for &empty in board.empties() {
                    let explained = SHAPES
                        .iter()
                        .any(|shape| shape.fits(color, board.around(empty), neighbours_in_atari(&board, empty)));
                    assert_eq!(matches(&board, color, empty), explained);
                    matched += usize::from(explained);
                }
                board.play(color, point);
                color = color.opponent();
            }
        }
        assert!(matched > 1000);
    }

    #[test]
    fn shapes_match_on_the_board() {
        let diagram = Diagram::parse(
            ". . . . . . . . .
             . . X O X . . . .
             . . . a . . . X O
             . . . . . . . d .
             . . . . . . . . .
             . X O . . . . . .
             . O b . . . . . .
             . . . . . . . . X
             c . . . . . . . e",
        )
        .unwrap();
        for (name, expected) in [('a', true), ('b', true), ('c', false), ('d', true), ('e', false)] {
            for color in Color::BOTH {
                let point = diagram.point(name);
                assert_eq!(matches(&diagram.board, color, point), expected, "{name}, {color}");
            }
        }
    }

    #[test]
    fn a_stone_in_atari_does_not_push_between() {
        let push = |text: &str| {
            let diagram = Diagram::parse(text).unwrap();
            matches(&diagram.board, Color::Black, diagram.point('a'))
        };
        assert!(push(". . . . .\n. . X . .\n. O a O .\n. . . . .\n. . . . ."));
        assert!(!push(". . O . .\n. O X O .\n. O a O .\n. . . . .\n. . . . ."));
    }
}
