//! A net as the threads of one search share it: one cache, batches across threads, a view of the board drawn for every position.

use std::sync::Arc;

use jigo_board::{Rng, Symmetry};

use crate::backend::{Backend, Told, View};
use crate::batch::{BatchQueue, Batched};
use crate::cache::{Ask, Cache, Cached};
use crate::evaluation::Evaluation;
use crate::planes::Position;

pub struct Service {
    net: Arc<dyn Backend>,
    cache: Arc<Cache>,
    queue: Arc<BatchQueue>,
    seed: u64,
}

impl Service {
    /// A cache may serve several, whatever their nets are.
    pub fn new(net: Arc<dyn Backend>, cache: Arc<Cache>, largest_batch: usize, seed: u64) -> Service {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let queue = Arc::new(BatchQueue::new(largest_batch, cores));
        Service { net, cache, queue, seed }
    }

    /// Access for one more thread.
    pub fn connect(&self) -> Connection {
        let evaluator = Arc::clone(&self.net).evaluator();
        let batched = Batched::new(Arc::clone(&self.queue), evaluator);
        let evaluator = Cached::new(Arc::clone(&self.cache), self.net.digest(), batched);
        Connection { seed: self.seed, evaluator }
    }
}

/// One thread's access to a [`Service`].
pub struct Connection {
    seed: u64,
    evaluator: Cached<Batched>,
}

impl Connection {
    /// Which side of every position is seen from now on.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Looks at the board from one of its eight sides. Which one follows from the position and the seed, so that who asks
    /// again gets the same answer.
    pub fn look(&mut self, position: &Position<'_>, told: Option<Told<'_>>) -> Arc<Evaluation> {
        let symmetry = Symmetry::from_index(Rng::new(position.fingerprint() ^ self.seed).below(8));
        self.look_from(View { position: *position, symmetry, told })
    }

    pub fn look_from(&mut self, view: View<'_>) -> Arc<Evaluation> {
        self.evaluator.ask(view)
    }
}
