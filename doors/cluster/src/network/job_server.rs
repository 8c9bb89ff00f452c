//! Jobs over the network: a board that workers ask.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use zenoh::Wait;
use zenoh::query::Query;
use zenoh::sample::SampleKind;

use super::coordinating::ClusterLink;
use super::link::{LinkError, network};
use super::{HERE, JOBS, PARCEL, fresh_id, key, last_word};
use crate::channel::{Channel, Received};
use crate::jobs::{FirstResult, JobBoard, JobRequest, ParcelName, ParcelPiece, ParcelRequest, parcel_name};
use crate::seal::Role;

/// Between two looks whether all jobs are done.
const LOOK: Duration = Duration::from_secs(1);
/// Between two signs of life: a worker that hears nothing at all looks for another way to the cluster.
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);
/// Parcels that are lent at a time; what was lent earlier is not needed any more.
const MOST_PARCELS: usize = 4;

/// Jobs for the workers of a cluster, and their results as they come.
pub struct JobServer {
    board: Arc<Mutex<JobBoard>>,
    parcels: Arc<Mutex<Parcels>>,
    results: Receiver<FirstResult>,
    /// Subscriptions and answers; they end with us.
    _subscriptions: Vec<Box<dyn Any + Send>>,
    /// The signs of life end when this is dropped.
    _alive: Sender<()>,
    _link: Arc<ClusterLink>,
}

/// Large things that jobs need, by name, the latest last.
type Parcels = VecDeque<(ParcelName, Arc<[u8]>)>;

/// Nothing here is ever left half changed, so a panic elsewhere does not spoil it.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl JobServer {
    pub fn open(link: Arc<ClusterLink>, version: &str) -> Result<JobServer, LinkError> {
        let board = Arc::new(Mutex::new(JobBoard::new(fresh_id(), version.to_string())));
        let (send, results) = channel();
        let channel = Arc::new(Mutex::new(link.channel(Role::Jobs)));
        let (asked, speaker) = (board.clone(), channel.clone());
        let answers = link.session().declare_queryable(key(link.cluster(), JOBS)).callback(move |query| {
            let Some(request) = open::<JobRequest>(&speaker, JOBS, &query) else { return };
            let mut board = locked(&asked);
            let (reply, first) =
                if request.is_present { board.serve(request.sender, request.body) } else { (board.greet(), None) };
            // Sent before anybody can see that the board is done.
            if let Some(result) = first {
                send.send(result).ok();
            }
            drop(board);
            answer(&speaker, JOBS, &query, (request.sender, request.sequence), &reply);
        });
        let parcels = Arc::new(Mutex::new(Parcels::new()));
        let (lent, speaker) = (parcels.clone(), channel.clone());
        let deliveries = link.session().declare_queryable(key(link.cluster(), PARCEL)).callback(move |query| {
            let Some(request) = open::<ParcelRequest>(&speaker, PARCEL, &query) else { return };
            let ParcelRequest { name, piece } = request.body;
            let parcel = locked(&lent).iter().find(|(known, _)| name == *known).map(|(_, bytes)| bytes.clone());
            let found = parcel.filter(|_| request.is_present).and_then(|bytes| ParcelPiece::of(&bytes, piece));
            if let Some(found) = found {
                answer(&speaker, PARCEL, &query, (request.sender, request.sequence), &found);
            }
        });
        let watched = board.clone();
        let lives =
            link.session().liveliness().declare_subscriber(key(link.cluster(), "alive/*")).callback(move |sample| {
                if let (SampleKind::Delete, Ok(worker)) = (sample.kind(), last_word(sample.key_expr()).parse()) {
                    locked(&watched).lost(worker);
                }
            });
        let subscriptions: Vec<Box<dyn Any + Send>> = vec![
            Box::new(answers.wait().map_err(network)?),
            Box::new(deliveries.wait().map_err(network)?),
            Box::new(lives.wait().map_err(network)?),
        ];
        let _alive = show_life(&link, channel);
        Ok(JobServer { board, parcels, results, _subscriptions: subscriptions, _alive, _link: link })
    }

    pub fn put(&self, job: u64, text: String) {
        locked(&self.board).put(job, text);
    }

    /// Something too large for the text of a job; workers get it by the name that is given back.
    pub fn lend(&self, bytes: Vec<u8>) -> ParcelName {
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

/// A question from a worker, if it is one.
fn open<T: DeserializeOwned>(channel: &Mutex<Channel>, place: &str, query: &Query) -> Option<Received<T>> {
    locked(channel).open(place, Role::Worker, &query.payload()?.to_bytes()).ok()
}

fn answer(channel: &Mutex<Channel>, place: &str, query: &Query, to: (u64, u64), body: &impl Serialize) {
    let (bytes, _) = locked(channel).close(place, Some(to), body);
    query.reply(query.key_expr().clone(), bytes).wait().ok();
}

fn show_life(link: &ClusterLink, speaker: Arc<Mutex<Channel>>) -> Sender<()> {
    let (alive, is_gone) = channel();
    let (session, here) = (link.session().clone(), key(link.cluster(), HERE));
    std::thread::spawn(move || {
        while is_gone.recv_timeout(SIGN_OF_LIFE) == Err(RecvTimeoutError::Timeout) {
            let (bytes, _) = locked(&speaker).close(HERE, None, &());
            session.put(&here, bytes).wait().ok();
        }
    });
    alive
}
