//! All games: the open ones, bounded in number, and the saved ones behind them.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::messages::{ClusterView, Event, SavedGame, Seats, Settings};
use crate::minds::{AnswerLine, HearLine, Minds};
use crate::refusal::Refusal;
use crate::session::Session;
use crate::store::{MOST_GAMES, Store};
use crate::table::Table;

/// Each open game has a thread and, while it thinks, two engines.
const MOST_OPEN: usize = 16;

pub struct Games {
    store: Arc<Store>,
    minds: Arc<Minds>,
    open: Mutex<HashMap<String, Arc<Session>>>,
}

impl Games {
    pub fn new(store: Store, minds: Minds) -> Games {
        Games { store: Arc::new(store), minds: Arc::new(minds), open: Mutex::default() }
    }

    /// A new guest of the analysis service.
    pub fn welcome_analyst(&self, answer: AnswerLine) -> HearLine {
        (self.minds.analysis)(answer)
    }

    pub fn has_cluster(&self) -> bool {
        self.minds.cluster.is_some()
    }

    /// How the machines that think along are doing.
    pub fn cluster(&self) -> Result<ClusterView, Refusal> {
        let look = self.minds.cluster.as_ref();
        Ok(look.ok_or_else(|| Refusal::NotFound("no other machines think along".to_owned()))?())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Session>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn begin(&self, settings: Settings) -> Result<Arc<Session>, Refusal> {
        let table = Table::begin(fresh_id(), settings, chance().is_multiple_of(2), Instant::now())?;
        self.open_new(table)
    }

    pub fn load(&self, sgf: &str, name: Option<&str>) -> Result<Arc<Session>, Refusal> {
        self.open_new(Table::study(fresh_id(), sgf, name, Instant::now())?)
    }

    /// A new game like another one.
    pub fn rematch(&self, session: &Session, swap: bool) -> Result<Arc<Session>, Refusal> {
        let mut settings = session.look(|table| table.contest().map(|_| table.settings().clone()));
        let settings = settings.take().ok_or(Refusal::NotNow("a study has no rematch"))?;
        let color = match settings.color {
            Seats::Black if swap => Seats::White,
            Seats::White if swap => Seats::Black,
            same => same,
        };
        self.begin(Settings { color, ..settings })
    }

    fn open_new(&self, table: Table) -> Result<Arc<Session>, Refusal> {
        if self.store.is_full() {
            return Err(Refusal::TooMany(format!("{MOST_GAMES} games are saved; delete some first")));
        }
        self.seat(&mut self.lock(), table)
    }

    /// The session of a game, opened from its record if need be.
    pub fn open(&self, id: &str) -> Result<Arc<Session>, Refusal> {
        let mut open = self.lock();
        if let Some(session) = open.get(id).filter(|session| !session.is_closed()) {
            return Ok(Arc::clone(session));
        }
        let sgf = self.store.load(id)?;
        self.seat(&mut open, Table::read(id.to_owned(), &sgf, Instant::now())?)
    }

    /// Makes room, if it must at the cost of the game that has been without anybody the longest.
    fn seat(&self, open: &mut HashMap<String, Arc<Session>>, table: Table) -> Result<Arc<Session>, Refusal> {
        if open.len() >= MOST_OPEN {
            let empty =
                open.values().filter(|session| session.listeners() == 0).min_by_key(|session| session.last_heard());
            let Some(longest_empty) = empty.map(|session| session.id().to_owned()) else {
                return Err(Refusal::TooMany(format!("{MOST_OPEN} games are open; close one first")));
            };
            if let Some(session) = open.remove(&longest_empty) {
                session.close(None);
            }
        }
        let session = Session::open(table, Arc::clone(&self.store), Arc::clone(&self.minds))?;
        open.insert(session.id().to_owned(), Arc::clone(&session));
        Ok(session)
    }

    pub fn list(&self) -> Vec<SavedGame> {
        let open = self.lock();
        let mut games = self.store.list();
        games.iter_mut().for_each(|game| game.is_open = open.contains_key(&game.id));
        games
    }

    pub fn rename(&self, id: &str, name: &str) -> Result<(), Refusal> {
        self.open(id)?.change(|table| {
            table.rename(name);
            Ok(())
        })
    }

    pub fn remove(&self, id: &str) -> Result<(), Refusal> {
        let mut open = self.lock();
        if let Some(session) = open.remove(id) {
            session.close(Some(&Event::Gone { text: "the game was deleted".to_owned() }));
        }
        self.store.remove(id)
    }
}

/// Numbers nobody outside can foresee: the standard library keys its hashes with the system's randomness.
pub fn chance() -> u64 {
    RandomState::new().hash_one(Instant::now())
}

fn fresh_id() -> String {
    const DIGITS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let bits = chance();
    (0..10).map(|digit| char::from(DIGITS[(bits >> (5 * digit)) as usize % DIGITS.len()])).collect()
}
