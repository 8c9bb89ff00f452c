//! One batch of what several threads ask at the same time (CGI III.A has batches of 16 for throughput).
//!
//! Nobody waits for a batch to fill. As many batches as the machine has cores run at once, and who asks meanwhile is taken along
//! by the next one. With no more threads than cores everybody is served at once, alone.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use jigo_board::{Board, Color, Move, Symmetry};

use crate::evaluation::Evaluation;
use crate::evaluator::{Evaluate, Evaluator, View};
use crate::planes::{HISTORY, Position};

/// Where threads leave their questions for each other.
pub struct BatchQueue {
    largest_batch: usize,
    most_running: usize,
    state: Mutex<QueueState>,
    /// A batch has ended.
    ended: Condvar,
}

#[derive(Default)]
struct QueueState {
    running: usize,
    tickets: u64,
    waiting: Vec<Waiting>,
    answers: HashMap<u64, Arc<Evaluation>>,
}

/// A question left for whoever runs the next batch.
struct Waiting {
    ticket: u64,
    board: Board,
    to_move: Color,
    recent: [Option<Move>; HISTORY],
    symmetry: Symmetry,
}

impl Waiting {
    fn view(&self) -> View<'_> {
        let position = Position { board: &self.board, to_move: self.to_move, recent: self.recent };
        View { position, symmetry: self.symmetry }
    }
}

impl BatchQueue {
    pub fn new(largest_batch: usize, most_running: usize) -> BatchQueue {
        BatchQueue {
            largest_batch: largest_batch.max(1),
            most_running: most_running.max(1),
            state: Mutex::default(),
            ended: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueState {
    fn leave(&mut self, asked: &View<'_>) -> u64 {
        self.tickets += 1;
        let View { position, symmetry } = *asked;
        let Position { board, to_move, recent } = position;
        self.waiting.push(Waiting { ticket: self.tickets, board: board.clone(), to_move, recent, symmetry });
        self.tickets
    }
}

/// One thread's access to the queue, with the net it runs batches on.
pub struct Batched {
    queue: Arc<BatchQueue>,
    evaluator: Evaluator,
}

impl Batched {
    pub fn new(queue: Arc<BatchQueue>, evaluator: Evaluator) -> Batched {
        Batched { queue, evaluator }
    }

    /// Evaluates what this thread asks, and what others wait for.
    fn run(&mut self, mut state: MutexGuard<'_, QueueState>, asked: View<'_>) -> Arc<Evaluation> {
        let others = state.waiting.len().min(self.queue.largest_batch - 1);
        let taken: Vec<Waiting> = state.waiting.drain(..others).collect();
        state.running += 1;
        drop(state);
        let views: Vec<View<'_>> = std::iter::once(asked).chain(taken.iter().map(Waiting::view)).collect();
        let mut answers = self.evaluator.evaluate_batch(&views).into_iter().map(Arc::new);
        let mine = answers.next().expect("one answer for every request");
        let mut state = self.queue.state();
        state.running -= 1;
        state.answers.extend(taken.iter().map(|one| one.ticket).zip(answers));
        self.queue.ended.notify_all();
        mine
    }
}

impl Evaluate for Batched {
    fn evaluate(&mut self, position: &Position<'_>, symmetry: Symmetry) -> Arc<Evaluation> {
        let asked = View { position: *position, symmetry };
        let queue = Arc::clone(&self.queue);
        let mut state = queue.state();
        if state.running < queue.most_running {
            return self.run(state, asked);
        }
        let ticket = state.leave(&asked);
        loop {
            state = queue.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
            if let Some(answer) = state.answers.remove(&ticket) {
                return answer;
            }
            if state.running < queue.most_running
                && let Some(place) = state.waiting.iter().position(|one| one.ticket == ticket)
            {
                state.waiting.remove(place);
                return self.run(state, asked);
            }
        }
    }
}
