//! A place where members meet proves that one of them keeps it. Opening a link proves us to its keeper only, and a stranger's
//! router may let everybody in; so whoever goes in asks first, and nobody but a member of now can answer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use zenoh::query::Query;
use zenoh::{Session, Wait};

use super::{KEEPER, ask_all, fresh_id, key};
use crate::channel::Channel;
use crate::seal::{Role, Seal};

/// For the answer, and for a keeper that has opened its door and not yet begun to answer.
const PATIENCE: Duration = Duration::from_secs(4);
const PAUSE: Duration = Duration::from_millis(100);

/// Answers for as long as the session is open.
pub(super) fn answer_for(session: &Session, cluster: &str, seal: &Arc<dyn Seal>) -> zenoh::Result<()> {
    let (name, seal) = (cluster.to_string(), seal.clone());
    let answers =
        session.declare_queryable(key(cluster, KEEPER)).callback(move |query| answer(&query, &name, seal.clone()));
    answers.background().wait()
}

/// A channel for each question: nothing is kept of those who ask.
fn answer(query: &Query, cluster: &str, seal: Arc<dyn Seal>) {
    let Some(payload) = query.payload() else { return };
    let mut channel = Channel::new(seal, cluster, fresh_id(), Role::Observer);
    if let Ok(asked) = channel.open::<()>(KEEPER, Role::Observer, &payload.to_bytes()) {
        let (bytes, _) = channel.close(KEEPER, Some((asked.sender, asked.sequence)), &());
        query.reply(query.key_expr().clone(), bytes).wait().ok();
    }
}

/// Does a member keep this place, or one that it is connected to?
pub(super) fn is_kept_by_member(session: &Session, cluster: &str, seal: &Arc<dyn Seal>) -> bool {
    let until = Instant::now() + PATIENCE;
    loop {
        let mut channel = Channel::new(seal.clone(), cluster, fresh_id(), Role::Observer);
        let (question, number) = channel.close(KEEPER, None, &());
        let asked = Some((channel.id(), number));
        let left = until.saturating_duration_since(Instant::now());
        let answers = ask_all(session, &key(cluster, KEEPER), question, left.max(PAUSE)).unwrap_or_default();
        let mut is_proof = |answer: Vec<u8>| {
            channel.open::<()>(KEEPER, Role::Observer, &answer).is_ok_and(|heard| heard.answers == asked)
        };
        if answers.into_iter().any(&mut is_proof) {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(PAUSE);
    }
}
