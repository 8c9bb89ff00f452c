//! The door itself: an address, the routes behind it, and how many may come through.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use tokio::sync::Semaphore;
use tracing::debug;

use crate::connections;
use crate::folder_lock::CannotOpen;
use crate::games::Games;
use crate::minds::Minds;
use crate::records::LONGEST_FILE;
use crate::refusal::Refusal;
use crate::security::{Gate, guard};
use crate::socket::{self, LONGEST_MESSAGE};
use crate::store::Store;
use crate::{analysis_socket, api, assets};

/// Tabs that may be open at a time.
const MOST_TABS: usize = 64;
/// Programs that may analyse here at a time.
const MOST_GUESTS: usize = 8;
/// Threads that speak with clients; thinking has its own.
const SPEAKING_THREADS: usize = 2;

/// A door that is bound to its address and about to open.
pub struct Server {
    runtime: tokio::runtime::Runtime,
    listener: tokio::net::TcpListener,
    gate: Gate,
    games: Arc<Games>,
}

impl Server {
    /// Takes the address, and the folder where games are saved, for itself alone. Port 0 takes any free port. At an address that
    /// other machines can reach a token is asked of everybody.
    pub fn bind(address: SocketAddr, token: Option<String>, folder: &Path, minds: Minds) -> Result<Server, CannotOpen> {
        if token.as_deref().is_some_and(|token| token.trim().is_empty()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "an empty token keeps nobody out").into());
        }
        let store = Store::open(folder)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(SPEAKING_THREADS)
            .thread_name("web")
            .enable_all()
            .build()?;
        let listener = runtime.block_on(tokio::net::TcpListener::bind(address))?;
        let gate = Gate::new(listener.local_addr()?, token);
        store.announce(&url(listener.local_addr()?, &gate))?;
        Ok(Server { runtime, listener, gate, games: Arc::new(Games::new(store, minds)) })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// What to type into a browser on this machine.
    pub fn url(&self) -> io::Result<String> {
        Ok(url(self.address()?, &self.gate))
    }

    /// Serves until the process ends.
    pub fn run(self) {
        // The first to ask for the saved games should not have to wait until all of them are read.
        let games = Arc::clone(&self.games);
        self.runtime.spawn_blocking(move || games.exercises());
        let routes = routes(self.games, self.gate);
        self.runtime.block_on(connections::serve(self.listener, routes));
    }
}

fn url(address: SocketAddr, gate: &Gate) -> String {
    let host = if address.ip().is_unspecified() { SocketAddr::from(([127, 0, 0, 1], address.port())) } else { address };
    let token = gate.token().map(|token| format!("?token={token}")).unwrap_or_default();
    format!("http://{host}/{token}")
}

fn routes(games: Arc<Games>, gate: Gate) -> Router {
    let tabs = Arc::new(Semaphore::new(MOST_TABS));
    let guests = Arc::new(Semaphore::new(MOST_GUESTS));
    Router::new()
        .route("/ws", any(move |state, upgrade| open_tab(state, upgrade, Arc::clone(&tabs))))
        .route("/analysis", any(move |state, upgrade| open_analysis(state, upgrade, Arc::clone(&guests))))
        .route("/api/info", get(api::info))
        .route("/api/cluster", get(api::cluster))
        .route("/api/games", get(api::list).post(api::create))
        .route("/api/games/{id}", get(api::show).patch(api::rename).delete(api::remove))
        .route("/api/games/{id}/sgf", get(api::sgf))
        .route("/api/games/{id}/messages", post(api::message))
        .fallback(get(assets::serve))
        .layer(DefaultBodyLimit::max(LONGEST_MESSAGE))
        .route("/api/records", post(api::record).layer(DefaultBodyLimit::max(LONGEST_FILE)))
        .layer(from_fn_with_state(gate, guard))
        .layer(from_fn(log_request))
        .with_state(games)
}

/// Who asked for what and how it was answered, for the log. Queries are left out: one may hold the token.
async fn log_request(request: Request, next: Next) -> Response {
    let (method, path, began) = (request.method().clone(), request.uri().path().to_owned(), Instant::now());
    let response = next.run(request).await;
    debug!(%method, path, status = response.status().as_u16(), seconds = began.elapsed().as_secs_f32(), "request");
    response
}

async fn open_tab(State(games): State<Arc<Games>>, upgrade: WebSocketUpgrade, tabs: Arc<Semaphore>) -> Response {
    let Ok(place) = tabs.try_acquire_owned() else { return no_place("tabs", MOST_TABS) };
    bounded(upgrade).on_upgrade(async move |socket| {
        socket::converse(socket, games).await;
        drop(place);
    })
}

async fn open_analysis(State(games): State<Arc<Games>>, upgrade: WebSocketUpgrade, guests: Arc<Semaphore>) -> Response {
    let Ok(place) = guests.try_acquire_owned() else { return no_place("analysing programs", MOST_GUESTS) };
    bounded(upgrade).on_upgrade(async move |socket| {
        analysis_socket::converse(socket, |answer| games.welcome_analyst(answer)).await;
        drop(place);
    })
}

fn bounded(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE)
}

fn no_place(who: &str, most: usize) -> Response {
    let refusal = Refusal::too_many("connected", most, &format!("{who} are connected; close one first"));
    (StatusCode::SERVICE_UNAVAILABLE, Json(refusal.to_event(None))).into_response()
}
