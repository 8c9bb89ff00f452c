//! Questions about a cluster, by whoever looks after it.

use std::sync::Arc;
use std::time::Duration;

use zenoh::Session;

use super::link::{LinkError, LinkOptions, network};
use super::{ask_all, close, fresh_id, key};
use crate::channel::Channel;
use crate::seal::{Role, Seal};
use crate::status::ClusterStatus;

const ANSWER_TIME: Duration = Duration::from_secs(2);

/// What every coordinator of the cluster answers; `question` is `status` or `ledger`.
pub fn ask(options: &LinkOptions, question: &str) -> Result<Vec<String>, LinkError> {
    let credentials = options.credentials()?;
    let (session, _) = options.join(&credentials, &[])?;
    let answers = ask_in(&session, &options.cluster, credentials.seal, question);
    close(&session);
    answers.map_err(network)
}

pub fn ask_status(options: &LinkOptions) -> Result<Vec<ClusterStatus>, LinkError> {
    Ok(read_status(&ask(options, "status")?))
}

pub(super) fn ask_in(
    session: &Session,
    cluster: &str,
    seal: Arc<dyn Seal>,
    question: &str,
) -> zenoh::Result<Vec<String>> {
    let mut channel = Channel::new(seal, cluster, fresh_id(), Role::Observer);
    let (bytes, number) = channel.close(question, None, &());
    let asked = Some((channel.id(), number));
    let answers = ask_all(session, &key(cluster, question), bytes, ANSWER_TIME)?;
    let open = |answer: Vec<u8>| {
        let heard = channel.open(question, Role::Coordinator, &answer).ok()?;
        (heard.answers == asked).then_some(heard.body)
    };
    Ok(answers.into_iter().filter_map(open).collect())
}

pub(super) fn read_status(answers: &[String]) -> Vec<ClusterStatus> {
    answers.iter().filter_map(|answer| serde_json::from_str(answer).ok()).collect()
}
