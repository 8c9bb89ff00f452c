//! Stones on a board, nothing else: every question is answered by looking at all of it again.

use jigo_board::{Color, Point};

/// Cells row by row from the top left; a place is an index into them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub size: usize,
    pub cells: Vec<Option<Color>>,
}

/// What a move took off the board.
pub struct Taken {
    pub enemies: Vec<usize>,
    pub own: Vec<usize>,
}

impl Position {
    pub fn empty(size: usize) -> Position {
        Position { size, cells: vec![None; size * size] }
    }

    pub fn places(&self) -> std::ops::Range<usize> {
        0..self.cells.len()
    }

    pub fn point(&self, place: usize) -> Point {
        Point::new(place % self.size, place / self.size)
    }

    pub fn place(&self, point: Point) -> usize {
        point.row() * self.size + point.col()
    }

    /// The places beside this one, two to four of them.
    pub fn neighbours(&self, place: usize) -> impl Iterator<Item = usize> + use<> {
        let size = self.size;
        let (col, row) = (place % size, place / size);
        let up = (row > 0).then(|| place - size);
        let right = (col + 1 < size).then(|| place + 1);
        let down = (row + 1 < size).then(|| place + size);
        let left = (col > 0).then(|| place - 1);
        [up, right, down, left].into_iter().flatten()
    }

    /// All places that can be reached from `start` through places that satisfy `inside`, in order.
    pub fn flood(&self, start: usize, inside: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut seen = vec![false; self.cells.len()];
        let mut reached = Vec::with_capacity(self.cells.len());
        reached.push(start);
        seen[start] = true;
        let mut next = 0;
        while next < reached.len() {
            for neighbour in self.neighbours(reached[next]) {
                if !seen[neighbour] && inside(neighbour) {
                    seen[neighbour] = true;
                    reached.push(neighbour);
                }
            }
            next += 1;
        }
        reached.sort_unstable();
        reached
    }

    /// The places beside `places` that satisfy `wanted`, each once, in order.
    pub fn beside(&self, places: &[usize], wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut found: Vec<usize> =
            places.iter().flat_map(|&place| self.neighbours(place)).filter(|&n| wanted(n)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Is there such a place beside `places`?
    pub fn touches(&self, places: &[usize], wanted: impl Fn(usize) -> bool) -> bool {
        places.iter().any(|&place| self.neighbours(place).any(&wanted))
    }

    /// The stones connected with the one here.
    pub fn chain(&self, stone: usize) -> Vec<usize> {
        self.flood(stone, |place| self.cells[place] == self.cells[stone])
    }

    pub fn liberties(&self, chain: &[usize]) -> Vec<usize> {
        self.beside(chain, |place| self.cells[place].is_none())
    }

    /// Puts a stone down, takes enemy chains without liberties, then the own chain if it has none.
    pub fn put(&mut self, color: Color, place: usize) -> Taken {
        assert_eq!(self.cells[place], None);
        self.cells[place] = Some(color);
        let mut enemies = Vec::new();
        for neighbour in self.neighbours(place) {
            if self.cells[neighbour] == Some(color.opponent()) {
                enemies.extend(self.take_if_without_liberties(neighbour));
            }
        }
        let own = self.take_if_without_liberties(place);
        Taken { enemies, own }
    }

    fn take_if_without_liberties(&mut self, stone: usize) -> Vec<usize> {
        let chain = self.chain(stone);
        if self.touches(&chain, |place| self.cells[place].is_none()) {
            return Vec::new();
        }
        for &place in &chain {
            self.cells[place] = None;
        }
        chain
    }
}
