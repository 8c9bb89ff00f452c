//! A member with a worker's pass that means harm: it floods the coordinator with false reports, or gives orders itself.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use jigo_board::{Game, Move, Rules};
use jigo_cluster::wire::{Bulletin, Ongoing, Passport, Share, WireNode, WorkerReport, envelope};
use jigo_cluster::zenoh::qos::CongestionControl;
use jigo_cluster::zenoh::{Session, Wait};
use jigo_cluster::{Channel, ClusterLink, JobReply, JobRequest, JobServer, LinkOptions, Role, Seal, Security, Task};
use jigo_search::{Counts, Limits, Parameters, Path as TreePath, SearchRequest};
use serde_json::Value;

use crate::games::Worker;
use crate::hostile::{free_address, game, plain_player};
use crate::hosts::{ENDLESS, Gtp, on_this_host, secret, text, wait_for};
use crate::{BY_THE_CLOCK, read_log};

/// A cluster with a password and a pass made of it.
pub struct Cluster {
    pub name: String,
    pub place: String,
    folder: tempfile::TempDir,
}

impl Cluster {
    pub fn new(test: &str) -> Cluster {
        let cluster = Cluster {
            name: format!("{test}-{}", std::process::id()),
            place: free_address(),
            folder: tempfile::tempdir().expect("a folder for the test"),
        };
        secret(&cluster.password(), "open sesame\n");
        let file = text(&cluster.password()).to_string();
        let mut command = on_this_host(&["cluster", "pass", "--cluster", &cluster.name, "--password-file", &file]);
        let printed = command.stdout(Stdio::piped()).output().expect("jigo starts");
        secret(&cluster.pass(), &String::from_utf8_lossy(&printed.stdout));
        cluster
    }

    pub fn password(&self) -> PathBuf {
        self.folder.path().join("password")
    }

    fn pass(&self) -> PathBuf {
        self.folder.path().join("pass")
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("worker.log")
    }

    /// An honest worker, that writes down its searches.
    pub fn worker(&self) -> Worker {
        let (pass, log) = (self.pass(), self.log());
        let member = ["--connect", &self.place, "--password-file", text(&pass)];
        Worker::start_with(&self.name, &[&member[..], &["--searches", text(&log), "--threads", "1"]].concat())
    }

    /// What the coordinator answers to whoever knows the password.
    fn ask(&self, format: &str) -> Option<Value> {
        let password = self.password();
        let arguments = ["cluster", "status", "--cluster", &self.name, "--connect", &self.place, format];
        let mut command = on_this_host(&[&arguments[..], &["--password-file", text(&password)]].concat());
        serde_json::from_slice(&command.stdout(Stdio::piped()).output().expect("jigo starts").stdout).ok()
    }

    fn status(&self) -> Value {
        wait_for("an answer to a question", || self.ask("--json"))
    }

    fn messages_in(&self) -> u64 {
        self.status()["traffic"]["messages_in"].as_u64().expect("a number")
    }

    /// Waits until the coordinator has heard so many messages more.
    fn wait_for_messages(&self, count: u64) {
        let before = self.messages_in();
        wait_for("the flood", || (self.messages_in() > before + count).then_some(()));
    }

    fn options(&self, proof: &Path) -> LinkOptions {
        let security = Security::Password(proof.to_path_buf());
        LinkOptions { connect: vec![self.place.clone()], ..LinkOptions::new(&self.name, security) }
    }

    /// A way in without any of our manners.
    pub fn link(&self, proof: &Path) -> (Session, Arc<dyn Seal>) {
        let options = self.options(proof);
        let credentials = options.credentials().expect("a proof");
        let (session, _) = wait_for("a place to go to", || options.join(&credentials, &[]).ok());
        (session, credentials.seal)
    }

    pub fn key(&self, what: &str) -> String {
        format!("jigo/{}/{what}", self.name)
    }
}

fn passport() -> Passport {
    Passport { version: env!("CARGO_PKG_VERSION").to_string(), net: 0 }
}

/// Counts that nobody can have found in this time.
fn lie(search: u64, position: u64) -> WorkerReport {
    let counts = Counts { visits: 1 << 31, wins: 1 << 47, black_score: 0 };
    let pass = TreePath::ROOT.then(Move::Pass).expect("one level");
    let nodes = [TreePath::ROOT, pass].map(|path| WireNode::new(&path, counts)).to_vec();
    let share = Share { search, position, base: 0, sequence: 1, heard: 0, would_play: true, nodes };
    WorkerReport {
        name: "liar".into(),
        passport: passport(),
        threads: 1,
        thinking: search,
        declines: None,
        share: Some(share),
    }
}

/// Identities that one liar takes on, one after the other.
const MASKS: u64 = 200;

/// Reports as fast as the coordinator takes them: rubbish, repetitions, searches that never were, absurd counts about the one
/// that is, under many names. Gives the number of those sent.
fn flood(cluster: &Cluster, is_over: &AtomicBool) -> u64 {
    let (session, seal) = cluster.link(&cluster.pass());
    let channel = |id| Channel::new(seal.clone(), &cluster.name, id, Role::Worker);
    let liar = Arc::new(Mutex::new(channel(1 << 20)));
    let present = Arc::new(Mutex::new((0, 0)));
    let (hears, learns) = (liar.clone(), present.clone());
    let bulletins = session.declare_subscriber(cluster.key("down")).callback(move |sample| {
        let heard = hears.lock().unwrap().open::<Bulletin>("down", Role::Coordinator, &sample.payload().to_bytes());
        if let Ok(Ongoing { id, task: Some(task), .. }) = heard.map_err(drop).and_then(|h| h.body.search.ok_or(())) {
            *learns.lock().unwrap() = (id, task.position);
        }
    });
    let _bulletins = bulletins.wait().expect("a subscription");
    let (repeated, _) = channel(7).close("up", None, &lie(7, 7));
    let up = session.declare_publisher(cluster.key("up")).congestion_control(CongestionControl::Block).wait();
    let up = up.expect("a voice");
    let mut sent: u64 = 0;
    while !is_over.load(Relaxed) {
        let (search, position) = *present.lock().unwrap();
        let close = |report: &WorkerReport| liar.lock().unwrap().close("up", None, report).0;
        let bytes = match sent % 5 {
            0 => envelope(sent.to_le_bytes().repeat(50)),
            1 => repeated.clone(),
            2 => close(&lie(sent, position)),
            3 => close(&lie(search, position)),
            _ => channel((1 << 21) + sent / 5 % MASKS).close("up", None, &lie(search, position)).0,
        };
        up.put(bytes).wait().ok();
        sent += 1;
    }
    sent
}

/// Messages of a flood that the coordinator hears before it is asked for a move, and again while it thinks.
const MANY: u64 = 500;

#[test]
fn a_flood_of_false_reports_makes_no_move_late() {
    let cluster = Cluster::new("flood");
    let password = cluster.password();
    let place = ["gtp", "--cluster", &cluster.name, "--listen", &cluster.place, "--password-file", text(&password)];
    let mut command = on_this_host(&[&place[..], &["--size", "9", "--net", "none", "--threads", "1"]].concat());
    command.stdout(Stdio::piped());
    let mut gtp = Gtp::start(command);
    gtp.ask("name");
    let mut worker = cluster.worker();
    worker.says("joined");
    let is_over = AtomicBool::new(false);
    let sent = std::thread::scope(|scope| {
        let over = RaisedAtEnd(&is_over);
        let flood = scope.spawn(|| flood(&cluster, &is_over));
        cluster.wait_for_messages(MANY);
        for color in ["b", "w", "b"] {
            gtp.ask(ENDLESS);
            gtp.send(&format!("genmove {color}"));
            // The honest worker takes part, and the liars are heard.
            wait_for("a search of two", || {
                let workers = cluster.status()["workers"].as_array().cloned()?;
                workers.iter().any(|worker| worker["playouts_per_second"].as_f64() > Some(0.0)).then_some(())
            });
            cluster.wait_for_messages(MANY);
            assert_ne!(gtp.interrupt(), "resign", "nobody is so far behind so early");
        }
        // A move by the clock comes, too.
        gtp.ask(BY_THE_CLOCK);
        gtp.ask("genmove w");
        drop(over);
        flood.join().expect("the flood ends")
    });

    // Nothing that was said falsely counts, and everything that the honest worker found does.
    let mine = wait_for("the honest worker's last word", || {
        let (ledger, log) = (cluster.ask("--ledger")?, read_log(&cluster.log()));
        let rows = ledger.as_array()?;
        let of = |worker: u64| rows.iter().filter(move |row| row[1] == worker).map(|row| row[3].as_u64());
        let honest = log.keys().map(|(worker, _)| *worker).next()?;
        let root = |nodes: &crate::Nodes| nodes[&vec![]].0;
        let found: u64 = log.values().map(root).sum();
        let counted = rows.iter().filter(|row| row[1] == honest && row[2].as_array().is_some_and(Vec::is_empty));
        let counted: u64 = counted.filter_map(|row| row[3].as_u64()).sum();
        let liars = rows.iter().filter(|row| row[1] != 0 && row[1] != honest).count();
        assert_eq!(liars, 0, "somebody was believed who should not be");
        (of(0).count() > 0 && counted == found && log.len() >= 3).then_some(found)
    });
    eprintln!("{sent} false reports, {mine} simulations of the honest worker");
    gtp.quit();
}

/// The flood goes when the test ends, however it ends.
struct RaisedAtEnd<'a>(&'a AtomicBool);

impl Drop for RaisedAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Whose games the commander offers.
const BOARD: u64 = 1 << 31;

/// One who says what to search and offers a game, as if it had the right to.
struct Commander {
    session: Session,
    /// Reports and questions that it heard from workers that hear it.
    heard: Arc<AtomicU64>,
    /// Reports that tell of its search, and games that were played for it.
    searched: Arc<AtomicU64>,
    played: Arc<AtomicU64>,
}

impl Commander {
    fn start(cluster: &Cluster, proof: &Path) -> Commander {
        let (session, seal) = cluster.link(proof);
        let [heard, searched, played] = [(); 3].map(|()| Arc::new(AtomicU64::new(0)));
        let channel = |id, role| Arc::new(Mutex::new(Channel::new(seal.clone(), &cluster.name, id, role)));
        let (voice, number) = (channel(1 << 30, Role::Coordinator), AtomicU64::new(0));
        let (speaker, down) = (session.clone(), cluster.key("down"));
        let (count, found) = (heard.clone(), searched.clone());
        let reports = session.declare_subscriber(cluster.key("up")).callback(move |sample| {
            // Every report is answered with the same order.
            let mut voice = voice.lock().unwrap();
            if let Ok(report) = voice.open::<WorkerReport>("up", Role::Worker, &sample.payload().to_bytes()) {
                count.fetch_add(1, Relaxed);
                let share = report.body.share.filter(|share| !share.nodes.is_empty());
                found.fetch_add(share.is_some().into(), Relaxed);
                let order = voice.close("down", None, &order(number.fetch_add(1, Relaxed) + 1)).0;
                speaker.put(&down, order).wait().ok();
            }
        });
        reports.background().wait().expect("a subscription");
        let (voice, count, done) = (channel(BOARD, Role::Jobs), heard.clone(), played.clone());
        let offers = session.declare_queryable(cluster.key("jobs")).callback(move |query| {
            let mut voice = voice.lock().unwrap();
            let bytes = query.payload().map(|payload| payload.to_bytes().into_owned()).unwrap_or_default();
            let Ok(asked) = voice.open::<JobRequest>("jobs", Role::Worker, &bytes) else { return };
            count.fetch_add(1, Relaxed);
            // Workers say it to everybody on the board of jobs; what was done for others does not count.
            let own = asked.body.done.is_some_and(|done| done.board == BOARD);
            done.fetch_add(own.into(), Relaxed);
            let job = Some((0, game(plain_player()).to_string()));
            let reply = JobReply { board: BOARD, job, refusal: None, ask_again: false };
            let (bytes, _) = voice.close("jobs", Some((asked.sender, asked.sequence)), &reply);
            query.reply(query.key_expr().clone(), bytes).wait().ok();
        });
        offers.background().wait().expect("a board of jobs");
        Commander { session, heard, searched, played }
    }
}

impl Drop for Commander {
    fn drop(&mut self) {
        self.session.close().wait().ok();
    }
}

/// A search of a hundred simulations, with more memory than most machines have.
fn order(number: u64) -> Bulletin {
    let mut wish = Parameters::default();
    wish.search.tree_megabytes = 60_000;
    let (never, rules) = (AtomicBool::new(false), Rules::default());
    let game = Game::new(9, rules);
    let limits = Limits { playouts: Some(100), visits: None, time: None };
    let task = Task::new(&SearchRequest::new(&game, game.to_move(), limits, &never), &wish, 1);
    let search = Ongoing {
        id: (1 << 30) + 1,
        elapsed_ms: 0,
        task: Some(task),
        base: 0,
        sequence: 0,
        nodes: Vec::new(),
        workers: Vec::new(),
    };
    Bulletin { passport: passport(), number, interval: 100, search: Some(search), known: vec![], refusals: vec![] }
}

#[test]
fn a_small_worker_grants_what_it_has_of_a_great_wish() {
    let cluster = Cluster::new("wish");
    let owner = Security::Password(cluster.password());
    let options = LinkOptions { listen: vec![cluster.place.clone()], ..LinkOptions::new(&cluster.name, owner) };
    let _link = ClusterLink::open(&options).expect("a cluster");
    let commander = Commander::start(&cluster, &cluster.password());
    let password = cluster.password();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v \"$0\" && exec \"$@\"", SMALL_KILOBYTES, env!("CARGO_BIN_EXE_jigo")]);
    command.args(["worker", "--cluster", &cluster.name, "--connect", &cluster.place, "--password-file"]);
    command.args([text(&password), "--net", "none", "--threads", "1", "--games", "0"]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let _worker = Worker::of(command);
    wait_for("a search in little memory", || (commander.searched.load(Relaxed) > 0).then_some(()));
}

/// Of virtual memory, for a program that lends a thousand megabytes by default.
const SMALL_KILOBYTES: &str = "1500000";

#[test]
fn the_owner_of_a_pass_who_gives_orders_is_not_obeyed() {
    let cluster = Cluster::new("orders");
    let owner = Security::Password(cluster.password());
    let options = LinkOptions { listen: vec![cluster.place.clone()], ..LinkOptions::new(&cluster.name, owner) };
    let link = Arc::new(ClusterLink::open(&options).expect("a cluster"));
    let server = JobServer::open(link, env!("CARGO_PKG_VERSION")).expect("a server");
    let usurper = Commander::start(&cluster, &cluster.pass());
    let mut worker = cluster.worker();
    worker.says("joined");
    wait_for("workers that hear orders", || (usurper.heard.load(Relaxed) > 20).then_some(()));
    let obeyed = || usurper.played.load(Relaxed) + usurper.searched.load(Relaxed);
    assert_eq!(obeyed(), 0, "nobody works because a worker says so");
    // Meanwhile those who have the right are obeyed.
    server.put(0, game(plain_player()).to_string());
    let (_, played) = server.next().expect("a result");
    assert!(played.is_ok(), "{played:?}");
    assert_eq!(obeyed(), 0);
    drop(usurper);
    // The same orders by one who knows the password: there was nothing else wrong with them.
    let commander = Commander::start(&cluster, &cluster.password());
    wait_for("a game for the one who may ask", || (commander.played.load(Relaxed) > 0).then_some(()));
    wait_for("a search for the one who may ask", || (commander.searched.load(Relaxed) > 0).then_some(()));
}
