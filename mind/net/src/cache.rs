//! What the net has said already, for whoever asks again.
//!
//! A tree asks about most positions once. They come back when a game is taken back, searched with another komi or looked through
//! in a review; then the tree is new and the positions are not.

use std::collections::HashMap;
use std::mem;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::backend::View;
use crate::evaluation::Evaluation;

/// Numbers in one block of a generation: enough for 22 evaluations of the largest board.
const BLOCK: usize = 1 << 14;

/// Evaluations by net, position and symmetry, in two generations: when the younger one is full, the older one is forgotten.
pub struct Cache {
    /// Bytes that one generation may take.
    room: usize,
    generations: Mutex<Generations>,
}

#[derive(Default)]
struct Generations {
    young: Generation,
    old: Generation,
}

/// The numbers of its evaluations lie in blocks that the next generation uses again. As pieces of their own they would be scattered
/// over the heaps of all threads that ever asked, and a heap keeps what it once had.
#[derive(Default)]
struct Generation {
    blocks: Vec<Vec<f32>>,
    /// Blocks that have something in them.
    filled: usize,
    kept: HashMap<u64, Kept>,
}

/// An evaluation without its numbers, and where those are.
struct Kept {
    block: usize,
    numbers: Range<usize>,
    rest: Evaluation,
}

impl Cache {
    pub fn new(megabytes: usize) -> Cache {
        Cache { room: (megabytes << 20) / 2, generations: Mutex::default() }
    }

    fn find(&self, key: u64) -> Option<Evaluation> {
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = generations.young.find(key) {
            return Some(found);
        }
        let found = generations.old.find(key)?;
        generations.keep(key, &found, self.room);
        Some(found)
    }

    fn keep(&self, key: u64, evaluation: &Evaluation) {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner).keep(key, evaluation, self.room);
    }
}

impl Generations {
    fn keep(&mut self, key: u64, evaluation: &Evaluation, room: usize) {
        let numbers = evaluation.numbers().concat();
        if !self.young.has_room(numbers.len(), room) {
            mem::swap(&mut self.young, &mut self.old);
            self.young.clear();
        }
        if self.young.has_room(numbers.len(), room) {
            self.young.keep(key, &numbers, evaluation.without_numbers());
        }
    }
}

impl Generation {
    fn find(&self, key: u64) -> Option<Evaluation> {
        let Kept { block, numbers, rest } = self.kept.get(&key)?;
        Some(rest.with_numbers(&self.blocks[*block][numbers.clone()]))
    }

    /// Is there room for one more? Blocks that are left from the last time are given up for it.
    fn has_room(&mut self, numbers: usize, room: usize) -> bool {
        // One place in eight stays empty, and a full table becomes twice as large.
        let table = self.kept.capacity() * 8 / 7 * size_of::<(u64, Kept)>();
        let growth = if self.kept.len() < self.kept.capacity() { 0 } else { table };
        let blocks = self.filled + usize::from(!self.fits(numbers));
        let has_room = table + growth + blocks * BLOCK * size_of::<f32>() <= room;
        while has_room && table + growth + self.blocks.len() * BLOCK * size_of::<f32>() > room {
            self.blocks.pop();
        }
        has_room
    }

    /// Do so many numbers go into the last block?
    fn fits(&self, numbers: usize) -> bool {
        self.filled > 0 && self.blocks[self.filled - 1].len() + numbers <= BLOCK
    }

    fn keep(&mut self, key: u64, numbers: &[f32], rest: Evaluation) {
        if !self.fits(numbers.len()) {
            self.filled += 1;
            if self.filled > self.blocks.len() {
                self.blocks.push(Vec::with_capacity(BLOCK));
            }
        }
        let block = self.filled - 1;
        let first = self.blocks[block].len();
        self.blocks[block].extend_from_slice(numbers);
        self.kept.insert(key, Kept { block, numbers: first..first + numbers.len(), rest });
    }

    fn clear(&mut self) {
        self.kept.clear();
        self.blocks.iter_mut().for_each(Vec::clear);
        self.filled = 0;
    }
}

/// Who answers one question at a time; the cache stands in front of such a one.
pub trait Ask {
    fn ask(&mut self, view: View<'_>) -> Arc<Evaluation>;

    /// One number for all that the answer depends on, but for the symmetry.
    fn fingerprint(&mut self, view: &View<'_>) -> u64;
}

/// Asks the cache first. It changes no answer: who answers below gives the same one for the same question.
pub struct Cached<A> {
    cache: Arc<Cache>,
    /// Which net answers.
    digest: u64,
    inner: A,
}

impl<A: Ask> Cached<A> {
    pub fn new(cache: Arc<Cache>, digest: u64, inner: A) -> Cached<A> {
        Cached { cache, digest, inner }
    }
}

impl<A: Ask> Ask for Cached<A> {
    fn fingerprint(&mut self, view: &View<'_>) -> u64 {
        self.inner.fingerprint(view)
    }

    fn ask(&mut self, view: View<'_>) -> Arc<Evaluation> {
        let key = self.digest ^ self.inner.fingerprint(&view) ^ view.symmetry.index() as u64;
        if let Some(known) = self.cache.find(key) {
            return Arc::new(known);
        }
        let evaluation = self.inner.ask(view);
        self.cache.keep(key, &evaluation);
        evaluation
    }
}
