//! The coordinator: one more searcher, that lets others search with it.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jigo_board::{Color, Game, Symmetry};
use jigo_search::{
    Advice, Counts, Evaluation, Exchange, Limits, Manner, Parameters, Path, Peers, Progress, Rank, SearchReport,
    SearchRequest, Searcher, Standing, TreeSearcher, Unavailable,
};
use tracing::debug;
use zenoh::query::Query;
use zenoh::sample::SampleKind;
use zenoh::{Session, Wait};

use super::asking::{ask_in, read_status};
use super::link::{LinkError, LinkOptions};
use super::{DOWN, LEDGER, STATUS, UP, close, fresh_id, key, last_word, pause};
use crate::channel::{Channel, Received};
use crate::coordinator::Coordinator;
use crate::decide::PlayoutRule;
use crate::seal::{Role, Seal};
use crate::status::ClusterStatus;
use crate::task::Task;
use crate::wire::{Passport, WorkerReport, move_code};

/// Without a search workers only need to hear that we are there.
const IDLE_INTERVAL: Duration = Duration::from_millis(500);
/// Between two bulletins, though somebody is in a hurry.
const SHORTEST_PAUSE: Duration = Duration::from_millis(2);
/// How long awaited workers may take to come.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between exchanges of our own tree with the merged totals.
const OWN_INTERVAL: Duration = Duration::from_millis(100);

/// A place in a cluster that the coordinators of one process share.
pub struct ClusterLink {
    session: Session,
    cluster: String,
    seal: Arc<dyn Seal>,
}

impl ClusterLink {
    pub fn open(options: &LinkOptions) -> Result<ClusterLink, LinkError> {
        let credentials = options.credentials()?;
        credentials.check_orders()?;
        let session = options.host_or_join(&credentials)?;
        Ok(ClusterLink { session, cluster: options.cluster.clone(), seal: credentials.seal })
    }

    /// A voice of our own in this role.
    pub(super) fn channel(&self, role: Role) -> Channel {
        Channel::new(self.seal.clone(), &self.cluster, fresh_id(), role)
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
    /// Workers that must be there before anything is searched.
    pub awaited: usize,
}

/// Searches together with every worker of its cluster; alone if there is none.
pub struct ClusterSearcher {
    tree: TreeSearcher,
    service: CoordinatorService,
    /// The positions of the game that was searched last.
    last_game: Vec<u64>,
}

/// A coordinator that is there, heard by all workers and hearing them.
pub struct CoordinatorService {
    shared: Arc<Shared>,
    announcer: Option<JoinHandle<()>>,
    /// Subscriptions and answers; they end with us.
    _subscriptions: Vec<Subscription>,
    link: Arc<ClusterLink>,
}

type Subscription = Box<dyn Any + Send + Sync>;

/// What the search, the network's threads and the announcer share.
struct Shared {
    core: Mutex<Coordinator>,
    /// Apart from the core: telling members from strangers takes time that no search waits for.
    channel: Mutex<Channel>,
    began: Instant,
    /// Something arrived.
    news: AtomicBool,
    is_closing: AtomicBool,
    /// Wakes the announcer.
    hurry: Condvar,
    hurried: Mutex<bool>,
}

impl Shared {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// The protocol's state is never left half changed, so a panic elsewhere does not spoil it.
    fn core(&self) -> MutexGuard<'_, Coordinator> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn channel(&self) -> MutexGuard<'_, Channel> {
        self.channel.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A report, or something that is none.
    fn receive(&self, bytes: &[u8]) {
        let heard = self.channel().open::<WorkerReport>(UP, Role::Worker, bytes);
        match heard {
            Ok(Received { is_present: true, sender, body, .. }) => {
                self.core().receive(sender, body, bytes.len(), self.now())
            }
            // One that is new here, or an echo: it hears of us, and if it is there it says so.
            Ok(_) => self.hurry(),
            Err(why) => return self.core().drop_unread(why, bytes.len()),
        }
        self.news.store(true, Relaxed);
    }

    /// Answers a question about the cluster, if a member asks.
    fn answer(&self, query: &Query, question: &str, tell: impl FnOnce(&Shared) -> serde_json::Result<String>) {
        let Some(payload) = query.payload() else { return };
        let asked = self.channel().open::<()>(question, Role::Observer, &payload.to_bytes());
        if let Ok(Received { sender, sequence, .. }) = asked
            && let Ok(text) = tell(self)
        {
            let (bytes, _) = self.channel().close(question, Some((sender, sequence)), &text);
            query.reply(query.key_expr().clone(), bytes).wait().ok();
        }
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

impl CoordinatorService {
    pub fn new(how: &Coordination) -> CoordinatorService {
        let ClusterLink { session, cluster, .. } = &*how.link;
        let channel = how.link.channel(Role::Coordinator);
        let shared = Arc::new(Shared {
            core: Mutex::new(Coordinator::new(channel.id(), how.passport.clone(), how.levels, how.rule)),
            channel: Mutex::new(channel),
            began: Instant::now(),
            news: AtomicBool::new(false),
            is_closing: AtomicBool::new(false),
            hurry: Condvar::new(),
            hurried: Mutex::new(false),
        });
        // Declarations fail only if the session is closed; then nobody is heard and we play alone.
        let subscriptions = listen(session, cluster, &shared).unwrap_or_default();
        let announcer = std::thread::spawn({
            let (session, shared, down) = (session.clone(), shared.clone(), key(cluster, DOWN));
            move || announce(&session, &shared, &down)
        });
        CoordinatorService { shared, announcer: Some(announcer), _subscriptions: subscriptions, link: how.link.clone() }
    }

    /// Until so many workers are there, or patience ends.
    fn wait_for(&self, workers: usize) {
        while self.shared.core().present(self.shared.now()) < workers && self.shared.now() < PATIENCE {
            std::thread::sleep(SHORTEST_PAUSE);
        }
    }

    /// How every coordinator of the cluster is doing.
    pub fn status(&self) -> Vec<ClusterStatus> {
        let ClusterLink { session, cluster, seal } = &*self.link;
        read_status(&ask_in(session, cluster, seal.clone(), STATUS).unwrap_or_default())
    }
}

impl ClusterSearcher {
    pub fn new(tree: TreeSearcher, how: &Coordination) -> ClusterSearcher {
        let service = CoordinatorService::new(how);
        service.wait_for(how.awaited);
        ClusterSearcher { tree, service, last_game: Vec::new() }
    }

    /// Does this game go on from the last one that was asked about?
    fn is_same_game(&mut self, game: &Game) -> bool {
        let positions: Vec<u64> = game.position_hashes().collect();
        let goes_on = positions.starts_with(&self.last_game);
        self.last_game = positions;
        goes_on
    }
}

impl Drop for CoordinatorService {
    fn drop(&mut self) {
        self.shared.core().end();
        self.shared.is_closing.store(true, Relaxed);
        self.shared.hurry();
        if let Some(announcer) = self.announcer.take() {
            announcer.join().ok();
        }
    }
}

/// Reports, goodbyes and questions.
fn listen(session: &Session, cluster: &str, shared: &Arc<Shared>) -> zenoh::Result<Vec<Subscription>> {
    let heard = shared.clone();
    let reports = session
        .declare_subscriber(key(cluster, UP))
        .callback(move |sample| heard.receive(&sample.payload().to_bytes()));
    let heard = shared.clone();
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
    let asked = shared.clone();
    let status = session.declare_queryable(key(cluster, STATUS)).callback(move |query| {
        asked.answer(&query, STATUS, |shared| serde_json::to_string(&shared.core().status(shared.now())));
    });
    let asked = shared.clone();
    let ledger = session.declare_queryable(key(cluster, LEDGER)).callback(move |query| {
        asked.answer(&query, LEDGER, |shared| {
            let contributions = shared.core().contributions();
            serde_json::to_string(&contributions.iter().map(ledger_row).collect::<Vec<_>>())
        });
    });
    Ok(vec![Box::new(reports.wait()?), Box::new(lives.wait()?), Box::new(status.wait()?), Box::new(ledger.wait()?)])
}

/// Search, worker, moves, visits, wins, score.
fn ledger_row((search, worker, path, counts): &(u64, u64, Path, Counts)) -> serde_json::Value {
    let moves: Vec<u16> = path.moves().iter().map(|&mv| move_code(mv)).collect();
    serde_json::json!([search, worker, moves, counts.visits, counts.wins, counts.black_score])
}

/// Tells all workers again and again what they should know.
fn announce(session: &Session, shared: &Shared, down: &str) {
    loop {
        let is_last = shared.is_closing.load(Relaxed);
        let (bulletin, interval, is_idle) = {
            let mut core = shared.core();
            (core.bulletin(shared.now()), core.interval(), core.is_idle())
        };
        let (bytes, _) = shared.channel().close(DOWN, None, &bulletin);
        shared.core().count_out(bytes.len());
        // A lost bulletin is made good by the next one.
        session.put(down, bytes).express(true).wait().ok();
        if is_last {
            return;
        }
        // However many want to hear us at once, they all hear the same.
        std::thread::sleep(SHORTEST_PAUSE);
        shared.wait(if is_idle { interval.max(IDLE_INTERVAL) } else { interval });
    }
}

impl Searcher for ClusterSearcher {
    fn search(&mut self, request: &SearchRequest<'_>, progress: Option<Progress<'_>>) -> SearchReport {
        let shared = self.service.shared.clone();
        {
            let mut core = shared.core();
            if !self.is_same_game(request.game) {
                core.forget();
            }
            let task = Task::new(request, self.tree.parameters(), core.levels());
            core.begin(task, shared.now());
        }
        shared.hurry();
        // All of us together decide how many playouts are enough; time is our own.
        let own = SearchRequest { limits: Limits { playouts: None, ..request.limits }, ..*request };
        let mut peers = CoordinatorPeers::new(&shared, request.limits.playouts);
        let mut report = self.tree.search_with_peers(&own, progress, Some(&mut peers));
        let mut core = shared.core();
        report.playouts = core.playouts();
        debug!(machines = core.rank(shared.now()).of, playouts = report.playouts, visits = report.visits, "searched");
        core.end();
        drop(core);
        shared.hurry();
        report
    }

    fn raw_net(&mut self, game: &Game, to_move: Color, symmetry: Symmetry, manner: Manner) -> Option<Evaluation> {
        self.tree.raw_net(game, to_move, symmetry, manner)
    }

    fn set_parameters(&mut self, parameters: &Parameters) -> Result<(), Unavailable> {
        self.tree.set_parameters(parameters)
    }

    fn forget(&mut self) {
        self.tree.forget();
    }

    fn threads(&self) -> usize {
        self.tree.threads()
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), Unavailable> {
        self.tree.set_threads(threads)
    }
}

/// Where our own tree meets the merged totals.
struct CoordinatorPeers<'a> {
    shared: &'a Shared,
    /// The number at which one machine would play.
    playouts: Option<u64>,
    next_exchange: Duration,
    would_play: bool,
    has_reached: bool,
}

impl CoordinatorPeers<'_> {
    fn new(shared: &Shared, playouts: Option<u64>) -> CoordinatorPeers<'_> {
        CoordinatorPeers { shared, playouts, next_exchange: Duration::ZERO, would_play: false, has_reached: false }
    }
}

impl Peers for CoordinatorPeers<'_> {
    fn levels(&self) -> usize {
        self.shared.core().levels()
    }

    fn rank(&self) -> Rank {
        self.shared.core().rank(self.shared.now())
    }

    fn playouts_of_all(&self) -> Option<u64> {
        self.shared.core().playouts_of_all(self.shared.now())
    }

    fn look(&mut self, exchange: &mut Exchange<'_>, standing: Standing) -> Advice {
        let has_reached = self.playouts.is_some_and(|limit| standing.playouts >= limit);
        let changed = (standing.is_enough, has_reached) != (self.would_play, self.has_reached);
        let is_due = standing.elapsed >= self.next_exchange || changed || standing.is_still;
        let has_news = self.shared.news.swap(false, Relaxed);
        if !is_due && !has_news {
            return Advice::GoOn;
        }
        let mut core = self.shared.core();
        if is_due {
            (self.would_play, self.has_reached) = (standing.is_enough, has_reached);
            let pause = pause(OWN_INTERVAL, standing.elapsed);
            self.next_exchange = standing.elapsed + pause;
            core.put(&exchange.own(), standing.is_enough);
            exchange.set_others(&core.others());
            if pause < OWN_INTERVAL {
                self.shared.hurry();
            }
        }
        if core.is_decided(self.shared.now()) { Advice::Stop } else { Advice::GoOn }
    }
}
