//! The coordinator: one more searcher, that lets others search with it.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jigo_board::{Color, Game, Symmetry};
use jigo_search::{
    Counts, Evaluation, Exchange, Limits, Manner, Parameters, Path, Peers, Progress, Rank, SearchReport, SearchRequest,
    Searcher, Standing, TreeSearcher, Verdict,
};
use tracing::debug;
use zenoh::query::Query;
use zenoh::sample::SampleKind;
use zenoh::{Session, Wait};

use super::asking::{ask_in, read_status};
use super::link::{LinkError, LinkOptions};
use super::{close, fresh_id, key, last_word, pause};
use crate::coordinator::Coordinator;
use crate::decide::PlayoutRule;
use crate::status::Status;
use crate::task::Task;
use crate::wire::{Passport, move_code};

/// Without a search workers only need to hear that we are there.
const IDLE_INTERVAL: Duration = Duration::from_millis(500);
/// Between exchanges of our own tree with the merged totals.
const OWN_INTERVAL: Duration = Duration::from_millis(100);

/// A place in a cluster that the coordinators of one process share.
pub struct ClusterLink {
    session: Session,
    cluster: String,
}

impl ClusterLink {
    pub fn open(options: &LinkOptions) -> Result<ClusterLink, LinkError> {
        Ok(ClusterLink { session: options.host_or_join()?, cluster: options.cluster.clone() })
    }

    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    pub(super) fn cluster(&self) -> &str {
        &self.cluster
    }
}

impl Drop for ClusterLink {
    fn drop(&mut self) {
        close(&self.session);
    }
}

/// How to coordinate.
#[derive(Clone)]
pub struct Coordination {
    pub link: Arc<ClusterLink>,
    pub passport: Passport,
    /// Levels of the tree whose statistics travel.
    pub levels: usize,
    pub rule: PlayoutRule,
}

/// Searches together with every worker of its cluster; alone if there is none.
pub struct ClusterSearcher {
    tree: TreeSearcher,
    presence: Presence,
}

/// A coordinator that is there, heard by all workers and hearing them.
pub struct Presence {
    office: Arc<Office>,
    herald: Option<JoinHandle<()>>,
    /// Subscriptions and answers; they end with us.
    _ears: Vec<Ear>,
    link: Arc<ClusterLink>,
}

type Ear = Box<dyn Any + Send + Sync>;

/// What the search, the network's threads and the herald share.
struct Office {
    core: Mutex<Coordinator>,
    began: Instant,
    /// Something arrived.
    news: AtomicBool,
    is_closing: AtomicBool,
    /// Wakes the herald.
    hurry: Condvar,
    hurried: Mutex<bool>,
}

impl Office {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// The protocol's state is never left half changed, so a panic elsewhere does not spoil it.
    fn core(&self) -> MutexGuard<'_, Coordinator> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next bulletin goes out at once.
    fn hurry(&self) {
        *self.hurried.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.hurry.notify_one();
    }

    fn wait(&self, time: Duration) {
        let hurried = self.hurried.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.hurry.wait_timeout_while(hurried, time, |hurried| !*hurried);
        *waited.unwrap_or_else(PoisonError::into_inner).0 = false;
    }
}

impl Presence {
    pub fn new(how: &Coordination) -> Presence {
        let ClusterLink { session, cluster } = &*how.link;
        let office = Arc::new(Office {
            core: Mutex::new(Coordinator::new(fresh_id(), how.passport.clone(), how.levels, how.rule)),
            began: Instant::now(),
            news: AtomicBool::new(false),
            is_closing: AtomicBool::new(false),
            hurry: Condvar::new(),
            hurried: Mutex::new(false),
        });
        // Declarations fail only if the session is closed; then nobody is heard and we play alone.
        let ears = listen(session, cluster, &office).unwrap_or_default();
        let herald = std::thread::spawn({
            let (session, office, down) = (session.clone(), office.clone(), key(cluster, "down"));
            move || announce(&session, &office, &down)
        });
        Presence { office, herald: Some(herald), _ears: ears, link: how.link.clone() }
    }

    /// How every coordinator of the cluster is doing.
    pub fn status(&self) -> Vec<Status> {
        let ClusterLink { session, cluster } = &*self.link;
        read_status(&ask_in(session, cluster, "status").unwrap_or_default())
    }
}

impl ClusterSearcher {
    pub fn new(tree: TreeSearcher, how: &Coordination) -> ClusterSearcher {
        ClusterSearcher { tree, presence: Presence::new(how) }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.office.core().end();
        self.office.is_closing.store(true, Relaxed);
        self.office.hurry();
        if let Some(herald) = self.herald.take() {
            herald.join().ok();
        }
    }
}

/// Reports, goodbyes and questions.
fn listen(session: &Session, cluster: &str, office: &Arc<Office>) -> zenoh::Result<Vec<Ear>> {
    let heard = office.clone();
    let reports = session.declare_subscriber(key(cluster, "up")).callback(move |sample| {
        heard.core().receive(&sample.payload().to_bytes(), heard.now());
        heard.news.store(true, Relaxed);
    });
    let heard = office.clone();
    let lives = session.liveliness().declare_subscriber(key(cluster, "alive/*")).callback(move |sample| {
        debug!(
            worker = last_word(sample.key_expr()),
            "{}",
            if sample.kind() == SampleKind::Put { "came" } else { "left" }
        );
        if let (SampleKind::Delete, Ok(worker)) = (sample.kind(), last_word(sample.key_expr()).parse()) {
            heard.core().lost(worker);
            heard.news.store(true, Relaxed);
        } else {
            // A new worker should not wait for its first bulletin.
            heard.hurry();
        }
    });
    let asked = office.clone();
    let status = session.declare_queryable(key(cluster, "status")).callback(move |query| {
        let status = asked.core().status(asked.now());
        answer(&query, serde_json::to_string(&status));
    });
    let asked = office.clone();
    let ledger = session.declare_queryable(key(cluster, "ledger")).callback(move |query| {
        let contributions = asked.core().contributions();
        answer(&query, serde_json::to_string(&contributions.iter().map(ledger_row).collect::<Vec<_>>()));
    });
    Ok(vec![Box::new(reports.wait()?), Box::new(lives.wait()?), Box::new(status.wait()?), Box::new(ledger.wait()?)])
}

fn answer(query: &Query, text: Result<String, serde_json::Error>) {
    if let Ok(text) = text {
        query.reply(query.key_expr().clone(), text).wait().ok();
    }
}

/// Search, worker, moves, visits, wins, score.
fn ledger_row((search, worker, path, counts): &(u64, u64, Path, Counts)) -> serde_json::Value {
    let moves: Vec<u16> = path.moves().iter().map(|&mv| move_code(mv)).collect();
    serde_json::json!([search, worker, moves, counts.visits, counts.wins, counts.black_score])
}

/// Tells all workers again and again what they should know.
fn announce(session: &Session, office: &Office, down: &str) {
    loop {
        let is_last = office.is_closing.load(Relaxed);
        let (bytes, interval, is_idle) = {
            let mut core = office.core();
            let bytes = core.sealed_bulletin(office.now());
            (bytes, core.interval(), core.is_idle())
        };
        // A lost bulletin is made good by the next one.
        session.put(down, bytes).express(true).wait().ok();
        if is_last {
            return;
        }
        office.wait(if is_idle { interval.max(IDLE_INTERVAL) } else { interval });
    }
}

impl Searcher for ClusterSearcher {
    fn search(&mut self, request: &SearchRequest<'_>, progress: Option<Progress<'_>>) -> SearchReport {
        let office = self.presence.office.clone();
        {
            let mut core = office.core();
            let task = Task::new(request, self.tree.parameters(), core.levels());
            core.begin(task, office.now());
        }
        office.hurry();
        // All of us together decide how many playouts are enough; time is our own.
        let own = SearchRequest { limits: Limits { playouts: None, ..request.limits }, ..*request };
        let mut table = Table::new(&office, request.limits.playouts);
        let mut report = self.tree.search_with_peers(&own, progress, Some(&mut table));
        let mut core = office.core();
        report.playouts = core.playouts();
        debug!(machines = core.rank(office.now()).of, playouts = report.playouts, visits = report.visits, "searched");
        core.end();
        drop(core);
        office.hurry();
        report
    }

    fn raw_net(&mut self, game: &Game, to_move: Color, symmetry: Symmetry, manner: Manner) -> Option<Evaluation> {
        self.tree.raw_net(game, to_move, symmetry, manner)
    }

    fn set_parameters(&mut self, parameters: &Parameters) {
        self.tree.set_parameters(parameters);
    }

    fn forget(&mut self) {
        self.tree.forget();
    }

    fn threads(&self) -> usize {
        self.tree.threads()
    }

    fn set_threads(&mut self, threads: usize) {
        self.tree.set_threads(threads);
    }
}

/// Where our own tree meets the merged totals.
struct Table<'a> {
    office: &'a Office,
    /// The number at which one machine would play.
    playouts: Option<u64>,
    next_exchange: Duration,
    would_play: bool,
    has_reached: bool,
}

impl Table<'_> {
    fn new(office: &Office, playouts: Option<u64>) -> Table<'_> {
        Table { office, playouts, next_exchange: Duration::ZERO, would_play: false, has_reached: false }
    }
}

impl Peers for Table<'_> {
    fn levels(&self) -> usize {
        self.office.core().levels()
    }

    fn rank(&self) -> Rank {
        self.office.core().rank(self.office.now())
    }

    fn playouts_of_all(&self) -> Option<u64> {
        self.office.core().playouts_of_all(self.office.now())
    }

    fn look(&mut self, exchange: &mut Exchange<'_>, standing: Standing) -> Verdict {
        let has_reached = self.playouts.is_some_and(|limit| standing.playouts >= limit);
        let changed = (standing.is_enough, has_reached) != (self.would_play, self.has_reached);
        let is_due = standing.elapsed >= self.next_exchange || changed || standing.is_still;
        let has_news = self.office.news.swap(false, Relaxed);
        if !is_due && !has_news {
            return Verdict::GoOn;
        }
        let mut core = self.office.core();
        if is_due {
            (self.would_play, self.has_reached) = (standing.is_enough, has_reached);
            let pause = pause(OWN_INTERVAL, standing.elapsed);
            self.next_exchange = standing.elapsed + pause;
            core.put(&exchange.own(), standing.is_enough);
            exchange.set_others(&core.others());
            if pause < OWN_INTERVAL {
                self.office.hurry();
            }
        }
        if core.is_decided(self.office.now()) { Verdict::Stop } else { Verdict::GoOn }
    }
}
