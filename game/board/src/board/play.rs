//! Playing a stone and taking it back.
//!
//! What a move meets is as good as random, so a mispredicted branch costs more than the work it would
//! save: wherever all four neighbours can be treated alike, they are.

use super::{Board, Chain, NOWHERE};
use crate::color::{Cell, Color};
use crate::neighbourhood::Neighbourhood;
use crate::point::{AROUND, Point};
use crate::trail::{Change, Record, Trail};
use crate::zobrist;

impl Board {
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
                Change::Stone(color, point) => self.toggle_stone(color, point),
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
        record.note(|| Change::Stone(color, point));
        self.toggle_stone(color, point);
        self.take_liberty(point, record);
        self.connect(color, point, around, record);

        self.ko = None;
        self.ko_banned = enemy;
        let dead = around.directions_of(enemy) & self.chains_beside(point, |chain| chain.count() == 0);
        let mut captured = 0;
        for direction in dead {
            let neighbour = point.offset(AROUND[direction]);
            // A chain that touches the point twice is gone by the second time.
            if !self.is_empty(neighbour) {
                captured += self.remove_chain(enemy, self.chain(neighbour), record);
                // Only a single stone taken by a stone with no friends can be taken back at once.
                self.ko = (captured == 1 && around.is_surrounded_by(enemy)).then_some(neighbour);
            }
        }
        if self.liberty_count(point) == 0 {
            self.remove_chain(color, self.chain(point), record);
        }
        captured
    }

    /// The point is no longer a liberty of the chains beside it. Empty and edge neighbours have the
    /// empty chain of `NOWHERE`, which has nothing to lose: cheaper than asking what they are.
    #[inline(always)]
    fn take_liberty<R: Record>(&mut self, point: Point, record: &mut R) {
        for neighbour in point.neighbours() {
            let head = self.chain(neighbour);
            if head != NOWHERE {
                record.note(|| Change::Chain(head, self.chains[head.index()]));
            }
            self.chains[head.index()].remove_liberty(point);
        }
    }

    /// Makes the new stone a chain with its friends, or a chain of its own.
    #[inline(always)]
    fn connect<R: Record>(&mut self, color: Color, point: Point, around: Neighbourhood, record: &mut R) {
        record.note(|| Change::Head(point, NOWHERE));
        record.note(|| Change::Next(point, self.next_in_chain[point.index()]));
        let mut friends = around.directions_of(color);
        let mut head = match friends.next() {
            None => {
                record.note(|| Change::Chain(point, self.chains[point.index()]));
                self.next_in_chain[point.index()] = point;
                self.chains[point.index()] = Chain::NONE;
                point
            }
            Some(first) => {
                let head = self.chain(point.offset(AROUND[first]));
                record.note(|| Change::Next(head, self.next_in_chain[head.index()]));
                self.next_in_chain[point.index()] = self.next_in_chain[head.index()];
                self.next_in_chain[head.index()] = point;
                head
            }
        };
        self.heads[point.index()] = head;
        let chain = &mut self.chains[head.index()];
        chain.stones += 1;
        for (direction, neighbour) in point.neighbours().into_iter().enumerate() {
            chain.add_liberty_if(around.cell(direction) == Cell::Empty, neighbour);
        }
        for direction in friends {
            let other = self.chain(point.offset(AROUND[direction]));
            if other != head {
                head = self.join(head, other, record);
            }
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
            record.note(|| Change::Stone(color, stone));
            self.toggle_stone(color, stone);
            record.note(|| Change::Head(stone, head));
            self.heads[stone.index()] = NOWHERE;
            record.note(|| Change::EmptyAdded);
            self.push_empty(stone);
            for direction in self.around(stone).directions_of(color.opponent()) {
                let taker = self.chain(stone.offset(AROUND[direction]));
                record.note(|| Change::Chain(taker, self.chains[taker.index()]));
                self.chains[taker.index()].add_liberty_if(true, stone);
            }
            stone = self.next_in_chain[stone.index()];
            if stone == head {
                break;
            }
        }
        self.lost[color.index()] += u32::from(stones);
        stones.into()
    }

    /// Puts a stone down or takes it off, with everything derived from it: the hash and the codes around.
    #[inline(always)]
    fn toggle_stone(&mut self, color: Color, point: Point) {
        let cell = &mut self.cells[point.index()];
        *cell = Cell::from_bits(*cell as u16 ^ color as u16);
        self.hash ^= zobrist::key(color, point);
        for (direction, by) in AROUND.into_iter().enumerate() {
            self.around[point.offset(by).index()].toggle_opposite(direction, color as u16);
        }
    }

    #[inline(always)]
    pub(super) fn push_empty(&mut self, point: Point) {
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
