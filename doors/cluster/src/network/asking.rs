//! Questions about a cluster, by whoever looks after it.

use std::time::Duration;

use zenoh::Session;

use super::link::{LinkError, LinkOptions, network};
use super::{ask_all, close, key};
use crate::status::Status;

const ANSWER_TIME: Duration = Duration::from_secs(2);

/// What every coordinator of the cluster answers; `question` is `status` or `ledger`.
pub fn ask(options: &LinkOptions, question: &str) -> Result<Vec<String>, LinkError> {
    let session = options.join()?;
    let answers = ask_in(&session, &options.cluster, question);
    close(&session);
    answers.map_err(network)
}

pub fn ask_status(options: &LinkOptions) -> Result<Vec<Status>, LinkError> {
    Ok(read_status(&ask(options, "status")?))
}

pub(super) fn ask_in(session: &Session, cluster: &str, question: &str) -> zenoh::Result<Vec<String>> {
    let answers = ask_all(session, &key(cluster, question), Vec::new(), ANSWER_TIME)?;
    Ok(answers.into_iter().filter_map(|answer| String::from_utf8(answer).ok()).collect())
}

pub(super) fn read_status(answers: &[String]) -> Vec<Status> {
    answers.iter().filter_map(|answer| serde_json::from_str(answer).ok()).collect()
}
