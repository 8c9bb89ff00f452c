//! Jobs over the network: a board that workers ask.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use zenoh::Wait;
use zenoh::sample::SampleKind;

use super::coordinating::ClusterLink;
use super::link::{LinkError, network};
use super::{fresh_id, key, last_word};
use crate::jobs::{FirstResult, JobBoard, JobRequest, parcel_name};
use crate::wire;

/// Between two looks whether all jobs are done.
const LOOK: Duration = Duration::from_secs(1);
/// Between two signs of life: a worker that hears nothing at all looks for another way to the cluster.
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);
/// Parcels that are lent at a time; what was lent earlier is not needed any more.
const MOST_PARCELS: usize = 4;

/// Jobs for the workers of a cluster, and their results as they come.
pub struct JobOffice {
    board: Arc<Mutex<JobBoard>>,
    parcels: Arc<Mutex<Parcels>>,
    results: Receiver<FirstResult>,
    /// Subscriptions and answers; they end with us.
    _ears: Vec<Box<dyn Any + Send>>,
    /// The signs of life end when this is dropped.
    _alive: Sender<()>,
    _link: Arc<ClusterLink>,
}

/// Large things that jobs need, by name, the latest last.
type Parcels = VecDeque<(u64, Arc<[u8]>)>;

/// Nothing here is ever left half changed, so a panic elsewhere does not spoil it.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JobOffice {
    pub fn open(link: Arc<ClusterLink>, version: &str) -> Result<JobOffice, LinkError> {
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
        let ears: Vec<Box<dyn Any + Send>> = vec![
            Box::new(answers.wait().map_err(network)?),
            Box::new(deliveries.wait().map_err(network)?),
            Box::new(lives.wait().map_err(network)?),
        ];
        let _alive = show_life(&link);
        Ok(JobOffice { board, parcels, results, _ears: ears, _alive, _link: link })
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
            match self.results.recv_timeout(if is_done { Duration::ZERO } else { LOOK }) {
                Ok(result) => return Some(result),
                Err(_) if is_done => return None,
                Err(_) => {}
            }
        }
    }
}

fn show_life(link: &ClusterLink) -> Sender<()> {
    let (alive, is_gone) = channel();
    let (session, here) = (link.session().clone(), key(link.cluster(), "here"));
    std::thread::spawn(move || {
        while is_gone.recv_timeout(SIGN_OF_LIFE) == Err(RecvTimeoutError::Timeout) {
            session.put(&here, []).wait().ok();
        }
    });
    alive
}
