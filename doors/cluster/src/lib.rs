//! Room card: the cluster.
//!
//! For: many machines thinking about one move (Pachi 5.2), and games played elsewhere. A coordinator is one more
//! [`Searcher`](jigo_search::Searcher); a worker searches what it is told to.
//! May use: the board, the search, and what seals messages. The network is behind the feature `zenoh`; the protocol itself is
//! plain state that tests drive message by message.
//! Never enters: the workshop, printing, a clock of its own in the protocol.

mod channel;
mod coordinator;
mod decide;
mod jobs;
mod member;
mod merge;
#[cfg(feature = "zenoh")]
mod network;
mod outbox;
mod seal;
mod secret;
mod status;
mod task;
pub mod wire;

pub use channel::{Channel, Received};
pub use coordinator::Coordinator;
pub use decide::{PlayoutRule, Votes, is_decided};
pub use jobs::{
    FirstResult, JobBoard, JobReply, JobRequest, JobResult, JobSlot, ParcelName, ParcelPiece, ParcelRequest,
    collect_parcel, parcel_name,
};
pub use member::{Member, Order};
#[cfg(feature = "zenoh")]
pub use network::{
    Certificates, ClusterLink, ClusterSearcher, Coordination, CoordinatorService, DoJob, Event, Fetch, Hub, JobServer,
    LinkError, LinkOptions, SearchLog, Security, Work, ask, ask_status, work,
};
pub use seal::{Permission, Role, Seal, SecretSeal};
pub use secret::{SecretError, own_secret, read_secret};
pub use status::{ClusterStatus, Traffic, WorkerStatus};
pub use task::{Task, Unfit};
/// What a link is made of.
#[cfg(feature = "zenoh")]
pub use zenoh;
