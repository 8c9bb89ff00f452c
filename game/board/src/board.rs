//! A position: stones, chains with exact liberties, simple ko. Made for millions of playouts.
//!
//! Chains are circular lists of stones labelled with a head stone; each head owns the chain's liberty
//! set as bits, with its count and the sum of its point indices, so "in atari, and where" is two
//! loads. Beside the cells every point keeps the sixteen-bit code of its 3x3 neighbourhood, which
//! answers eye, legality and pattern questions without looking at the neighbours.
//! ARCHITECTURE.md tells how this was chosen over the alternatives.

use crate::color::{Cell, Color};
use crate::neighbourhood::Neighbourhood;
use crate::point::{AROUND, GRID, MAX_POINTS, MAX_SIZE, MIN_SIZE, Point};
use crate::point_set::{self, PointSet};
use crate::trail::{Change, Record, Trail};
use crate::zobrist;

/// A chain's liberties and size, kept at its head. One cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    liberties: PointSet,
    /// Number of liberties, always equal to `liberties.len()`.
    count: u16,
    /// Sum of the indices of the liberties: with one liberty this is the liberty.
    sum: u16,
    stones: u16,
}

const _: () = assert!(size_of::<Chain>() == 64);

impl Chain {
    const NONE: Chain = Chain { liberties: PointSet::EMPTY, count: 0, sum: 0, stones: 0 };

    #[inline(always)]
    fn add_liberty(&mut self, point: Point) {
        if self.liberties.insert(point) {
            self.count += 1;
            self.sum = self.sum.wrapping_add(point.index() as u16);
        }
    }

    #[inline(always)]
    fn remove_liberty(&mut self, point: Point) {
        if self.liberties.remove(point) {
            self.count -= 1;
            self.sum = self.sum.wrapping_sub(point.index() as u16);
        }
    }

    #[inline(always)]
    fn absorb(&mut self, other: &Chain) {
        let shared = self.liberties.intersection(&other.liberties);
        self.count += other.count;
        self.sum = self.sum.wrapping_add(other.sum);
        for point in shared.iter() {
            self.count -= 1;
            self.sum = self.sum.wrapping_sub(point.index() as u16);
        }
        self.liberties = self.liberties.union(&other.liberties);
        self.stones += other.stones;
    }
}

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
        let nowhere = Point::from_index(0);
        let mut board = Board {
            size: size as u8,
            empty_count: 0,
            ko: None,
            ko_banned: Color::Black,
            lost: [0; 2],
            hash: 0,
            cells: [Cell::Edge; GRID],
            around: [Neighbourhood::default(); GRID],
            heads: [nowhere; GRID],
            next_in_chain: [nowhere; GRID],
            empties: [nowhere; MAX_POINTS],
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

    /// Becomes a copy of `other`, touching only the part of the grid in use.
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
        self.around[..used].copy_from_slice(&other.around[..used]);
        self.heads[..used].copy_from_slice(&other.heads[..used]);
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
        self.chain_data(stone).count.into()
    }

    #[inline(always)]
    pub fn in_atari(&self, stone: Point) -> bool {
        self.chain_data(stone).count == 1
    }

    /// The last liberty, if there is just one.
    #[inline(always)]
    pub fn only_liberty(&self, stone: Point) -> Option<Point> {
        let chain = self.chain_data(stone);
        (chain.count == 1).then(|| Point::from_index(chain.sum.into()))
    }

    /// The two liberties, if there are just two.
    #[inline]
    pub fn two_liberties(&self, stone: Point) -> Option<[Point; 2]> {
        let chain = self.chain_data(stone);
        if chain.count != 2 {
            return None;
        }
        let first = chain.liberties.iter().next()?;
        Some([first, Point::from_index(chain.sum as usize - first.index())])
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
        self.is_empty(point) && (self.ko != Some(point) || self.ko_banned != color) && !self.is_suicide(color, point)
    }

    /// Would a stone here leave its own chain without liberties?
    #[inline(always)]
    pub fn is_suicide(&self, color: Color, point: Point) -> bool {
        if self.around(point).has_empty_neighbour() {
            return false;
        }
        let neighbour = |direction: usize| point.offset(AROUND[direction]);
        let around = self.around(point);
        let saved = around.directions_of(color).any(|d| !self.in_atari(neighbour(d)));
        let captures = || around.directions_of(color.opponent()).any(|d| self.in_atari(neighbour(d)));
        !saved && !captures()
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

    // ---- playing ------------------------------------------------------------------------------

    /// Puts a stone on an empty point and takes what it captures; a chain left without liberties is
    /// taken too (suicide). Legality is the caller's business. Returns the number of enemy stones taken.
    #[inline]
    pub fn play(&mut self, color: Color, point: Point) -> usize {
        self.play_with(color, point, &mut ())
    }

    /// As [`Board::play`], remembering how to undo it.
    pub fn play_recorded(&mut self, color: Color, point: Point, trail: &mut Trail) -> usize {
        self.play_with(color, point, trail)
    }

    /// A pass lifts the ban of simple ko.
    #[inline]
    pub fn pass(&mut self) {
        self.ko = None;
    }

    /// Takes back everything recorded after `mark`.
    pub fn undo_to(&mut self, mark: usize, trail: &mut Trail) {
        while trail.len() > mark {
            match trail.pop() {
                Change::Cell(point, old) => self.set_cell(point, old),
                Change::Head(point, old) => self.heads[point.index()] = old,
                Change::Next(point, old) => self.next_in_chain[point.index()] = old,
                Change::Chain(head, old) => self.chains[head.index()] = old,
                Change::EmptyTaken(point, place) => self.put_empty_back(point, place),
                Change::EmptyAdded => self.empty_count -= 1,
                Change::KoAndLost(ko, banned, lost) => {
                    (self.ko, self.ko_banned, self.lost) = (ko, banned, lost);
                }
            }
        }
    }

    #[inline(always)]
    fn play_with<R: Record>(&mut self, color: Color, point: Point, record: &mut R) -> usize {
        debug_assert!(self.is_empty(point));
        record.note(|| Change::KoAndLost(self.ko, self.ko_banned, self.lost));
        let enemy = color.opponent();
        let around = self.around(point);
        self.take_empty(point, record);
        self.place(color, point, around, record);

        let mut captured = 0;
        let mut last_captured = point;
        for direction in around.directions_of(enemy) {
            let neighbour = point.offset(AROUND[direction]);
            let head = self.chain(neighbour);
            record.note(|| Change::Chain(head, self.chains[head.index()]));
            self.chains[head.index()].remove_liberty(point);
            if self.chains[head.index()].count == 0 && !self.is_empty(neighbour) {
                captured += self.remove_chain(enemy, head, record);
                last_captured = neighbour;
            }
        }
        // Only a single stone taken by a stone with no friends can be taken back at once.
        self.ko = (captured == 1 && around.is_surrounded_by(enemy)).then_some(last_captured);
        self.ko_banned = enemy;
        if self.liberty_count(point) == 0 {
            let head = self.chain(point);
            self.remove_chain(color, head, record);
        }
        captured
    }

    /// Sets the stone and joins it with its friends.
    #[inline(always)]
    fn place<R: Record>(&mut self, color: Color, point: Point, around: Neighbourhood, record: &mut R) {
        record.note(|| Change::Cell(point, Cell::Empty));
        record.note(|| Change::Head(point, self.heads[point.index()]));
        record.note(|| Change::Next(point, self.next_in_chain[point.index()]));
        self.set_cell(point, color.cell());

        let mut friends = around.directions_of(color);
        let Some(first) = friends.next() else {
            record.note(|| Change::Chain(point, self.chains[point.index()]));
            self.heads[point.index()] = point;
            self.next_in_chain[point.index()] = point;
            self.chains[point.index()] = Chain { stones: 1, ..Chain::NONE };
            self.add_liberties(point, point, around);
            return;
        };
        let mut head = self.chain(point.offset(AROUND[first]));
        record.note(|| Change::Chain(head, self.chains[head.index()]));
        record.note(|| Change::Next(head, self.next_in_chain[head.index()]));
        self.heads[point.index()] = head;
        self.next_in_chain[point.index()] = self.next_in_chain[head.index()];
        self.next_in_chain[head.index()] = point;
        self.chains[head.index()].stones += 1;
        self.chains[head.index()].remove_liberty(point);
        self.add_liberties(head, point, around);
        for direction in friends {
            let other = self.chain(point.offset(AROUND[direction]));
            if other != head {
                head = self.join(head, other, record);
                self.chains[head.index()].remove_liberty(point);
            }
        }
    }

    /// The empty neighbours of a new stone become liberties of its chain.
    #[inline(always)]
    fn add_liberties(&mut self, head: Point, stone: Point, around: Neighbourhood) {
        for direction in around.empty_directions() {
            self.chains[head.index()].add_liberty(stone.offset(AROUND[direction]));
        }
    }

    /// Joins two chains given by their heads, relabelling the smaller; returns the head of the whole.
    #[inline(always)]
    fn join<R: Record>(&mut self, mut large: Point, mut small: Point, record: &mut R) -> Point {
        if self.chains[large.index()].stones < self.chains[small.index()].stones {
            std::mem::swap(&mut large, &mut small);
        }
        record.note(|| Change::Chain(large, self.chains[large.index()]));
        let absorbed = self.chains[small.index()];
        self.chains[large.index()].absorb(&absorbed);
        let mut stone = small;
        loop {
            record.note(|| Change::Head(stone, small));
            self.heads[stone.index()] = large;
            stone = self.next_in_chain[stone.index()];
            if stone == small {
                break;
            }
        }
        record.note(|| Change::Next(large, self.next_in_chain[large.index()]));
        record.note(|| Change::Next(small, self.next_in_chain[small.index()]));
        self.next_in_chain.swap(large.index(), small.index());
        large
    }

    /// Takes a whole chain off the board; its neighbours get the points as liberties.
    fn remove_chain<R: Record>(&mut self, color: Color, head: Point, record: &mut R) -> usize {
        let stones = self.chains[head.index()].stones;
        let mut stone = head;
        loop {
            record.note(|| Change::Cell(stone, color.cell()));
            self.set_cell(stone, Cell::Empty);
            record.note(|| Change::EmptyAdded);
            self.push_empty(stone);
            for direction in self.around(stone).directions_of(color.opponent()) {
                let taker = self.chain(stone.offset(AROUND[direction]));
                record.note(|| Change::Chain(taker, self.chains[taker.index()]));
                self.chains[taker.index()].add_liberty(stone);
            }
            stone = self.next_in_chain[stone.index()];
            if stone == head {
                break;
            }
        }
        self.lost[color.index()] += u32::from(stones);
        stones.into()
    }

    /// Changes a cell together with everything derived from it: the hash and the codes around.
    #[inline(always)]
    fn set_cell(&mut self, point: Point, new: Cell) {
        let old = self.cell(point);
        self.cells[point.index()] = new;
        // One of the two is always empty, so the colour to hash is the other.
        if let Some(color) = old.color().or(new.color()) {
            self.hash ^= zobrist::key(color, point);
        }
        let difference = old as u16 ^ new as u16;
        for (direction, by) in AROUND.into_iter().enumerate() {
            self.around[point.offset(by).index()].toggle_opposite(direction, difference);
        }
    }

    #[inline(always)]
    fn push_empty(&mut self, point: Point) {
        self.place_in_empties[point.index()] = self.empty_count;
        self.empties[self.empty_count as usize] = point;
        self.empty_count += 1;
    }

    #[inline(always)]
    fn take_empty<R: Record>(&mut self, point: Point, record: &mut R) {
        let place = self.place_in_empties[point.index()];
        record.note(|| Change::EmptyTaken(point, place));
        self.empty_count -= 1;
        let last = self.empties[self.empty_count as usize];
        self.empties[place as usize] = last;
        self.place_in_empties[last.index()] = place;
    }

    fn put_empty_back(&mut self, point: Point, place: u16) {
        // The last point of the list had moved into the gap, unless the gap was the last place itself.
        if place < self.empty_count {
            let moved = self.empties[place as usize];
            self.empties[self.empty_count as usize] = moved;
            self.place_in_empties[moved.index()] = self.empty_count;
        }
        self.empties[place as usize] = point;
        self.place_in_empties[point.index()] = place;
        self.empty_count += 1;
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
