//! A position: stones, chains with exact liberties, simple ko. Made for millions of playouts.
//!
//! Chains are circular lists of stones labelled with a head stone; each head owns the chain's liberty
//! set as bits, with its count and the sum of its point indices, so "in atari, and where" is two
//! loads. Beside the cells every point keeps the sixteen-bit code of its 3x3 neighbourhood, which
//! answers eye, legality and pattern questions without looking at the neighbours.
//! ARCHITECTURE.md tells how this was chosen over the alternatives.

mod chain;
mod play;

pub(crate) use chain::Chain;

use crate::color::{Cell, Color};
use crate::neighbourhood::{Directions, Neighbourhood};
use crate::point::{AROUND, GRID, MAX_POINTS, MAX_SIZE, MIN_SIZE, Point};
use crate::point_set::{self, PointSet};
use crate::zobrist;

/// The head of points without a stone: its chain never has liberties.
const NOWHERE: Point = Point::from_index(0);

/// A board position without history: see [`crate::Game`] for the game around it.
#[derive(Clone)]
pub struct Board {
    size: u8,
    empty_count: u16,
    /// The only point where `ko_banned` may not play now.
    ko: Option<Point>,
    ko_banned: Color,
    /// Stones of each colour taken off the board so far.
    lost: [u32; 2],
    hash: u64,
    cells: [Cell; GRID],
    around: [Neighbourhood; GRID],
    heads: [Point; GRID],
    next_in_chain: [Point; GRID],
    empties: [Point; MAX_POINTS],
    place_in_empties: [u16; GRID],
    chains: [Chain; GRID],
}

impl Board {
    /// An empty board. Panics outside 2..=19: callers check input first.
    pub fn new(size: usize) -> Board {
        assert!((MIN_SIZE..=MAX_SIZE).contains(&size), "board size {size}");
        let mut board = Board {
            size: size as u8,
            empty_count: 0,
            ko: None,
            ko_banned: Color::Black,
            lost: [0; 2],
            hash: 0,
            cells: [Cell::Edge; GRID],
            around: [Neighbourhood::default(); GRID],
            heads: [NOWHERE; GRID],
            next_in_chain: [NOWHERE; GRID],
            empties: [NOWHERE; MAX_POINTS],
            place_in_empties: [0; GRID],
            chains: [Chain::NONE; GRID],
        };
        for row in 0..size {
            for col in 0..size {
                let point = Point::new(col, row);
                board.cells[point.index()] = Cell::Empty;
                board.push_empty(point);
            }
        }
        for i in 0..board.empty_count as usize {
            let point = board.empties[i];
            board.around[point.index()] = Neighbourhood::of(point.around().map(|p| board.cell(p)));
        }
        board
    }

    /// Becomes a copy of `other`, touching only the part of the grid in use, and the edge where it matters.
    #[inline]
    pub fn copy_from(&mut self, other: &Board) {
        let used = Point::new(other.size() - 1, other.size() - 1).index() + 1;
        let points = other.area();
        self.size = other.size;
        self.empty_count = other.empty_count;
        self.ko = other.ko;
        self.ko_banned = other.ko_banned;
        self.lost = other.lost;
        self.hash = other.hash;
        self.cells = other.cells;
        self.heads = other.heads;
        self.around[..used].copy_from_slice(&other.around[..used]);
        self.next_in_chain[..used].copy_from_slice(&other.next_in_chain[..used]);
        self.empties[..points].copy_from_slice(&other.empties[..points]);
        self.place_in_empties[..used].copy_from_slice(&other.place_in_empties[..used]);
        self.chains[..used].copy_from_slice(&other.chains[..used]);
    }

    // ---- looking ------------------------------------------------------------------------------

    #[inline(always)]
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// Number of points on this board.
    #[inline(always)]
    pub fn area(&self) -> usize {
        self.size() * self.size()
    }

    /// All points, top left to bottom right.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size();
        (0..size * size).map(move |i| Point::new(i % size, i / size))
    }

    #[inline(always)]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point.index()]
    }

    #[inline(always)]
    pub fn color_at(&self, point: Point) -> Option<Color> {
        self.cell(point).color()
    }

    #[inline(always)]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cell(point) == Cell::Empty
    }

    /// The eight cells around a point, as one code.
    #[inline(always)]
    pub fn around(&self, point: Point) -> Neighbourhood {
        self.around[point.index()]
    }

    /// The neighbours of a point that are stones of this colour.
    #[inline(always)]
    pub fn stones_beside(&self, point: Point, color: Color) -> impl Iterator<Item = Point> + use<> {
        self.around(point).directions_of(color).map(move |direction| point.offset(AROUND[direction]))
    }

    /// The neighbours of a point that are stones of this colour, of chains with as many liberties as the range says.
    #[inline(always)]
    pub fn stones_beside_with(
        &self,
        point: Point,
        color: Color,
        liberties: std::ops::RangeInclusive<usize>,
    ) -> impl Iterator<Item = Point> + use<> {
        let such = self.chains_beside(point, |chain| liberties.contains(&chain.count().into()));
        (self.around(point).directions_of(color) & such).map(move |direction| point.offset(AROUND[direction]))
    }

    /// The neighbours of a point that are empty.
    #[inline(always)]
    pub fn empties_beside(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        self.around(point).empty_directions().map(move |direction| point.offset(AROUND[direction]))
    }

    /// The neighbours of a point that are neither stones of `owner` nor edge: where an eyespace of `owner` goes on.
    #[inline(always)]
    pub fn room_beside(&self, point: Point, owner: Color) -> impl Iterator<Item = Point> + use<> {
        self.around(point).directions_open_to(owner).map(move |direction| point.offset(AROUND[direction]))
    }

    /// All empty points, in no particular (but reproducible) order.
    #[inline(always)]
    pub fn empties(&self) -> &[Point] {
        &self.empties[..self.empty_count as usize]
    }

    /// The hash of the stones on the board; who is to move and ko are not in it.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Where `color` may not play now because of simple ko.
    #[inline(always)]
    pub fn ko_point(&self, color: Color) -> Option<Point> {
        if self.ko_banned == color { self.ko } else { None }
    }

    /// Stones of this colour that were captured so far.
    #[inline]
    pub fn stones_lost(&self, color: Color) -> u32 {
        self.lost[color.index()]
    }

    // ---- chains: every question takes any stone of the chain -------------------------------------

    /// The stone that names this chain: equal for two stones exactly if they are connected.
    #[inline(always)]
    pub fn chain(&self, stone: Point) -> Point {
        self.heads[stone.index()]
    }

    #[inline(always)]
    fn chain_data(&self, stone: Point) -> &Chain {
        &self.chains[self.heads[stone.index()].index()]
    }

    /// Exact number of liberties.
    #[inline(always)]
    pub fn liberty_count(&self, stone: Point) -> usize {
        self.chain_data(stone).count().into()
    }

    #[inline(always)]
    pub fn in_atari(&self, stone: Point) -> bool {
        self.chain_data(stone).count() == 1
    }

    /// The last liberty, if there is just one.
    #[inline(always)]
    pub fn only_liberty(&self, stone: Point) -> Option<Point> {
        let chain = self.chain_data(stone);
        (chain.count() == 1).then(|| Point::from_index(chain.sum().into()))
    }

    /// The two liberties, if there are just two.
    #[inline]
    pub fn two_liberties(&self, stone: Point) -> Option<[Point; 2]> {
        let chain = self.chain_data(stone);
        if chain.count() != 2 {
            return None;
        }
        let first = chain.liberties.iter().next()?;
        Some([first, Point::from_index(chain.sum() as usize - first.index())])
    }

    /// The other one of two liberties; means nothing for a chain that has not just two.
    #[inline(always)]
    pub fn other_liberty(&self, stone: Point, liberty: Point) -> Point {
        Point::from_index(usize::from(self.chain_data(stone).sum()).wrapping_sub(liberty.index()))
    }

    #[inline(always)]
    pub fn liberties(&self, stone: Point) -> point_set::Iter {
        self.chain_data(stone).liberties.iter()
    }

    #[inline(always)]
    pub fn liberty_set(&self, stone: Point) -> &PointSet {
        &self.chain_data(stone).liberties
    }

    #[inline(always)]
    pub fn chain_size(&self, stone: Point) -> usize {
        self.chain_data(stone).stones.into()
    }

    /// The stones of a chain.
    #[inline]
    pub fn stones(&self, stone: Point) -> ChainStones<'_> {
        ChainStones { board: self, start: stone, at: Some(stone) }
    }

    /// The heads of all chains on the board.
    pub fn chain_heads(&self) -> impl Iterator<Item = Point> + '_ {
        self.points().filter(|&p| self.color_at(p).is_some() && self.chain(p) == p)
    }

    // ---- legality -----------------------------------------------------------------------------

    /// May `color` play here under simple ko, suicide forbidden? (Superko is the game's business.)
    #[inline(always)]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        // A point banned by ko has no empty neighbour, so an open point needs no further questions.
        self.is_empty(point)
            && (self.around(point).has_empty_neighbour()
                || (self.ko_point(color) != Some(point) && !self.is_suicide(color, point)))
    }

    /// Would a stone here leave its own chain without liberties?
    #[inline(always)]
    pub fn is_suicide(&self, color: Color, point: Point) -> bool {
        let around = self.around(point);
        if around.has_empty_neighbour() {
            return false;
        }
        let in_atari = self.chains_beside(point, |chain| chain.count() == 1);
        let saved = around.directions_of(color) & !in_atari;
        let captures = around.directions_of(color.opponent()) & in_atari;
        (saved | captures).is_empty()
    }

    /// Would a stone of `color` here take any enemy stones?
    #[inline(always)]
    pub fn captures(&self, color: Color, point: Point) -> bool {
        let in_atari = self.chains_beside(point, |chain| chain.count() == 1);
        !(self.around(point).directions_of(color.opponent()) & in_atari).is_empty()
    }

    /// The directions in which a chain answers yes. Asking all four is cheaper than choosing whom to ask;
    /// the answer means nothing where no stone is.
    #[inline(always)]
    fn chains_beside(&self, point: Point, question: impl Fn(&Chain) -> bool) -> Directions {
        let [up, right, down, left] = point.neighbours();
        let answer = |neighbour| question(self.chain_data(neighbour));
        Directions::of([answer(up), answer(right), answer(down), answer(left)])
    }

    /// Is this the suicide of a single stone? It changes nothing and no ruleset of ours allows it.
    pub fn is_single_stone_suicide(&self, color: Color, point: Point) -> bool {
        self.is_suicide(color, point) && point.neighbours().iter().all(|&n| self.cell(n) != color.cell())
    }

    /// The hash after this move, captures and suicide included, without playing it.
    pub fn hash_after(&self, color: Color, point: Point) -> u64 {
        let around = self.around(point);
        let doomed = if self.is_suicide(color, point) { color } else { color.opponent() };
        let mut hash = self.hash ^ zobrist::key(color, point);
        let mut taken = PointSet::EMPTY;
        for direction in around.directions_of(doomed) {
            let head = self.chain(point.offset(AROUND[direction]));
            if self.in_atari(head) && taken.insert(head) {
                hash = self.stones(head).fold(hash, |hash, stone| hash ^ zobrist::key(doomed, stone));
            }
        }
        if doomed == color { hash ^ zobrist::key(color, point) } else { hash }
    }
}

/// Iterator over the stones of one chain.
pub struct ChainStones<'a> {
    board: &'a Board,
    start: Point,
    at: Option<Point>,
}

impl Iterator for ChainStones<'_> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        let stone = self.at?;
        let next = self.board.next_in_chain[stone.index()];
        self.at = (next != self.start).then_some(next);
        Some(stone)
    }
}
