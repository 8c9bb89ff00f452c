//! Jobs over the network: a board that workers ask, and the hands of a worker that ask it.

use std::any::Any;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use zenoh::sample::SampleKind;
use zenoh::{Session, Wait};

use super::coordinating::ClusterLink;
use super::{fresh_id, key, last_word};
use crate::jobs::{FirstResult, Hand, JobBoard, JobReply, JobRequest, JobResult, parcel_name};
use crate::wire;

/// Between two questions of an idle hand.
const IDLE: Duration = Duration::from_secs(1);
const ANSWER_TIME: Duration = Duration::from_secs(3);
/// A net takes its time on a slow line.
const DELIVERY_TIME: Duration = Duration::from_secs(120);
/// Parcels that are lent at a time; what was lent earlier is not needed any more.
const MOST_PARCELS: usize = 4;

/// Jobs for the workers of a cluster, and their results as they come.
pub struct JobOffice {
    board: Arc<Mutex<JobBoard>>,
    parcels: Arc<Mutex<Parcels>>,
    results: Receiver<FirstResult>,
    /// Subscriptions and answers; they end with us.
    _ears: Vec<Box<dyn Any + Send>>,
    _link: Arc<ClusterLink>,
}

/// Large things that jobs need, by name, the latest last.
type Parcels = VecDeque<(u64, Arc<[u8]>)>;

/// Nothing here is ever left half changed, so a panic elsewhere does not spoil it.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JobOffice {
    pub fn open(link: Arc<ClusterLink>, version: &str) -> zenoh::Result<JobOffice> {
        let board = Arc::new(Mutex::new(JobBoard::new(fresh_id(), version.to_string())));
        let (send, results) = channel();
        let asked = board.clone();
        let answers = link.session().declare_queryable(key(link.cluster(), "jobs")).callback(move |query| {
            let request = query.payload().and_then(|payload| wire::open::<JobRequest>(&payload.to_bytes()).ok());
            let Some(request) = request else { return };
            let mut board = locked(&asked);
            let (reply, first) = board.serve(request);
            // Sent before anybody can see that the board is done.
            if let Some(result) = first {
                send.send(result).ok();
            }
            drop(board);
            query.reply(query.key_expr().clone(), wire::seal(0, &reply)).wait().ok();
        });
        let parcels = Arc::new(Mutex::new(Parcels::new()));
        let shelf = parcels.clone();
        let deliveries = link.session().declare_queryable(key(link.cluster(), "parcel/*")).callback(move |query| {
            let name = last_word(query.key_expr()).parse();
            let parcel = locked(&shelf).iter().find(|(lent, _)| name == Ok(*lent)).map(|(_, bytes)| bytes.clone());
            if let Some(bytes) = parcel {
                query.reply(query.key_expr().clone(), &*bytes).wait().ok();
            }
        });
        let watched = board.clone();
        let lives =
            link.session().liveliness().declare_subscriber(key(link.cluster(), "alive/*")).callback(move |sample| {
                if let (SampleKind::Delete, Ok(worker)) = (sample.kind(), last_word(sample.key_expr()).parse()) {
                    locked(&watched).lost(worker);
                }
            });
        let ears: Vec<Box<dyn Any + Send>> =
            vec![Box::new(answers.wait()?), Box::new(deliveries.wait()?), Box::new(lives.wait()?)];
        Ok(JobOffice { board, parcels, results, _ears: ears, _link: link })
    }

    pub fn put(&self, job: u64, text: String) {
        locked(&self.board).put(job, text);
    }

    /// Something too large for the text of a job; workers get it by the name that is given back.
    pub fn lend(&self, bytes: Vec<u8>) -> u64 {
        let name = parcel_name(&bytes);
        let mut parcels = locked(&self.parcels);
        parcels.retain(|(lent, _)| *lent != name);
        parcels.push_back((name, bytes.into()));
        if parcels.len() > MOST_PARCELS {
            parcels.pop_front();
        }
        name
    }

    /// What still waits is not wanted any more.
    pub fn clear(&self) {
        locked(&self.board).clear();
    }

    /// The next result, each job's only once; none when all jobs are done.
    pub fn next(&self) -> Option<FirstResult> {
        loop {
            let is_done = locked(&self.board).is_done();
            match self.results.recv_timeout(if is_done { Duration::ZERO } else { IDLE }) {
                Ok(result) => return Some(result),
                Err(_) if is_done => return None,
                Err(_) => {}
            }
        }
    }
}

/// Does one job, with a way to get what was lent for it.
pub type DoJob = dyn Fn(&str, &Fetch<'_>) -> Result<String, String> + Send + Sync;
/// Gets a parcel by its name; none if nobody has it.
pub type Fetch<'a> = dyn Fn(u64) -> Option<Vec<u8>> + 'a;

/// When hands have to stop. Not a parked thread: the network unparks threads for reasons of its own, and a hand that does
/// not rest between two questions costs more than a tenth of a core.
#[derive(Default)]
pub(super) struct ClosingTime {
    is_here: Mutex<bool>,
    bell: Condvar,
}

impl ClosingTime {
    pub fn ring(&self) {
        *self.is_here.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.bell.notify_all();
    }

    /// Waits for so long, or until the bell; is it closing time?
    fn wait(&self, time: Duration) -> bool {
        let is_here = self.is_here.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.bell.wait_timeout_while(is_here, time, |is_here| !*is_here);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// A worker's hand: asks for jobs and does them until closing time.
pub(super) fn labour(session: &Session, cluster: &str, hand: Hand, version: &str, job: &DoJob, closing: &ClosingTime) {
    let mut done: Option<JobResult> = None;
    let mut rest = Duration::ZERO;
    while !closing.wait(rest) {
        let request = JobRequest { hand, version: version.to_string(), done: done.clone() };
        let replies = ask(session, cluster, &request);
        if done.as_ref().is_some_and(|done| replies.iter().any(|reply| reply.board == done.board)) {
            done = None;
        }
        let offered = replies.into_iter().find_map(|reply| Some((reply.board, reply.job?)));
        rest = match offered {
            Some((board, (number, text))) if done.is_none() => {
                let has_missed = Cell::new(false);
                let result = job(&text, &|name| {
                    let parcel = fetch(session, cluster, name);
                    has_missed.set(has_missed.get() || parcel.is_none());
                    parcel
                });
                // Without what it needs the job is not done: asking again brings it again, here or elsewhere.
                done = (!has_missed.get()).then_some(JobResult { board, job: number, result });
                if has_missed.get() { IDLE } else { Duration::ZERO }
            }
            _ => IDLE,
        };
    }
}

fn ask(session: &Session, cluster: &str, request: &JobRequest) -> Vec<JobReply> {
    let question = session.get(key(cluster, "jobs")).payload(wire::seal(request.hand.worker, request));
    let Ok(replies) = question.timeout(ANSWER_TIME).wait() else { return Vec::new() };
    let read = |reply: zenoh::query::Reply| wire::open(&reply.into_result().ok()?.payload().to_bytes()).ok();
    replies.iter().filter_map(read).collect()
}

fn fetch(session: &Session, cluster: &str, name: u64) -> Option<Vec<u8>> {
    let replies = session.get(key(cluster, &format!("parcel/{name}"))).timeout(DELIVERY_TIME).wait().ok()?;
    let read = |reply: zenoh::query::Reply| Some(reply.into_result().ok()?.payload().to_bytes().into_owned());
    replies.iter().filter_map(read).find(|bytes| parcel_name(bytes) == name)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_hand_rests_though_somebody_unparks_its_thread_and_not_after_closing_time() {
        let closing = ClosingTime::default();
        let (began, rest) = (Instant::now(), Duration::from_millis(20));
        std::thread::current().unpark();
        assert!(!closing.wait(rest));
        assert!(began.elapsed() >= rest);
        closing.ring();
        assert!(closing.wait(Duration::MAX));
    }
}
