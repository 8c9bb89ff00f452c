//! The slots of a worker: they ask for jobs and do them, one each. They outlive sessions, so that a game that was being
//! played while the network was away is not lost.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use zenoh::Session;

use super::{JOBS, PARCEL, ask_all, key};
use crate::channel::Channel;
use crate::jobs::{JobReply, JobRequest, JobResult, ParcelName, ParcelPiece, collect_parcel};
use crate::seal::Role;
use crate::wire;

/// Between two questions of an idle slot.
const IDLE: Duration = Duration::from_secs(1);
const ANSWER_TIME: Duration = Duration::from_secs(3);
/// A net takes its time on a slow line.
const DELIVERY_TIME: Duration = Duration::from_secs(120);

/// The rest of a message has room enough beside it.
const LARGEST_RESULT: usize = wire::LARGEST_MESSAGE - 1024;

/// Does one job, with a way to get what was lent for it.
pub type DoJob = dyn Fn(&str, &Fetch<'_>) -> Result<String, String> + Send + Sync;
/// Gets a parcel by its name; none if nobody has it.
pub type Fetch<'a> = dyn Fn(ParcelName) -> Option<Vec<u8>> + 'a;

/// Where the slots of a worker meet: what they know of the world, and when they have to stop.
pub(super) struct JobSession {
    cluster: String,
    channel: Arc<Mutex<Channel>>,
    state: Mutex<State>,
    bell: Condvar,
}

#[derive(Default)]
struct State {
    /// The way to the cluster, if there is one now.
    session: Option<Session>,
    /// Why those who have jobs give us none.
    refusal: Option<String>,
    is_closing: bool,
}

impl JobSession {
    pub fn new(cluster: &str, channel: Arc<Mutex<Channel>>) -> JobSession {
        JobSession { cluster: cluster.to_string(), channel, state: Mutex::default(), bell: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn connect(&self, session: Option<Session>) {
        self.state().session = session;
    }

    pub fn refusal(&self) -> Option<String> {
        self.state().refusal.clone()
    }

    /// A slot ends with the job it has: nobody waits for it.
    pub fn close(&self) {
        self.state().is_closing = true;
        self.bell.notify_all();
    }

    /// Waits for so long, or until closing time; is it here? A parked thread would not do: the network unparks threads for
    /// reasons of its own, and a slot that does not rest between two questions costs more than a tenth of a core.
    fn rest(&self, time: Duration) -> bool {
        let waited = self.bell.wait_timeout_while(self.state(), time, |state| !state.is_closing);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_closing
    }

    /// What those who hand out jobs answer to a question; nothing while there is nobody to ask.
    fn ask<T: DeserializeOwned>(&self, place: &str, question: &impl Serialize, time: Duration) -> Vec<T> {
        let Some(session) = self.state().session.clone() else { return Vec::new() };
        let channel = || self.channel.lock().unwrap_or_else(PoisonError::into_inner);
        let (bytes, number) = channel().close(place, None, question);
        let answers = ask_all(&session, &key(&self.cluster, place), bytes, time).unwrap_or_default();
        let mut channel = channel();
        let asked = Some((channel.id(), number));
        let open =
            |answer: Vec<u8>| channel.open(place, Role::Jobs, &answer).ok().filter(|heard| heard.answers == asked);
        answers.into_iter().filter_map(open).map(|heard| heard.body).collect()
    }
}

/// One slot, and what it needs to know.
pub(super) struct JobClient {
    pub slot: u16,
    pub version: String,
    pub job: Arc<DoJob>,
}

impl JobClient {
    /// Asks for jobs and does them until closing time.
    pub fn run(&self, jobs: &JobSession) {
        let mut done: Option<JobResult> = None;
        let mut rest = Duration::ZERO;
        while !jobs.rest(rest) {
            let replies = self.ask_for_jobs(jobs, &done);
            if done
                .as_ref()
                .is_some_and(|done| replies.iter().any(|reply| reply.board == done.board && !reply.ask_again))
            {
                done = None;
            }
            jobs.state().refusal = replies.iter().find_map(|reply| reply.refusal.clone());
            let is_met = replies.iter().any(|reply| reply.ask_again);
            let offered = replies.into_iter().find_map(|reply| Some((reply.board, reply.job?)));
            if let Some((board, (job, text))) = offered.filter(|_| done.is_none()) {
                done = self.work(jobs, &text).map(|result| JobResult { board, job, result });
            }
            rest = if done.is_some() || is_met { Duration::ZERO } else { IDLE };
        }
    }

    fn ask_for_jobs(&self, jobs: &JobSession, done: &Option<JobResult>) -> Vec<JobReply> {
        let request = JobRequest { slot: self.slot, version: self.version.clone(), done: done.clone() };
        jobs.ask(JOBS, &request, ANSWER_TIME)
    }

    /// What came of a job. Nothing without what it needs: asking again brings the job again, here or elsewhere.
    fn work(&self, jobs: &JobSession, text: &str) -> Option<Result<String, String>> {
        let has_missed = Cell::new(false);
        let fetch = |name| {
            let parcel = collect_parcel(name, |request| {
                let pieces: Vec<ParcelPiece> = jobs.ask(PARCEL, &request, DELIVERY_TIME);
                pieces.into_iter().next()
            });
            has_missed.set(has_missed.get() || parcel.is_none());
            parcel
        };
        // Whatever happens, the board hears of it: a slot that falls silent would keep its job for ever.
        let result = catch_unwind(AssertUnwindSafe(|| (self.job)(text, &fetch)));
        let result = result.unwrap_or_else(|_| Err("the worker has failed".to_string())).and_then(|told| {
            if told.len() > LARGEST_RESULT { Err("the result is too large to be told".to_string()) } else { Ok(told) }
        });
        (!has_missed.get()).then_some(result)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::seal::SecretSeal;

    fn nowhere() -> JobSession {
        let channel = Channel::new(Arc::new(SecretSeal::new("", "none")), "none", 1, Role::Worker);
        JobSession::new("none", Arc::new(Mutex::new(channel)))
    }

    #[test]
    fn a_slot_rests_though_somebody_unparks_its_thread_and_not_after_closing_time() {
        let jobs = nowhere();
        let (began, time) = (Instant::now(), Duration::from_millis(20));
        std::thread::current().unpark();
        assert!(!jobs.rest(time));
        assert!(began.elapsed() >= time);
        jobs.close();
        assert!(jobs.rest(Duration::MAX));
    }

    #[test]
    fn the_board_hears_of_every_end_of_a_job_but_of_none_that_lacks_something() {
        let end = |job: Arc<DoJob>| JobClient { slot: 0, version: "1".to_string(), job }.work(&nowhere(), "17");
        assert_eq!(end(Arc::new(|job, _| Ok(format!("did {job}")))), Some(Ok("did 17".to_string())));
        let large = |_: &str, _: &Fetch<'_>| Ok("x".repeat(wire::LARGEST_MESSAGE));
        assert_eq!(end(Arc::new(large)), Some(Err("the result is too large to be told".to_string())));
        let broken = |_: &str, _: &Fetch<'_>| panic!("a job that is made to fail");
        assert_eq!(end(Arc::new(broken)), Some(Err("the worker has failed".to_string())));
        let lacking = |_: &str, fetch: &Fetch<'_>| fetch([5; 32]).map(|_| String::new()).ok_or("no net".to_string());
        assert_eq!(end(Arc::new(lacking)), None);
    }
}
