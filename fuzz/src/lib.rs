//! The ways in for what strangers send: bytes go in, and whatever they are, nothing panics and nothing is asked for without bound.
//!
//! `.ci/fuzz NAME` looks for new faults in one of them; `app/tests/fuzz_replay.rs` goes through `seeds/` and `findings/` in every run of
//! the tests. A finding is mended, made small (`cargo fuzz tmin`), and kept in `findings/NAME/`.

use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use jigo_analysis::{AnalysisService, Options};
use jigo_board::{Game, Rules};
use jigo_cluster::wire::{self, Bulletin, Passport, WorkerReport};
use jigo_cluster::{
    Channel, Coordinator, JobReply, JobRequest, Member, ParcelPiece, Permission, PlayoutRule, Role, Seal,
};
use jigo_engine::Engine;
use jigo_search::RandomMover;
use jigo_sgf::{Collection, GameRecord, Repetition};
use jigo_train::journal::{Entry, read_journal};

pub type WayIn = fn(&[u8]);

/// Each by its name.
pub const WAYS_IN: [(&str, WayIn); 9] = [
    ("sgf", sgf),
    ("gtp", gtp),
    ("analysis", analysis),
    ("web", web),
    ("cluster", cluster),
    ("net", net),
    ("katago_net", katago_net),
    ("review_journal", review_journal),
    ("training_journal", training_journal),
];

/// A game record: read, replayed, written and read again.
pub fn sgf(bytes: &[u8]) {
    let Ok(collection) = Collection::from_bytes(bytes) else { return };
    for tree in &collection.games {
        if let Ok(record) = GameRecord::main_line(tree) {
            // A record of thousands of moves is judged by superko for a long time, which is no fault.
            let moves = record.moves().count().min(500);
            let _ = record.replay(moves, Rules::default(), Repetition::Judge);
        }
    }
    let written = collection.to_text();
    let again = Collection::from_text(&written).expect("what we write can be read");
    assert_eq!(again.to_text(), written);
}

fn player() -> Engine {
    Engine::new(Game::new(5, Rules::default()), Box::new(RandomMover::new(1)), 1)
}

/// Lines of GTP, but for commands that read and write files of any name.
pub fn gtp(bytes: &[u8]) {
    let mut session = jigo_gtp::Session::new(player());
    session.engine().stop_flag().raise();
    for line in bytes.split(|&byte| byte == b'\n').take(100) {
        let touches_files = |command: &str| ["printsgf", "loadsgf"].contains(&command);
        if jigo_gtp::parse(line).is_some_and(|parsed| touches_files(&parsed.command)) {
            continue;
        }
        session.respond(line);
    }
}

/// Lines of the analysis protocol. One service for all: its threads cost more than a question.
pub fn analysis(bytes: &[u8]) {
    static SERVICE: LazyLock<AnalysisService> =
        LazyLock::new(|| AnalysisService::new(Box::new(player), Options { workers: 1, ..Options::default() }));
    let client = SERVICE.client(|_| {});
    for line in String::from_utf8_lossy(bytes).lines().take(20) {
        client.line(line);
    }
    client.wait();
}

/// Messages of a browser tab.
pub fn web(bytes: &[u8]) {
    jigo_web::rehearse(&String::from_utf8_lossy(bytes));
}

/// Lets everybody in: what members may say is of interest here, not who they are.
struct OpenDoor;

impl Seal for OpenDoor {
    fn close(&self, _: &[u8], _: Role, plain: &[u8]) -> Vec<u8> {
        plain.to_vec()
    }

    fn open(&self, _: &[u8], sealed: &[u8]) -> Option<(Vec<u8>, Permission)> {
        Some((sealed.to_vec(), Permission::Everything))
    }

    fn permission(&self) -> Permission {
        Permission::Everything
    }
}

/// A message of a cluster, in whichever role it is heard.
pub fn cluster(bytes: &[u8]) {
    let mut channel = Channel::new(Arc::new(OpenDoor), "fuzz", 1, Role::Coordinator);
    let _ = channel.open::<WorkerReport>("place", Role::Worker, bytes);
    let envelope = wire::envelope(bytes.to_vec());
    let _ = channel.open::<WorkerReport>("place", Role::Worker, &envelope);
    let passport = || Passport { version: String::new(), net: 0 };
    let now = Duration::from_secs(1);
    if let Ok(report) = postcard::from_bytes::<WorkerReport>(bytes) {
        let mut coordinator = Coordinator::new(1, passport(), 1, PlayoutRule::Half);
        coordinator.receive(2, report, bytes.len(), now);
        coordinator.bulletin(now);
    }
    if let Ok(bulletin) = postcard::from_bytes::<Bulletin>(bytes) {
        if let Some(task) = bulletin.search.as_ref().and_then(|search| search.task.as_ref()) {
            let _ = (task.game(), task.restrictions(), task.parameters(), task.limits(now));
        }
        let mut member = Member::new(2, String::new(), passport(), 1);
        member.receive(1, bulletin, now);
    }
    let _ = (postcard::from_bytes::<JobRequest>(bytes), postcard::from_bytes::<JobReply>(bytes));
    let _ = postcard::from_bytes::<ParcelPiece>(bytes);
}

/// A net of ours. What can be read can be run.
pub fn net(bytes: &[u8]) {
    let _ = jigo_net::Net::from_bytes(bytes);
}

/// A net of KataGo's, packed or not.
pub fn katago_net(bytes: &[u8]) {
    let _ = jigo_katago::Model::read(bytes);
}

/// A review that was interrupted.
pub fn review_journal(bytes: &[u8]) {
    let games = [Game::new(5, Rules::default()), Game::new(5, Rules::default())];
    let mut journal = jigo_review::ReviewJournal::new(&games, 10, "net");
    let _ = journal.resume(bytes);
    // As if it were a journal of ours.
    let _ = journal.resume(&[journal.heading_line().as_bytes(), bytes].concat());
    let _ = journal.into_opinions();
}

/// Positions and answers of a teacher, as a whole file and as the one entry of a sound one.
pub fn training_journal(bytes: &[u8]) {
    read_as::<jigo_train::teach::Answers>(bytes);
    read_as::<jigo_train::positions::Draw>(bytes);
}

fn read_as<T: Entry>(bytes: &[u8]) {
    static FILE: LazyLock<Mutex<tempfile::NamedTempFile>> =
        LazyLock::new(|| Mutex::new(tempfile::NamedTempFile::new().expect("a file to read from")));
    let checksum = bytes.iter().fold(0x811c_9dc5u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    let heading = format!("{}\n", T::WHAT);
    let frame = [&(bytes.len() as u32).to_le_bytes()[..], &checksum.to_le_bytes(), bytes].concat();
    for content in [bytes.to_vec(), [heading.as_bytes(), bytes].concat(), [heading.as_bytes(), &frame].concat()] {
        let mut file = FILE.lock().unwrap_or_else(PoisonError::into_inner);
        file.as_file_mut().set_len(0).expect("our own file");
        std::io::Seek::rewind(file.as_file_mut()).expect("our own file");
        file.write_all(&content).expect("our own file");
        let _ = read_journal::<T>(file.path());
    }
}
