//! One batch of what several threads ask at the same time (CGI III.A has batches of 16 for throughput).
//!
//! Nobody waits for a batch to fill. As many batches as the machine has cores run at once, and who asks meanwhile is taken along
//! by the next one. With no more threads than cores everybody is served at once, alone.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use jigo_board::{Board, Color, Game, Move, Symmetry};

use crate::backend::{Evaluate, Manner, Told, View};
use crate::cache::Ask;
use crate::evaluation::Evaluation;
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
    told: Option<WaitingTold>,
}

/// What the net is to be told, kept for later.
struct WaitingTold {
    game: Arc<Game>,
    moves: Vec<Move>,
    komi: f32,
    manner: Manner,
}

impl WaitingTold {
    fn new(told: Told<'_>) -> WaitingTold {
        let Told { game, moves, komi, manner } = told;
        WaitingTold { game: Arc::clone(game), moves: moves.to_vec(), komi, manner }
    }

    fn told(&self) -> Told<'_> {
        Told { game: &self.game, moves: &self.moves, komi: self.komi, manner: self.manner }
    }
}

impl Waiting {
    fn view(&self) -> View<'_> {
        let position = Position { board: &self.board, to_move: self.to_move, recent: self.recent };
        View { position, symmetry: self.symmetry, told: self.told.as_ref().map(WaitingTold::told) }
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
        let View { position, symmetry, told } = *asked;
        let Position { board, to_move, recent } = position;
        let (board, told) = (board.clone(), told.map(WaitingTold::new));
        self.waiting.push(Waiting { ticket: self.tickets, board, to_move, recent, symmetry, told });
        self.tickets
    }
}

/// One thread's access to the queue, with the net it runs batches on.
pub struct Batched {
    queue: Arc<BatchQueue>,
    evaluator: Box<dyn Evaluate>,
}

impl Batched {
    pub fn new(queue: Arc<BatchQueue>, evaluator: Box<dyn Evaluate>) -> Batched {
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

impl Ask for Batched {
    fn fingerprint(&mut self, view: &View<'_>) -> u64 {
        self.evaluator.fingerprint(view)
    }

    fn ask(&mut self, asked: View<'_>) -> Arc<Evaluation> {
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
