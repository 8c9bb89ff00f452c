//! What one machine has found in one search, and how much of it the coordinator knows already.

use std::collections::{HashMap, HashSet};

use jigo_search::{Counts, Path};

use crate::wire::{MOST_NODES, Share, WireNode};

/// With so many messages unanswered nothing new is said: the last one is repeated.
const MOST_UNANSWERED: u64 = 64;

pub struct Outbox {
    search: u64,
    position: u64,
    /// Each node's counts by the number of the message that said so, oldest first; only the last is news.
    said: HashMap<Path, Vec<(u64, Counts)>>,
    /// Changed since the last message.
    fresh: HashMap<Path, Counts>,
    would_play: bool,
    /// Is there anything to say that the last message did not?
    has_news: bool,
    sequence: u64,
    answered: u64,
    /// Totals that have arrived, by the coordinator's count.
    heard: u64,
    /// The search has ended here too: nothing more will come.
    is_closed: bool,
    /// What we had found when we lost touch and began anew with an empty tree.
    carried: HashMap<Path, Counts>,
}

impl Outbox {
    pub fn new(search: u64, position: u64) -> Outbox {
        Outbox {
            search,
            position,
            said: HashMap::new(),
            fresh: HashMap::new(),
            would_play: false,
            has_news: true,
            sequence: 0,
            answered: 0,
            heard: 0,
            is_closed: false,
            carried: HashMap::new(),
        }
    }

    /// For taking up the same search once more, with an empty tree: what was found before comes back among the others'.
    pub fn resumed(mut self) -> Outbox {
        self.carried = self.own().into_iter().collect();
        self.heard = 0;
        self.is_closed = false;
        self.has_news = true;
        self
    }

    pub fn is_resumed(&self) -> bool {
        !self.carried.is_empty()
    }

    fn carried(&self, path: &Path) -> Counts {
        self.carried.get(path).copied().unwrap_or_default()
    }

    pub fn search(&self) -> u64 {
        self.search
    }

    /// Our own counts changed to these.
    pub fn put(&mut self, changes: Vec<(Path, Counts)>, would_play: bool) {
        self.has_news |= !changes.is_empty() || would_play != self.would_play;
        let carried = &self.carried;
        let with_carried = |(path, counts)| (path, counts + carried.get(&path).copied().unwrap_or_default());
        self.fresh.extend(changes.into_iter().map(with_carried));
        self.would_play = would_play;
    }

    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// Does the coordinator know all we have found and ever will?
    pub fn is_delivered(&self) -> bool {
        self.is_closed && !self.has_news && self.answered == self.sequence
    }

    /// The next message: what changed since the last one that was answered.
    pub fn share(&mut self) -> Share {
        if self.has_news && self.sequence - self.answered < MOST_UNANSWERED {
            self.say_news();
        }
        let news = self.said.iter().filter_map(|(path, said)| {
            let &(at, counts) = said.last()?;
            (at > self.answered).then(|| WireNode::new(path, counts))
        });
        Share {
            search: self.search,
            position: self.position,
            base: self.answered,
            sequence: self.sequence,
            heard: self.heard,
            would_play: self.would_play,
            nodes: news.collect(),
        }
    }

    /// What is fresh becomes part of the next message, as far as there is room beside what must be repeated.
    fn say_news(&mut self) {
        self.sequence += 1;
        let is_unanswered = |said: &&Vec<(u64, Counts)>| said.last().is_some_and(|&(at, _)| at > self.answered);
        let room = MOST_NODES.saturating_sub(self.said.values().filter(is_unanswered).count());
        let chosen: Vec<Path> = self.fresh.keys().take(room).copied().collect();
        for path in chosen {
            if let Some(counts) = self.fresh.remove(&path) {
                self.said.entry(path).or_default().push((self.sequence, counts));
            }
        }
        self.has_news = !self.fresh.is_empty();
    }

    /// The coordinator knows our messages up to this one.
    pub fn answer(&mut self, known: u64) {
        if known <= self.answered || known > self.sequence {
            return;
        }
        self.answered = known;
        for said in self.said.values_mut() {
            let older = said.iter().take_while(|&&(at, _)| at <= known).count();
            said.drain(..older.saturating_sub(1));
        }
    }

    /// Our counts as the coordinator knew them when it knew our messages up to `known`.
    fn own_at(&self, path: &Path, known: u64) -> Counts {
        let said = self.said.get(path).map_or(&[][..], Vec::as_slice);
        said.iter().rev().find(|&&(at, _)| at <= known).map_or(Counts::default(), |&(_, counts)| counts)
    }

    /// Totals of all machines arrived; what of them is the others' is given back. Nothing if they build on what never came.
    pub fn receive(&mut self, base: u64, sequence: u64, known: u64, totals: &[(Path, Counts)]) -> Vec<(Path, Counts)> {
        if base > self.heard || sequence < self.heard || known < self.answered || known > self.sequence {
            return Vec::new();
        }
        self.heard = sequence;
        let others = |path: &Path, total: Counts| total - self.own_at(path, known) + self.carried(path);
        totals.iter().map(|&(path, total)| (path, others(&path, total))).collect()
    }

    /// Every node with our own counts.
    pub fn own(&self) -> Vec<(Path, Counts)> {
        let paths: HashSet<&Path> = self.said.keys().chain(self.fresh.keys()).collect();
        let latest = |path: &Path| self.fresh.get(path).copied().unwrap_or_else(|| self.own_at(path, u64::MAX));
        paths.into_iter().map(|path| (*path, latest(path))).collect()
    }
}
