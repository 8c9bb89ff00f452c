//! Work that is done elsewhere, at least once each and counted once: a board of jobs, from which workers take and to which
//! they bring results. Where results are kept for good is the business of whoever puts up the board.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::wire::another_version;

/// One who takes jobs: a worker may have several slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobSlot {
    pub worker: u64,
    pub number: u16,
}

/// From a worker's slot to the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobRequest {
    /// Which slot of the sender.
    pub slot: u16,
    pub version: String,
    /// What it has done; said again until somebody answers.
    pub done: Option<JobResult>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobResult {
    pub board: u64,
    pub job: u64,
    pub result: Result<String, String>,
}

/// The board's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobReply {
    pub board: u64,
    pub job: Option<(u64, String)>,
    /// Why this worker gets no jobs here at all.
    pub refusal: Option<String>,
    /// We meet for the first time: ask once more.
    pub ask_again: bool,
}

/// A job and what came of it, or why it could not be done.
pub type FirstResult = (u64, Result<String, String>);

/// The name of something large that jobs need and a worker asks for by it: the SHA-256 digest of its bytes, so that nobody finds
/// two things of one name.
pub type ParcelName = [u8; 32];

pub fn parcel_name(bytes: &[u8]) -> ParcelName {
    Sha256::digest(bytes).into()
}

/// From a worker to whoever lends: the next piece of a parcel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParcelRequest {
    pub name: ParcelName,
    pub piece: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParcelPiece {
    /// How many there are.
    pub pieces: u32,
    pub bytes: Vec<u8>,
}

/// Fits into a message.
const PIECE: usize = 128 * 1024;
/// A parcel of 512 MB: more than any net.
const MOST_PIECES: u32 = 4096;

impl ParcelPiece {
    pub fn of(parcel: &[u8], piece: u32) -> Option<ParcelPiece> {
        let bytes = parcel.chunks(PIECE).nth(piece as usize)?.to_vec();
        Some(ParcelPiece { pieces: parcel.len().div_ceil(PIECE) as u32, bytes })
    }
}

/// A parcel put together from its pieces, if it is the one that was asked for.
pub fn collect_parcel(name: ParcelName, mut ask: impl FnMut(ParcelRequest) -> Option<ParcelPiece>) -> Option<Vec<u8>> {
    let mut parcel = Vec::new();
    for piece in 0..MOST_PIECES {
        let ParcelPiece { pieces, bytes } = ask(ParcelRequest { name, piece })?;
        parcel.extend(bytes);
        if piece + 1 >= pieces {
            break;
        }
    }
    (parcel_name(&parcel) == name).then_some(parcel)
}

pub struct JobBoard {
    id: u64,
    version: String,
    jobs: BTreeMap<u64, Job>,
}

struct Job {
    text: String,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    With(JobSlot),
    Done,
}

impl JobBoard {
    pub fn new(id: u64, version: String) -> JobBoard {
        JobBoard { id, version, jobs: BTreeMap::new() }
    }

    pub fn put(&mut self, job: u64, text: String) {
        self.jobs.entry(job).or_insert(Job { text, state: State::Waiting });
    }

    /// Nothing that still waits is wanted any more.
    pub fn clear(&mut self) {
        self.jobs.retain(|_, job| job.state == State::Done);
    }

    pub fn is_done(&self) -> bool {
        self.jobs.values().all(|job| job.state == State::Done)
    }

    /// Takes a result and hands out the next job. The result is given back if it is the first of its job.
    pub fn serve(&mut self, worker: u64, request: JobRequest) -> (JobReply, Option<FirstResult>) {
        let first = request.done.filter(|done| done.board == self.id).and_then(|done| self.finish(done));
        let refusal = another_version(&request.version, &self.version, "the jobs are for");
        let job = if refusal.is_none() { self.take(JobSlot { worker, number: request.slot }) } else { None };
        (JobReply { board: self.id, job, refusal, ask_again: false }, first)
    }

    /// The answer to one that may be an echo of somebody long gone: it gets nothing before it has asked again.
    pub fn greet(&self) -> JobReply {
        JobReply { board: self.id, job: None, refusal: None, ask_again: true }
    }

    fn finish(&mut self, done: JobResult) -> Option<FirstResult> {
        let job = self.jobs.get_mut(&done.job).filter(|job| job.state != State::Done)?;
        job.state = State::Done;
        Some((done.job, done.result))
    }

    /// A slot that asks again has lost our answer: it gets the same job.
    fn take(&mut self, slot: JobSlot) -> Option<(u64, String)> {
        let find = |state: State| self.jobs.iter().find(|(_, job)| job.state == state).map(|(&number, _)| number);
        let number = find(State::With(slot)).or_else(|| find(State::Waiting))?;
        let job = self.jobs.get_mut(&number)?;
        job.state = State::With(slot);
        Some((number, job.text.clone()))
    }

    /// This worker is gone: others may do what it had taken.
    pub fn lost(&mut self, worker: u64) {
        for job in self.jobs.values_mut() {
            if matches!(job.state, State::With(slot) if slot.worker == worker) {
                job.state = State::Waiting;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_board::Rng;

    fn request(done: Option<(u64, &str)>) -> JobRequest {
        let done = done.map(|(job, text)| JobResult { board: 9, job, result: Ok(text.into()) });
        JobRequest { slot: 0, version: "1".into(), done }
    }

    #[test]
    fn a_parcel_arrives_whole_or_not_at_all() {
        let parcel: Vec<u8> = (0..300_000u32).map(|number| number as u8).collect();
        let ask = |request: ParcelRequest| ParcelPiece::of(&parcel, request.piece);
        assert_eq!(collect_parcel(parcel_name(&parcel), ask), Some(parcel.clone()));
        let bent = |request: ParcelRequest| {
            let mut piece = ParcelPiece::of(&parcel, request.piece)?;
            piece.bytes[0] ^= u8::from(request.piece == 1);
            Some(piece)
        };
        assert_eq!(collect_parcel(parcel_name(&parcel), bent), None);
        assert_eq!(collect_parcel(parcel_name(&parcel), |_| None), None);
    }

    fn board(jobs: u64) -> JobBoard {
        let mut board = JobBoard::new(9, "1".into());
        (0..jobs).for_each(|job| board.put(job, format!("job {job}")));
        board
    }

    #[test]
    fn a_lost_answer_and_a_lost_worker_cost_nothing() {
        let mut board = board(2);
        assert_eq!(board.serve(1, request(None)).0.job, Some((0, "job 0".into())));
        assert_eq!(board.serve(1, request(None)).0.job, Some((0, "job 0".into())), "asked again");
        assert_eq!(board.serve(2, request(None)).0.job, Some((1, "job 1".into())));
        assert_eq!(board.serve(3, request(None)).0.job, None);
        board.lost(1);
        assert_eq!(board.serve(3, request(None)).0.job, Some((0, "job 0".into())));
        // The one believed dead brings its result first; the other's then counts for nothing.
        assert!(board.serve(1, request(Some((0, "a")))).1.is_some());
        assert!(board.serve(3, request(Some((0, "b")))).1.is_none());
        assert!(!board.is_done());
        assert!(board.serve(2, request(Some((1, "c")))).1.is_some());
        assert!(board.is_done());
    }

    #[test]
    fn another_version_gets_no_work_and_hears_why() {
        let mut board = board(1);
        let old = JobRequest { version: "0".into(), ..request(None) };
        let reply = board.serve(1, old).0;
        assert_eq!(
            (reply.job, reply.refusal),
            (None, Some(r#"the worker has version "0", the jobs are for "1""#.into()))
        );
        assert_eq!(board.serve(1, request(None)).0.refusal, None);
    }

    #[test]
    fn every_job_is_counted_once_however_messages_and_workers_get_lost() {
        for seed in 0..50 {
            let mut rng = Rng::new(seed);
            let mut board = board(30);
            let mut holding: [Option<u64>; 4] = [None; 4];
            let mut counted = Vec::new();
            while !board.is_done() {
                let worker = rng.below(4);
                if rng.below(20) == 0 {
                    board.lost(worker as u64);
                    // Half of the time it only seemed so.
                    holding[worker] = holding[worker].filter(|_| rng.below(2) == 0);
                    continue;
                }
                let request_lost = rng.below(4) == 0;
                if request_lost {
                    continue;
                }
                let (reply, first) = board.serve(worker as u64, request(holding[worker].map(|job| (job, "x"))));
                counted.extend(first.map(|(job, _)| job));
                let reply_lost = rng.below(4) == 0;
                if !reply_lost {
                    holding[worker] = reply.job.map(|(job, _)| job);
                }
            }
            counted.sort();
            assert_eq!(counted, (0..30).collect::<Vec<_>>(), "seed {seed}");
        }
    }
}
