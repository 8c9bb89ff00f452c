//! A worker: waits for searches, thinks about them, tells what it finds. It outlives coordinators and cut links.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jigo_search::{Advice, Counts, Exchange, Parameters, Path, Peers, Rank, SearchRequest, Standing, TreeSearcher};
use zenoh::{Session, Wait};

use super::job_client::{DoJob, JobClient, JobSession};
use super::link::{Credentials, LinkError, LinkOptions, network};
use super::{DOWN, HERE, UP, close, fresh_id, key, pause};
use crate::channel::{Channel, Received};
use crate::member::{Member, Order};
use crate::seal::Role;
use crate::task::Task;
use crate::wire::{Bulletin, Passport};

/// Between two attempts to find the cluster.
const RETRY: Duration = Duration::from_millis(500);
/// A session that has brought nothing for so long is given up for a new one.
const DEAF: Duration = Duration::from_secs(10);
/// With more places of strangers than these, all are tried anew.
const MOST_STRANGE: usize = 64;

/// What a worker needs to know of itself.
pub struct Work {
    pub name: String,
    pub passport: Passport,
    pub threads: u16,
    /// Searches with these parameters, as far as there is memory; the coordinator's differ from search to search.
    pub searcher: Box<dyn Fn(Parameters) -> TreeSearcher>,
    /// Does jobs besides searching, so many at once.
    pub job: Arc<DoJob>,
    pub slots: u16,
}

/// What happens to a worker, for those who watch.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
    /// Nobody lets us in, for this reason, after so many attempts.
    Waiting(&'a str, u64),
    Joined,
    Refused(&'a str),
    Declined(&'a str),
    /// A search is over for us.
    Searched(&'a SearchLog),
}

/// All that one worker found in one search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchLog {
    pub worker: u64,
    pub search: u64,
    pub nodes: Vec<(Path, Counts)>,
}

/// What the search, the reporter and the network's threads share.
struct Shared {
    member: Mutex<Member>,
    channel: Arc<Mutex<Channel>>,
    began: Instant,
    /// Ends the present search.
    stop: AtomicBool,
    inbox: Mutex<Inbox>,
    wake: Condvar,
    report: Condvar,
}

#[derive(Default)]
struct Inbox {
    order: Option<(u64, Box<Task>, Duration)>,
    /// When the last bulletin or sign of life came.
    last_heard: Duration,
    /// Has a member been heard on the present link?
    has_met_members: bool,
    report_now: bool,
    is_closing: bool,
}

impl Shared {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn member(&self) -> MutexGuard<'_, Member> {
        self.member.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn channel(&self) -> MutexGuard<'_, Channel> {
        self.channel.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A bulletin, or something that is none.
    fn receive(&self, bytes: &[u8]) {
        let heard = self.channel().open::<Bulletin>(DOWN, Role::Coordinator, bytes);
        match heard {
            Err(why) => self.member().drop_unread(why),
            Ok(heard) => {
                if heard.is_new {
                    // It knows us only when it hears from us that we heard it.
                    self.report_now();
                }
                self.obey(heard);
            }
        }
    }

    /// A sign of life of those who have jobs.
    fn hear_life(&self, bytes: &[u8]) {
        if self.channel().open::<()>(HERE, Role::Jobs, bytes).is_ok() {
            let mut inbox = self.inbox();
            (inbox.last_heard, inbox.has_met_members) = (self.now(), true);
        }
    }

    fn obey(&self, heard: Received<Bulletin>) {
        if !heard.is_present {
            return;
        }
        let order = self.member().receive(heard.sender, heard.body, self.now());
        let mut inbox = self.inbox();
        inbox.last_heard = self.now();
        inbox.has_met_members = true;
        match order {
            Order::Continue => {}
            Order::Rest => {
                inbox.order = None;
                self.stop.store(true, Relaxed);
            }
            Order::Think { search, task, elapsed } => {
                inbox.order = Some((search, task, elapsed));
                self.stop.store(true, Relaxed);
                inbox.report_now = true;
                self.report.notify_one();
            }
        }
        self.wake.notify_one();
    }

    fn report_now(&self) {
        self.inbox().report_now = true;
        self.report.notify_one();
    }
}

/// Works until `stop` is raised.
pub fn work(
    options: &LinkOptions,
    work: &Work,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Event<'_>),
) -> Result<(), LinkError> {
    let credentials = options.credentials()?;
    let id = fresh_id();
    let channel = Arc::new(Mutex::new(Channel::new(credentials.seal.clone(), &options.cluster, id, Role::Worker)));
    let member = Member::new(id, work.name.clone(), work.passport.clone(), work.threads);
    let shared = Arc::new(Shared {
        member: Mutex::new(member),
        channel: channel.clone(),
        began: Instant::now(),
        stop: AtomicBool::new(false),
        inbox: Mutex::new(Inbox::default()),
        wake: Condvar::new(),
        report: Condvar::new(),
    });
    let jobs = start_job_clients(work, JobSession::new(&options.cluster, channel));
    let mut searcher = None;
    let mut complaint = Complaint::default();
    let mut is_joined = false;
    let mut strange = Vec::new();
    while !stop.load(Relaxed) {
        match attend(options, &credentials, &strange, id, &shared) {
            Ok((session, places, reporter)) => {
                complaint = Complaint::default();
                // A worker that has nothing to do joins again and again, which is no news.
                if !std::mem::replace(&mut is_joined, true) {
                    tell(Event::Joined);
                }
                jobs.connect(Some(session.clone()));
                serve(work, id, &shared, &jobs, &mut searcher, stop, tell);
                jobs.connect(None);
                shared.inbox().is_closing = true;
                shared.report.notify_all();
                reporter.join().ok();
                // Whoever keeps a place where no member speaks is a stranger: others come first next time.
                let has_met_members = std::mem::take(&mut shared.inbox().has_met_members);
                if !has_met_members && strange.len() < MOST_STRANGE {
                    strange.extend(places);
                } else {
                    strange.clear();
                }
                close(&session);
            }
            Err(error) => {
                is_joined = false;
                match &error {
                    LinkError::Stranger(places) if strange.len() < MOST_STRANGE => strange.extend(places.clone()),
                    _ => strange.clear(),
                }
                let reason = error.to_string();
                if let Some(tries) = complaint.again(&reason) {
                    tell(Event::Waiting(&reason, tries));
                }
                std::thread::sleep(RETRY);
            }
        }
    }
    jobs.close();
    Ok(())
}

/// The same trouble is told when it begins, and then after ten times as many attempts each time; several may take turns.
#[derive(Default)]
struct Complaint {
    tries: BTreeMap<String, u64>,
}

/// Troubles that are told apart: strangers may invent ever new ones.
const MOST_TROUBLES: usize = 64;

impl Complaint {
    fn again(&mut self, reason: &str) -> Option<u64> {
        if self.tries.len() >= MOST_TROUBLES && !self.tries.contains_key(reason) {
            return None;
        }
        let tries = self.tries.entry(reason.to_string()).or_default();
        *tries += 1;
        (*tries == 10u64.pow(tries.ilog10())).then_some(*tries)
    }
}

/// Starts a thread for each slot of a worker that does jobs.
fn start_job_clients(work: &Work, jobs: JobSession) -> Arc<JobSession> {
    let jobs = Arc::new(jobs);
    for slot in 0..work.slots {
        let client = JobClient { slot, version: work.passport.version.clone(), job: work.job.clone() };
        let jobs = jobs.clone();
        std::thread::spawn(move || client.run(&jobs));
    }
    jobs
}

/// A session, where it was sought, and who reports in it.
type Attendance = (Session, Vec<String>, JoinHandle<()>);

/// Goes into the cluster: hears bulletins, reports, shows that it lives.
fn attend(
    options: &LinkOptions,
    credentials: &Credentials,
    strange: &[String],
    id: u64,
    shared: &Arc<Shared>,
) -> Result<Attendance, LinkError> {
    let (session, places) = options.join(credentials, strange)?;
    {
        let mut inbox = shared.inbox();
        inbox.is_closing = false;
        inbox.last_heard = shared.now();
    }
    let heard = shared.clone();
    session
        .declare_subscriber(key(&options.cluster, DOWN))
        .callback(move |sample| heard.receive(&sample.payload().to_bytes()))
        .background()
        .wait()
        .map_err(network)?;
    // Those who only have jobs send no bulletins.
    let heard = shared.clone();
    session
        .declare_subscriber(key(&options.cluster, HERE))
        .callback(move |sample| heard.hear_life(&sample.payload().to_bytes()))
        .background()
        .wait()
        .map_err(network)?;
    let token =
        session.liveliness().declare_token(key(&options.cluster, &format!("alive/{id}"))).wait().map_err(network)?;
    let reporter = std::thread::spawn({
        let (session, shared, up) = (session.clone(), shared.clone(), key(&options.cluster, UP));
        move || {
            report(&session, &shared, &up);
            token.undeclare().wait().ok();
        }
    });
    Ok((session, places, reporter))
}

/// Tells the coordinator again and again what is new.
fn report(session: &Session, shared: &Shared, up: &str) {
    loop {
        let (reports, interval) = {
            let mut member = shared.member();
            (member.reports(), member.interval())
        };
        for report in reports {
            let (bytes, _) = shared.channel().close(UP, None, &report);
            // What is lost now is said again.
            session.put(up, bytes).express(true).wait().ok();
        }
        let is_waiting = |inbox: &mut Inbox| !inbox.report_now && !inbox.is_closing;
        let waited = shared.report.wait_timeout_while(shared.inbox(), interval, is_waiting);
        let mut inbox = waited.unwrap_or_else(PoisonError::into_inner).0;
        inbox.report_now = false;
        if inbox.is_closing {
            return;
        }
    }
}

/// A searcher from one search to the next, and the wish it was made for, which it may have granted in part.
struct Kept {
    wish: Parameters,
    searcher: TreeSearcher,
}

/// Thinks about whatever is asked, until the cluster cannot be heard any more.
fn serve(
    work: &Work,
    id: u64,
    shared: &Shared,
    jobs: &JobSession,
    searcher: &mut Option<Kept>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Event<'_>),
) {
    let mut refused = None;
    loop {
        let order = {
            let mut inbox = shared.inbox();
            if inbox.order.is_none() {
                let waited = shared.wake.wait_timeout(inbox, RETRY).unwrap_or_else(PoisonError::into_inner);
                inbox = waited.0;
            }
            if stop.load(Relaxed) || shared.now().saturating_sub(inbox.last_heard) >= DEAF {
                shared.member().rest();
                return;
            }
            let order = inbox.order.take();
            if order.is_some() {
                shared.stop.store(false, Relaxed);
            }
            order
        };
        let reason = shared.member().refused().map(str::to_string).or_else(|| jobs.refusal());
        if reason != refused {
            refused = reason;
            if let Some(reason) = &refused {
                tell(Event::Refused(reason));
            }
        }
        let Some((search, task, elapsed)) = order else { continue };
        match think(work, shared, searcher, search, &task, elapsed) {
            Ok(()) => {
                let nodes = shared.member().finish(search);
                tell(Event::Searched(&SearchLog { worker: id, search, nodes }));
            }
            Err(reason) => {
                let reason = reason.to_string();
                shared.member().decline(search, reason.clone());
                tell(Event::Declined(&reason));
            }
        }
        shared.report_now();
    }
}

fn think(
    work: &Work,
    shared: &Shared,
    searcher: &mut Option<Kept>,
    search: u64,
    task: &Task,
    elapsed: Duration,
) -> Result<(), crate::task::Unfit> {
    let (game, restrictions, parameters) = (task.game()?, task.restrictions()?, task.parameters()?);
    let kept = match searcher.take() {
        Some(kept) if kept.wish == parameters => kept,
        // The old tree goes before the new one comes.
        _ => Kept { searcher: (work.searcher)(parameters.clone()), wish: parameters },
    };
    let searcher = &mut searcher.insert(kept).searcher;
    if shared.member().is_resumed() {
        searcher.clear();
    }
    let request = SearchRequest {
        restrictions: &restrictions,
        may_settle: task.may_settle,
        plain_komi: task.plain_komi,
        ..SearchRequest::new(&game, task.to_move(), task.limits(elapsed), &shared.stop)
    };
    let mut peers = WorkerPeers { shared, search, task, next_exchange: Duration::ZERO, would_play: false };
    searcher.search_with_peers(&request, None, Some(&mut peers));
    Ok(())
}

/// Where a worker's tree meets what the others have found.
struct WorkerPeers<'a> {
    shared: &'a Shared,
    search: u64,
    task: &'a Task,
    next_exchange: Duration,
    would_play: bool,
}

impl Peers for WorkerPeers<'_> {
    fn levels(&self) -> usize {
        usize::from(self.task.levels).clamp(1, jigo_search::MOST_LEVELS)
    }

    fn rank(&self) -> Rank {
        self.shared.member().rank()
    }

    fn playouts_of_all(&self) -> Option<u64> {
        let each = || Some(self.task.playouts?.saturating_mul(self.rank().of.into()));
        self.task.playouts_of_all.or_else(each)
    }

    fn look(&mut self, exchange: &mut Exchange<'_>, standing: Standing) -> Advice {
        let has_reached = self.task.playouts.is_some_and(|limit| standing.playouts >= limit);
        let would_play = standing.is_enough || has_reached;
        let is_urgent = would_play != self.would_play || standing.is_still;
        if standing.elapsed < self.next_exchange && !is_urgent {
            return Advice::GoOn;
        }
        let mut member = self.shared.member();
        self.would_play = would_play;
        let pause = pause(member.interval(), standing.elapsed);
        let is_early = pause < member.interval();
        self.next_exchange = standing.elapsed + pause;
        member.put(self.search, exchange.own(), standing.is_enough);
        exchange.set_others(&member.others(self.search));
        let is_abandoned = member.is_abandoned(self.shared.now());
        drop(member);
        if is_urgent || is_early {
            self.shared.report_now();
        }
        if is_abandoned { Advice::Stop } else { Advice::GoOn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_trouble_is_told_once_and_then_how_often() {
        let mut complaint = Complaint::default();
        let told: Vec<u64> = (0..150).filter_map(|_| complaint.again("nobody")).collect();
        assert_eq!(told, [1, 10, 100]);
        assert_eq!((complaint.again("another password"), complaint.again("nobody")), (Some(1), None));
        let invented = (0..1000).filter_map(|place| complaint.again(&format!("a stranger is at {place}")));
        assert_eq!(invented.count(), MOST_TROUBLES - 2);
    }
}
