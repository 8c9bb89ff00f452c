//! One member's end of the conversation: it proves what it says, and knows what of the rest is said by members, to it, now.
//!
//! Whoever carries the messages may keep them and send them again. Within one life of a sender its numbers tell. A message from
//! an earlier time is told by names: each process has one of its own, drawn at random, and says whom it has heard. Only a
//! sender that has named us has spoken since we are here; before that it is greeted, and nothing else it says counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::seal::{Role, Seal};
use crate::wire::{self, Unreadable};

/// Members that one process ever hears; the next ones are turned away.
const MOST_PEERS: usize = 65_536;
/// Names in one message; whoever is left out is greeted in a later one.
const MOST_GREETINGS: usize = 256;
/// How far messages may overtake each other.
const WINDOW: u64 = 64;

pub struct Channel {
    seal: Arc<dyn Seal>,
    cluster: String,
    id: u64,
    role: Role,
    sequence: u64,
    peers: BTreeMap<u64, Peer>,
    /// Messages heard so far, which orders the peers.
    heard: u64,
}

#[derive(Default)]
struct Peer {
    last: u64,
    /// Which of the numbers up to the last have come, the last in the lowest bit.
    seen: u64,
    /// It has named us.
    is_present: bool,
    /// It has said that we named it.
    knows_us: bool,
    heard_at: u64,
}

/// The beginning of every message, sealed with the rest.
#[derive(Serialize, Deserialize)]
struct Head {
    sender: u64,
    role: Role,
    sequence: u64,
    /// Whom the sender has heard, and whether it has been named by them.
    greets: Vec<(u64, bool)>,
    /// The question to which this is the answer, by sender and number.
    answers: Option<(u64, u64)>,
}

/// A message from a member.
#[derive(Debug, PartialEq)]
pub struct Received<T> {
    pub sender: u64,
    pub sequence: u64,
    /// It was said since we are here, and for the first time.
    pub is_present: bool,
    /// The first that was.
    pub is_new: bool,
    pub answers: Option<(u64, u64)>,
    pub body: T,
}

impl Channel {
    /// `id` must be one that nobody ever had.
    pub fn new(seal: Arc<dyn Seal>, cluster: &str, id: u64, role: Role) -> Channel {
        Channel { seal, cluster: cluster.to_string(), id, role, sequence: 0, peers: BTreeMap::new(), heard: 0 }
    }

    pub fn id(&self) -> u64 {
        self.id
    }

    /// A message for a place of the cluster, and its number.
    pub fn close(&mut self, place: &str, answers: Option<(u64, u64)>, body: &impl Serialize) -> (Vec<u8>, u64) {
        self.sequence += 1;
        let head =
            Head { sender: self.id, role: self.role, sequence: self.sequence, greets: self.greetings(), answers };
        let plain = postcard::to_stdvec(&(head, body)).expect("plain data can always be written to memory");
        (wire::envelope(self.seal.close(&self.context(place), self.role, &plain)), self.sequence)
    }

    /// Those who may not know yet that we hear them, the latest first.
    fn greetings(&self) -> Vec<(u64, bool)> {
        let mut unaware: Vec<(&u64, &Peer)> = self.peers.iter().filter(|(_, peer)| !peer.knows_us).collect();
        unaware.sort_by_key(|(_, peer)| std::cmp::Reverse(peer.heard_at));
        unaware.truncate(MOST_GREETINGS);
        unaware.into_iter().map(|(&id, peer)| (id, peer.is_present)).collect()
    }

    /// What a member in this role said at this place.
    pub fn open<T: DeserializeOwned>(
        &mut self,
        place: &str,
        role: Role,
        bytes: &[u8],
    ) -> Result<Received<T>, Unreadable> {
        let largest = if self.role == Role::Observer { wire::LARGEST_ANSWER } else { wire::LARGEST_MESSAGE };
        let sealed = wire::unwrapped(bytes, largest)?;
        let (plain, permission) = self.seal.open(&self.context(place), sealed).ok_or(Unreadable::Stranger)?;
        let (head, body): (Head, T) = match postcard::take_from_bytes(&plain) {
            Ok((message, [])) => message,
            _ => return Err(Unreadable::Malformed),
        };
        if head.role != role || !permission.allows(role) || head.sender == self.id {
            return Err(Unreadable::Role);
        }
        let named = head.greets.iter().find(|(id, _)| *id == self.id);
        let (is_present, is_new) = self.know(&head, named.copied())?;
        let Head { sender, sequence, answers, .. } = head;
        Ok(Received { sender, sequence, is_present, is_new, answers, body })
    }

    fn know(&mut self, head: &Head, named: Option<(u64, bool)>) -> Result<(bool, bool), Unreadable> {
        if self.peers.len() >= MOST_PEERS && !self.peers.contains_key(&head.sender) {
            // Those who never named us may be echoes of the dead.
            self.peers.retain(|_, peer| peer.is_present);
            if self.peers.len() >= MOST_PEERS {
                return Err(Unreadable::Repeated);
            }
        }
        self.heard += 1;
        let peer = self.peers.entry(head.sender).or_default();
        if !peer.is_first(head.sequence) {
            return Err(Unreadable::Repeated);
        }
        peer.heard_at = self.heard;
        let is_new = named.is_some() && !peer.is_present;
        peer.is_present |= named.is_some();
        peer.knows_us |= named.is_some_and(|(_, is_present)| is_present);
        Ok((peer.is_present, is_new))
    }

    fn context(&self, place: &str) -> Vec<u8> {
        format!("{} {}/{place}", wire::PROTOCOL, self.cluster).into_bytes()
    }
}

impl Peer {
    /// Has no message of this number come before? It has now.
    fn is_first(&mut self, sequence: u64) -> bool {
        if sequence > self.last {
            let ahead = sequence - self.last;
            self.seen = if ahead < WINDOW { self.seen << ahead } else { 0 } | 1;
            self.last = sequence;
            return true;
        }
        let behind = self.last - sequence;
        let is_first = behind < WINDOW && self.seen >> behind & 1 == 0;
        if is_first {
            self.seen |= 1 << behind;
        }
        is_first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::SecretSeal;

    fn channels<const N: usize>(roles: [(u64, Role); N]) -> [Channel; N] {
        let seal: Arc<dyn Seal> = Arc::new(SecretSeal::new("open sesame", "home"));
        roles.map(|(id, role)| Channel::new(seal.clone(), "home", id, role))
    }

    fn say(channel: &mut Channel, place: &str) -> Vec<u8> {
        channel.close(place, None, &7u32).0
    }

    #[test]
    fn two_who_have_named_each_other_hear_each_other_from_then_on() {
        let [mut chief, mut worker] = channels([(1, Role::Coordinator), (2, Role::Worker)]);
        let report = say(&mut worker, "up");
        assert!(!chief.open::<u32>("up", Role::Worker, &report).unwrap().is_present, "only a greeting");
        let bulletin = say(&mut chief, "down");
        let heard = worker.open::<u32>("down", Role::Coordinator, &bulletin).unwrap();
        assert!(heard.is_present && heard.is_new && heard.body == 7);
        let report = say(&mut worker, "up");
        assert!(chief.open::<u32>("up", Role::Worker, &report).unwrap().is_new);
        let bulletin = say(&mut chief, "down");
        let heard = worker.open::<u32>("down", Role::Coordinator, &bulletin).unwrap();
        assert!(heard.is_present && !heard.is_new);
        assert!(chief.greetings().is_empty(), "nothing more to say about it");
    }

    #[test]
    fn what_is_sent_again_counts_once_and_what_overtakes_counts() {
        let [mut chief, mut worker] = channels([(1, Role::Coordinator), (2, Role::Worker)]);
        let reports: Vec<Vec<u8>> = (0..100).map(|_| say(&mut worker, "up")).collect();
        for number in [0, 2, 1, 99, 98, 40] {
            assert!(chief.open::<u32>("up", Role::Worker, &reports[number]).is_ok(), "{number}");
        }
        for number in [0, 1, 2, 40, 98, 99, 3] {
            let again = chief.open::<u32>("up", Role::Worker, &reports[number]);
            assert_eq!(again, Err(Unreadable::Repeated), "{number}");
        }
    }

    #[test]
    fn a_message_kept_from_an_earlier_time_is_no_order() {
        let [mut chief, mut old] = channels([(1, Role::Coordinator), (2, Role::Worker)]);
        let report = say(&mut old, "up");
        chief.open::<u32>("up", Role::Worker, &report).unwrap();
        let kept = say(&mut chief, "down");
        assert!(old.open::<u32>("down", Role::Coordinator, &kept).unwrap().is_present);
        let [mut young] = channels([(3, Role::Worker)]);
        assert!(!young.open::<u32>("down", Role::Coordinator, &kept).unwrap().is_present);
        assert_eq!(young.open::<u32>("down", Role::Coordinator, &kept), Err(Unreadable::Repeated));
    }

    #[test]
    fn strangers_roles_and_places_are_told_apart() {
        let [mut chief, mut worker] = channels([(1, Role::Coordinator), (2, Role::Worker)]);
        let stranger: Arc<dyn Seal> = Arc::new(SecretSeal::new("open barley", "home"));
        let mut stranger = Channel::new(stranger, "home", 3, Role::Coordinator);
        let lie = say(&mut stranger, "down");
        assert_eq!(worker.open::<u32>("down", Role::Coordinator, &lie), Err(Unreadable::Stranger));
        // A worker that plays the coordinator, a message in another place, and our own words as an echo.
        let report = say(&mut worker, "down");
        let [mut other] = channels([(4, Role::Worker)]);
        assert_eq!(other.open::<u32>("down", Role::Coordinator, &report), Err(Unreadable::Role));
        let bulletin = say(&mut chief, "down");
        assert_eq!(other.open::<u32>("jobs", Role::Coordinator, &bulletin), Err(Unreadable::Stranger));
        assert_eq!(chief.open::<u32>("down", Role::Coordinator, &bulletin), Err(Unreadable::Role));
        assert_eq!(other.open::<String>("down", Role::Coordinator, &bulletin), Err(Unreadable::Malformed));
    }

    #[test]
    fn whoever_has_a_workers_pass_works_and_is_not_obeyed() {
        let [mut chief, mut worker] = channels([(1, Role::Coordinator), (2, Role::Worker)]);
        let pass = SecretSeal::new("open sesame", "home").worker_pass();
        let seal: Arc<dyn Seal> = Arc::new(SecretSeal::from_pass(&pass).unwrap());
        let mut guest = Channel::new(seal.clone(), "home", 3, Role::Worker);
        let report = say(&mut guest, "up");
        assert!(chief.open::<u32>("up", Role::Worker, &report).is_ok());
        let bulletin = say(&mut chief, "down");
        assert!(guest.open::<u32>("down", Role::Coordinator, &bulletin).unwrap().is_present);
        for (role, place) in [(Role::Coordinator, "down"), (Role::Jobs, "here")] {
            let mut usurper = Channel::new(seal.clone(), "home", 4, role);
            let order = say(&mut usurper, place);
            assert_eq!(worker.open::<u32>(place, role, &order), Err(Unreadable::Role));
        }
    }
}
