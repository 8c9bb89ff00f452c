//! One tab: a WebSocket that asks, and hears what happens on the game it is on.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::block_in_place;
use tokio::time::{interval, timeout};
use tracing::{debug, trace};

use crate::games::Games;
use crate::messages::{Envelope, Event, LobbyRequest, Request};
use crate::refusal::Refusal;
use crate::session::{Session, WAITING_MESSAGES};

/// The longest message a tab may send; larger files come over HTTP.
pub const LONGEST_MESSAGE: usize = 1 << 20;
/// A dead connection is noticed this soon.
const PING_EVERY: Duration = Duration::from_secs(30);
/// A tab that cannot take one message in this time is gone.
pub const SEND_WITHIN: Duration = Duration::from_secs(20);
/// WebSocket's "policy violation".
const TOO_SLOW: u16 = 1008;

/// Talks with a tab until either side has had enough.
pub async fn converse(mut socket: WebSocket, games: Arc<Games>) {
    let (sender, mut outbox) = channel(WAITING_MESSAGES);
    let mut tab = Tab { games, sender, at_table: None };
    tab.say(&Event::Hello(tab.games.hello()));
    let mut ping = interval(PING_EVERY);
    loop {
        let message = tokio::select! {
            message = outbox.recv() => match message {
                Some(text) => Message::Text(text),
                None => break,
            },
            heard = socket.recv() => match heard {
                Some(Ok(Message::Text(text))) => {
                    block_in_place(|| tab.receive(&text));
                    continue;
                }
                Some(Ok(Message::Binary(_))) => {
                    let text = "messages are text, not binary".to_owned();
                    tab.say(&Refusal::BadMessage(text).to_event(None));
                    continue;
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
            },
            _ = ping.tick() => Message::Ping(Default::default()),
        };
        if !matches!(timeout(SEND_WITHIN, socket.send(message)).await, Ok(Ok(()))) {
            break;
        }
        if tab.was_dropped() {
            let reason = "messages were not read in time".into();
            let _ =
                timeout(SEND_WITHIN, socket.send(Message::Close(Some(CloseFrame { code: TOO_SLOW, reason })))).await;
            break;
        }
    }
    tab.leave();
}

struct Tab {
    games: Arc<Games>,
    sender: Sender<Utf8Bytes>,
    at_table: Option<(Arc<Session>, u64)>,
}

impl Tab {
    fn receive(&mut self, text: &str) {
        let (re, outcome) = match serde_json::from_str::<Envelope>(text) {
            Ok(Envelope { re, request }) => (re, self.route(request)),
            Err(error) => {
                let refusal = Refusal::BadMessage(format!("the message was not understood: {error}"));
                (Envelope::number_of(text), Err(refusal))
            }
        };
        match &outcome {
            Ok(()) => trace!("< {text}"),
            Err(refusal) => debug!(%refusal, "< {text}"),
        }
        match (outcome, re) {
            (Ok(()), Some(re)) => self.say(&Event::Done { re }),
            (Ok(()), None) => {}
            (Err(refusal), re) => self.say(&refusal.to_event(re)),
        }
    }

    fn route(&mut self, request: Request) -> Result<(), Refusal> {
        match request {
            Request::Lobby(request) => self.serve_in_lobby(request),
            Request::Table(request) => {
                let (session, number) = self.at_table.as_ref().ok_or(Refusal::NoGame)?;
                session.ask_table(*number, request)
            }
        }
    }

    fn serve_in_lobby(&mut self, request: LobbyRequest) -> Result<(), Refusal> {
        match request {
            LobbyRequest::New(settings) => self.sit(self.games.begin(settings)?),
            LobbyRequest::Load { sgf, name } => self.sit(self.games.load(&sgf, name.as_deref())?),
            LobbyRequest::Join { game } => self.sit(self.games.open(&game)?),
            LobbyRequest::Rematch { swap } => self.sit(self.games.rematch(self.session()?, swap)?),
            LobbyRequest::Leave => self.leave(),
            LobbyRequest::Sgf { annotated } => {
                let (name, text) = self.session()?.look(|table| table.export(annotated));
                self.say(&Event::Sgf { name, text });
            }
            LobbyRequest::Branch { node } => {
                let text = self.session()?.look(|table| table.branch(node))?;
                self.say(&Event::Branch { text });
            }
            LobbyRequest::Moment { node } => {
                let moment = self.session()?.look(|table| table.moment(node))?;
                self.say(&Event::Moment(moment));
            }
            LobbyRequest::Games(wanted) => {
                let key = match &self.at_table {
                    Some((session, number)) if wanted.position => Some(session.position_key(*number)),
                    _ => None,
                };
                self.say(&self.games.list(&wanted, key));
            }
            LobbyRequest::Deck => {
                let (cards, due) = self.games.exercises();
                self.say(&Event::Deck { cards, due: due.len() });
            }
            LobbyRequest::Card => self.say(&Event::Card(self.games.next_card())),
            LobbyRequest::Cluster => self.say(&Event::Cluster(self.games.cluster()?)),
            LobbyRequest::Net { net } => {
                self.games.set_analyst_net(net)?;
                self.say(&Event::Hello(self.games.hello()));
            }
            LobbyRequest::Rename { game, name } => self.games.rename(&game, &name)?,
            LobbyRequest::Remove { game } => self.games.remove(&game)?,
            LobbyRequest::Ping => {}
        }
        Ok(())
    }

    fn session(&self) -> Result<&Arc<Session>, Refusal> {
        self.at_table.as_ref().map(|(session, _)| session).ok_or(Refusal::NoGame)
    }

    fn sit(&mut self, session: Arc<Session>) {
        self.leave();
        let number = session.join(self.sender.clone());
        self.at_table = Some((session, number));
    }

    fn leave(&mut self) {
        if let Some((session, number)) = self.at_table.take() {
            session.leave(number);
        }
    }

    /// Was the tab let go because it did not read?
    fn was_dropped(&self) -> bool {
        self.at_table.as_ref().is_some_and(|(session, number)| session.has_dropped(*number))
    }

    /// A tab with a full queue is about to be let go; what it is not told any more is no loss.
    fn say(&self, event: &Event) {
        let _ = self.sender.try_send(event.to_json().into());
    }
}
