//! A worker: waits for searches, thinks about them, tells what it finds. It outlives coordinators and cut links.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jigo_search::{Counts, Exchange, Parameters, Path, Peers, Rank, SearchRequest, Standing, TreeSearcher, Verdict};
use zenoh::{Session, Wait};

use super::labour::{DoJob, Labourer, Workplace};
use super::link::{LinkError, LinkOptions, network};
use super::{close, fresh_id, key, pause};
use crate::jobs::Hand;
use crate::member::{Member, Order};
use crate::task::Task;
use crate::wire::Passport;

/// Between two attempts to find the cluster.
const RETRY: Duration = Duration::from_millis(500);
/// A session that has brought nothing for so long is given up for a new one.
const DEAF: Duration = Duration::from_secs(10);

/// What a worker needs to know of itself.
pub struct Work {
    pub name: String,
    pub passport: Passport,
    pub threads: u16,
    /// Searches with these parameters; the coordinator's differ from search to search.
    pub searcher: Box<dyn Fn(Parameters) -> TreeSearcher>,
    /// Does jobs besides searching, so many at once.
    pub job: Arc<DoJob>,
    pub hands: u16,
}

/// What happens to a worker, for those who watch.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
    /// Nobody answers yet.
    Waiting(&'a str),
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
struct Desk {
    member: Mutex<Member>,
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
    /// When the last bulletin came.
    last_heard: Duration,
    report_now: bool,
    is_closing: bool,
}

impl Desk {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn member(&self) -> MutexGuard<'_, Member> {
        self.member.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, bytes: &[u8]) {
        let order = self.member().receive(bytes, self.now());
        let mut inbox = self.inbox();
        inbox.last_heard = self.now();
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
    options.check()?;
    let id = fresh_id();
    let member = Member::new(id, work.name.clone(), work.passport.clone(), work.threads);
    let desk = Arc::new(Desk {
        member: Mutex::new(member),
        began: Instant::now(),
        stop: AtomicBool::new(false),
        inbox: Mutex::new(Inbox::default()),
        wake: Condvar::new(),
        report: Condvar::new(),
    });
    let workplace = hire_hands(work, &options.cluster, id);
    let mut searcher = None;
    let mut complaint = String::new();
    let mut is_joined = false;
    while !stop.load(Relaxed) {
        match attend(options, id, &desk) {
            Ok((session, reporter)) => {
                complaint.clear();
                // A worker that has nothing to do joins again and again, which is no news.
                if !std::mem::replace(&mut is_joined, true) {
                    tell(Event::Joined);
                }
                workplace.connect(Some(session.clone()));
                serve(work, id, &desk, &workplace, &mut searcher, stop, tell);
                workplace.connect(None);
                desk.inbox().is_closing = true;
                desk.report.notify_all();
                reporter.join().ok();
                close(&session);
            }
            Err(error) => {
                is_joined = false;
                if complaint != error.to_string() {
                    complaint = error.to_string();
                    tell(Event::Waiting(&complaint));
                }
                std::thread::sleep(RETRY);
            }
        }
    }
    workplace.close();
    Ok(())
}

/// Starts a thread for each hand of a worker that does jobs.
fn hire_hands(work: &Work, cluster: &str, worker: u64) -> Arc<Workplace> {
    let workplace = Arc::new(Workplace::default());
    for number in 0..work.hands {
        let labourer = Labourer {
            hand: Hand { worker, number },
            cluster: cluster.to_string(),
            version: work.passport.version.clone(),
            job: work.job.clone(),
        };
        let workplace = workplace.clone();
        std::thread::spawn(move || labourer.labour(&workplace));
    }
    workplace
}

type Attendance = (Session, JoinHandle<()>);

/// Goes into the cluster: hears bulletins, reports, shows that it lives.
fn attend(options: &LinkOptions, id: u64, desk: &Arc<Desk>) -> Result<Attendance, LinkError> {
    let session = options.join()?;
    {
        let mut inbox = desk.inbox();
        inbox.is_closing = false;
        inbox.last_heard = desk.now();
    }
    let heard = desk.clone();
    session
        .declare_subscriber(key(&options.cluster, "down"))
        .callback(move |sample| heard.hear(&sample.payload().to_bytes()))
        .background()
        .wait()
        .map_err(network)?;
    // Those who only have jobs send no bulletins.
    let heard = desk.clone();
    session
        .declare_subscriber(key(&options.cluster, "here"))
        .callback(move |_| heard.inbox().last_heard = heard.now())
        .background()
        .wait()
        .map_err(network)?;
    let token =
        session.liveliness().declare_token(key(&options.cluster, &format!("alive/{id}"))).wait().map_err(network)?;
    let reporter = std::thread::spawn({
        let (session, desk, up) = (session.clone(), desk.clone(), key(&options.cluster, "up"));
        move || {
            report(&session, &desk, &up);
            token.undeclare().wait().ok();
        }
    });
    Ok((session, reporter))
}

/// Tells the coordinator again and again what is new.
fn report(session: &Session, desk: &Desk, up: &str) {
    loop {
        let (reports, interval) = {
            let mut member = desk.member();
            (member.sealed_reports(), member.interval())
        };
        for bytes in reports {
            // What is lost now is said again.
            session.put(up, bytes).express(true).wait().ok();
        }
        let is_waiting = |inbox: &mut Inbox| !inbox.report_now && !inbox.is_closing;
        let waited = desk.report.wait_timeout_while(desk.inbox(), interval, is_waiting);
        let mut inbox = waited.unwrap_or_else(PoisonError::into_inner).0;
        inbox.report_now = false;
        if inbox.is_closing {
            return;
        }
    }
}

/// Thinks about whatever is asked, until the cluster cannot be heard any more.
fn serve(
    work: &Work,
    id: u64,
    desk: &Desk,
    workplace: &Workplace,
    searcher: &mut Option<TreeSearcher>,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Event<'_>),
) {
    let mut refused = None;
    loop {
        let order = {
            let mut inbox = desk.inbox();
            if inbox.order.is_none() {
                let waited = desk.wake.wait_timeout(inbox, RETRY).unwrap_or_else(PoisonError::into_inner);
                inbox = waited.0;
            }
            if stop.load(Relaxed) || desk.now().saturating_sub(inbox.last_heard) >= DEAF {
                desk.member().rest();
                return;
            }
            let order = inbox.order.take();
            if order.is_some() {
                desk.stop.store(false, Relaxed);
            }
            order
        };
        let reason = desk.member().refused().map(str::to_string).or_else(|| workplace.refusal());
        if reason != refused {
            refused = reason;
            if let Some(reason) = &refused {
                tell(Event::Refused(reason));
            }
        }
        let Some((search, task, elapsed)) = order else { continue };
        match think(work, desk, searcher, search, &task, elapsed) {
            Ok(()) => {
                let nodes = desk.member().finish(search);
                tell(Event::Searched(&SearchLog { worker: id, search, nodes }));
            }
            Err(reason) => {
                let reason = reason.to_string();
                desk.member().decline(search, reason.clone());
                tell(Event::Declined(&reason));
            }
        }
        desk.report_now();
    }
}

fn think(
    work: &Work,
    desk: &Desk,
    searcher: &mut Option<TreeSearcher>,
    search: u64,
    task: &Task,
    elapsed: Duration,
) -> Result<(), crate::task::Unfit> {
    let (game, restrictions, parameters) = (task.game()?, task.restrictions()?, task.parameters()?);
    if searcher.as_ref().is_none_or(|searcher| *searcher.parameters() != parameters) {
        *searcher = Some((work.searcher)(parameters));
    }
    let Some(searcher) = searcher else { return Ok(()) };
    if desk.member().is_resumed() {
        searcher.clear();
    }
    let request = SearchRequest {
        restrictions: &restrictions,
        may_settle: task.may_settle,
        plain_komi: task.plain_komi,
        ..SearchRequest::new(&game, task.to_move(), task.limits(elapsed), &desk.stop)
    };
    let mut seat = Seat { desk, search, task, next_exchange: Duration::ZERO, would_play: false };
    searcher.search_with_peers(&request, None, Some(&mut seat));
    Ok(())
}

/// A worker's place at the table.
struct Seat<'a> {
    desk: &'a Desk,
    search: u64,
    task: &'a Task,
    next_exchange: Duration,
    would_play: bool,
}

impl Peers for Seat<'_> {
    fn levels(&self) -> usize {
        usize::from(self.task.levels).clamp(1, jigo_search::MOST_LEVELS)
    }

    fn rank(&self) -> Rank {
        self.desk.member().rank()
    }

    fn playouts_of_all(&self) -> Option<u64> {
        let each = || Some(self.task.playouts?.saturating_mul(self.rank().of.into()));
        self.task.playouts_of_all.or_else(each)
    }

    fn look(&mut self, exchange: &mut Exchange<'_>, standing: Standing) -> Verdict {
        let has_reached = self.task.playouts.is_some_and(|limit| standing.playouts >= limit);
        let would_play = standing.is_enough || has_reached;
        let is_urgent = would_play != self.would_play || standing.is_still;
        if standing.elapsed < self.next_exchange && !is_urgent {
            return Verdict::GoOn;
        }
        let mut member = self.desk.member();
        self.would_play = would_play;
        let pause = pause(member.interval(), standing.elapsed);
        let is_early = pause < member.interval();
        self.next_exchange = standing.elapsed + pause;
        member.put(self.search, exchange.own(), standing.is_enough);
        exchange.set_others(&member.others(self.search));
        let is_abandoned = member.is_abandoned(self.desk.now());
        drop(member);
        if is_urgent || is_early {
            self.desk.report_now();
        }
        if is_abandoned { Verdict::Stop } else { Verdict::GoOn }
    }
}
