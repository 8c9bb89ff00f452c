//! Positions that wait for a worker, and those that have one.
//!
//! The highest priority goes first. Within one priority clients take turns and each client's positions keep their
//! order: every position gets a round, a client's next one a later round, and a client who was idle joins in the round
//! that is being served. So somebody's thousand positions do not keep another's single one waiting.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use jigo_engine::StopFlag;

use crate::fault::Fault;
use crate::query::{Query, Turn};

/// Positions that may wait; a library of games fits.
const MOST_WAITING: usize = 100_000;
/// Bytes of the queries they belong to.
const MOST_BYTES: usize = 64 << 20;

/// Where answers go, line by line. It may be called by several threads at once, and should not keep them long.
pub type Sink = Arc<dyn Fn(String) + Send + Sync>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientId(pub u64);

/// One position to be analysed.
#[derive(Clone)]
pub struct Job {
    pub asked: Arc<Asked>,
    pub turn: usize,
    pub stop: StopFlag,
}

/// A query with its sender. Its bytes are given back when its last position is done with.
pub struct Asked {
    pub client: ClientId,
    pub sink: Sink,
    pub query: Query,
    bytes: usize,
    ledger: Arc<AtomicUsize>,
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.ledger.fetch_sub(self.bytes, Relaxed);
    }
}

#[derive(Default)]
pub struct Queue {
    state: Mutex<State>,
    /// Something came, went or ended.
    changed: Condvar,
    bytes: Arc<AtomicUsize>,
}

#[derive(Default)]
struct State {
    waiting: BTreeMap<Priority, Job>,
    running: Vec<Job>,
    /// The round of each client's next position, while it has any.
    next_rounds: HashMap<ClientId, u64>,
    round: u64,
    sequence: u64,
    is_closed: bool,
}

/// The least is served first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Priority {
    priority: Reverse<i64>,
    round: u64,
    sequence: u64,
}

impl Queue {
    /// Adds all turns of a query that came as a line of so many bytes, or none.
    pub fn push(&self, client: ClientId, sink: Sink, query: Query, turns: &[Turn], bytes: usize) -> Result<(), Fault> {
        let mut state = self.state();
        let is_full = state.waiting.len() + turns.len() > MOST_WAITING || self.bytes.load(Relaxed) + bytes > MOST_BYTES;
        if is_full {
            return Err(Fault::new("too many positions are waiting already: ask again when some have been answered"));
        }
        self.bytes.fetch_add(bytes, Relaxed);
        let asked = Arc::new(Asked { client, sink, query, bytes, ledger: self.bytes.clone() });
        for turn in turns {
            let round = state.next_rounds.get(&client).copied().unwrap_or(0).max(state.round);
            state.next_rounds.insert(client, round + 1);
            let priority = Priority { priority: Reverse(turn.priority), round, sequence: state.sequence };
            state.sequence += 1;
            let job = Job { asked: asked.clone(), turn: turn.number, stop: StopFlag::default() };
            state.waiting.insert(priority, job);
        }
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// The next position, as soon as there is one; none once the queue is closed.
    pub fn take(&self) -> Option<Job> {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some((priority, job)) = state.waiting.pop_first() {
                state.round = state.round.max(priority.round);
                state.running.push(job.clone());
                return Some(job);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The position has been answered.
    pub fn finish(&self, job: &Job) {
        let mut state = self.state();
        state.running.retain(|other| !(Arc::ptr_eq(&other.asked, &job.asked) && other.turn == job.turn));
        state.forget_rounds(job.asked.client);
        drop(state);
        self.changed.notify_all();
    }

    /// Gives back what waits and ends what runs of a client's queries: those of this id, or all; for these turns, or all.
    pub fn terminate(&self, client: ClientId, id: Option<&str>, turns: Option<&[usize]>) -> Vec<Job> {
        let mut state = self.state();
        let is_meant = |job: &Job| {
            job.asked.client == client
                && id.is_none_or(|id| job.asked.query.id == id)
                && turns.is_none_or(|turns| turns.contains(&job.turn))
        };
        state.running.iter().filter(|job| is_meant(job)).for_each(|job| job.stop.raise());
        let meant = state.waiting.values().filter(|job| is_meant(job)).cloned().collect();
        state.waiting.retain(|_, job| !is_meant(job));
        state.forget_rounds(client);
        drop(state);
        self.changed.notify_all();
        meant
    }

    /// Waits until nothing of this client is left.
    pub fn wait_for(&self, client: ClientId) {
        let mut state = self.state();
        while !state.is_closed && state.has_any(client) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends everything: workers get no more jobs.
    pub fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.waiting.clear();
        state.running.iter().for_each(|job| job.stop.raise());
        drop(state);
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn has_any(&self, client: ClientId) -> bool {
        self.waiting.values().chain(&self.running).any(|job| job.asked.client == client)
    }

    /// A client without positions is remembered no longer.
    fn forget_rounds(&mut self, client: ClientId) {
        if !self.has_any(client) {
            self.next_rounds.remove(&client);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Message;
    use crate::service::Options;

    fn query(id: &str) -> Query {
        let line = format!(
            r#"{{"id":"{id}","moves":[],"rules":"chinese","boardXSize":9,"boardYSize":9,"includePolicy":true}}"#
        );
        match Message::read(&line, &Options::default()) {
            Ok(Message::Analyse { query, .. }) => *query,
            _ => panic!("the query is sound"),
        }
    }

    fn push(queue: &Queue, client: u64, id: &str, turns: &[(usize, i64)]) -> Result<(), Fault> {
        let turns: Vec<Turn> = turns.iter().map(|&(number, priority)| Turn { number, priority }).collect();
        queue.push(ClientId(client), Arc::new(|_| {}), query(id), &turns, 100)
    }

    fn take(queue: &Queue) -> String {
        let job = queue.take().unwrap();
        queue.finish(&job);
        format!("{}{}", job.asked.query.id, job.turn)
    }

    #[test]
    fn the_highest_priority_is_served_first_and_the_earlier_of_equals() {
        let queue = Queue::default();
        push(&queue, 1, "a", &[(0, 0), (1, 5), (2, 0)]).unwrap();
        push(&queue, 1, "b", &[(0, 5)]).unwrap();
        assert_eq!([0; 4].map(|_| take(&queue)), ["a1", "b0", "a0", "a2"]);
    }

    #[test]
    fn clients_take_turns() {
        let queue = Queue::default();
        push(&queue, 1, "a", &[(0, 0), (1, 0), (2, 0), (3, 0)]).unwrap();
        assert_eq!(take(&queue), "a0");
        push(&queue, 2, "b", &[(0, 0), (1, 0)]).unwrap();
        let rest = [0; 5].map(|_| take(&queue));
        assert_eq!(rest, ["b0", "a1", "b1", "a2", "a3"]);
    }

    #[test]
    fn terminating_gives_back_what_waits_and_stops_what_runs() {
        let queue = Queue::default();
        push(&queue, 1, "a", &[(0, 0), (1, 0), (2, 0)]).unwrap();
        push(&queue, 2, "a", &[(0, 0)]).unwrap();
        let running = queue.take().unwrap();
        let turns = |jobs: Vec<Job>| jobs.iter().map(|job| job.turn).collect::<Vec<_>>();
        assert_eq!(turns(queue.terminate(ClientId(1), Some("a"), Some(&[2]))), [2]);
        assert!(!running.stop.is_raised());
        assert_eq!(turns(queue.terminate(ClientId(1), None, None)), [1]);
        assert!(running.stop.is_raised());
        queue.finish(&running);
        queue.wait_for(ClientId(1));
        assert_eq!(take(&queue), "a0", "another client's query of the same id stays");
    }

    #[test]
    fn the_queue_is_bounded_and_recovers() {
        let queue = Queue::default();
        let many = vec![(0, 0); MOST_WAITING];
        push(&queue, 1, "a", &many).unwrap();
        assert!(push(&queue, 1, "b", &[(0, 0)]).is_err());
        assert_eq!(queue.terminate(ClientId(1), None, None).len(), MOST_WAITING);
        assert_eq!(queue.bytes.load(Relaxed), 0, "nothing is left of the queries");
        push(&queue, 1, "b", &[(0, 0)]).unwrap();
    }

    #[test]
    fn a_closed_queue_gives_nothing() {
        let queue = Queue::default();
        push(&queue, 1, "a", &[(0, 0)]).unwrap();
        queue.close();
        assert!(queue.take().is_none());
        queue.wait_for(ClientId(1));
    }
}
