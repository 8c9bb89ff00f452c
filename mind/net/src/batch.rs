//! One batch of what several threads ask at the same time (003 sec III.A has batches of 16 for throughput).
//!
//! Nobody waits for a batch to fill. As many batches as the machine has cores run at once, and who asks meanwhile is taken along
//! by the next one. With no more threads than cores everybody is served at once, alone.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use jigo_board::{Board, Color, Move, Symmetry};

use crate::evaluation::Evaluation;
use crate::evaluator::{Evaluate, Evaluator, Request};
use crate::planes::{HISTORY, Position};

/// Where threads leave their questions for each other.
pub struct Counter {
    largest_batch: usize,
    most_running: usize,
    desk: Mutex<Desk>,
    /// A batch has ended.
    ended: Condvar,
}

#[derive(Default)]
struct Desk {
    running: usize,
    tickets: u64,
    waiting: Vec<Order>,
    answers: HashMap<u64, Arc<Evaluation>>,
}

/// A question left for whoever runs the next batch.
struct Order {
    ticket: u64,
    board: Board,
    to_move: Color,
    recent: [Option<Move>; HISTORY],
    symmetry: Symmetry,
}

impl Order {
    fn request(&self) -> Request<'_> {
        let position = Position { board: &self.board, to_move: self.to_move, recent: self.recent };
        Request { position, symmetry: self.symmetry }
    }
}

impl Counter {
    pub fn new(largest_batch: usize, most_running: usize) -> Counter {
        Counter {
            largest_batch: largest_batch.max(1),
            most_running: most_running.max(1),
            desk: Mutex::default(),
            ended: Condvar::new(),
        }
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Desk {
    fn leave(&mut self, asked: &Request<'_>) -> u64 {
        self.tickets += 1;
        let Request { position, symmetry } = *asked;
        let Position { board, to_move, recent } = position;
        self.waiting.push(Order { ticket: self.tickets, board: board.clone(), to_move, recent, symmetry });
        self.tickets
    }
}

/// One thread's way to the counter, with the net it runs batches on.
pub struct Batched {
    counter: Arc<Counter>,
    evaluator: Evaluator,
}

impl Batched {
    pub fn new(counter: Arc<Counter>, evaluator: Evaluator) -> Batched {
        Batched { counter, evaluator }
    }

    /// Evaluates what this thread asks, and what others wait for.
    fn run(&mut self, mut desk: MutexGuard<'_, Desk>, asked: Request<'_>) -> Arc<Evaluation> {
        let others = desk.waiting.len().min(self.counter.largest_batch - 1);
        let orders: Vec<Order> = desk.waiting.drain(..others).collect();
        desk.running += 1;
        drop(desk);
        let requests: Vec<Request<'_>> = std::iter::once(asked).chain(orders.iter().map(Order::request)).collect();
        let mut answers = self.evaluator.evaluate_batch(&requests).into_iter().map(Arc::new);
        let mine = answers.next().expect("one answer for every request");
        let mut desk = self.counter.desk();
        desk.running -= 1;
        desk.answers.extend(orders.iter().map(|order| order.ticket).zip(answers));
        self.counter.ended.notify_all();
        mine
    }
}

impl Evaluate for Batched {
    fn evaluate(&mut self, position: &Position<'_>, symmetry: Symmetry) -> Arc<Evaluation> {
        let asked = Request { position: *position, symmetry };
        let counter = Arc::clone(&self.counter);
        let mut desk = counter.desk();
        if desk.running < counter.most_running {
            return self.run(desk, asked);
        }
        let ticket = desk.leave(&asked);
        loop {
            desk = counter.ended.wait(desk).unwrap_or_else(PoisonError::into_inner);
            if let Some(answer) = desk.answers.remove(&ticket) {
                return answer;
            }
            if desk.running < counter.most_running
                && let Some(place) = desk.waiting.iter().position(|order| order.ticket == ticket)
            {
                desk.waiting.remove(place);
                return self.run(desk, asked);
            }
        }
    }
}
