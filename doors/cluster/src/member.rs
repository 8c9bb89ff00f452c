//! A worker without its network: whose search it is in, what it has found, and what the others have.

use std::collections::VecDeque;
use std::time::Duration;

use jigo_search::{Counts, Path, Rank};

use crate::outbox::Outbox;
use crate::task::Task;
use crate::wire::{Bulletin, Ongoing, Passport, Unreadable, WireNode, WorkerReport};

/// A coordinator that has said nothing for so long is not worked for any more.
const SILENCE: Duration = Duration::from_secs(5);
/// Finished searches whose last word has not been heard yet.
const MOST_UNDELIVERED: usize = 4;
/// Without a search, a sign of life every so often.
const IDLE_INTERVAL: Duration = Duration::from_millis(400);

pub struct Member {
    id: u64,
    name: String,
    passport: Passport,
    threads: u16,
    master: Option<Master>,
    current: Option<Current>,
    /// Searches that are over, oldest first, until the coordinator knows all of them.
    undelivered: VecDeque<Outbox>,
    declines: Option<(u64, String)>,
    refused: Option<String>,
    dropped: u64,
}

struct Master {
    id: u64,
    last_heard: Duration,
    last_bulletin: u64,
    interval: Duration,
}

struct Current {
    outbox: Outbox,
    rank: Rank,
    /// News from the others that the search has not taken yet.
    others: Vec<(Path, Counts)>,
}

/// What a bulletin means for the one who searches.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Nothing new.
    Continue,
    /// Leave whatever you do and think about this; the coordinator has been at it for so long.
    Think { search: u64, task: Box<Task>, elapsed: Duration },
    /// Stop thinking.
    Rest,
}

impl Member {
    pub fn new(id: u64, name: String, passport: Passport, threads: u16) -> Member {
        Member {
            id,
            name,
            passport,
            threads,
            master: None,
            current: None,
            undelivered: VecDeque::new(),
            declines: None,
            refused: None,
            dropped: 0,
        }
    }

    /// Messages from the coordinator that could not be read.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Why the coordinator does not want us.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// A message came that is no bulletin of a coordinator of ours.
    pub fn drop_unread(&mut self, why: Unreadable) {
        self.dropped += 1;
        if matches!(why, Unreadable::OtherProtocol(_)) {
            self.refused = Some(why.to_string());
        }
    }

    /// A bulletin from a coordinator that is there.
    pub fn receive(&mut self, coordinator: u64, bulletin: Bulletin, now: Duration) -> Order {
        if !self.follows(coordinator, &bulletin, now) {
            return Order::Continue;
        }
        for known in bulletin.known.iter().filter(|known| known.worker == self.id) {
            if let Some(outbox) = self.undelivered.iter_mut().find(|outbox| outbox.search() == known.search) {
                outbox.answer(known.sequence);
            }
        }
        self.undelivered.retain(|outbox| !outbox.is_delivered());
        self.refused = bulletin.refusals.iter().find(|(id, _)| *id == self.id).map(|(_, reason)| reason.clone());
        match bulletin.search {
            Some(ongoing) if self.refused.is_none() => self.follow(ongoing),
            _ => self.rest(),
        }
    }

    /// One coordinator at a time: another one is heard when ours has no search or has fallen silent.
    fn follows(&mut self, coordinator: u64, bulletin: &Bulletin, now: Duration) -> bool {
        let interval = Duration::from_millis(bulletin.interval.clamp(10, 60_000).into());
        match &mut self.master {
            Some(master) if master.id == coordinator => {
                if bulletin.number <= master.last_bulletin {
                    return false;
                }
                master.last_heard = now;
                master.last_bulletin = bulletin.number;
                master.interval = interval;
                true
            }
            // Between searches whoever has one may have us.
            Some(master)
                if (self.current.is_some() || bulletin.search.is_none())
                    && now.saturating_sub(master.last_heard) < SILENCE =>
            {
                false
            }
            _ => {
                self.master =
                    Some(Master { id: coordinator, last_heard: now, last_bulletin: bulletin.number, interval });
                true
            }
        }
    }

    /// Has our coordinator been silent for too long to work for?
    pub fn is_abandoned(&self, now: Duration) -> bool {
        self.master.as_ref().is_none_or(|master| now.saturating_sub(master.last_heard) >= SILENCE)
    }

    fn follow(&mut self, ongoing: Ongoing) -> Order {
        let number = ongoing.workers.iter().position(|&(worker, _)| worker == self.id);
        let rank = Rank { number: number.map_or(0, |n| n as u32 + 1), of: ongoing.workers.len() as u32 + 1 };
        if let Some(current) = self.current.as_mut().filter(|current| current.outbox.search() == ongoing.id) {
            current.rank = rank;
            if let Some((_, known)) = number.map(|number| ongoing.workers[number])
                && let Some(totals) = ongoing.nodes.iter().map(WireNode::read).collect::<Option<Vec<_>>>()
            {
                current.outbox.answer(known);
                current.others.extend(current.outbox.receive(ongoing.base, ongoing.sequence, known, &totals));
            }
            return Order::Continue;
        }
        let ended = self.rest();
        let is_declined = self.declines.as_ref().is_some_and(|(search, _)| *search == ongoing.id);
        match ongoing.task {
            Some(task) if !is_declined => {
                let earlier = self.undelivered.iter().position(|outbox| outbox.search() == ongoing.id);
                let outbox = match earlier.and_then(|index| self.undelivered.remove(index)) {
                    Some(outbox) => outbox.resumed(),
                    None => Outbox::new(ongoing.id, task.position),
                };
                self.current = Some(Current { outbox, rank, others: Vec::new() });
                let elapsed = Duration::from_millis(ongoing.elapsed_ms);
                Order::Think { search: ongoing.id, task: Box::new(task), elapsed }
            }
            _ => ended,
        }
    }

    /// The present search is over for us.
    pub fn rest(&mut self) -> Order {
        let Some(current) = self.current.take() else { return Order::Continue };
        self.undelivered.push_back(current.outbox);
        while self.undelivered.len() > MOST_UNDELIVERED {
            self.undelivered.pop_front();
        }
        Order::Rest
    }

    /// We cannot do this.
    pub fn decline(&mut self, search: u64, reason: String) {
        self.declines = Some((search, reason));
        self.current = None;
    }

    /// Our own counts in a search changed to these. Also after its end: the last simulations finish a little later.
    pub fn put(&mut self, search: u64, changes: Vec<(Path, Counts)>, would_play: bool) {
        if let Some(outbox) = self.outbox(search) {
            outbox.put(changes, would_play);
        }
    }

    /// Our own search has really ended. Everything it found, for the log.
    pub fn finish(&mut self, search: u64) -> Vec<(Path, Counts)> {
        let Some(outbox) = self.outbox(search) else { return Vec::new() };
        outbox.close();
        outbox.own()
    }

    fn outbox(&mut self, search: u64) -> Option<&mut Outbox> {
        let current = self.current.iter_mut().map(|current| &mut current.outbox);
        current.chain(&mut self.undelivered).find(|outbox| outbox.search() == search)
    }

    /// What the others have found in this search since this was asked last.
    pub fn others(&mut self, search: u64) -> Vec<(Path, Counts)> {
        let current = self.current.as_mut().filter(|current| current.outbox.search() == search);
        current.map_or(Vec::new(), |current| std::mem::take(&mut current.others))
    }

    pub fn rank(&self) -> Rank {
        self.current.as_ref().map_or(Rank { number: 0, of: 1 }, |current| current.rank)
    }

    /// Was the present search begun before, with a tree that must not be counted again?
    pub fn is_resumed(&self) -> bool {
        self.current.as_ref().is_some_and(|current| current.outbox.is_resumed())
    }

    /// How long to wait before the next reports.
    pub fn interval(&self) -> Duration {
        let busy = self.current.is_some() || !self.undelivered.is_empty();
        let interval = self.master.as_ref().map_or(IDLE_INTERVAL, |master| master.interval);
        if busy { interval } else { IDLE_INTERVAL }
    }

    /// What we have to say now: one message for each search that the coordinator does not know all of, at least one.
    pub fn reports(&mut self) -> Vec<WorkerReport> {
        let Member { name, passport, threads, declines, .. } = self;
        let thinking = self.current.as_ref().map_or(0, |current| current.outbox.search());
        let report = |share| WorkerReport {
            name: name.clone(),
            passport: passport.clone(),
            threads: *threads,
            thinking,
            declines: declines.clone(),
            share,
        };
        let current = self.current.iter_mut().map(|current| &mut current.outbox);
        let reports: Vec<WorkerReport> =
            self.undelivered.iter_mut().chain(current).map(|outbox| report(Some(outbox.share()))).collect();
        if reports.is_empty() { vec![report(None)] } else { reports }
    }
}
