//! Evaluations remembered, shared by all threads, and a symmetry chosen at random for each new one.

use std::sync::{Arc, Mutex, PoisonError};

use jigo_board::{Color, Move, Rng, Symmetry};

use crate::evaluation::Evaluation;
use crate::evaluator::Evaluator;
use crate::planes::Position;

type Slot = Mutex<Option<(u64, Arc<Evaluation>)>>;

/// A table of evaluations with one place per key; a newer one takes it over. Every slot has its own lock, so threads
/// hardly ever meet.
pub struct Cache {
    slots: Vec<Slot>,
}

impl Cache {
    /// A table of at least `entries` places; an entry takes about 3 KB on 19x19.
    pub fn new(entries: usize) -> Cache {
        Cache { slots: (0..entries.max(1).next_power_of_two()).map(|_| Mutex::new(None)).collect() }
    }

    fn slot(&self, key: u64) -> std::sync::MutexGuard<'_, Option<(u64, Arc<Evaluation>)>> {
        let at = key as usize & (self.slots.len() - 1);
        // A slot holds a whole evaluation or none, whatever happened to another thread.
        self.slots[at].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, key: u64) -> Option<Arc<Evaluation>> {
        self.slot(key).as_ref().filter(|(found, _)| *found == key).map(|(_, evaluation)| Arc::clone(evaluation))
    }

    fn put(&self, key: u64, evaluation: Arc<Evaluation>) {
        *self.slot(key) = Some((key, evaluation));
    }

    /// Forgets everything: for another net.
    pub fn clear(&self) {
        (0..self.slots.len()).for_each(|at| *self.slot(at as u64) = None);
    }
}

/// What an evaluation depends on: stones, size, who moves, ko, and the last two moves. The three moves before those are
/// planes too, but positions that differ in them only are alike enough to share.
pub fn key(position: &Position<'_>) -> u64 {
    let place = |mv: Option<Move>| match mv {
        None => 1,
        Some(Move::Pass) => 2,
        Some(Move::Play(point)) => 3 + point.index() as u64,
    };
    let ko = position.board.ko_point(position.to_move).map_or(0, |point| point.index() as u64);
    let color = u64::from(position.to_move == Color::Black);
    let parts = [position.board.size() as u64, color, ko, place(position.recent[0]), place(position.recent[1])];
    parts.iter().fold(position.board.hash(), |hash, part| Rng::new(hash ^ part).next_u64())
}

/// An evaluator that asks the cache first.
pub struct CachedEvaluator {
    evaluator: Evaluator,
    cache: Arc<Cache>,
    rng: Rng,
}

impl CachedEvaluator {
    /// `rng` chooses the symmetry of each evaluation.
    pub fn new(evaluator: Evaluator, cache: Arc<Cache>, rng: Rng) -> CachedEvaluator {
        CachedEvaluator { evaluator, cache, rng }
    }

    pub fn evaluate(&mut self, position: &Position<'_>) -> Arc<Evaluation> {
        let key = key(position);
        if let Some(known) = self.cache.get(key) {
            return known;
        }
        let symmetry = Symmetry::from_index(self.rng.below(8));
        let evaluation = Arc::new(self.evaluator.evaluate(position, symmetry));
        self.cache.put(key, Arc::clone(&evaluation));
        evaluation
    }
}
