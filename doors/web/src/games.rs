//! All games: the open ones, bounded in number, and the saved ones behind them.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use jigo_engine::{NetCard, Profile};
use jigo_sgf::Collection;

use crate::library::Library;
use crate::messages::{CardView, ClusterView, Event, Hello, Persons, Settings, Wanted};
use crate::minds::{AnswerSink, Minds, QueryHandler};
use crate::records::{self, Listed, Reading, RecordView};
use crate::refusal::Refusal;
use crate::session::Session;
use crate::store::{MOST_GAMES, Store};
use crate::table::Table;
use crate::training::{Exercise, Training, now};

/// Each open game has a thread and, while it thinks, two engines.
const MOST_OPEN: usize = 16;

pub struct Games {
    store: Arc<Store>,
    library: Library,
    training: Arc<Training>,
    minds: Arc<Minds>,
    open: Mutex<HashMap<String, Arc<Session>>>,
}

impl Games {
    pub fn new(store: Store, minds: Minds) -> Games {
        let training = Arc::new(Training::open(store.folder()));
        Games {
            store: Arc::new(store),
            library: Library::default(),
            training,
            minds: Arc::new(minds),
            open: Mutex::default(),
        }
    }

    /// A new guest of the analysis service.
    pub fn welcome_analyst(&self, answer: AnswerSink) -> QueryHandler {
        (self.minds.analysis)(answer)
    }

    pub fn hello(&self) -> Hello {
        Hello::new(self.minds.cluster.is_some(), self.minds.nets.cards(), self.minds.analyst_net())
    }

    /// The analyst thinks with this net from the next thought on.
    pub fn set_analyst_net(&self, net: Option<String>) -> Result<(), Refusal> {
        if let Some(name) = &net {
            self.find_net(name)?;
        }
        self.minds.set_analyst_net(net);
        Ok(())
    }

    fn find_net(&self, name: &str) -> Result<NetCard, Refusal> {
        let card = self.minds.nets.cards().into_iter().find(|card| card.name == name);
        card.ok_or_else(|| Refusal::NotFound("there is no net of this name".to_owned()))
    }

    /// Is there such an opponent?
    fn check_opponent(&self, settings: &Settings) -> Result<(), Refusal> {
        let card = settings.net.as_deref().map(|name| self.find_net(name)).transpose()?;
        let Some(like) = &settings.like else { return Ok(()) };
        like.parse::<Profile>().map_err(|error| Refusal::BadMessage(error.to_string()))?;
        match card {
            Some(card) if !card.knows_people => Err(Refusal::BadMessage("this net knows no players".to_owned())),
            _ => Ok(()),
        }
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
        self.check_opponent(&settings)?;
        let table = Table::begin(fresh_id(), settings, chance().is_multiple_of(2), Instant::now())?;
        self.open_new(table)
    }

    /// A study of the first game in an SGF text.
    pub fn load(&self, sgf: &str, name: Option<&str>) -> Result<Arc<Session>, Refusal> {
        let tree = Collection::from_text(sgf)?.games.swap_remove(0);
        self.open_new(Table::study(fresh_id(), tree, name, Instant::now())?)
    }

    /// A file from outside: its only game, or the one that is picked, is opened; of several games the list is told, or all are kept.
    pub fn take_in(&self, bytes: &[u8], reading: &Reading) -> Result<RecordView, Refusal> {
        let records::Read { charset, games, is_cut } = records::read(bytes, reading.charset.as_deref())?;
        let mut view = RecordView { charset, is_cut, games: Vec::new(), opened: None, kept: 0 };
        let study = |tree| Table::study(fresh_id(), tree, reading.name.as_deref(), Instant::now());
        match reading.pick.as_deref() {
            Some("all") => {
                for tree in games {
                    self.check_room()?;
                    // What cannot be read as a game is left out; the others are none the worse for it.
                    if let Ok(table) = study(tree) {
                        self.store.save(table.id(), &table.to_sgf())?;
                        view.kept += 1;
                    }
                }
            }
            Some(number) => {
                let unknown = || Refusal::NotFound(format!("there is no game {number} in the file"));
                let tree = number.parse().ok().and_then(|index: usize| games.into_iter().nth(index));
                view.opened = Some(self.open_new(study(tree.ok_or_else(unknown)?)?)?.id().to_owned());
            }
            None if games.len() == 1 => {
                let tree = games.into_iter().next().ok_or(Refusal::NoGame)?;
                view.opened = Some(self.open_new(study(tree)?)?.id().to_owned());
            }
            None => view.games = games.iter().map(Listed::of).collect(),
        }
        Ok(view)
    }

    /// A new game like another one.
    pub fn rematch(&self, session: &Session, swap: bool) -> Result<Arc<Session>, Refusal> {
        let mut settings = session.look(|table| table.contest().map(|_| table.settings().clone()));
        let settings = settings.take().ok_or(Refusal::not_now("study", "a study has no rematch"))?;
        let color = match settings.color {
            Persons::Black if swap => Persons::White,
            Persons::White if swap => Persons::Black,
            same => same,
        };
        self.begin(Settings { color, ..settings })
    }

    fn open_new(&self, table: Table) -> Result<Arc<Session>, Refusal> {
        self.check_room()?;
        self.open_session(&mut self.lock(), table)
    }

    fn check_room(&self) -> Result<(), Refusal> {
        let full = || Refusal::too_many("saved", MOST_GAMES, "games are saved; delete some first");
        if self.store.is_full() { Err(full()) } else { Ok(()) }
    }

    /// The session of a game, opened from its record if need be.
    pub fn open(&self, id: &str) -> Result<Arc<Session>, Refusal> {
        let mut open = self.lock();
        if let Some(session) = open.get(id).filter(|session| !session.is_closed()) {
            return Ok(Arc::clone(session));
        }
        let sgf = self.store.load(id)?;
        self.open_session(&mut open, Table::read(id.to_owned(), &sgf, Instant::now())?)
    }

    /// Makes room, if it must at the cost of the game that has been without anybody the longest.
    fn open_session(&self, open: &mut HashMap<String, Arc<Session>>, table: Table) -> Result<Arc<Session>, Refusal> {
        if open.len() >= MOST_OPEN {
            let can_go = |session: &&Arc<Session>| session.listeners() == 0 && !session.is_unsaved();
            let empty = open.values().filter(can_go).min_by_key(|session| session.last_heard());
            let Some(longest_empty) = empty.map(|session| session.id().to_owned()) else {
                return Err(Refusal::too_many("open", MOST_OPEN, "games are open; close one first"));
            };
            if let Some(session) = open.remove(&longest_empty) {
                session.close(None);
            }
        }
        let session =
            Session::open(table, Arc::clone(&self.store), Arc::clone(&self.training), Arc::clone(&self.minds))?;
        open.insert(session.id().to_owned(), Arc::clone(&session));
        Ok(session)
    }

    /// How many exercises there are, and those that are due.
    pub fn exercises(&self) -> (usize, Vec<Exercise>) {
        let all = self.library.exercises(&self.store);
        (all.len(), self.training.due(all, now()))
    }

    pub fn next_card(&self) -> CardView {
        let (_, due) = self.exercises();
        match due.first() {
            Some(exercise) => CardView {
                game: Some(exercise.game.clone()),
                number: exercise.number,
                color: Some(exercise.color.into()),
                due: due.len(),
            },
            None => CardView { game: None, number: 0, color: None, due: 0 },
        }
    }

    /// The saved games that are wanted, among them those with the position of `key` if one is given.
    pub fn list(&self, wanted: &Wanted, key: Option<u64>) -> Event {
        let (mut games, found, total) = self.library.find(&self.store, wanted, key);
        let open = self.lock();
        games.iter_mut().for_each(|game| game.is_open = open.contains_key(&game.id));
        Event::Games { games, found, total }
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
