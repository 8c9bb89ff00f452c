//! The coordinator without its network: who is there, what they have found, and whether that is enough.
//!
//! Time is what the caller says it is, so that tests decide what is lost, late or dead. Nothing here waits for anybody.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use jigo_search::{Counts, Path, Rank};
use tracing::debug;

use crate::decide::{PlayoutRule, Votes, is_decided};
use crate::merge::{Accepted, Merge};
use crate::status::{ClusterStatus, Traffic, WorkerStatus};
use crate::task::Task;
use crate::wire::{
    Bulletin, Known, MOST_NODES, Ongoing, Passport, Share, Unreadable, WireNode, WorkerReport, another_version,
};

/// Our own number in every merge.
const OURSELVES: u64 = 0;
/// A worker that has not been heard for so long, or for so many intervals, is not waited for; as soon as it speaks again it
/// is back.
const SILENCE: Duration = Duration::from_millis(1000);
const SILENT_INTERVALS: u32 = 4;
/// One that is silent for so long is forgotten.
const FORGOTTEN: Duration = Duration::from_secs(600);
/// Reports that come after their search has ended still count, for so many searches.
const REMEMBERED_SEARCHES: usize = 8;
/// More workers than this are turned away; of so many a status can still be told in one answer.
const MOST_WORKERS: usize = 2048;
/// Answers to late reports, and refusals, in one bulletin: it stays a message, whatever members say. The others come later.
const MOST_ANSWERS: usize = 256;
const MOST_REFUSALS: usize = 256;
/// Of what a worker says about itself.
const LONGEST_NAME: usize = 64;
const LONGEST_REASON: usize = 200;
/// More than any thread plays, and more threads than any machine has.
const MOST_PER_SECOND: f64 = 1e5;
const MOST_THREADS: u16 = 1024;
/// A tenth of a second between exchanges, more with many workers: two milliseconds for each keep messages at 500 a second
/// and merging at a few hundredths of one core (docs/cluster.md).
const INTERVAL: Duration = Duration::from_millis(100);
const INTERVAL_PER_WORKER: Duration = Duration::from_millis(2);

pub struct Coordinator {
    id: u64,
    passport: Passport,
    levels: usize,
    rule: PlayoutRule,
    /// Between reports of a worker.
    interval: Duration,
    workers: BTreeMap<u64, Worker>,
    searches: VecDeque<Search>,
    begun: u64,
    bulletins: u64,
    /// Acknowledgements that the next bulletin carries.
    to_answer: Vec<Known>,
    traffic: Traffic,
}

struct Worker {
    name: String,
    threads: u16,
    /// The search it is in.
    thinking: u64,
    last_heard: Duration,
    /// The network says that it is gone.
    is_gone: bool,
    refused: Option<String>,
    declines: Option<(u64, String)>,
    traffic: Traffic,
    /// Playouts of earlier searches, and when it was first heard.
    playouts_before: u64,
    joined: Duration,
}

struct Search {
    id: u64,
    task: Task,
    began: Duration,
    is_over: bool,
    merge: Merge,
    /// By worker.
    standing: BTreeMap<u64, MemberStanding>,
    ours: MemberStanding,
    /// Up to which change of the totals our own tree knows the others.
    applied: u64,
}

#[derive(Clone, Copy, Default)]
struct MemberStanding {
    sequence: u64,
    heard: u64,
    would_play: bool,
}

impl Coordinator {
    /// `id` must differ between coordinators, those of the past included.
    pub fn new(id: u64, passport: Passport, levels: usize, rule: PlayoutRule) -> Coordinator {
        Coordinator {
            id,
            passport,
            levels,
            rule,
            interval: INTERVAL,
            workers: BTreeMap::new(),
            searches: VecDeque::new(),
            begun: 0,
            bulletins: 0,
            to_answer: Vec::new(),
            traffic: Traffic::default(),
        }
    }

    pub fn levels(&self) -> usize {
        self.levels
    }

    // ---- a search from begin to end ---------------------------------------------------------------

    /// Everybody is to think about this from now on.
    pub fn begin(&mut self, mut task: Task, now: Duration) {
        if self.rule == PlayoutRule::Total {
            task.playouts_of_all = task.playouts.take();
        }
        self.end();
        // Numbers of searches begin with the coordinator's own, so that those of an earlier one are never taken for ours.
        self.begun += 1;
        let id = self.id.wrapping_add(self.begun);
        self.searches.push_back(Search {
            id,
            task,
            began: now,
            is_over: false,
            merge: Merge::default(),
            standing: BTreeMap::new(),
            ours: MemberStanding::default(),
            applied: 0,
        });
        if self.searches.len() > REMEMBERED_SEARCHES
            && let Some(old) = self.searches.pop_front()
        {
            for (id, worker) in &mut self.workers {
                worker.playouts_before += old.merge.of(*id, Path::ROOT).visits;
            }
        }
    }

    pub fn end(&mut self) {
        if let Some(search) = self.searches.back_mut() {
            search.is_over = true;
        }
    }

    /// Is there nothing to search?
    pub fn is_idle(&self) -> bool {
        self.ongoing().is_none()
    }

    fn ongoing(&self) -> Option<&Search> {
        self.searches.back().filter(|search| !search.is_over)
    }

    /// Our own counts changed to these.
    pub fn put(&mut self, changes: &[(Path, Counts)], would_play: bool) {
        let Some(search) = self.searches.back_mut() else { return };
        let base = search.ours.sequence;
        search.ours.sequence += 1;
        search.ours.would_play = would_play;
        search.merge.accept(OURSELVES, base, search.ours.sequence, changes);
    }

    /// What the others have found for the nodes that changed since this was asked last.
    pub fn others(&mut self) -> Vec<(Path, Counts)> {
        let Some(search) = self.searches.back_mut() else { return Vec::new() };
        let (changed, complete) = search.merge.since(search.applied);
        search.applied = complete;
        let others = |(path, total): (Path, Counts)| (path, total - search.merge.of(OURSELVES, path));
        changed.into_iter().map(others).collect()
    }

    /// Have enough of us seen enough?
    pub fn is_decided(&self, now: Duration) -> bool {
        let Some(search) = self.ongoing() else { return true };
        is_decided(&self.votes(search, now), search.task.playouts_of_all)
    }

    fn votes(&self, search: &Search, now: Duration) -> Votes {
        let mut votes = Votes { playouts: search.merge.total(Path::ROOT).visits, ..Votes::default() };
        let alive = self.working(search, now).map(|worker| (worker, search.standing[&worker]));
        for (member, standing) in alive.chain([(OURSELVES, search.ours)]) {
            let playouts = search.merge.of(member, Path::ROOT).visits;
            votes.machines += 1;
            votes.would_play += usize::from(standing.would_play);
            votes.reached += usize::from(search.task.playouts.is_some_and(|limit| playouts >= limit));
        }
        votes
    }

    /// Workers that take part in this search and are there.
    fn working<'a>(&'a self, search: &'a Search, now: Duration) -> impl Iterator<Item = u64> + 'a {
        let is_working = |worker: &u64| self.workers[worker].thinking == search.id;
        self.welcome(now).filter(move |worker| is_working(worker) && search.standing.contains_key(worker))
    }

    /// Our own rank among the machines: always the first.
    pub fn rank(&self, now: Duration) -> Rank {
        Rank { number: 0, of: 1 + self.welcome(now).count() as u32 }
    }

    /// Simulations that all machines will make together, if that is limited.
    pub fn playouts_of_all(&self, now: Duration) -> Option<u64> {
        let task = &self.searches.back()?.task;
        task.playouts_of_all.or(Some(task.playouts?.saturating_mul(self.rank(now).of.into())))
    }

    /// Simulations of all machines in this search so far.
    pub fn playouts(&self) -> u64 {
        self.searches.back().map_or(0, |search| search.merge.total(Path::ROOT).visits)
    }

    // ---- messages ---------------------------------------------------------------------------------

    /// A message of so many bytes that nobody who belongs here has sent, or not in this form.
    pub fn drop_unread(&mut self, why: Unreadable, bytes: usize) {
        self.traffic.count_in(bytes);
        let counter = match why {
            Unreadable::Oversize => &mut self.traffic.oversize,
            Unreadable::Malformed => &mut self.traffic.malformed,
            Unreadable::OtherProtocol(_) | Unreadable::Stranger | Unreadable::Role => &mut self.traffic.foreign,
            Unreadable::Repeated => &mut self.traffic.repeated,
        };
        *counter += 1;
    }

    fn welcome_or_new(&mut self, id: u64, now: Duration) -> Option<&mut Worker> {
        if id == OURSELVES || (self.workers.len() >= MOST_WORKERS && !self.workers.contains_key(&id)) {
            return None;
        }
        let worker = self.workers.entry(id).or_insert_with(|| Worker::new(now));
        worker.last_heard = now;
        worker.is_gone = false;
        Some(worker)
    }

    /// A report of so many bytes from a worker that is there.
    pub fn receive(&mut self, sender: u64, report: WorkerReport, bytes: usize, now: Duration) {
        self.traffic.count_in(bytes);
        let refusal = refusal(&self.passport, &report.passport);
        let Some(worker) = self.welcome_or_new(sender, now) else { return };
        worker.name = report.name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
        worker.threads = report.threads;
        worker.thinking = report.thinking;
        worker.declines =
            report.declines.map(|(search, reason)| (search, reason.chars().take(LONGEST_REASON).collect()));
        worker.traffic.count_in(bytes);
        if worker.refused != refusal {
            debug!(worker = worker.name, refusal, "is welcome or not");
        }
        worker.refused = refusal;
        let is_refused = worker.refused.is_some();
        self.set_present(sender, !is_refused);
        if is_refused {
            return;
        }
        if let Some(share) = report.share {
            self.take(sender, &share, now);
        }
    }

    fn take(&mut self, worker: u64, share: &Share, now: Duration) {
        let threads = self.workers.get(&worker).map_or(1, |worker| worker.threads);
        let Some(search) = self.searches.iter_mut().find(|search| search.id == share.search) else {
            self.traffic.stale += 1;
            // Nobody wants it any more; the worker need not say it again.
            self.answer(Known { worker, search: share.search, sequence: share.sequence });
            return;
        };
        let nodes: Option<Vec<_>> = share.nodes.iter().map(WireNode::read).collect();
        let most = most_visits(now.saturating_sub(search.began), threads);
        let is_possible = |nodes: &Vec<(Path, Counts)>| {
            nodes.len() <= MOST_NODES
                && share.position == search.task.position
                && nodes.iter().all(|(path, counts)| path.moves().len() <= self.levels && counts.visits <= most)
        };
        let Some(nodes) = nodes.filter(is_possible) else {
            self.traffic.malformed += 1;
            return;
        };
        match search.merge.accept(worker, share.base, share.sequence, &nodes) {
            Accepted::New => {}
            Accepted::Old => self.traffic.repeated += 1,
            Accepted::Gap => self.traffic.gaps += 1,
        }
        let standing = search.standing.entry(worker).or_default();
        if share.sequence >= standing.sequence {
            // A repeated message may have been overtaken by one that had heard more.
            let heard = if share.sequence > standing.sequence { share.heard } else { standing.heard.max(share.heard) };
            *standing = MemberStanding { sequence: share.sequence, heard, would_play: share.would_play };
        }
        if search.is_over {
            let known = Known { worker, search: search.id, sequence: search.merge.known(worker) };
            self.answer(known);
        }
    }

    fn answer(&mut self, known: Known) {
        self.to_answer.retain(|other| (other.worker, other.search) != (known.worker, known.search));
        // Whoever is left out says it again.
        if self.to_answer.len() < MOST_ANSWERS {
            self.to_answer.push(known);
        }
    }

    /// The network says that this worker has gone.
    pub fn lost(&mut self, worker: u64) {
        if let Some(known) = self.workers.get_mut(&worker) {
            known.is_gone = true;
            self.set_present(worker, false);
        }
    }

    /// What one says who is not a member any more counts for nothing, until it is back.
    fn set_present(&mut self, worker: u64, is_present: bool) {
        if let Some(search) = self.searches.back_mut() {
            search.merge.set_present(worker, is_present);
        }
    }

    /// The game is another one: nothing that was said about the last is kept.
    pub fn forget(&mut self) {
        self.end();
        for worker in self.workers.values_mut() {
            worker.playouts_before = 0;
        }
        self.searches.clear();
        self.to_answer.clear();
    }

    /// How long workers wait between their reports.
    pub fn interval(&self) -> Duration {
        self.interval
    }

    fn is_alive(&self, worker: &Worker, now: Duration) -> bool {
        let silence = SILENCE.max(self.interval * SILENT_INTERVALS);
        !worker.is_gone && now.saturating_sub(worker.last_heard) < silence
    }

    /// What all workers should know now.
    pub fn bulletin(&mut self, now: Duration) -> Bulletin {
        self.workers.retain(|_, worker| now.saturating_sub(worker.last_heard) < FORGOTTEN);
        self.interval = INTERVAL.max(INTERVAL_PER_WORKER * self.welcome(now).count() as u32);
        self.bulletins += 1;
        let refusals = |(&id, worker): (&u64, &Worker)| Some((id, worker.refused.clone()?));
        Bulletin {
            passport: self.passport.clone(),
            number: self.bulletins,
            interval: self.interval.as_millis() as u32,
            search: self.ongoing().map(|search| self.describe(search, now)),
            known: std::mem::take(&mut self.to_answer),
            refusals: self.workers.iter().filter_map(refusals).take(MOST_REFUSALS).collect(),
        }
    }

    /// A bulletin of so many bytes was sent.
    pub fn count_out(&mut self, bytes: usize) {
        self.traffic.count_out(bytes);
    }

    fn describe(&self, search: &Search, now: Duration) -> Ongoing {
        let workers: Vec<u64> = self.welcome(now).collect();
        let everybody_knows = workers.iter().all(|worker| self.workers[worker].thinking == search.id);
        let heard = |worker: &u64| search.standing.get(worker).map_or(0, |standing| standing.heard);
        let base = workers.iter().map(heard).min().unwrap_or(0);
        let (nodes, sequence) = search.merge.since(base);
        Ongoing {
            id: search.id,
            elapsed_ms: now.saturating_sub(search.began).as_millis() as u64,
            task: (!everybody_knows || workers.is_empty()).then(|| search.task.clone()),
            base,
            sequence,
            nodes: nodes.iter().map(|(path, counts)| WireNode::new(path, *counts)).collect(),
            workers: workers.iter().map(|&worker| (worker, search.merge.known(worker))).collect(),
        }
    }

    /// Workers that are there, not refused, and have not declined the present search.
    fn welcome(&self, now: Duration) -> impl Iterator<Item = u64> + '_ {
        let search = self.ongoing().map(|search| search.id);
        let declines = move |worker: &Worker| search.is_some() && worker.declines.as_ref().map(|d| d.0) == search;
        let is_welcome =
            move |worker: &Worker| self.is_alive(worker, now) && worker.refused.is_none() && !declines(worker);
        self.workers.iter().filter(move |(_, worker)| is_welcome(worker)).map(|(&id, _)| id)
    }

    /// How many workers would take part in a search now.
    pub fn present(&self, now: Duration) -> usize {
        self.welcome(now).count()
    }

    // ---- for people -------------------------------------------------------------------------------

    pub fn status(&self, now: Duration) -> ClusterStatus {
        let playouts_of = |id: u64| {
            let remembered: u64 = self.searches.iter().map(|search| search.merge.of(id, Path::ROOT).visits).sum();
            remembered + self.workers.get(&id).map_or(0, |worker| worker.playouts_before)
        };
        let ongoing = self.ongoing();
        let worker = |(&id, worker): (&u64, &Worker)| {
            let in_search = ongoing.map_or(0, |search| search.merge.of(id, Path::ROOT).visits);
            let seconds =
                ongoing.map_or(0.0, |search| now.saturating_sub(search.began.max(worker.joined)).as_secs_f64());
            WorkerStatus {
                id,
                name: worker.name.clone(),
                threads: worker.threads,
                is_alive: self.is_alive(worker, now),
                refused: worker.refused.clone(),
                declines: worker.declines.as_ref().map(|(_, reason)| reason.clone()),
                silent_ms: now.saturating_sub(worker.last_heard).as_millis() as u64,
                playouts: playouts_of(id),
                playouts_per_second: if seconds > 0.0 { in_search as f64 / seconds } else { 0.0 },
                traffic: worker.traffic,
            }
        };
        ClusterStatus {
            coordinator: self.id,
            version: self.passport.version.clone(),
            seconds: now.as_secs_f64(),
            is_searching: ongoing.is_some(),
            interval_ms: self.interval.as_millis() as u64,
            levels: self.levels,
            playouts_in_search: self.playouts(),
            workers: self.workers.iter().map(worker).collect(),
            traffic: self.traffic,
        }
    }

    /// The merged counts of the searches that are remembered: number, worker (0 is the coordinator) and node.
    pub fn contributions(&self) -> Vec<(u64, u64, Path, Counts)> {
        let of_search = |search: &Search| {
            let members: Vec<u64> = search.merge.members().collect();
            let of = |member| search.merge.contribution(member).map(move |(path, counts)| (member, path, counts));
            let all: Vec<_> = members.into_iter().flat_map(of).collect();
            all.into_iter().map(|(member, path, counts)| (search.id, member, path, counts)).collect::<Vec<_>>()
        };
        self.searches.iter().flat_map(of_search).collect()
    }

    /// The totals of the last search.
    pub fn totals(&self) -> Vec<(Path, Counts)> {
        self.searches.back().map_or(Vec::new(), |search| search.merge.totals().collect())
    }
}

impl Worker {
    fn new(now: Duration) -> Worker {
        Worker {
            name: String::new(),
            threads: 0,
            thinking: 0,
            last_heard: now,
            is_gone: false,
            refused: None,
            declines: None,
            traffic: Traffic::default(),
            playouts_before: 0,
            joined: now,
        }
    }
}

/// More simulations than a machine can have made in this time, on whatever board: a hundred thousand a second and thread, and
/// those of a second whose beginning we heard late.
fn most_visits(elapsed: Duration, threads: u16) -> u64 {
    let seconds = 1.0 + elapsed.as_secs_f64();
    (seconds * f64::from(threads.clamp(1, MOST_THREADS)) * MOST_PER_SECOND) as u64
}

/// Why these two cannot search together.
fn refusal(ours: &Passport, theirs: &Passport) -> Option<String> {
    another_version(&theirs.version, &ours.version, "the coordinator")
        .or_else(|| (ours.net != theirs.net).then(|| "the worker has another net than the coordinator".to_string()))
}
