//! What the net has said already, for whoever asks again.
//!
//! A tree asks about most positions once. They come back when a game is taken back, searched with another komi or looked through
//! in a review; then the tree is new and the positions are not.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use crate::backend::View;
use crate::evaluation::Evaluation;

/// Evaluations by net, position and symmetry, in two generations: when the younger one is full, the older one is forgotten.
pub struct Cache {
    /// Bytes that one generation may hold.
    room: usize,
    generations: Mutex<Generations>,
}

#[derive(Default)]
struct Generations {
    young: HashMap<u64, Arc<Evaluation>>,
    young_bytes: usize,
    old: HashMap<u64, Arc<Evaluation>>,
}

impl Cache {
    pub fn new(megabytes: usize) -> Cache {
        Cache { room: (megabytes << 20) / 2, generations: Mutex::default() }
    }

    fn find(&self, key: u64) -> Option<Arc<Evaluation>> {
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = generations.young.get(&key) {
            return Some(Arc::clone(found));
        }
        let found = generations.old.remove(&key)?;
        generations.keep(key, Arc::clone(&found), self.room);
        Some(found)
    }

    fn keep(&self, key: u64, evaluation: Arc<Evaluation>) {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner).keep(key, evaluation, self.room);
    }
}

impl Generations {
    fn keep(&mut self, key: u64, evaluation: Arc<Evaluation>, room: usize) {
        let bytes = evaluation.bytes() + size_of::<(u64, Arc<Evaluation>)>();
        if self.young_bytes + bytes > room {
            self.old = mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        if bytes <= room && self.young.insert(key, evaluation).is_none() {
            self.young_bytes += bytes;
        }
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
            return known;
        }
        let evaluation = self.inner.ask(view);
        self.cache.keep(key, Arc::clone(&evaluation));
        evaluation
    }
}
