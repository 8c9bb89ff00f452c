//! A table with everybody at it: the tabs that listen, and the thread that thinks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use jigo_engine::StopFlag;
use jigo_sgf::NodeId;
use tokio::sync::mpsc::Sender;

use crate::library::position_key;
use crate::messages::{AnalysisView, Event, TableRequest};
use crate::minds::Minds;
use crate::refusal::Refusal;
use crate::store::Store;
use crate::table::{Changes, PROGRAMS, Table, Wish};
use crate::thinking;
use crate::training::{Training, now};

/// Messages that may wait for a tab that does not read; with more the tab is let go.
pub const WAITING_MESSAGES: usize = 256;
/// Programs without an open tab are listened to this long after their last request.
const ATTENTION: Duration = Duration::from_secs(60);
/// What can be found out again is saved this often at most.
const SAVE_LEARNT_EVERY: Duration = Duration::from_secs(5);
/// A save that failed is tried again this soon, until it succeeds.
const SAVE_AGAIN: Duration = Duration::from_secs(1);

pub struct Session {
    id: String,
    store: Arc<Store>,
    training: Arc<Training>,
    state: Mutex<State>,
    changed: Condvar,
}

pub(crate) struct State {
    pub table: Table,
    listeners: Vec<(u64, Sender<Utf8Bytes>)>,
    next_listener: u64,
    heard: Instant,
    /// When somebody without a tab last asked for something.
    asked: Option<Instant>,
    /// The last `analysis` message, for tabs that come later.
    analysis: Option<(NodeId, Utf8Bytes)>,
    running: Option<(Wish, StopFlag)>,
    saved: Instant,
    unsaved: bool,
    /// Why the last save failed, while none has succeeded since.
    save_failed: Option<Refusal>,
    is_closed: bool,
}

impl Session {
    /// Opens a table and begins to think about whatever it wishes.
    pub fn open(
        table: Table,
        store: Arc<Store>,
        training: Arc<Training>,
        minds: Arc<Minds>,
    ) -> Result<Arc<Session>, Refusal> {
        let now = Instant::now();
        let session = Arc::new(Session {
            id: table.id().to_owned(),
            store,
            training,
            state: Mutex::new(State {
                table,
                listeners: Vec::new(),
                next_listener: PROGRAMS + 1,
                heard: now,
                asked: None,
                analysis: None,
                running: None,
                saved: now,
                unsaved: false,
                save_failed: None,
                is_closed: false,
            }),
            changed: Condvar::new(),
        });
        session.tell_changes(&mut session.lock())?;
        let thinker = Arc::clone(&session);
        let no_thread = |_| Refusal::too_many("threads", 0, "threads are left to think on");
        thread::Builder::new()
            .name("web-thinker".into())
            .spawn(move || {
                // A thinker that fails must not leave a game waiting for ever: the game is closed, and opens again from its record.
                if catch_unwind(AssertUnwindSafe(|| thinking::think(&thinker, &minds))).is_err() {
                    thinker.close(Some(&Event::Gone { text: "the engine failed; open the game again".to_owned() }));
                }
            })
            .map_err(no_thread)?;
        Ok(session)
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the table without changing it.
    pub fn look<T>(&self, view: impl FnOnce(&Table) -> T) -> T {
        view(&self.lock().table)
    }

    /// Changes the table, tells everybody, saves, and lets the thinker see to it.
    pub fn change<T>(&self, change: impl FnOnce(&mut Table) -> Result<T, Refusal>) -> Result<T, Refusal> {
        self.change_as(PROGRAMS, change)
    }

    /// As [`Session::change`], seen through the eyes of a viewer.
    fn change_as<T>(&self, viewer: u64, change: impl FnOnce(&mut Table) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let mut state = self.lock();
        if state.is_closed {
            return Err(Refusal::NotFound("the game was closed".to_owned()));
        }
        state.heard = Instant::now();
        if viewer == PROGRAMS {
            state.asked = Some(state.heard);
        }
        state.table.turn_to(viewer);
        let outcome = change(&mut state.table);
        let told = self.tell_changes(&mut state);
        self.see_to_wishes(&state);
        let outcome = outcome?;
        told.map(|()| outcome)
    }

    /// Lays a request of a tab, or of a program without one, before the table.
    pub fn ask_table(&self, viewer: u64, request: TableRequest) -> Result<(), Refusal> {
        self.change_as(viewer, |table| table.grant(request, Instant::now()))
    }

    /// The position a tab looks at, whichever way the board is turned.
    pub fn position_key(&self, viewer: u64) -> u64 {
        let mut state = self.lock();
        state.table.turn_to(viewer);
        position_key(state.table.here().board())
    }

    /// A tab sits down: it is told everything, and from now on all that changes.
    pub fn join(&self, tab: Sender<Utf8Bytes>) -> u64 {
        let mut state = self.lock();
        let number = state.next_listener;
        state.next_listener += 1;
        state.table.welcome(number);
        for message in self.everything(&state) {
            let _ = tab.try_send(message);
        }
        state.listeners.push((number, tab));
        state.heard = Instant::now();
        self.see_to_wishes(&state);
        number
    }

    pub fn leave(&self, number: u64) {
        let mut state = self.lock();
        state.listeners.retain(|&(listener, _)| listener != number);
        state.table.farewell(number);
        self.save_learnt(&mut state);
        self.see_to_wishes(&state);
    }

    /// Was this tab let go because it did not read?
    pub fn has_dropped(&self, number: u64) -> bool {
        let state = self.lock();
        !state.is_closed && !state.listeners.iter().any(|&(listener, _)| listener == number)
    }

    pub fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    pub fn listeners(&self) -> usize {
        self.lock().listeners.len()
    }

    pub fn last_heard(&self) -> Instant {
        self.lock().heard
    }

    /// Is there something of the game that exists nowhere else?
    pub fn is_unsaved(&self) -> bool {
        self.lock().save_failed.is_some()
    }

    /// Everybody is sent home and the thinker stops.
    pub fn close(&self, farewell: Option<&Event>) {
        let mut state = self.lock();
        if let Some(farewell) = farewell {
            state.broadcast(farewell.to_json().into());
        } else {
            self.save_learnt(&mut state);
        }
        state.is_closed = true;
        state.listeners.clear();
        self.see_to_wishes(&state);
    }

    fn everything(&self, state: &State) -> Vec<Utf8Bytes> {
        let table = &state.table;
        let mut events = vec![
            Event::Game(table.game_view()),
            Event::Position(table.position_view()),
            Event::Status(table.status_view()),
        ];
        events.extend(table.clock_view(Instant::now()).map(Event::Clock));
        events.extend(table.counting_view().map(Event::Counting));
        events.extend(table.komi_view().cloned().map(Event::Komi));
        events.extend(table.review_view().map(Event::Review));
        events.extend(state.storage_event());
        let mut messages: Vec<Utf8Bytes> = events.iter().map(|event| event.to_json().into()).collect();
        messages.extend(state.analysis().cloned());
        messages
    }

    /// Tells all that changed, in the order the protocol promises, and saves what must not be lost.
    pub(crate) fn tell_changes(&self, state: &mut State) -> Result<(), Refusal> {
        let changes = state.table.take_changes();
        if changes.whole {
            let event = Event::Game(state.table.game_view());
            state.broadcast(event.to_json().into());
        } else if !changes.nodes.is_empty() {
            let event = state.table.nodes_event(changes.nodes.iter().copied());
            state.broadcast(event.to_json().into());
        }
        let verdicts = state.tell_views(&changes);
        for (number, passed) in verdicts {
            self.training.answered(&self.id, number, passed, now());
        }
        // Whoever is told the whole game has forgotten all the rest of it.
        let is_told = |part: bool| part || changes.whole;
        let table = &state.table;
        let mut events = Vec::new();
        if is_told(changes.clock) {
            events.extend(table.clock_view(Instant::now()).map(Event::Clock));
        }
        if is_told(changes.counting) {
            events.extend(table.counting_view().map(Event::Counting));
        }
        if is_told(changes.komi) {
            events.extend(table.komi_view().cloned().map(Event::Komi));
        }
        if is_told(changes.review) {
            events.extend(table.review_view().map(Event::Review));
        }
        for event in events {
            state.broadcast(event.to_json().into());
        }
        state.unsaved |= changes.learnt;
        let pause = if state.save_failed.is_some() { SAVE_AGAIN } else { SAVE_LEARNT_EVERY };
        let is_time = state.unsaved && state.saved.elapsed() >= pause;
        if changes.save || is_time { self.save(state) } else { Ok(()) }
    }

    /// Saves the record, and tells everybody when that begins to fail or succeeds again. A closed game is saved already, or deleted.
    fn save(&self, state: &mut State) -> Result<(), Refusal> {
        if state.is_closed {
            return Ok(());
        }
        let outcome = self.store.save(&self.id, &state.table.to_sgf());
        state.saved = Instant::now();
        state.unsaved = outcome.is_err();
        let failed_before = state.save_failed.is_some();
        state.save_failed = outcome.clone().err();
        if failed_before != state.save_failed.is_some() {
            let event = state.storage_event().unwrap_or(Event::Storage { failed: false, text: None });
            state.broadcast(event.to_json().into());
        }
        outcome
    }

    pub(crate) fn save_learnt(&self, state: &mut State) {
        if state.unsaved {
            // Everybody is told if it fails, and nobody is waiting for it.
            let _ = self.save(state);
        }
    }

    /// Ends a thought nobody waits for any more, and wakes the thinker.
    pub(crate) fn see_to_wishes(&self, state: &State) {
        if let Some((wish, stop)) = &state.running
            && state.wish() != Some(*wish)
        {
            stop.raise();
        }
        self.changed.notify_all();
    }

    /// Waits until something changes, but not longer than this, nor beyond the time at which a failed save is tried again.
    pub(crate) fn wait<'a>(&self, state: MutexGuard<'a, State>, at_most: Duration) -> MutexGuard<'a, State> {
        let at_most = if state.save_failed.is_some() { at_most.min(SAVE_AGAIN) } else { at_most };
        self.changed.wait_timeout(state, at_most).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl State {
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    pub(crate) fn wish(&self) -> Option<Wish> {
        let is_asked = self.asked.is_some_and(|asked| asked.elapsed() < ATTENTION);
        let tabs = self.listeners.iter().map(|&(number, _)| number);
        let attending: Vec<u64> = tabs.chain(is_asked.then_some(PROGRAMS)).collect();
        if self.is_closed { None } else { self.table.wish(&attending) }
    }

    /// Tells every tab what it sees, where that changed for everybody or for itself alone. Returns the exercises that were judged.
    fn tell_views(&mut self, changes: &Changes) -> Vec<(usize, bool)> {
        let mut verdicts = Vec::new();
        let analysis = self.analysis.clone().filter(|_| changes.whole);
        let asking = self.table.viewer();
        let mut kept = std::mem::take(&mut self.listeners);
        kept.retain(|(number, tab)| {
            self.table.turn_to(*number);
            let (has_moved, analysis_off) = self.table.take_moved();
            let verdict = self.table.take_verdict();
            verdicts.extend(verdict.as_ref().map(|verdict| (verdict.number, verdict.passed)));
            let mut events = Vec::new();
            if changes.whole || changes.position || has_moved {
                events.push(Event::Position(self.table.position_view()));
            }
            if changes.whole || changes.status || has_moved {
                events.push(Event::Status(self.table.status_view()));
            }
            if analysis_off {
                events.push(Event::Analysis(AnalysisView::default()));
            }
            events.extend(verdict.map(Event::Judged));
            let mut messages: Vec<Utf8Bytes> = events.iter().map(|event| event.to_json().into()).collect();
            let is_watched = |(node, _): &&(NodeId, Utf8Bytes)| self.table.is_watched(*node);
            messages.extend(analysis.as_ref().filter(is_watched).map(|(_, message)| message.clone()));
            messages.into_iter().all(|message| tab.try_send(message).is_ok())
        });
        self.listeners = kept;
        if let Some(asking) = asking {
            self.table.turn_to(asking);
        }
        verdicts
    }

    /// That the game could not be saved, while that is so.
    pub(crate) fn storage_event(&self) -> Option<Event> {
        let refusal = self.save_failed.as_ref()?;
        Some(Event::Storage { failed: true, text: Some(refusal.to_string()) })
    }

    pub(crate) fn set_running(&mut self, running: Option<(Wish, StopFlag)>) {
        self.running = running;
    }

    /// Sends a message to every tab; one that has too many waiting is let go.
    pub(crate) fn broadcast(&mut self, message: Utf8Bytes) {
        self.listeners.retain(|(_, tab)| tab.try_send(message.clone()).is_ok());
    }

    /// Shows an analysis to those who watch it.
    pub(crate) fn show_analysis(&mut self, node: NodeId, message: Utf8Bytes) {
        let table = &self.table;
        self.listeners.retain(|(number, tab)| !table.watches(*number, node) || tab.try_send(message.clone()).is_ok());
        self.analysis = Some((node, message));
    }

    /// The last `analysis` message, if the one who looks watches its position.
    pub(crate) fn analysis(&self) -> Option<&Utf8Bytes> {
        let (node, message) = self.analysis.as_ref()?;
        self.table.is_watched(*node).then_some(message)
    }
}
