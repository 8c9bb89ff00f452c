//! The protocol carried by zenoh.

mod asking;
mod certificate;
mod coordinating;
mod job_client;
mod job_server;
mod link;
mod proof;
mod working;

pub use asking::{ask, ask_status};
pub use coordinating::{ClusterLink, ClusterSearcher, Coordination, CoordinatorService};
pub use job_client::{DoJob, Fetch};
pub use job_server::JobServer;
pub use link::{Certificates, LinkError, LinkOptions, Security};
pub use working::{Event, SearchLog, Work, work};

use std::time::Duration;

use zenoh::key_expr::KeyExpr;
use zenoh::query::{ConsolidationMode, Reply};
use zenoh::{Session, Wait};

/// The places of a cluster: reports, bulletins, jobs, what jobs need, signs of life of those who have jobs, questions about
/// the cluster, and whether a member keeps the place where we are.
const UP: &str = "up";
const DOWN: &str = "down";
const JOBS: &str = "jobs";
const PARCEL: &str = "parcel";
const HERE: &str = "here";
const STATUS: &str = "status";
const LEDGER: &str = "ledger";
const KEEPER: &str = "keeper";

/// Where messages go.
fn key(cluster: &str, what: &str) -> String {
    format!("jigo/{cluster}/{what}")
}

/// How long to wait with the next exchange of a search. Pauses grow from a tenth of the interval to all of it, so that
/// short searches do not end before their first one.
fn pause(interval: Duration, elapsed: Duration) -> Duration {
    elapsed.clamp(interval / 10, interval)
}

/// What everybody who is asked answers. Without the usual consolidation, which keeps one answer for each key: several
/// coordinators of a cluster have the same.
fn ask_all(session: &Session, key: &str, question: Vec<u8>, time: Duration) -> zenoh::Result<Vec<Vec<u8>>> {
    let asked = session.get(key).payload(question).timeout(time).consolidation(ConsolidationMode::None).wait()?;
    let read = |reply: Reply| Some(reply.into_result().ok()?.payload().to_bytes().into_owned());
    Ok(asked.iter().filter_map(read).collect())
}

/// What a key ends with: the number of a worker.
fn last_word<'a>(key: &'a KeyExpr<'_>) -> &'a str {
    key.as_str().rsplit('/').next().unwrap_or("")
}

/// A hub: lets members of several networks meet, and does nothing else. Lives as long as the value.
pub struct Hub {
    _session: Session,
}

impl Hub {
    pub fn open(options: &LinkOptions) -> Result<Hub, LinkError> {
        Ok(Hub { _session: options.host(&options.credentials()?)? })
    }
}

/// Names that are never used twice and that nobody foresees, without asking anybody.
fn fresh_id() -> u64 {
    u64::from_le_bytes(crate::seal::random_bytes()).max(1)
}

/// Closing may fail only if the network is gone already.
fn close(session: &Session) {
    session.close().wait().ok();
}
