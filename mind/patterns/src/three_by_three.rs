//! The 3x3 shapes that make playouts answer locally (Pachi 3.2, Go Intellect VI).
//!
//! The set follows the published one of MoGo (Gelly, Wang, Munos and Teytaud 2006: hane, cuts, moves at
//! the edge), extended as Pachi does with whether the four neighbours are in atari. The move is in the
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
/// | `a` | an X stone in atari: the middle is its last liberty |
/// | `.` | empty |
/// | `x` `o` | anything but X, anything but O |
/// | `#` | beyond the edge |
/// | `?` | anything |
#[derive(Clone, Copy, Debug)]
pub struct DrawnShape {
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

/// Behind each shape stands how often 9-dan players chose it when it lay around the last two moves, for X
/// and for O to play (`jigo patterns shapes`, 3,000 games); a point without a shape was chosen in 1.4 % of cases.
/// MoGo's descent to the first line was dropped at 3.7 %, a side was dropped where it was chosen below 9 %. The
/// link under atari and the two splits are the most frequent moves that the published set leaves out.
pub const SHAPES: &[DrawnShape] = &[
    shape("enclosing hane", ToPlay::Either, ["XOX", "...", "???"]), // 39, 27 %
    shape("hane", ToPlay::Either, ["XO.", "...", "?.?"]),           // 20, 15 %
    shape("turn", ToPlay::Either, ["XO?", "X..", "x.?"]),           // 16, 18 %
    shape("shoulder", ToPlay::Either, [".O.", "X..", "..."]),       // 18, 18 %
    shape("cut", ToPlay::Either, ["XO?", "O.o", "?o?"]),            // 12, 19 %
    shape("peeped cut", ToPlay::Either, ["XO?", "O.X", "???"]),     // 23, 37 %
    shape("push between", ToPlay::Either, ["?s?", "O.O", "xxx"]),   // 9, 12 %
    shape("knight's cut", ToPlay::Either, ["OX?", "o.O", "???"]),   // 30, 29 %
    shape("split", ToPlay::Either, ["?XO", "...", "?O?"]),          // 8, 11 %
    shape("double split", ToPlay::Either, ["?XO", "...", "?XO"]),   // 10, 12 %
    shape("link or cut under atari", ToPlay::Either, ["OaO", "?.X", "???"]), // 34, 36 %
    shape("block at the edge", ToPlay::X, ["X.?", "O.?", "###"]),   // 41 %
    shape("edge cut", ToPlay::Either, ["OX?", "X.O", "###"]),       // 33, 21 %
    shape("edge link stopped", ToPlay::X, ["?s?", "x.O", "###"]),   // 22 %
];

const fn shape(name: &'static str, to_play: ToPlay, rows: [&'static str; 3]) -> DrawnShape {
    DrawnShape { name, to_play, rows }
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
    /// Bit 0 is set if a stone out of atari will do, bit 1 if one in atari will.
    ataris: u8,
}

impl Demand {
    fn of(sign: u8, x: Color) -> Demand {
        let (own, other) = (1 << x as u8, 1 << x.opponent() as u8);
        let (empty, edge) = (1 << Cell::Empty as u8, 1 << Cell::Edge as u8);
        let any = own | other | empty | edge;
        let cells = match sign {
            b'X' | b's' | b'a' => own,
            b'O' => other,
            b'.' => empty,
            b'#' => edge,
            b'x' => any & !own,
            b'o' => any & !other,
            b'?' => any,
            _ => unreachable!("the shapes above use no other sign"),
        };
        let ataris = match sign {
            b's' => 0b01,
            b'a' => 0b10,
            _ => 0b11,
        };
        Demand { cells, ataris }
    }
}

impl Demands {
    fn of(shape: &DrawnShape, x: Color) -> Demands {
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
        let allows = |set: &u16| (0..4).all(|direction| self.0[direction].ataris >> (set >> direction & 1) & 1 != 0);
        (0..16).filter(allows).fold(0, |allowed, set| allowed | 1 << set)
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
        // Miri takes a thousand times as long, and a hane is a shape like the others.
        static TABLE: LazyLock<ThreeByThree> =
            LazyLock::new(|| ThreeByThree::compile(if cfg!(miri) { &SHAPES[1..2] } else { SHAPES }));
        &TABLE
    }

    fn compile(shapes: &[DrawnShape]) -> ThreeByThree {
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

    #[inline(always)]
    fn fits(&self, color: Color, code: u16) -> bool {
        self.fits[color.index()][usize::from(code >> 6)] >> (code & 63) & 1 != 0
    }

    /// Calls with each point around `centre` where a move of `color` is one of the shapes. Asking all
    /// eight points alike is cheaper than branching on each.
    #[inline]
    pub fn matches_around(&self, board: &Board, color: Color, centre: Point, mut found: impl FnMut(Point)) {
        let mut candidates = 0;
        for (direction, point) in centre.around().into_iter().enumerate() {
            candidates |= u16::from(self.fits(color, board.around(point).0)) << (2 * direction);
        }
        candidates &= board.around(centre).empties();
        while candidates != 0 {
            let point = centre.around()[candidates.trailing_zeros() as usize / 2];
            candidates &= candidates - 1;
            if self.ataris_match(board, color, point) {
                found(point);
            }
        }
    }

    #[inline(always)]
    fn ataris_match(&self, board: &Board, color: Color, point: Point) -> bool {
        let code = board.around(point).0;
        self.ataris[color.index()][usize::from(code)] >> neighbours_in_atari(board, point) & 1 != 0
    }

    /// Is a move of `color` on this empty point one of the shapes?
    #[inline(always)]
    pub fn matches(&self, board: &Board, color: Color, point: Point) -> bool {
        let code = board.around(point).0;
        self.fits(color, code) && self.ataris_match(board, color, point)
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
        set |= u16::from(board.in_atari(neighbour)) << direction;
    }
    set
}

impl DrawnShape {
    /// Does this one shape fit, for `color` to play? Slow: it explains what the table answers.
    pub fn fits(&self, color: Color, around: Neighbourhood, ataris: u16) -> bool {
        self.fits_as(color, around, ataris)
            || self.to_play == ToPlay::Either && self.fits_as(color.opponent(), around, ataris)
    }

    /// Does it fit with the stones of this colour as its X?
    pub fn fits_as(&self, x: Color, around: Neighbourhood, ataris: u16) -> bool {
        Demands::of(self, x).orientations().any(|demands| {
            demands.0.iter().enumerate().all(|(direction, demand)| {
                let cell_will_do = demand.cells >> (around.cell(direction) as u8) & 1 != 0;
                cell_will_do && demand.ataris >> (ataris >> direction & 1) & 1 != 0
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
            'a' => cell == x.cell() && in_atari,
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

    #[test]
    fn stones_in_atari_make_shapes_of_their_own() {
        let diagram = Diagram::parse(
            ". . O . . . . . .
             . O X O . . . . .
             . X a X . . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . O X O . .
             . . . . X b X . .
             . . . . . . . . .
             . . . . . . . . .",
        )
        .unwrap();
        let shapes_of = |name, color| -> Vec<&str> {
            let ataris = neighbours_in_atari(&diagram.board, diagram.point(name));
            let around = diagram.board.around(diagram.point(name));
            SHAPES.iter().filter(|shape| shape.fits(color, around, ataris)).map(|shape| shape.name).collect()
        };
        for color in Color::BOTH {
            assert_eq!(shapes_of('a', color), ["link or cut under atari"]);
            assert_eq!(shapes_of('b', color), [""; 0], "not in atari");
        }
    }
}
